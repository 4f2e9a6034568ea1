/**
 * Scenario tables. Each row in an endpoint's table is a request, with its expected response and
 * texts that must not appear in it.
 */

import { deepStrictEqual, doesNotMatch, match, ok, strictEqual } from "node:assert/strict";
import {
  call,
  type Reply,
  type RequestOptions,
  type TestServer,
  withServer,
} from "../../testing/harness.ts";

/** All permissions a key can have. */
export const PERMISSIONS = ["memory:read", "memory:write", "operations:read"] as const;

/** A request without an API key. */
export interface EndpointRequest extends Omit<RequestOptions, "key"> {
  readonly method: string;
  readonly path: string;
}

/** The expected response. */
export interface Expected {
  readonly status: number;
  readonly code?: string;
  readonly message?: string;
  /** Texts the body must contain. */
  readonly shows?: readonly string[];
  /** Texts the body must not contain. */
  readonly hides?: readonly string[];
  /** Header values required in the response. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Additional checks for the response. */
  readonly check?: (reply: Reply) => void;
}

/** A row on top of those shared by every endpoint. The request uses a key with all permissions. */
export interface Row<Context> extends Expected {
  readonly when: string;
  readonly request: (context: Context) => EndpointRequest;
}

/** The table for an endpoint. */
export interface EndpointTable<Context> {
  readonly permission: typeof PERMISSIONS[number];
  /** Creates the records used by the requests. */
  readonly prepare: (server: TestServer) => Promise<Context>;
  readonly request: (context: Context) => EndpointRequest;
  /** Texts only the owner may see. */
  readonly content?: readonly string[];
  /** Expected response for the record's owner, using a key with just the required permission. */
  readonly owner: Expected;
  /** Expected response for a different project, using an all-permissions key. */
  readonly stranger: Expected;
  readonly rows?: readonly Row<Context>[];
}

const UNKNOWN_KEY = "cpl_a-key-that-does-not-exist";
/** Texts that the random part of an id may happen to contain. */
const RANDOM_ID_PART = /^[0-9a-hjkmnp-tv-z]{0,7}$/;
const UNAUTHORIZED = {
  status: 401,
  code: "INVALID_API_KEY",
  message: "API key invalid",
  headers: { "www-authenticate": "Bearer" },
};

/** Registers an endpoint's test. Each row is one step, run in this order on a single server. */
export function endpointTable<Context>(name: string, table: EndpointTable<Context>): void {
  Deno.test(name, async (t) => {
    await withServer(async (server) => {
      const context = await table.prepare(server);
      const otherPermissions = PERMISSIONS.filter((permission) => permission !== table.permission);
      const insufficient = await server.createKey("default", ...otherPermissions);
      const sufficient = await server.createKey("default", table.permission);
      const strangerKey = await server.createKey("elsewhere");
      const request = table.request(context);
      const secrets = [server.key, insufficient, sufficient, strangerKey, UNKNOWN_KEY];
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

      await step("no key", null, request, { ...UNAUTHORIZED, ...content });
      await step("an unknown key", UNKNOWN_KEY, request, { ...UNAUTHORIZED, ...content });
      await t.step("the key with a different scheme", async () => {
        const headers = { ...request.headers, authorization: `Basic ${server.key}` };
        const reply = await call(server.url, request.method, request.path, {
          ...request,
          key: null,
          headers,
        });
        checkReply(reply, { ...UNAUTHORIZED, ...content });
      });
      const separator = request.path.includes("?") ? "&" : "?";
      const inQuery = `${request.path}${separator}api_key=${server.key}&key=${server.key}`;
      await step("the key in the query", null, { ...request, path: inQuery }, {
        ...UNAUTHORIZED,
        ...content,
      });
      await step(`a key without ${table.permission}`, insufficient, request, {
        status: 403,
        code: "PERMISSION_DENIED",
        check: ({ json }) => deepStrictEqual(json.details, { required: table.permission }),
        ...content,
      });
      await step("another project's key", strangerKey, request, {
        ...table.stranger,
        hides: [...table.stranger.hides ?? [], ...table.content ?? []],
      });
      await step(`a key with only ${table.permission}`, sufficient, request, table.owner);
      for (const row of table.rows ?? []) {
        await step(row.when, server.key, row.request(context), row);
      }
    });
  });
}

/** Checks what all responses have in common, then what's expected of this one. */
export function checkReply(reply: Reply, expected: Expected): void {
  strictEqual(reply.status, expected.status, reply.text);
  match(reply.headers.get("x-request-id") ?? "", /^req_[0-9a-z]{26}$/);
  if (reply.status >= 400) checkErrorShape(reply);
  if (expected.code !== undefined) strictEqual(reply.json.code, expected.code, reply.text);
  if (expected.message !== undefined) strictEqual(reply.json.message, expected.message);
  for (const text of expected.shows ?? []) {
    ok(reply.text.includes(text), `expected the body to contain ${text}`);
  }
  for (const text of expected.hides ?? []) {
    doesNotMatch(text, RANDOM_ID_PART, "too short: a random id can contain it");
    ok(!reply.text.includes(text), `expected the body not to contain ${text}`);
  }
  for (const [name, value] of Object.entries(expected.headers ?? {})) {
    strictEqual(reply.headers.get(name), value);
  }
  expected.check?.(reply);
}

/**
 * Checks the format `{code, message, request_id, details?}`, and that the request id matches the
 * header.
 */
export function checkErrorShape({ headers, json }: Reply): void {
  strictEqual(headers.get("content-type"), "application/json");
  const { code, message, request_id, ...others } = json;
  match(code, /^[A-Z][A-Z0-9_]+$/);
  ok(typeof message === "string" && message.length > 0 && !message.endsWith("."), message);
  strictEqual(request_id, headers.get("x-request-id"));
  deepStrictEqual(Object.keys(others).filter((key) => key !== "details"), []);
}
