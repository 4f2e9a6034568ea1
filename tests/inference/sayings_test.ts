/**
 * Runs the builtin engine on messages as people would write them, and measures how well its rules
 * generalize.
 */
import assert from "node:assert/strict";
import { KNOWN, UNSEEN } from "./sayings/all.ts";
import { judge } from "./sayings/judge.ts";

for (const [group, saying] of KNOWN) {
  Deno.test(`factsOf() reads (${group}): ${saying[0]}`, async () => {
    assert.deepEqual(await judge(saying), { missing: [], wrong: [] });
  });
}

/**
 * Minimum share of correct results and maximum share of wrong ones, for sayings that no rule was
 * written for. Tighten both as the rules get better. Writing a rule for one of these would make the
 * figures meaningless.
 */
const UNSEEN_READ = 0.87;
const UNSEEN_WRONG = 0.03;

Deno.test("factsOf() reads sayings that no rule was written for", async () => {
  const verdicts = await Promise.all(UNSEEN.map(([, saying]) => judge(saying)));
  const read = verdicts.filter((one) => !one.missing.length && !one.wrong.length).length;
  const wrong = verdicts.filter((one) => one.wrong.length).length;
  assert.ok(read / UNSEEN.length >= UNSEEN_READ, `${read} of ${UNSEEN.length} sayings are correct`);
  assert.ok(
    wrong / UNSEEN.length <= UNSEEN_WRONG,
    `${wrong} of ${UNSEEN.length} sayings are wrong`,
  );
});
