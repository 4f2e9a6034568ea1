/** Tests what the tagger is given to read of a turn. */

import { deepStrictEqual } from "node:assert/strict";
import { factsOf } from "../../src/inference/builtin/engine.ts";
import { TurnTagger } from "../../src/inference/builtin/tagged/reading.ts";
import type { SentenceTags, Tagger } from "../../src/inference/tagger/mod.ts";
import { marked } from "./marked_tags.ts";

/** A tagger that records what it reads. */
function recording(): { readonly tagger: Tagger; readonly read: [readonly string[], number][] } {
  const read: [readonly string[], number][] = [];
  const tagger: Tagger = {
    multilingual: false,
    tag(sentences, index) {
      read.push([sentences, index]);
      return Promise.resolve(marked(sentences[index]!, { store: 0.001 }));
    },
  };
  return { tagger, read };
}

Deno.test("TurnTagger.tag() reads a sentence with the whole turn, in which questions have their marks", async () => {
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

Deno.test("TurnTagger.tag() reads a text in place of a sentence with the sentence before", async () => {
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

Deno.test("factsOf() has an agent's statements about the user tagged together, in the first person", async () => {
  const { tagger, read } = recording();
  const content = "Meeting moved. The user lives in Oslo. The user works as a welder.";
  await factsOf(
    { messages: [{ role: "assistant", content }], eventDate: null, requestTime: "2026-03-18" },
    { tagger, rules: true },
  );
  const inputs = ["I live in Oslo", "I work as a welder"];
  deepStrictEqual(read, [[inputs, 0], [inputs, 1]]);
});

/** A tagger that finds `store` and a label among several sentences, and a span in one on its own. */
function inconsistent(store: number, labels: SentenceTags["labels"], alone: number): Tagger {
  return {
    multilingual: false,
    tag: (sentences, index) =>
      Promise.resolve(
        sentences.length > 1
          ? { ...marked(sentences[index]!, { store }), labels }
          : marked(sentences[index]!, { store: alone, spans: { lives_in: "Porto" } }),
      ),
  };
}

const ENGAGED = { attribute: "marital_status", value: "engaged", ended: false, confidence: 0.99 };

for (
  const { rule, store, labels = [], alone = 0.99, spans, result = store } of [
    { rule: "reads a sentence again on its own", store: 0.9, spans: ["lives_in"] },
    {
      rule: "believes what it surely is on its own if it may be worth storing",
      store: 0.1,
      spans: ["lives_in"],
      result: 0.99,
    },
    { rule: "doesn't if that isn't sure", store: 0.1, alone: 0.9, spans: [] },
    { rule: "doesn't if it surely isn't worth storing", store: 0.001, spans: [] },
    { rule: "doesn't if a closed value is found", store: 0.9, labels: [ENGAGED], spans: [] },
  ]
) {
  Deno.test(`TurnTagger.tag() of a sentence without marked values ${rule}`, async () => {
    const turn = new TurnTagger(inconsistent(store, labels, alone), [
      { text: "I live in Porto", question: false },
      { text: "Where do you live", question: true },
    ]);
    const tags = await turn.tag("I live in Porto");
    deepStrictEqual(tags.spans.map(({ attribute }) => attribute), spans);
    deepStrictEqual([tags.store, tags.labels], [result, labels]);
  });
}
