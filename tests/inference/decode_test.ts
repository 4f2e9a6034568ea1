/** Tests how the tagger's probabilities become spans. */

import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { decode, type SentenceTags } from "../../src/inference/tagger/decode.ts";
import { LABELS, STATES, TAGGED_ATTRIBUTES, TYPES } from "../../src/inference/tagger/labels.ts";

const WIDTH = 1 + 2 * TAGGED_ATTRIBUTES.length;

/** Probabilities of a word's tags: `O`, `B-lives_in`, `I-lives_in`. All others are 0. */
type Tags = Readonly<Record<string, number>>;

function tagIndex(tag: string): number {
  if (tag === "O") return 0;
  const attribute = TAGGED_ATTRIBUTES.indexOf(tag.slice(2));
  ok(attribute >= 0, tag);
  return 1 + 2 * attribute + (tag.startsWith("I-") ? 1 : 0);
}

/** Decodes words of four letters with one token each. `ended` are the words whose state is that. */
function decoded(rows: readonly Tags[], ended: readonly number[] = []): SentenceTags {
  const tags = new Float32Array(rows.length * WIDTH);
  const states = new Float32Array(rows.length * STATES.length);
  for (const [i, row] of rows.entries()) {
    for (const [tag, probability] of Object.entries(row)) {
      tags[i * WIDTH + tagIndex(tag)] = probability;
    }
    states[i * STATES.length + STATES.indexOf(ended.includes(i) ? "ended" : "holds")] = 1;
  }
  const words = rows.map((_, token) => ({ start: 5 * token, end: 5 * token + 4, token }));
  const [found] = decode([{ start: 0, end: rows.length, words }], {
    tags,
    states,
    store: Float32Array.of(0.5),
    labels: new Float32Array(LABELS.length),
    types: new Float32Array(TYPES.length),
  });
  return found!;
}

const spansOf = ({ spans }: SentenceTags) =>
  spans.map(({ attribute, start, end }) => [attribute, start, end]);

const OUTSIDE: Tags = { O: 0.99 };

Deno.test("decode() reads a span from its first word to its last", () => {
  const tags = decoded([OUTSIDE, { "B-lives_in": 0.9 }, { "I-lives_in": 0.7 }, OUTSIDE]);
  deepStrictEqual(spansOf(tags), [["lives_in", 5, 14]]);
  ok(Math.abs(tags.spans[0]!.confidence - 0.8) < 1e-6);
});

Deno.test("decode() keeps a value together where another attribute leads inside it", () => {
  const tags = decoded([
    { "B-works_at": 0.8, "B-lives_in": 0.1 },
    { "I-studies_at": 0.5, "I-works_at": 0.4 },
    { "I-works_at": 0.9 },
  ]);
  deepStrictEqual(spansOf(tags), [["works_at", 0, 14]]);
});

Deno.test("decode() begins a span with the word whose begin is likelier than none", () => {
  const tags = decoded([OUTSIDE, { "I-pet": 0.9, "B-pet": 0.06, "O": 0.04 }, OUTSIDE]);
  deepStrictEqual(spansOf(tags), [["pet", 5, 9]]);
  ok(Math.abs(tags.spans[0]!.confidence - 0.96) < 1e-6);
});

Deno.test("decode() parts two values by a word that is in none", () => {
  const rows = [{ "B-likes": 0.9 }, OUTSIDE, { "B-likes": 0.9 }];
  deepStrictEqual(spansOf(decoded(rows)), [["likes", 0, 4], ["likes", 10, 14]]);
});

Deno.test("decode() reads two values in a row as one", () => {
  const rows = [{ "B-from": 0.9 }, { "B-from": 0.6, "I-from": 0.3 }];
  deepStrictEqual(spansOf(decoded(rows)), [["from", 0, 9]]);
});

Deno.test("decode() prefers a value to none if the two are nearly as likely", () => {
  deepStrictEqual(spansOf(decoded([{ "O": 0.6, "B-owns": 0.3 }])), [["owns", 0, 4]]);
  deepStrictEqual(spansOf(decoded([{ "O": 0.9, "B-owns": 0.1 }])), []);
});

Deno.test("decode() takes a span's state from its first word", () => {
  const rows = [{ "B-owns": 0.9 }, { "I-owns": 0.9 }];
  strictEqual(decoded(rows, [0]).spans[0]!.state, "ended");
  strictEqual(decoded(rows, [1]).spans[0]!.state, "holds");
});

Deno.test("decode() reports what each word is likely a value of", () => {
  const { words } = decoded([{ "B-owns": 0.2, "I-owns": 0.1, "B-pet": 0.005 }]);
  deepStrictEqual(Object.keys(words[0]!.likely), ["owns"]);
  ok(Math.abs(words[0]!.likely["owns"]! - 0.3) < 1e-6);
});

Deno.test("decode() finds nothing in a sentence without words", () => {
  deepStrictEqual(spansOf(decoded([])), []);
});

Deno.test("decode() reads each sentence's own outputs", () => {
  const labels = new Float32Array(2 * LABELS.length);
  labels[LABELS.length + 3] = 0.9;
  const types = new Float32Array(2 * TYPES.length);
  types[TYPES.length + TYPES.indexOf("event")] = 1;
  const tags = new Float32Array(2 * WIDTH);
  tags[0] = 1;
  tags[WIDTH + tagIndex("B-pet")] = 1;
  const part = (token: number) => ({
    start: token,
    end: token + 1,
    words: [{ start: 0, end: 4, token }],
  });
  const found = decode([part(0), part(1)], {
    tags,
    states: new Float32Array(2 * STATES.length),
    store: Float32Array.of(0.25, 0.75),
    labels,
    types,
  });
  deepStrictEqual(found.map(spansOf), [[], [["pet", 0, 4]]]);
  deepStrictEqual(found.map(({ store, labels }) => [store, labels.length]), [[0.25, 0], [0.75, 1]]);
  deepStrictEqual(found[1]!.labels[0]!.value, LABELS[3]!.value);
  deepStrictEqual(found[1]!.type, "event");
});
