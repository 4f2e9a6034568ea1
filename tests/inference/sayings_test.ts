/**
 * Tests the builtin engine with messages as people would write them, and tests how well its rules
 * generalize.
 */
import assert from "node:assert/strict";
import { KNOWN, UNSEEN } from "./sayings/all.ts";
import { judge } from "./sayings/judge.ts";

for (const [group, saying] of KNOWN) {
  Deno.test(`factsOf() reads (${group}): ${saying[0]}`, () => {
    assert.deepEqual(judge(saying), { missing: [], wrong: [] });
  });
}

/**
 * The minimum share of correct results and the maximum share of wrong results for sayings that no
 * rule was written for. Tighten both when the rules get better. Writing a rule for one of these
 * sayings would make the figures meaningless.
 */
const UNSEEN_READ = 0.87;
const UNSEEN_WRONG = 0.03;

Deno.test("factsOf() reads sayings that no rule was written for", () => {
  const verdicts = UNSEEN.map(([, saying]) => judge(saying));
  const read = verdicts.filter((one) => !one.missing.length && !one.wrong.length).length;
  const wrong = verdicts.filter((one) => one.wrong.length).length;
  assert.ok(read / UNSEEN.length >= UNSEEN_READ, `${read} of ${UNSEEN.length} sayings are correct`);
  assert.ok(
    wrong / UNSEEN.length <= UNSEEN_WRONG,
    `${wrong} of ${UNSEEN.length} sayings are wrong`,
  );
});
