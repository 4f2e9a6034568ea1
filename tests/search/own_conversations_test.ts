/** Checks the conversations that search is measured on. */

import { ok, strictEqual } from "node:assert/strict";
import { readOwnConversations } from "../../scripts/eval/own_conversations.ts";

for (
  const [author, turnCount, questionCount] of [["zainab", 508, 300], ["pernille", 90, 80]] as const
) {
  Deno.test(`readOwnConversations() returns all turns of ${author}, and questions whose evidence exists`, () => {
    const { turns, questions } = readOwnConversations(author);
    strictEqual(turns.length, turnCount);
    strictEqual(questions.length, questionCount);
    const known = new Set(turns.map(({ conv, id }) => `${conv} ${id}`));
    ok(questions.every(({ conv, ev }) => ev.every((id) => known.has(`${conv} ${id}`))));
  });
}
