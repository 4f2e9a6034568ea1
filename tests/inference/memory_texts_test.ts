/** Tests the texts of memories that the rules write: what was said, about someone, in a sentence. */

import { deepStrictEqual } from "node:assert/strict";
import { factsOf } from "../../src/inference/builtin/engine.ts";

const DATE = "2026-03-18T09:00:00.000Z";

const TEXTS: readonly (readonly [said: string, memories: readonly string[]])[] = [
  // Denials that correct nothing.
  ["My sister Pilar speaks Galician and Spanish but not a word of English.", [
    "User's sister Pilar speaks Galician and Spanish but not a word of English",
  ]],
  ["I own a Škoda, not theirs. My wife has a Dacia.", [
    "User owns a Škoda, not theirs",
    "User's wife has a Dacia",
  ]],
];
for (const [said, memories] of TEXTS) {
  Deno.test(`factsOf() writes the memory of: ${said}`, async () => {
    const facts = await factsOf({
      messages: [{ role: "user", content: said }],
      eventDate: null,
      requestTime: DATE,
    });
    deepStrictEqual(facts.map(({ memory }) => memory), memories);
  });
}
