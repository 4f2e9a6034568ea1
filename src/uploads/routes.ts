/** The upload endpoints. */

import type { z } from "zod";
import {
  accepted,
  commandEndpoint,
  type Endpoint,
  ok,
  queryEndpoint,
  receivedSchema,
} from "../contract/endpoint.ts";
import type { ReceivedFile } from "./receive.ts";
import * as schema from "./schema.ts";
import type { UploadService } from "./service.ts";

const TAG = "Uploads";
const PATH = "/v1/document-uploads";

export function uploadRoutes({ uploads }: { uploads: UploadService }): Endpoint[] {
  return [createRoute(uploads), contentRoute(uploads), ...memberRoutes(uploads)];
}

function createRoute(uploads: UploadService): Endpoint {
  return commandEndpoint({
    method: "POST",
    path: PATH,
    operationId: "createUpload",
    tag: TAG,
    summary: "Create an upload; the response describes how to send the bytes",
    permission: "memory:write",
    idempotencyKey: "required",
    body: schema.createBody,
    success: [{ status: 200, description: "Created", schema: schema.createResponse }],
    errors: [
      "UNSUPPORTED_DOCUMENT_MEDIA_TYPE",
      "DOCUMENT_UPLOAD_TOO_LARGE",
      "INVALID_DOCUMENT_METADATA",
    ],
    change: ({ actor, body, base }) => async (tx) =>
      ok(await uploads.create(tx, actor, body, base)),
  });
}

function contentRoute(uploads: UploadService): Endpoint {
  return commandEndpoint<z.output<typeof schema.assetParams>, unknown, ReceivedFile>({
    method: "PUT",
    path: `${PATH}/{id}/content`,
    operationId: "putUploadContent",
    tag: TAG,
    summary: "Send the exact bytes of a file",
    permission: "memory:write",
    params: schema.assetParams,
    body: receivedSchema<ReceivedFile>(schema.fileBytes),
    bodyType: "application/octet-stream",
    success: [{ status: 204, description: "Stored" }],
    errors: [
      "DOCUMENT_UPLOAD_NOT_FOUND",
      "DOCUMENT_UPLOAD_SIZE_MISMATCH",
      "DOCUMENT_UPLOAD_CHECKSUM_MISMATCH",
      "DOCUMENT_UPLOAD_IMMUTABLE",
      "DOCUMENT_UPLOAD_TOO_LARGE",
    ],
    receive: (request, { actor, params }) => uploads.receive(request, actor.project, params.id),
    change: ({ actor, params, body }) => async (tx) => {
      await uploads.put(tx, actor.project, params.id, body);
      return { status: 204 };
    },
  });
}

function memberRoutes(uploads: UploadService): Endpoint[] {
  const found = { tag: TAG, params: schema.assetParams };
  return [
    commandEndpoint({
      method: "POST",
      path: `${PATH}/{id}/complete`,
      operationId: "completeUpload",
      ...found,
      summary: "Extract a file after its bytes are sent",
      permission: "memory:write",
      success: [{ status: 202, description: "Queued", schema: schema.completeResponse }],
      errors: ["DOCUMENT_UPLOAD_NOT_FOUND", "DOCUMENT_UPLOAD_INCOMPLETE"],
      change: ({ actor, params }) => async (tx) =>
        accepted(await uploads.complete(tx, actor.project, params.id)),
    }),
    queryEndpoint({
      method: "GET",
      path: `${PATH}/{id}`,
      operationId: "getUpload",
      ...found,
      summary: "Get the state of a file",
      permission: "memory:read",
      success: [{ status: 200, description: "The file", schema: schema.statusResponse }],
      errors: ["DOCUMENT_UPLOAD_NOT_FOUND"],
      read: async ({ actor, params }) =>
        ok({ source_asset: await uploads.get(actor.project, params.id) }),
    }),
    commandEndpoint({
      method: "DELETE",
      path: `${PATH}/{id}`,
      operationId: "deleteUpload",
      ...found,
      summary: "Delete a file that is not a document yet, with its operation",
      permission: "memory:write",
      success: [{ status: 204, description: "Deleted" }],
      errors: ["DOCUMENT_UPLOAD_NOT_FOUND", "SOURCE_ASSET_BUSY", "SOURCE_ASSET_READY"],
      change: ({ actor, params }) => async (tx) => {
        await uploads.delete(tx, actor.project, params.id);
        return { status: 204 };
      },
      afterCommit: () => uploads.cleanUp(),
    }),
  ];
}
