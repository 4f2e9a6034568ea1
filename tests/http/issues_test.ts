/** Tests the issues in invalid requests: which field is wrong, and what it must be. */

import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import type { z } from "zod";
import { addBody } from "../../src/memories/schema.ts";
import { searchBody } from "../../src/memories/search/schema.ts";
import { refusalOf } from "../../testing/schemas.ts";

Deno.test("parseOrThrow() names each invalid field with dots, the way the client wrote it", () => {
  const { issues } = refusalOf(addBody, {
    messages: [{ role: "user", content: "fine" }, { role: "user", content: 7 }],
    user_id: "",
    importance: 2,
    infer: false,
  })!;
  deepStrictEqual(issues.map(({ path }) => path).toSorted(), [
    "importance",
    "messages.1.content",
    "user_id",
  ]);
  for (const issue of issues) {
    deepStrictEqual(Object.keys(issue).toSorted(), ["message", "path"]);
    ok(issue.message.length > 0);
  }
});

const CASES: readonly (readonly [z.ZodType, Record<string, unknown>, issues: string[]])[] = [
  [searchBody, { user_id: "ana" }, ["query: Required"]],
  [searchBody, { query: 5 }, ["query: Must be text"]],
  [searchBody, { query: "x", top_k: "5" }, ["top_k: Must be a number"]],
  [searchBody, { query: "x", top_k: 1.5 }, ["top_k: Must be a whole number"]],
  [searchBody, { query: "x", top_k: 0 }, ["top_k: Must be at least 1"]],
  [searchBody, { query: "x", trace: "yes" }, ["trace: Must be true or false"]],
  [searchBody, { query: "x", mode: "best" }, [
    "mode: Must be one of hybrid, recent, important, typed",
  ]],
  [addBody, { user_id: "ana", messages: "hello" }, ["messages: Must be a list"]],
  [addBody, { user_id: "x".repeat(257), content: "x", importance: 2, infer: false }, [
    "user_id: Must have at most 256 characters",
    "importance: Must be at most 1",
  ]],
];

for (const [schema, body, expected] of CASES) {
  Deno.test(`parseOrThrow() reports ${expected.join("; ")}`, () => {
    const refused = refusalOf(schema, body)!;
    strictEqual(refused.status, 400);
    deepStrictEqual(refused.issues.map(({ path, message }) => `${path}: ${message}`), expected);
  });
}
