/** Tests what the tagger is given to read of a turn. */

import { deepStrictEqual } from "node:assert/strict";
import { factsOf } from "../../src/inference/builtin/engine.ts";
import { TurnTagger } from "../../src/inference/builtin/tagged/reading.ts";
import type { Tagger } from "../../src/inference/tagger/mod.ts";
import { marked } from "./marked_tags.ts";

/** A tagger that records what it reads. */
function recording(): { readonly tagger: Tagger; readonly read: [readonly string[], number][] } {
  const read: [readonly string[], number][] = [];
  const tagger: Tagger = {
    multilingual: false,
    tag(sentences, index) {
      read.push([sentences, index]);
      return Promise.resolve(marked(sentences[index]!, { store: 0.01 }));
    },
  };
  return { tagger, read };
}

Deno.test("a sentence is tagged with the whole turn, in which questions have their marks again", async () => {
  const { tagger, read } = recording();
  const turn = new TurnTagger(tagger, [
    { text: "Guess what", question: true },
    { text: "I moved", question: false },
  ]);
  const { words } = await turn.tag("Guess what");
  deepStrictEqual(words.map(({ end }) => end), [5, 10]);
  turn.moveTo(1);
  await turn.tag("I moved");
  deepStrictEqual(read, [[["Guess what?", "I moved"], 0], [["Guess what?", "I moved"], 1]]);
});

Deno.test("a text in place of a sentence is tagged with the sentence before", async () => {
  const { tagger, read } = recording();
  const turn = new TurnTagger(
    tagger,
    ["My sister called", "She moved", "I wish she hadn't"].map((text) => ({
      text,
      question: false,
    })),
  );
  turn.moveTo(1);
  await turn.tag("my sister moved");
  turn.moveTo(0);
  await turn.tag("sister called");
  deepStrictEqual(read, [[["My sister called", "my sister moved"], 1], [["sister called"], 0]]);
});

Deno.test("an agent's statements about the user are tagged together, in the first person", async () => {
  const { tagger, read } = recording();
  const content = "Meeting moved. The user lives in Oslo. The user works as a welder.";
  await factsOf(
    { messages: [{ role: "assistant", content }], eventDate: null, requestTime: "2026-03-18" },
    { tagger, rules: true },
  );
  const inputs = ["I live in Oslo", "I work as a welder"];
  deepStrictEqual(read, [[inputs, 0], [inputs, 1]]);
});
