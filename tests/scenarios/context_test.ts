/** Tests access to the context for a prompt, and errors for malformed requests. */

import { deepStrictEqual } from "node:assert/strict";
import type { TestServer } from "../../testing/harness.ts";
import { endpointTable, type Expected } from "./table.ts";

const TEXT = "Ana restores harpsichords";
const PASSAGE = "Harpsichords are tuned before every concert.";

async function addRecords(server: TestServer): Promise<{ id: string }> {
  const body = { content: PASSAGE, source_key: "guide.md", user_id: "ana" };
  await server.call("POST", "/v1/documents", { body });
  return { id: await server.add(TEXT, { user_id: "ana" }) };
}

const context = (body: Record<string, unknown>) => () => ({
  method: "POST",
  path: "/v1/context",
  body: { query: "harpsichords", ...body },
});

function invalid(path: string): Expected {
  return {
    status: 400,
    code: "INVALID_REQUEST",
    check: ({ json }) =>
      deepStrictEqual(json.details.issues.map((issue: { path: string }) => issue.path), [path]),
  };
}

endpointTable("POST /v1/context", {
  permission: "memory:read",
  prepare: addRecords,
  content: [TEXT, PASSAGE],
  request: context({}),
  owner: {
    status: 200,
    shows: [TEXT, PASSAGE, '"format":"markdown"', '"over_budget":0', "guide.md"],
    hides: ['"seq"', '"project"'],
  },
  stranger: { status: 200, shows: ['"text":""', '"items":[]', '"tokens":0'] },
  rows: [
    {
      when: "another user's context contains neither memories nor passages",
      request: context({ user_id: "bo" }),
      status: 200,
      shows: ['"items":[]'],
      hides: [TEXT, PASSAGE],
    },
    { when: "there is no query", request: context({ query: undefined }), ...invalid("query") },
    { when: "the budget is 0", request: context({ max_tokens: 0 }), ...invalid("max_tokens") },
    {
      when: "the budget is too large",
      request: context({ max_chars: 200_001 }),
      ...invalid("max_chars"),
    },
    { when: "nothing is included", request: context({ include: [] }), ...invalid("include") },
    {
      when: "a part is unknown",
      request: context({ include: ["memories", "dreams"] }),
      ...invalid("include.1"),
    },
    {
      when: "the profile is requested without a scope",
      request: context({ include: ["profile"] }),
      ...invalid("user_id"),
    },
    { when: "the format is unknown", request: context({ format: "xml" }), ...invalid("format") },
  ],
});
