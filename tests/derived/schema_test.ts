/** Tests for derived view queries: required and invalid parameters. */

import { deepStrictEqual, strictEqual } from "node:assert/strict";
import type { z } from "zod";
import { beliefQuery, profileQuery, stateQuery } from "../../src/derived/schema.ts";
import { queryRefusalOf } from "../../testing/schemas.ts";

const SLOT = "user_id=ana&subject=user&attribute=lives_in";

/** Checks that each query is rejected because of the given parameter. */
function assertRefused(schema: z.ZodType, wrong: readonly (readonly [string, string])[]): void {
  for (const [query, path] of wrong) {
    const refused = queryRefusalOf(schema, query);
    deepStrictEqual([refused?.status, refused?.issues[0]?.path], [400, path], query);
  }
}

Deno.test("stateQuery requires a scope, a subject and an attribute", () => {
  strictEqual(queryRefusalOf(stateQuery, `${SLOT}&as_of=2026-01-01`), null);
  assertRefused(stateQuery, [
    ["subject=user&attribute=lives_in", "user_id"],
    ["user_id=ana&attribute=lives_in", "subject"],
    ["user_id=ana&subject=user", "attribute"],
    [`${SLOT}&as_of=soon`, "as_of"],
  ]);
});

Deno.test("beliefQuery reports the name of an invalid parameter", () => {
  strictEqual(queryRefusalOf(beliefQuery, `${SLOT}&view=audit&all_applicability=true`), null);
  assertRefused(beliefQuery, [
    ["subject=user&attribute=lives_in", "user_id"],
    ["user_id=ana&attribute=lives_in", "subject"],
    ["user_id=ana&subject=user", "attribute"],
    [`${SLOT}&view=all`, "view"],
    [`${SLOT}&applicability_kind=planet`, "applicability_kind"],
    [`${SLOT}&applicability_kind=task`, "applicability_key"],
    [`${SLOT}&at=soon`, "at"],
    [`${SLOT}&all_applicability=true`, "all_applicability"],
    [`${SLOT}&view=audit&all_applicability=perhaps`, "all_applicability"],
  ]);
});

Deno.test("profileQuery requires a scope and a limit between 1 and 20", () => {
  strictEqual(queryRefusalOf(profileQuery, "user_id=ana&query=cat&limit=20"), null);
  assertRefused(profileQuery, [
    ["query=cat", "user_id"],
    ["user_id=ana&query=cat&limit=0", "limit"],
    ["user_id=ana&query=cat&limit=21", "limit"],
    ["user_id=ana&query=", "query"],
  ]);
});
