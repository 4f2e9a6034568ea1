/** Checks every response received by a test against the server's OpenAPI document. */

import { strictEqual } from "node:assert/strict";
import ajvFormats from "ajv-formats";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import type { Reply } from "./harness.ts";

interface Operation {
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly schema: object }>> }>
  >;
}

/** The part of an OpenAPI document that we check responses against. */
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

/**
 * Checks responses. Create one checker per document, since schemas are compiled on first use and
 * then cached.
 */
export class Contract {
  readonly #document: Document;
  readonly #ajv = new Ajv2020({ strict: false, allErrors: true });
  readonly #compiled = new Map<object, ValidateFunction>();

  constructor(document: Document) {
    this.#document = document;
    (ajvFormats as unknown as (ajv: Ajv2020) => void)(this.#ajv);
    this.#ajv.addSchema({ ...document, $id: "contract" });
  }

  /** Throws if the document describes the endpoint but not this response. */
  check(method: string, path: string, reply: Reply): void {
    const operation = this.#operation(method, path);
    if (operation === undefined || reply.status === 404 && reply.json?.code === "NOT_FOUND") return;
    const exchange = `${method} ${path} returned ${reply.status} ${reply.text.slice(0, 400)}`;
    const response = operation.responses[reply.status];
    strictEqual(response !== undefined, true, `${exchange}, a status that is not in the contract`);
    const [type = "application/json"] = Object.keys(response!.content ?? {});
    if (type !== "application/json") {
      return strictEqual(reply.headers.get("content-type"), type, exchange);
    }
    const schema = response!.content?.[type]?.schema;
    if (schema === undefined) {
      return strictEqual(reply.text, "", `${exchange}, expected an empty body`);
    }
    const validate = this.#validator(schema);
    const valid = validate(reply.json);
    strictEqual(valid, true, `${exchange}: ${this.#ajv.errorsText(validate.errors)}`);
  }

  #operation(method: string, path: string): Operation | undefined {
    const segments = path.split("?")[0]!.split("/");
    const matches = (template: string) => {
      const parts = template.split("/");
      return parts.length === segments.length &&
        parts.every((part, index) => part.startsWith("{") || part === segments[index]);
    };
    const templates = Object.keys(this.#document.paths).filter(matches);
    const exact = templates.find((template) => !template.includes("{")) ?? templates[0];
    return exact === undefined ? undefined : this.#document.paths[exact]![method.toLowerCase()];
  }

  #validator(schema: object): ValidateFunction {
    const compiled = this.#compiled.get(schema);
    if (compiled) return compiled;
    // References point into the document, so we compile the schema as part of it.
    const inDocument = JSON.parse(
      JSON.stringify(schema).replaceAll('"#/components/', '"contract#/components/'),
    );
    const validate = this.#ajv.compile(inDocument);
    this.#compiled.set(schema, validate);
    return validate;
  }
}

let cached: { readonly text: string; readonly contract: Contract } | undefined;

/** Returns a server's contract. Servers with the same version share one. */
export async function fetchContract(url: string): Promise<Contract> {
  const text = await (await fetch(`${url}/v1/openapi.json`)).text();
  if (cached?.text !== text) cached = { text, contract: new Contract(JSON.parse(text)) };
  return cached.contract;
}
