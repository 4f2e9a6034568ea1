/**
 * Describes an endpoint as data: its input, permission, responses and errors. The HTTP layer
 * derives checks, idempotency and the OpenAPI document from it, so slices only have to describe
 * their endpoints.
 */

import type { z } from "zod";
import type { ErrorCode } from "../kernel/errors.ts";
import type { Tx } from "../store/store.ts";

/** Key permissions, with their descriptions for the OpenAPI document. */
export const PERMISSIONS = {
  "memory:read": "Read and search memories and document sources",
  "memory:write": "Add, change and delete memories and document sources, retry operations",
  "operations:read": "Read operations, events and health",
} as const;

export type Permission = keyof typeof PERMISSIONS;

/** The caller, i.e. the project its key belongs to, and the request id. */
export interface Actor {
  /** Project number inside the database. Every query starts with it. */
  readonly project: number;
  readonly projectId: string;
  readonly requestId: string;
}

/** A request with every part validated against its schema. */
export interface Call<Params, Query, Body> {
  readonly actor: Actor;
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  /** URL the client used to reach the endpoints, e.g. `https://memory.example/v1`. */
  readonly base: string;
}

/**
 * A response. The body is either `body` (a value to serialize), `json` (already serialized) or
 * `stream` (JSON or a file, in chunks). If none of these is set, there's no body. Changes never use `stream`,
 * since their response is stored for idempotency.
 */
export interface EndpointResponse {
  readonly status: number;
  readonly body?: unknown;
  readonly json?: string;
  readonly stream?: ReadableStream<Uint8Array>;
  /** Size of `stream` in bytes, if known ahead of time. */
  readonly length?: number;
  /** Media type of `stream`. Defaults to JSON. */
  readonly type?: string;
  /** Name under which clients save `stream`, of letters, digits, ".", "_" and "-". */
  readonly filename?: string;
}

/** A body read by the endpoint itself. */
export interface ReceivedBody<B> {
  readonly body: B;
  /** Digest that identifies the command for idempotency. Equal commands have equal digests. */
  readonly digest: string;
  /** Called at the end of the request, whether it succeeded or failed. */
  release(): Promise<void>;
}

/** A change. Runs in the same unit of work that stores its idempotency record. */
export type Change = (tx: Tx) => Promise<EndpointResponse>;

/** A change that holds on to resources until the request ends. */
export interface PreparedChange {
  readonly write: Change;
  /**
   * Releases the resources. Always called: after a commit, after an error, and even if the change
   * never runs because its idempotency key was already used.
   */
  dispose(): void;
}

/** A successful response that an endpoint can return. */
export interface SuccessResponse {
  readonly status: 200 | 202 | 204;
  readonly description: string;
  readonly schema?: z.ZodType;
  /** Media type of the body. Defaults to JSON. */
  readonly type?: string;
}

/** One part of a multipart body. */
export interface BodyPart {
  readonly name: string;
  /** Null if the part isn't a file. */
  readonly filename: string | null;
  /** Content type declared by the part, or null if there isn't one. */
  readonly contentType: string | null;
  readonly bytes: Uint8Array;
}

/** How an endpoint accepts its body as multipart/form-data on top of JSON. */
export interface MultipartForm {
  /** Schema for the parts, used in the OpenAPI document. */
  readonly schema: z.ZodType;
  /** Maximum size of a single part and of the whole body, in bytes. */
  readonly maxPartBytes: number;
  readonly maxBodyBytes: number;
  /**
   * Converts the parts to the input expected by the JSON body's schema. Can throw an `ApiError`.
   */
  readonly toBody: (parts: readonly BodyPart[]) => unknown;
}

interface EndpointMetadata {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  /** Path with a `{name}` placeholder for each parameter. */
  readonly path: string;
  /** Unique name, used by generated clients. */
  readonly operationId: string;
  readonly tag: string;
  readonly summary: string;
  readonly permission: Permission;
  readonly success: readonly SuccessResponse[];
  /** Error codes on top of those any endpoint can return. Defaults to none. */
  readonly errors?: readonly ErrorCode[];
  /** Maximum size of a JSON body, in bytes. Defaults to 1 MiB. */
  readonly maxBodyBytes?: number;
  /** Error code for bodies over the limit. Defaults to REQUEST_TOO_LARGE. */
  readonly bodyTooLargeCode?: ErrorCode;
  /** How to accept the same body as a form. */
  readonly multipart?: MultipartForm;
}

interface EndpointSchemas<P, Q, B> {
  readonly params?: z.ZodType<P>;
  readonly query?: z.ZodType<Q>;
  readonly body?: z.ZodType<B>;
}

/** An endpoint that only reads. */
export interface QueryEndpoint<P, Q, B> extends EndpointMetadata, EndpointSchemas<P, Q, B> {
  readonly read: (call: Call<P, Q, B>) => Promise<EndpointResponse>;
}

/**
 * An endpoint that changes data. `change` prepares everything outside the unit of work and returns
 * the part that runs inside it.
 */
export interface CommandEndpoint<P, Q, B> extends EndpointMetadata, EndpointSchemas<P, Q, B> {
  /**
   * Whether the Idempotency-Key header is required: always, or only for bodies the function returns
   * true for.
   */
  readonly idempotencyKey?: "required" | ((body: B) => boolean);
  /**
   * Reads the body in place of the HTTP layer, for bodies too large to fit in memory. The body
   * schema is only documentation then.
   */
  readonly receive?: (
    request: Request,
    call: Pick<Call<P, Q, B>, "actor" | "params" | "query">,
  ) => Promise<ReceivedBody<B>>;
  /** Media type for a body that isn't JSON, used in the OpenAPI document. */
  readonly bodyType?: string;
  readonly change: (
    call: Call<P, Q, B>,
  ) => Change | PreparedChange | Promise<Change | PreparedChange>;
  /**
   * Runs after the commit but before the response is sent, for work that doesn't have to be part of
   * the unit of work. Failures are ignored, so a periodic job must also do this work.
   */
  readonly afterCommit?: () => Promise<void> | void;
  /**
   * Runs after the commit and returns the response to send, e.g. once a task that the change queued
   * has finished. The idempotency record keeps the response of the change itself, so this runs for
   * replays too.
   */
  readonly finish?: (
    call: Call<P, Q, B>,
    response: EndpointResponse,
  ) => Promise<EndpointResponse>;
}

/** Any endpoint, with the types of its schemas erased. */
export type Endpoint =
  | QueryEndpoint<unknown, unknown, unknown>
  | CommandEndpoint<unknown, unknown, unknown>;

/** Describes an endpoint that only reads. */
export function queryEndpoint<P, Q, B>(endpoint: QueryEndpoint<P, Q, B>): Endpoint {
  return endpoint as Endpoint;
}

/** Describes an endpoint that changes data. */
export function commandEndpoint<P, Q, B>(endpoint: CommandEndpoint<P, Q, B>): Endpoint {
  return endpoint as Endpoint;
}

/**
 * Returns the schema of a body that the endpoint reads itself. It describes what clients send, not
 * what the endpoint makes of it.
 */
export function receivedSchema<B>(sent: z.ZodType): z.ZodType<B> {
  return sent as z.ZodType<B>;
}

/**
 * Returns a response with status 200 and a body.
 *
 * @example
 * ```ts
 * import { ok } from "./endpoint.ts";
 * import { deepStrictEqual } from "node:assert/strict";
 *
 * deepStrictEqual(ok({ id: "mem_1" }), { status: 200, body: { id: "mem_1" } });
 * ```
 */
export function ok(body: unknown): EndpointResponse {
  return { status: 200, body };
}

/**
 * Returns a response with status 202: the command is durably stored but not executed yet.
 *
 * @example
 * ```ts
 * import { accepted } from "./endpoint.ts";
 * import { deepStrictEqual } from "node:assert/strict";
 *
 * deepStrictEqual(accepted({ id: "op_1" }), { status: 202, body: { id: "op_1" } });
 * ```
 */
export function accepted(body: unknown): EndpointResponse {
  return { status: 202, body };
}
