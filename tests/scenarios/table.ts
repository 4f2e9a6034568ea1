/** Scenario tables: for each endpoint, who asks for what, what they get, and what must not appear. */

import { deepStrictEqual, doesNotMatch, match, ok, strictEqual } from "node:assert/strict";
import {
  call,
  type Reply,
  type RequestOptions,
  type TestServer,
  withServer,
} from "../../testing/harness.ts";

/** Permissions as keys have them. */
export const PERMISSIONS = ["memory:read", "memory:write", "operations:read"] as const;

/** A request without the key that it is made with. */
export interface EndpointRequest extends Omit<RequestOptions, "key"> {
  readonly method: string;
  readonly path: string;
}

/** What has to come back. */
export interface Expected {
  readonly status: number;
  readonly code?: string;
  /** Texts that the body must hold. */
  readonly shows?: readonly string[];
  /** Texts that the body must not hold. */
  readonly hides?: readonly string[];
  /** Header values that must be there. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Checks that need the parsed body. */
  readonly also?: (reply: Reply) => void;
}

/** One row beside those that every endpoint has; asked with the key of every permission. */
export interface Row<World> extends Expected {
  readonly when: string;
  readonly request: (world: World) => EndpointRequest;
}

/** An endpoint with its table. */
export interface EndpointTable<World> {
  readonly permission: typeof PERMISSIONS[number];
  /** Makes what the endpoint is asked about. */
  readonly prepare: (server: TestServer) => Promise<World>;
  readonly request: (world: World) => EndpointRequest;
  /** Texts that nobody but the owner may see. */
  readonly content?: readonly string[];
  /** What the owner of the record gets, with a key of just the needed permission. */
  readonly owner: Expected;
  /** What another project's key of every permission gets. */
  readonly stranger: Expected;
  readonly rows?: readonly Row<World>[];
}

const UNKNOWN_KEY = "cpl_a-key-that-nobody-has-ever-made";
/** What the random part of a `request_id`, or of another id, spells now and then. */
const RANDOM_ID_PART = /^[0-9a-hjkmnp-tv-z]{0,7}$/;
const UNAUTHORIZED = {
  status: 401,
  code: "INVALID_API_KEY",
  headers: { "www-authenticate": "Bearer" },
};

/** Registers the test of an endpoint: a step for each row, on one server, in the order given. */
export function endpointTable<World>(name: string, table: EndpointTable<World>): void {
  Deno.test(name, async (t) => {
    await withServer(async (server) => {
      const world = await table.prepare(server);
      const lacking = PERMISSIONS.filter((each) => each !== table.permission);
      const weak = await server.createKey("default", ...lacking);
      const fitting = await server.createKey("default", table.permission);
      const foreign = await server.createKey("elsewhere");
      const asked = table.request(world);
      const secrets = [server.key, weak, fitting, foreign, UNKNOWN_KEY];
      const step = (
        when: string,
        key: string | null,
        request: EndpointRequest,
        expected: Expected,
      ) =>
        t.step(when, async () => {
          const reply = await server.call(request.method, request.path, { ...request, key });
          checkReply(reply, { ...expected, hides: [...expected.hides ?? [], ...secrets] });
        });
      const content = { hides: table.content ?? [] };

      await step("no key", null, asked, { ...UNAUTHORIZED, ...content });
      await step("a key that nobody has", UNKNOWN_KEY, asked, { ...UNAUTHORIZED, ...content });
      await t.step("the key in another scheme", async () => {
        const headers = { ...asked.headers, authorization: `Basic ${server.key}` };
        const reply = await call(server.url, asked.method, asked.path, {
          ...asked,
          key: null,
          headers,
        });
        checkReply(reply, { ...UNAUTHORIZED, ...content });
      });
      const joint = asked.path.includes("?") ? "&" : "?";
      const inQuery = `${asked.path}${joint}api_key=${server.key}&key=${server.key}`;
      await step("the key in the query", null, { ...asked, path: inQuery }, {
        ...UNAUTHORIZED,
        ...content,
      });
      await step(`a key without ${table.permission}`, weak, asked, {
        status: 403,
        code: "PERMISSION_DENIED",
        also: ({ json }) => deepStrictEqual(json.details, { required: table.permission }),
        ...content,
      });
      await step("another project's key", foreign, asked, {
        ...table.stranger,
        hides: [...table.stranger.hides ?? [], ...table.content ?? []],
      });
      await step(`a key of just ${table.permission}`, fitting, asked, table.owner);
      for (const row of table.rows ?? []) {
        await step(row.when, server.key, row.request(world), row);
      }
    });
  });
}

/** What is true of every answer, and what this one has to be. */
export function checkReply(reply: Reply, expected: Expected): void {
  strictEqual(reply.status, expected.status, reply.text);
  match(reply.headers.get("x-request-id") ?? "", /^req_[0-9a-z]{26}$/);
  if (reply.status >= 400) checkErrorShape(reply);
  if (expected.code !== undefined) strictEqual(reply.json.code, expected.code, reply.text);
  for (const text of expected.shows ?? []) ok(reply.text.includes(text), `shows ${text}`);
  for (const text of expected.hides ?? []) {
    doesNotMatch(text, RANDOM_ID_PART, "a random id could spell it");
    ok(!reply.text.includes(text), `hides ${text}`);
  }
  for (const [name, value] of Object.entries(expected.headers ?? {})) {
    strictEqual(reply.headers.get(name), value);
  }
  expected.also?.(reply);
}

/** `{code, message, request_id, details?}`, with the id of the header. */
export function checkErrorShape({ headers, json }: Reply): void {
  strictEqual(headers.get("content-type"), "application/json");
  const { code, message, request_id, ...others } = json;
  match(code, /^[A-Z][A-Z0-9_]+$/);
  ok(typeof message === "string" && message.length > 0 && !message.endsWith("."), message);
  strictEqual(request_id, headers.get("x-request-id"));
  deepStrictEqual(Object.keys(others).filter((key) => key !== "details"), []);
}
