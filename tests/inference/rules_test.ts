/** Tests each rule on its example and its counterexample. */
import { ok } from "node:assert/strict";
import { factsOf } from "../../src/inference/builtin/engine.ts";
import { RULES } from "../../src/inference/builtin/rules/all.ts";

const DATE = "2026-03-18T09:00:00.000Z";

/** Ids of the rules that find something in a message. */
async function rulesIn(content: string): Promise<ReadonlySet<string>> {
  const ids = new Set<string>();
  await factsOf(
    { messages: [{ role: "user", content }], eventDate: DATE, requestTime: DATE },
    { tagger: null, rules: true, trace: ({ rules }) => rules.forEach((id) => ids.add(id)) },
  );
  return ids;
}

for (const { id, example, counterexample } of RULES) {
  Deno.test(`the rule ${id} finds something in: ${example}`, async () => {
    ok((await rulesIn(example)).has(id!));
  });
  if (counterexample === undefined) continue;
  Deno.test(`the rule ${id} finds nothing in: ${counterexample}`, async () => {
    ok(!(await rulesIn(counterexample)).has(id!));
  });
}
