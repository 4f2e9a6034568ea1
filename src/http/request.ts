/** The state of a request that middleware passes on: its id and its principal. */

import type { Context } from "hono";
import type { EndpointResponse } from "../contract/endpoint.ts";
import { utf8Length } from "../kernel/text.ts";
import type { Principal } from "../projects/schema.ts";

/** Variables of a request, typed for Hono. */
export interface RequestEnv {
  Bindings: {
    /** Remote address of the connection. Behind a proxy, the address of the proxy. */
    address?: string;
  };
  Variables: {
    requestId: string;
    /** Path template of the contract, for logs and metrics. Never the path that the client sent. */
    route: string;
    principal: Principal | undefined;
  };
}

/** Request context of handlers and middleware. */
export type RequestContext = Context<RequestEnv>;

/**
 * Returns the HTTP response for an endpoint's response. Every response has the id of its request. A
 * response to HEAD declares the length of the body of GET: Hono removes the body, and Deno would
 * declare 0 bytes (RFC 9110, 8.6).
 */
export function respond(
  c: RequestContext,
  response: EndpointResponse,
  headers: Readonly<Record<string, string>> = {},
): Response {
  const text = response.json ??
    (response.body === undefined ? null : JSON.stringify(response.body));
  const length = c.req.method === "HEAD" && text !== null ? utf8Length(text) : response.length;
  const body = response.stream ?? text;
  return new Response(body, {
    status: response.status,
    headers: {
      ...(body === null ? {} : { "content-type": "application/json" }),
      ...(length === undefined ? {} : { "content-length": String(length) }),
      "x-request-id": c.get("requestId"),
      ...headers,
    },
  });
}
