/** Holds every answer that a test sees against the OpenAPI document that the server itself gives. */

import { strictEqual } from "node:assert/strict";
import ajvFormats from "ajv-formats";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import type { Reply } from "./harness.ts";

interface Operation {
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly schema: object }>> }>
  >;
}

/** The part of an OpenAPI document that answers are held against. */
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

/** Checks answers. Made once a document; schemas are compiled when they are first needed. */
export class Contract {
  readonly #document: Document;
  readonly #ajv = new Ajv2020({ strict: false, allErrors: true });
  readonly #compiled = new Map<object, ValidateFunction>();

  constructor(document: Document) {
    this.#document = document;
    (ajvFormats as unknown as (ajv: Ajv2020) => void)(this.#ajv);
    this.#ajv.addSchema({ ...document, $id: "contract" });
  }

  /** Throws when the document describes the endpoint but not this answer. */
  check(method: string, path: string, reply: Reply): void {
    const operation = this.#operation(method, path);
    if (operation === undefined || reply.status === 404 && reply.json?.code === "NOT_FOUND") return;
    const what = `${method} ${path} answered ${reply.status} ${reply.text.slice(0, 400)}`;
    const response = operation.responses[reply.status];
    strictEqual(response !== undefined, true, `${what}, a status that the contract doesn't name`);
    const schema = response!.content?.["application/json"]?.schema;
    if (schema === undefined) return strictEqual(reply.text, "", `${what}, which has no body`);
    const validate = this.#validator(schema);
    const valid = validate(reply.json);
    strictEqual(valid, true, `${what}: ${this.#ajv.errorsText(validate.errors)}`);
  }

  #operation(method: string, path: string): Operation | undefined {
    const segments = path.split("?")[0]!.split("/");
    const fits = (template: string) => {
      const parts = template.split("/");
      return parts.length === segments.length &&
        parts.every((part, index) => part.startsWith("{") || part === segments[index]);
    };
    const templates = Object.keys(this.#document.paths).filter(fits);
    const exact = templates.find((template) => !template.includes("{")) ?? templates[0];
    return exact === undefined ? undefined : this.#document.paths[exact]![method.toLowerCase()];
  }

  #validator(schema: object): ValidateFunction {
    const known = this.#compiled.get(schema);
    if (known) return known;
    // References point into the document: the schema is compiled as if it stood there.
    const inDocument = JSON.parse(
      JSON.stringify(schema).replaceAll('"#/components/', '"contract#/components/'),
    );
    const validate = this.#ajv.compile(inDocument);
    this.#compiled.set(schema, validate);
    return validate;
  }
}

let cached: { readonly text: string; readonly contract: Contract } | undefined;

/** The contract of a server; servers of one version share it. */
export async function fetchContract(url: string): Promise<Contract> {
  const text = await (await fetch(`${url}/v1/openapi.json`)).text();
  if (cached?.text !== text) cached = { text, contract: new Contract(JSON.parse(text)) };
  return cached.contract;
}
