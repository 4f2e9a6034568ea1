/** Request state passed on by middleware: the request id and the principal. */

import type { Context } from "hono";
import type { EndpointResponse } from "../contract/endpoint.ts";
import { utf8Length } from "../kernel/text.ts";
import type { Principal } from "../projects/schema.ts";

/** Request variables, typed for Hono. */
export interface RequestEnv {
  Bindings: {
    /** Address of the client, or of its proxy if that isn't trusted. */
    address?: string;
    /** Whether a trusted proxy sent the request. */
    fromTrustedProxy?: boolean;
  };
  Variables: {
    requestId: string;
    /** Path template from the contract, for logs and metrics. Never the actual path sent. */
    route: string;
    principal: Principal | undefined;
  };
}

/** Request context for handlers and middleware. */
export type RequestContext = Context<RequestEnv>;

/**
 * Returns an endpoint's response as an HTTP response. Every response includes its request id. For
 * HEAD, it declares the length of the GET body, because Deno would declare 0 bytes (RFC 9110, 8.6).
 * It also cancels the stream, because Hono would drop it: if it has read ahead, its file is open.
 */
export function respond(
  c: RequestContext,
  response: EndpointResponse,
  headers: Readonly<Record<string, string>> = {},
): Response {
  const isHead = c.req.method === "HEAD";
  const text = response.json ??
    (response.body === undefined ? null : JSON.stringify(response.body));
  const length = isHead && text !== null ? utf8Length(text) : response.length;
  const body = response.stream ?? text;
  if (isHead) void response.stream?.cancel().catch(() => {});
  return new Response(isHead ? null : body, {
    status: response.status,
    headers: {
      ...(body === null ? {} : { "content-type": response.type ?? "application/json" }),
      ...(length === undefined ? {} : { "content-length": String(length) }),
      ...(response.filename === undefined
        ? {}
        : { "content-disposition": `attachment; filename="${response.filename}"` }),
      "x-request-id": c.get("requestId"),
      ...headers,
    },
  });
}
