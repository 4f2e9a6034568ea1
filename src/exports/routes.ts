/** The endpoints for exports in open formats. */

import { accepted, commandEndpoint, type Endpoint, queryEndpoint } from "../contract/endpoint.ts";
import { operationParams, operationSchema } from "../operations/schema.ts";
import { ARCHIVE_TYPE, archiveFile, exportParams } from "./schema.ts";
import type { ExportService } from "./service.ts";

const TAG = "Export and import";

/** Returns the endpoints for exports in open formats. */
export function exportRoutes({ exports }: { exports: ExportService }): Endpoint[] {
  return [
    commandEndpoint({
      method: "POST",
      path: "/v1/exports/{format}",
      operationId: "exportFile",
      tag: TAG,
      summary: "Export the project as an archive in an open format",
      permission: "memory:read",
      params: exportParams,
      idempotencyKey: "required",
      success: [{ status: 202, description: "Queued", schema: operationSchema }],
      change: ({ actor, params }) => async (tx) =>
        accepted(await exports.enqueue(tx, actor, params.format)),
    }),
    queryEndpoint({
      method: "GET",
      path: "/v1/operations/{id}/file",
      operationId: "getExportedFile",
      tag: TAG,
      summary: "Download the archive of a finished export",
      permission: "memory:read",
      params: operationParams,
      success: [
        { status: 200, description: "The archive", schema: archiveFile, type: ARCHIVE_TYPE },
      ],
      errors: ["OPERATION_NOT_FOUND", "OPERATION_FILE_NOT_FOUND"],
      read: ({ actor, params }) => exports.file(actor.project, params.id),
    }),
  ];
}
