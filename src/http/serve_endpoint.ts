/** Handles endpoint requests, running the checks in the order fixed by the contract. */

import type { z } from "zod";
import type { Actor, Endpoint } from "../contract/endpoint.ts";
import { type Clock, timestamp } from "../kernel/clock.ts";
import { LIMITS } from "../kernel/limits.ts";
import type { Store } from "../store/store.ts";
import { requirePermission } from "./authenticate.ts";
import { readJson } from "./body.ts";
import { executeCall, idempotencyKeyRequired, parseOrThrow } from "./execute_endpoint.ts";
import { checkIdempotencyKey, commandDigest } from "./idempotency.ts";
import { isMultipart, partDigest, readMultipart } from "./multipart.ts";
import { originOf } from "./origin.ts";
import { parseQuery } from "./query.ts";
import { type RequestContext, respond } from "./request.ts";

/** Dependencies for the handlers. */
export interface EndpointDeps {
  readonly store: Store;
  readonly clock: Clock;
  /** Path prefix used instead of `/v1`, with a `{name}` placeholder per parameter. */
  readonly prefix: string;
}

/** Creates the handler for an endpoint. */
export function serveEndpoint(endpoint: Endpoint, { store, clock, prefix }: EndpointDeps) {
  const route = pathUnder(prefix, endpoint);
  return async function serve(c: RequestContext): Promise<Response> {
    c.set("route", route);
    const principal = c.get("principal")!;
    requirePermission(principal, endpoint.permission);
    const key = "change" in endpoint ? idempotencyKey(endpoint, c) : undefined;
    const payload = await readPayload(endpoint, c);
    try {
      return await handle(c, endpoint, key, payload);
    } finally {
      await payload.release?.();
    }
  };

  async function handle(
    c: RequestContext,
    endpoint: Endpoint,
    key: string | undefined,
    payload: RequestPayload,
  ): Promise<Response> {
    const call = {
      actor: actorOf(c),
      ...parseUrl(endpoint, c),
      body: payload.release === undefined ? parse(endpoint.body, payload.body) : payload.body,
      base: originOf(c.req.raw.headers) + expandPrefix(prefix, c),
    };
    const idempotency = key === undefined
      ? undefined
      : { key, command: commandOf(c.req, payload.command), at: timestamp(clock.now()) };
    const { response, replayed } = await executeCall(endpoint, call, store, idempotency);
    return respond(c, response, replayed ? { "idempotency-replayed": "true" } : {});
  }
}

/** A body, as input for the endpoint's schema and as part of the idempotency digest. */
interface RequestPayload {
  readonly body: unknown;
  readonly command: unknown;
  /** Set if the endpoint has read and validated the body itself. */
  readonly release?: () => Promise<void>;
}

async function readPayload(endpoint: Endpoint, c: RequestContext): Promise<RequestPayload> {
  const request = c.req.raw;
  if ("change" in endpoint && endpoint.receive !== undefined) {
    const { body, digest, release } = await endpoint.receive(request, {
      actor: actorOf(c),
      ...parseUrl(endpoint, c),
    });
    return { body, command: digest, release };
  }
  if (endpoint.body === undefined) return { body: undefined, command: undefined };
  const code = endpoint.bodyTooLargeCode;
  if (endpoint.multipart !== undefined && isMultipart(request)) {
    const parts = await readMultipart(request, { ...endpoint.multipart, code });
    return { body: endpoint.multipart.toBody(parts), command: { parts: parts.map(partDigest) } };
  }
  const body = await readJson(request, {
    bytes: endpoint.maxBodyBytes ?? LIMITS.jsonBodyBytes,
    code,
  });
  return { body, command: body };
}

/** Returns the parameters in the path and in the query. */
function parseUrl(endpoint: Endpoint, c: RequestContext) {
  return {
    params: parse(endpoint.params, c.req.param()),
    query: parseQuery(endpoint.query, c),
  };
}

/** Returns an endpoint's path under a prefix other than `/v1`. */
export function pathUnder(prefix: string, { path }: Endpoint): string {
  return prefix + path.slice("/v1".length);
}

/** Fills in this request's parameters in a prefix. */
function expandPrefix(prefix: string, c: RequestContext): string {
  return prefix.replaceAll(/\{(\w+)\}/g, (_, name) => encodeURIComponent(c.req.param(name) ?? ""));
}

function actorOf(c: RequestContext): Actor {
  const { project, projectId } = c.get("principal")!;
  return { project, projectId, requestId: c.get("requestId") };
}

function idempotencyKey(endpoint: Endpoint, c: RequestContext): string | undefined {
  const key = checkIdempotencyKey(c.req.header("idempotency-key"));
  const required = "change" in endpoint && endpoint.idempotencyKey === "required";
  if (key === undefined && required) throw idempotencyKeyRequired();
  return key;
}

/** Returns a command's digest, with the body in canonical form. */
function commandOf({ method, path, url }: RequestContext["req"], body: unknown): string {
  // Cut the query out of the URL rather than parsing it. With an invalid Host header, a request
  // doesn't have a valid URL, but it still has a query.
  const query = url.includes("?") ? url.slice(url.indexOf("?")) : "";
  return commandDigest(method, path + query, body);
}

function parse(schema: z.ZodType | undefined, value: unknown): unknown {
  return schema === undefined ? undefined : parseOrThrow(schema, value);
}
