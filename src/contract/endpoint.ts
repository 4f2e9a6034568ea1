/**
 * An endpoint as data: its input, permission, responses and errors. The HTTP layer derives checks,
 * idempotency and the OpenAPI document from it; slices only describe.
 */

import type { z } from "zod";
import type { ErrorCode } from "../kernel/errors.ts";
import type { Tx } from "../store/store.ts";

/** Permissions that a key can have, with the descriptions for the OpenAPI document. */
export const PERMISSIONS = {
  "memory:read": "Read and search memories and document sources",
  "memory:write": "Add, change and delete memories and document sources, retry operations",
  "operations:read": "Read operations, events and health",
} as const;

export type Permission = keyof typeof PERMISSIONS;

/** The caller: the project that the key belongs to, and the id of the request. */
export interface Actor {
  /** Number of the project inside the database. Every query starts with it. */
  readonly project: number;
  readonly projectId: string;
  readonly requestId: string;
}

/** A request of which every part has passed its schema. */
export interface Call<Params, Query, Body> {
  readonly actor: Actor;
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  /** URL under which the client reached the endpoints, e.g. `https://memory.example/v1`. */
  readonly base: string;
}

/**
 * A response. The body is one of `body` (a value to serialize), `json` (serialized already) and
 * `stream` (JSON in chunks). Without any of them, the response has no body. Changes never use
 * `stream`, because their response is stored for idempotency.
 */
export interface EndpointResponse {
  readonly status: number;
  readonly body?: unknown;
  readonly json?: string;
  readonly stream?: ReadableStream<Uint8Array>;
  /** Size of `stream` in bytes, if it is known in advance. */
  readonly length?: number;
}

/** A body that the endpoint has read itself. */
export interface ReceivedBody<B> {
  readonly body: B;
  /** Digest that identifies the command for idempotency: equal for equal commands. */
  readonly digest: string;
  /** Called at the end of the request, whether it succeeded or failed. */
  release(): Promise<void>;
}

/** A change. It runs in the unit of work that also stores its idempotency record. */
export type Change = (tx: Tx) => Promise<EndpointResponse>;

/** A change that holds resources until the request ends. */
export interface PreparedChange {
  readonly write: Change;
  /**
   * Releases the resources. Called in every case: after a commit, after an error, and if the change
   * never runs because its idempotency key was used before.
   */
  dispose(): void;
}

/** One successful response of an endpoint. */
export interface SuccessResponse {
  readonly status: 200 | 202 | 204;
  readonly description: string;
  readonly schema?: z.ZodType;
}

/** One part of a multipart body. */
export interface BodyPart {
  readonly name: string;
  /** Null if the part is not a file. */
  readonly filename: string | null;
  /** Content type that the part declares, or null if it declares none. */
  readonly contentType: string | null;
  readonly bytes: Uint8Array;
}

/** How an endpoint also accepts its body as multipart/form-data. */
export interface MultipartForm {
  /** Schema of the parts, for the OpenAPI document. */
  readonly schema: z.ZodType;
  /** Maximum size of one part and of the whole body, in bytes. */
  readonly maxPartBytes: number;
  readonly maxBodyBytes: number;
  /** Converts the parts to the input of the schema of the JSON body. Can throw an `ApiError`. */
  readonly toBody: (parts: readonly BodyPart[]) => unknown;
}

interface EndpointMetadata {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  /** Path with `{name}` for each parameter. */
  readonly path: string;
  /** Unique name, for generated clients. */
  readonly operationId: string;
  readonly tag: string;
  readonly summary: string;
  readonly permission: Permission;
  readonly success: readonly SuccessResponse[];
  /** Error codes in addition to those that every endpoint can return. */
  readonly errors?: readonly ErrorCode[];
  /** Maximum size of a JSON body, in bytes. Defaults to 1 MiB. */
  readonly maxBodyBytes?: number;
  /** Error code for a body over its limit. Defaults to REQUEST_TOO_LARGE. */
  readonly bodyTooLargeCode?: ErrorCode;
  /** Whether the body can be omitted. An omitted body counts as `{}`. */
  readonly bodyOptional?: boolean;
  /** The same body as a form. */
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
 * An endpoint that changes data. `change` prepares outside of the unit of work and returns what
 * runs inside it.
 */
export interface CommandEndpoint<P, Q, B> extends EndpointMetadata, EndpointSchemas<P, Q, B> {
  /**
   * Whether the header Idempotency-Key is required: always, or for the bodies for which the
   * function returns true.
   */
  readonly idempotencyKey?: "required" | ((body: B) => boolean);
  /**
   * Reads the body instead of the HTTP layer, for bodies that are too large for memory. The schema
   * of the body then only describes it.
   */
  readonly receive?: (
    request: Request,
    call: Pick<Call<P, Q, B>, "actor" | "params">,
  ) => Promise<ReceivedBody<B>>;
  /** Media type of a body that is not JSON, for the OpenAPI document. */
  readonly bodyType?: string;
  readonly change: (
    call: Call<P, Q, B>,
  ) => Change | PreparedChange | Promise<Change | PreparedChange>;
  /**
   * Runs after the commit and before the response is sent, for work that doesn't have to be part of
   * the unit of work.
   */
  readonly afterCommit?: () => Promise<void> | void;
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
 * Returns a response with status 202: the command is stored durably, but not executed yet.
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
