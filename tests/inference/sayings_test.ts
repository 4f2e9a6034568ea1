/**
 * Runs the builtin engine on messages as people would write them, and measures how well its rules
 * and the tagger generalize.
 */
import assert from "node:assert/strict";
import { openTagger } from "../../src/inference/tagger/tagger.ts";
import { type Grouped, KNOWN, UNSEEN } from "./sayings/all.ts";
import { isTagged, judge } from "./sayings/judge.ts";

for (const [group, saying] of KNOWN) {
  if (isTagged(saying)) continue;
  Deno.test(`factsOf() reads (${group}): ${saying[0]}`, async () => {
    assert.deepEqual(await judge(saying), { missing: [], wrong: [] });
  });
}

/** Returns the share of sayings that are read correctly, and of those with a wrong fact. */
async function shares(
  sayings: readonly Grouped[],
  withTagger: boolean,
): Promise<{ readonly correct: number; readonly wrong: number }> {
  const readers = { tagger: withTagger ? await openTagger("minilm", "native") : null, rules: true };
  let correct = 0, wrong = 0;
  for (const [, saying] of sayings) {
    const verdict = await judge(saying, readers);
    if (verdict.wrong.length > 0) wrong++;
    else if (verdict.missing.length === 0) correct++;
  }
  return { correct: correct / sayings.length, wrong: wrong / sayings.length };
}

Deno.test("factsOf() reads sayings that only the tagger understands", async () => {
  const { correct } = await shares(KNOWN.filter(([, saying]) => isTagged(saying)), true);
  // Less than all: the tagger rounds differently on different processors.
  assert.ok(correct >= 0.95, `${correct} are correct`);
});

/**
 * Minimum share of correct results and maximum share of wrong ones, for sayings that no rule was
 * written for. Tighten them as the engine gets better. Writing a rule for one of these would make
 * the figures meaningless.
 */
const UNSEEN_SHARES = [
  { readers: "the rules alone", withTagger: false, correct: 0.81, wrong: 0.03 },
  { readers: "rules and tagger", withTagger: true, correct: 0.89, wrong: 0.05 },
];

for (const { readers, withTagger, ...limits } of UNSEEN_SHARES) {
  Deno.test(`factsOf() reads sayings that no rule was written for, with ${readers}`, async () => {
    const { correct, wrong } = await shares(UNSEEN, withTagger);
    assert.ok(correct >= limits.correct, `${correct} are correct`);
    assert.ok(wrong <= limits.wrong, `${wrong} are wrong`);
  });
}
