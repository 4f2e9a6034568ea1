/** Checks that the builtin engine processes any text without throwing an exception. */

import { deepStrictEqual } from "node:assert/strict";
import { factsOf } from "../../src/inference/builtin/engine.ts";
import { SeededRandom } from "../../testing/seeded_random.ts";
import { SEED } from "../../testing/seed.ts";

const NOW = "2026-03-04T15:00:00.000Z";

/** How many sentences to generate per run. Set COMMONPLACE_TEST_SENTENCES to generate more. */
const SENTENCES = Number(Deno.env.get("COMMONPLACE_TEST_SENTENCES") ?? 1_500);

const SUBJECTS = ["I", "my dogs", "my mum and dad", "we", "Ana", "she", "my sister and I", "who"];
const VERBS = [
  ...["live in Porto", "saw something", "pulled so hard", "been at Arm", "left", "hate tea"],
  ...["don't drink coffee", "work as a nurse", "like", "have two kids", "never eat meat", "quit"],
  ...["opened the gate", "moved to Graz in May", "am allergic to nuts", "put the dog down"],
];
const LINKS = [
  ...[
    " and ",
    ", and then ",
    " but ",
    ", ",
    " because ",
    "; ",
    " so hard that ",
    " who ",
    " since ",
  ],
  ...[", which ", " - ", ": ", " (", ") ", ' "', '" ', " and never ", " then ", " while ", ". "],
];

async function readFacts(content: string): Promise<number> {
  const messages = [{ role: "user", content }];
  return (await factsOf({ messages, eventDate: null, requestTime: NOW })).length;
}

function randomSentence(random: SeededRandom): string {
  let text = random.pick(SUBJECTS)!;
  for (let clause = random.below(5); clause >= 0; clause--) {
    const subject = random.chance(0.4) ? `${random.pick(SUBJECTS)} ` : "";
    text += ` ${random.pick(VERBS)}${random.pick(LINKS)}${subject}`;
  }
  return text;
}

Deno.test("factsOf() processes a sentence whose subject seems to contain a conjunction", async () => {
  await readFacts("my dogs saw something and pulled so hard the gate opened.");
  await readFacts("My cat heard thunder and hid.");
});

Deno.test("factsOf() processes generated sentences without throwing an exception", async () => {
  const random = new SeededRandom(SEED);
  const failed: string[] = [];
  for (let n = 0; n < SENTENCES; n++) {
    const sentence = randomSentence(random);
    try {
      await readFacts(sentence);
    } catch (error) {
      failed.push(`${sentence}: ${error}`);
    }
  }
  deepStrictEqual(failed, []);
});
