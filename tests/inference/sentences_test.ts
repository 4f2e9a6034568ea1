/** Tests how messages are split into sentences, and which of them are about the user. */

import { deepStrictEqual } from "node:assert/strict";
import { serialize } from "node:v8";
import { factsOf } from "../../src/inference/builtin/engine.ts";
import { splitSentences } from "../../src/inference/builtin/message/sentences.ts";
import { markingTagger } from "./marked_tags.ts";

/** How V8 marks a serialized text by the way in which it's stored, after two bytes of header. */
const ONE_BYTE = 0x22, TWO_BYTES = 0x63;

const DATE = "2026-03-18T09:00:00.000Z";

const SPLIT: readonly (readonly [text: string, sentences: readonly string[]])[] = [
  ["emacs.. i learned it in the navy", ["emacs, i learned it in the navy"]],
  ["thanksgiving..  favorite by a mile", ["thanksgiving, favorite by a mile"]],
  ["I moved to Porto... It rains", ["I moved to Porto...", "It rains"]],
  ["I moved to Porto.. It rains", ["I moved to Porto..", "It rains"]],
  ["I live in Porto. i like it", ["I live in Porto.", "i like it"]],
];
for (const [text, sentences] of SPLIT) {
  Deno.test(`splitSentences() takes two dots before a small letter for a pause: ${text}`, () => {
    deepStrictEqual(splitSentences(text), sentences);
  });
}

/** Sentences without claims that the tagger is fairly sure are worth storing. */
const SUBJECTLESS: readonly (readonly [said: string, memories: readonly string[]])[] = [
  ["Been sober 412 days today", ["User has been sober 412 days today"]],
  ["The viscosity was measured at 40 degrees in 2019", []],
];
for (const [said, memories] of SUBJECTLESS) {
  Deno.test(`factsOf() takes a sentence without a subject for the user's: ${said}`, async () => {
    const facts = await factsOf(
      { messages: [{ role: "user", content: said }], eventDate: DATE, requestTime: DATE },
      { tagger: markingTagger({ store: 0.96 }), rules: true },
    );
    deepStrictEqual(facts.map(({ memory }) => memory), memories);
  });
}

Deno.test("splitSentences() returns sentences with one byte per character if they allow it", () => {
  const text = "It’s raining in Porto today 🎉 I met Łukasz there".replaceAll("’", "'");
  const kinds = splitSentences(text).map((sentence) => [sentence, serialize(sentence)[2]]);
  deepStrictEqual(kinds, [
    ["It's raining in Porto today", ONE_BYTE],
    ["I met Łukasz there", TWO_BYTES],
  ]);
});
