/** Tests imports from other products: they need memory:write, and never touch another project. */

import { deepStrictEqual } from "node:assert/strict";
import { endpointTable } from "./table.ts";

const FILE = JSON.stringify([{ id: "1", memory: "Ana keeps honeybees", user_id: "ana" }]);
const BYTES = { "content-type": "application/octet-stream" };
const PATH = "/v1/imports/mem0";
const INVALID = { status: 400, code: "INVALID_REQUEST" };

let keys = 0;
const send = (path: string, raw: string, headers: Record<string, string> = {}) => ({
  method: "POST",
  path,
  raw,
  headers: { ...BYTES, ...headers },
});
const freshKey = () => ({ "idempotency-key": `import-${++keys}` });

endpointTable("POST /v1/imports/{format}", {
  permission: "memory:write",
  prepare: () => Promise.resolve(null),
  content: ["honeybees"],
  request: () => send(PATH, FILE, { "idempotency-key": "import" }),
  owner: {
    status: 202,
    shows: ['"kind":"import_file"', '"pending"'],
    hides: ["honeybees", "payload"],
  },
  stranger: { status: 202 },
  rows: [
    {
      when: "the same key and file again returns the same operation",
      request: () => send(PATH, FILE, { "idempotency-key": "import" }),
      status: 202,
      headers: { "idempotency-replayed": "true" },
    },
    {
      when: "the same key and another file",
      request: () => send(PATH, "[]", { "idempotency-key": "import" }),
      status: 409,
      code: "IDEMPOTENCY_CONFLICT",
    },
    {
      when: "no idempotency key",
      request: () => send(PATH, FILE),
      status: 400,
      code: "IDEMPOTENCY_KEY_REQUIRED",
    },
    {
      when: "a dry run needs no key, and reports counts but no content",
      request: () => send(`${PATH}?dry_run=true`, FILE),
      status: 200,
      shows: ['"found":1'],
      hides: ["honeybees"],
    },
    {
      when: "a dry run without records",
      request: () => send(`${PATH}?dry_run=true`, "[]"),
      status: 200,
      shows: ['"found":0'],
    },
    {
      when: "an unknown format; the error lists the known ones",
      request: () => send("/v1/imports/palace", FILE, freshKey()),
      ...INVALID,
      shows: ["mem0", "jsonl"],
    },
    {
      when: "a flag that is neither true nor false",
      request: () => send(`${PATH}?infer=maybe`, FILE, freshKey()),
      ...INVALID,
      check: ({ json }) =>
        deepStrictEqual(json.details.issues.map(({ path }: { path: string }) => path), ["infer"]),
    },
    {
      when: "an empty owner",
      request: () => send(`${PATH}?user_id=`, FILE, freshKey()),
      ...INVALID,
    },
    {
      when: "a file that isn't JSON",
      request: () => send(PATH, "honeybees", freshKey()),
      status: 400,
      code: "INVALID_IMPORT",
    },
    {
      when: "records without an owner, and none in the request",
      request: () => send(PATH, '[{"memory":"Ana keeps honeybees"}]', freshKey()),
      status: 400,
      code: "INVALID_IMPORT",
      shows: ["Has no owner"],
      hides: ["honeybees"],
    },
  ],
});
