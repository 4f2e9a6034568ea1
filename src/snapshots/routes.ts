/** The endpoints of export and import. */

import type { z } from "zod";
import { accepted, changing, type Endpoint } from "../contract/endpoint.ts";
import { ApiError } from "../kernel/errors.ts";
import { operationSchema } from "../operations/schema.ts";
import { importBody } from "./schema.ts";
import type { ArrivedSnapshot, SnapshotService } from "./service.ts";

const TAG = "Export and import";

/** What the routes call. */
export interface SnapshotRooms {
  readonly snapshots: SnapshotService;
  /** The most bytes of an import's body. */
  readonly importBytes: number;
  /** Refuses a body that isn't declared as JSON. */
  readonly requireJson: (headers: Headers) => void;
}

export function snapshotRoutes(rooms: SnapshotRooms): Endpoint[] {
  const { snapshots } = rooms;
  const described = {
    tag: TAG,
    idempotencyKey: "required",
    success: [{ status: 202, description: "Queued", schema: operationSchema }],
  } as const;
  return [
    changing({
      method: "POST",
      path: "/v1/exports",
      operationId: "exportProject",
      ...described,
      summary: "Export the project; the operation's result is the snapshot",
      permission: "memory:read",
      change: ({ actor }) => async (tx) => accepted(await snapshots.enqueueExport(tx, actor)),
    }),
    changing<unknown, unknown, ArrivedSnapshot>({
      method: "POST",
      path: "/v1/imports",
      operationId: "importSnapshot",
      ...described,
      summary: "Restore a snapshot into this project, which must be empty",
      permission: "memory:write",
      body: importBody as unknown as z.ZodType<ArrivedSnapshot>,
      errors: [
        "INVALID_SNAPSHOT",
        "INVALID_UTF8",
        "REQUEST_TOO_LARGE",
        "UNSUPPORTED_MEDIA_TYPE",
        "IMPORT_TARGET_NOT_EMPTY",
        "SNAPSHOT_ID_CONFLICT",
      ],
      receive: (request) => {
        refuseDeclared(request, rooms.importBytes);
        rooms.requireJson(request.headers);
        return snapshots.receive(limited(request.body, rooms.importBytes), true);
      },
      change: async ({ actor, body }) => {
        const change = await snapshots.enqueueImport(actor, body);
        return async (tx) => accepted(await change(tx));
      },
    }),
  ];
}

function refuseDeclared(request: Request, limit: number): void {
  if (Number(request.headers.get("content-length") ?? 0) > limit) throw tooLarge(limit);
}

async function* limited(
  body: ReadableStream<Uint8Array> | null,
  limit: number,
): AsyncGenerator<Uint8Array> {
  let size = 0;
  for await (const bytes of body ?? []) {
    size += bytes.length;
    if (size > limit) throw tooLarge(limit);
    yield bytes;
  }
}

function tooLarge(limit: number): ApiError {
  return new ApiError("REQUEST_TOO_LARGE", `The request body is larger than ${limit} bytes`, {
    details: { limit },
  });
}
