/** Checks the conversations that search is measured on. */

import { ok, strictEqual } from "node:assert/strict";
import { readOwnConversations } from "../../scripts/eval/own_conversations.ts";

Deno.test("readOwnConversations() returns all turns, and questions whose evidence exists", () => {
  const { turns, questions } = readOwnConversations();
  strictEqual(turns.length, 508);
  strictEqual(questions.length, 300);
  const known = new Set(turns.map(({ conv, id }) => `${conv} ${id}`));
  ok(questions.every(({ conv, ev }) => ev.every((id) => known.has(`${conv} ${id}`))));
});
