/** The export and import endpoints. */

import { accepted, commandEndpoint, type Endpoint, receivedSchema } from "../contract/endpoint.ts";
import { checkDeclaredLength } from "../kernel/http/body_limit.ts";
import { importBytes } from "../kernel/http/body_stream.ts";
import { operationSchema } from "../operations/schema.ts";
import { importBody } from "./schema.ts";
import type { ReceivedSnapshot, SnapshotService } from "./service.ts";

const TAG = "Export and import";

/** Dependencies of the routes. */
export interface SnapshotDeps {
  readonly snapshots: SnapshotService;
  /** Maximum body size of an import request, in bytes. */
  readonly importBytes: number;
  /** Throws if a request's declared content type is not JSON. */
  readonly requireJson: (headers: Headers) => void;
}

/** Returns the export and import endpoints. */
export function snapshotRoutes(deps: SnapshotDeps): Endpoint[] {
  const { snapshots } = deps;
  const common = {
    tag: TAG,
    idempotencyKey: "required",
    success: [{ status: 202, description: "Queued", schema: operationSchema }],
  } as const;
  return [
    commandEndpoint({
      method: "POST",
      path: "/v1/exports",
      operationId: "exportProject",
      ...common,
      summary: "Export the project; the result of the operation is the snapshot",
      permission: "memory:read",
      change: ({ actor }) => async (tx) => accepted(await snapshots.enqueueExport(tx, actor)),
    }),
    commandEndpoint<unknown, unknown, ReceivedSnapshot>({
      method: "POST",
      path: "/v1/imports",
      operationId: "importSnapshot",
      ...common,
      summary: "Import a snapshot into this project, which must be empty",
      permission: "memory:write",
      body: receivedSchema<ReceivedSnapshot>(importBody),
      errors: [
        "INVALID_SNAPSHOT",
        "INVALID_UTF8",
        "REQUEST_TOO_LARGE",
        "UNSUPPORTED_MEDIA_TYPE",
        "IMPORT_TARGET_NOT_EMPTY",
        "SNAPSHOT_ID_CONFLICT",
      ],
      receive: (request) => {
        checkDeclaredLength(request.headers, { bytes: deps.importBytes });
        deps.requireJson(request.headers);
        return snapshots.receive(importBytes(request.body, deps.importBytes), true);
      },
      change: async ({ actor, body }) => {
        const change = await snapshots.enqueueImport(actor, body);
        return async (tx) => accepted(await change(tx));
      },
    }),
  ];
}
