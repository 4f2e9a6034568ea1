/** One request through one endpoint, in the order of checks that the contract fixes. */

import type { z } from "zod";
import type { Actor, Answer, Change, Endpoint } from "../contract/endpoint.ts";
import { type Clock, timestamp } from "../kernel/clock.ts";
import { ApiError, invalidRequest } from "../kernel/errors.ts";
import { canonicalJson, sha256 } from "../kernel/hash.ts";
import { LIMITS } from "../kernel/limits.ts";
import type { Store } from "../store/store.ts";
import { requirePermission } from "./authenticate.ts";
import { readJson } from "./body.ts";
import { checkKey, type Idempotency, runOnce } from "./idempotency.ts";
import { type RequestContext, respond } from "./request.ts";

/** Makes the handler of an endpoint. */
export function serveEndpoint(endpoint: Endpoint, store: Store, clock: Clock) {
  return async function serve(c: RequestContext): Promise<Response> {
    c.set("route", endpoint.path);
    const holder = c.get("holder")!;
    requirePermission(holder, endpoint.permission);
    const key = "change" in endpoint ? idempotencyKey(endpoint, c) : undefined;
    const sent = endpoint.body === undefined
      ? undefined
      : await readJson(c.req.raw, endpoint.bodyLimit ?? LIMITS.jsonBody);
    const actor: Actor = {
      project: holder.project,
      projectId: holder.projectId,
      requestId: c.get("requestId"),
    };
    const call = {
      actor,
      params: parse(endpoint.params, c.req.param()),
      query: parse(endpoint.query, c.req.query()),
      body: parse(endpoint.body, sent),
    };
    if ("read" in endpoint) return respond(c, await endpoint.read(call));
    if (key === undefined && typeof endpoint.idempotencyKey === "function") {
      if (endpoint.idempotencyKey(call.body)) throw keyRequired();
    }
    const change = await endpoint.change(call);
    if (key === undefined) return respond(c, await store.write(change));
    const command = commandOf(c.req.raw, sent);
    return await answerOnce(c, store, { key, command, at: timestamp(clock.now()) }, change);
  };
}

async function answerOnce(
  c: RequestContext,
  store: Store,
  idempotency: Idempotency,
  change: Change,
): Promise<Response> {
  const project = c.get("holder")!.project;
  const { answer, replayed }: { answer: Answer; replayed: boolean } = await store.write((tx) =>
    runOnce(tx, project, idempotency, change)
  );
  return respond(c, answer, replayed ? { "idempotency-replayed": "true" } : {});
}

function idempotencyKey(endpoint: Endpoint, c: RequestContext): string | undefined {
  const key = checkKey(c.req.header("idempotency-key"));
  const required = "change" in endpoint && endpoint.idempotencyKey === "required";
  if (key === undefined && required) throw keyRequired();
  return key;
}

function keyRequired(): ApiError {
  return new ApiError(
    "IDEMPOTENCY_KEY_REQUIRED",
    "Send an Idempotency-Key header: one value for this command, the same when it is repeated",
  );
}

/** What a key stands for: method, path, query and the canonical form of the body. */
function commandOf(request: Request, body: unknown): string {
  const { pathname, search } = new URL(request.url);
  return sha256(`${request.method} ${pathname}${search}\n${canonicalJson(body)}`);
}

/** @throws ApiError INVALID_REQUEST that names every field which is wrong */
function parse(schema: z.ZodType | undefined, value: unknown): unknown {
  if (schema === undefined) return undefined;
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw invalidRequest(
    parsed.error.issues.map((issue) => ({ path: issue.path.join("."), message: issue.message })),
  );
}
