/** Tests the upload endpoints: announce, send, complete, get, delete. */

import type { TestServer } from "../../testing/harness.ts";
import { announce, bytesOf, description, freshKey, uploadFile } from "../uploads/files.ts";
import { endpointTable } from "./table.ts";

const FILE = { bytes: bytesOf("The harbour dues of 1844"), fields: { filename: "dues.txt" } };
const PATH = "/v1/document-uploads";
const NOT_FOUND = { status: 404, code: "DOCUMENT_UPLOAD_NOT_FOUND" };
const content = ["dues.txt", "harbour"];

const uploadedFile = (server: TestServer) => uploadFile(server, FILE);

endpointTable("POST /v1/document-uploads", {
  permission: "memory:write",
  prepare: () => Promise.resolve(freshKey()),
  request: (headers) => ({ method: "POST", path: PATH, headers, body: description(FILE) }),
  owner: { status: 200, shows: ["dues.txt", '"awaiting_upload"'], hides: ["harbour", "payload"] },
  stranger: { status: 200 },
});

endpointTable("PUT /v1/document-uploads/{id}/content", {
  permission: "memory:write",
  prepare: async (server) => (await announce(server, FILE)).source_asset as { id: string },
  content,
  request: ({ id }) => ({ method: "PUT", path: `${PATH}/${id}/content`, raw: FILE.bytes }),
  owner: { status: 204 },
  stranger: NOT_FOUND,
});

endpointTable("POST /v1/document-uploads/{id}/complete", {
  permission: "memory:write",
  prepare: uploadedFile,
  content,
  request: ({ id }) => ({ method: "POST", path: `${PATH}/${id}/complete` }),
  owner: { status: 202, shows: ['"queued"', '"pending"'], hides: ["harbour"] },
  stranger: NOT_FOUND,
});

endpointTable("GET /v1/document-uploads/{id}", {
  permission: "memory:read",
  prepare: uploadedFile,
  content,
  request: ({ id }) => ({ method: "GET", path: `${PATH}/${id}` }),
  owner: { status: 200, shows: ["dues.txt", '"uploaded"'], hides: ["harbour"] },
  stranger: NOT_FOUND,
});

endpointTable("DELETE /v1/document-uploads/{id}", {
  permission: "memory:write",
  prepare: uploadedFile,
  content,
  request: ({ id }) => ({ method: "DELETE", path: `${PATH}/${id}` }),
  owner: { status: 204 },
  stranger: NOT_FOUND,
  rows: [{
    when: "again",
    request: ({ id }) => ({ method: "DELETE", path: `${PATH}/${id}` }),
    ...NOT_FOUND,
  }],
});
