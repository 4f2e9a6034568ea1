/**
 * An endpoint as data: what it takes, who may call it, what it answers and how it can fail. The
 * HTTP layer derives checks, idempotency and the OpenAPI document from it; slices only describe.
 */

import type { z } from "zod";
import type { ErrorCode } from "../kernel/errors.ts";
import type { Tx } from "../store/store.ts";

/** What a key may be allowed to do, with the meaning that the OpenAPI document gives it. */
export const PERMISSIONS = {
  "memory:read": "Read and search memories and document sources",
  "memory:write": "Add, change and delete memories and document sources, retry operations",
  "operations:read": "Read operations, events and health",
} as const;

export type Permission = keyof typeof PERMISSIONS;

/** Who calls: the project that the key belongs to, and the request itself. */
export interface Actor {
  /** The project's number inside the database; leads every query. */
  readonly project: number;
  readonly projectId: string;
  readonly requestId: string;
}

/** A request whose every part has passed its schema. */
export interface Call<Params, Query, Body> {
  readonly actor: Actor;
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  /** Where the client reached the endpoints, e.g. `https://memory.example/v1`. */
  readonly base: string;
}

/**
 * What goes back. `json` is a body that is already written out, `stream` JSON that comes piece by
 * piece (never of a change, whose answer is kept); without any there is no body.
 */
export interface EndpointResponse {
  readonly status: number;
  readonly body?: unknown;
  readonly json?: string;
  readonly stream?: ReadableStream<Uint8Array>;
  /** The bytes of `stream`, where they are known beforehand. */
  readonly length?: number;
}

/** A body that an endpoint has read by itself. */
export interface ReceivedBody<B> {
  readonly body: B;
  /** What an idempotency key stands for: the same for the same command. */
  readonly digest: string;
  /** Called when the request is over, however it went. */
  release(): Promise<void>;
}

/** A change, run inside the unit of work that also holds its idempotency record. */
export type Change = (tx: Tx) => Promise<EndpointResponse>;

/** A change for which something is kept ready. */
export interface PreparedChange {
  readonly write: Change;
  /** Called in any end: committed, refused, or never run because its idempotency key was used. */
  dispose(): void;
}

/** One successful answer of an endpoint. */
export interface SuccessResponse {
  readonly status: 200 | 202 | 204;
  readonly description: string;
  readonly schema?: z.ZodType;
}

/** One part of a multipart body. */
export interface BodyPart {
  readonly name: string;
  /** Null for a part that is no file. */
  readonly filename: string | null;
  /** As the part declares it; null when it doesn't. */
  readonly contentType: string | null;
  readonly bytes: Uint8Array;
}

/** How an endpoint takes its body as multipart/form-data too. */
export interface MultipartForm {
  /** The parts, for the OpenAPI document. */
  readonly schema: z.ZodType;
  /** The most bytes of one part, and of the whole body. */
  readonly maxPartBytes: number;
  readonly maxBodyBytes: number;
  /** Turns the parts into what the schema of the JSON body takes; may throw an ApiError. */
  readonly toBody: (parts: readonly BodyPart[]) => unknown;
}

interface EndpointMetadata {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  /** With `{name}` for a part of the path that varies. */
  readonly path: string;
  /** Unique name, for generated clients. */
  readonly operationId: string;
  readonly tag: string;
  readonly summary: string;
  readonly permission: Permission;
  readonly success: readonly SuccessResponse[];
  /** Codes beside those that any endpoint can answer. */
  readonly errors?: readonly ErrorCode[];
  /** The most bytes of a JSON body; 1 MiB unless said. */
  readonly maxBodyBytes?: number;
  /** The code for a body over its limit; REQUEST_TOO_LARGE unless said. */
  readonly bodyTooLargeCode?: ErrorCode;
  /** A body that may be left out counts as `{}`. */
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

/** An endpoint that changes something. `change` prepares outside the unit of work it returns. */
export interface CommandEndpoint<P, Q, B> extends EndpointMetadata, EndpointSchemas<P, Q, B> {
  /** Required always, or for the bodies for which the function answers true. */
  readonly idempotencyKey?: "required" | ((body: B) => boolean);
  /**
   * Reads the body in place of the HTTP layer: one that is too large to be held in memory. The
   * schema of the body then only describes it.
   */
  readonly receive?: (
    request: Request,
    call: Pick<Call<P, Q, B>, "actor" | "params">,
  ) => Promise<ReceivedBody<B>>;
  /** The media type of a body that is no JSON, for the OpenAPI document. */
  readonly bodyType?: string;
  readonly change: (
    call: Call<P, Q, B>,
  ) => Change | PreparedChange | Promise<Change | PreparedChange>;
  /** Runs once the change is on disk and before it is answered: what need not be part of it. */
  readonly afterCommit?: () => Promise<void> | void;
}

/** Any endpoint, its schemas forgotten by the types but not by the code. */
export type Endpoint =
  | QueryEndpoint<unknown, unknown, unknown>
  | CommandEndpoint<unknown, unknown, unknown>;

/** Describes an endpoint that only reads. */
export function queryEndpoint<P, Q, B>(endpoint: QueryEndpoint<P, Q, B>): Endpoint {
  return endpoint as Endpoint;
}

/** Describes an endpoint that changes something. */
export function commandEndpoint<P, Q, B>(endpoint: CommandEndpoint<P, Q, B>): Endpoint {
  return endpoint as Endpoint;
}

/** 200 with a body. */
export function ok(body: unknown): EndpointResponse {
  return { status: 200, body };
}

/** 202: accepted, and durable, but not done yet. */
export function accepted(body: unknown): EndpointResponse {
  return { status: 202, body };
}
