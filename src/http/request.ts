/** What the middlewares hand on: the id of a request, and who makes it. */

import type { Context } from "hono";
import type { EndpointResponse } from "../contract/endpoint.ts";
import { utf8Length } from "../kernel/text.ts";
import type { Principal } from "../projects/schema.ts";

/** The variables of a request, in the form that Hono types them. */
export interface RequestEnv {
  Bindings: {
    /** The address at the other end of the connection; a proxy's, when there is one. */
    address?: string;
  };
  Variables: {
    requestId: string;
    /** The path as the contract writes it, for logs and metrics; never what the client sent. */
    route: string;
    principal: Principal | undefined;
  };
}

/** A request as handlers and middleware get it. */
export type RequestContext = Context<RequestEnv>;

/**
 * Renders an answer. Every response carries the id of its request. A response to HEAD has the
 * length that the body would have: Hono removes the body, and Deno would declare 0 bytes (RFC 9110,
 * 8.6).
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
