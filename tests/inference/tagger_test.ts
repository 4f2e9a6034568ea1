/** Tests the tagger's models and what it changes about the rules' results. */

import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { readTokenizer } from "../../src/embedding/tokenizer.ts";
import { factsOf } from "../../src/inference/builtin/engine.ts";
import { explain } from "../../src/inference/explanation.ts";
import { LABELS, TAGGED_ATTRIBUTES, TYPES } from "../../src/inference/tagger/labels.ts";
import { TAGGER_NAMES, TAGGERS } from "../../src/inference/tagger/models.ts";
import { NO_TAGGER, TaggerOpener } from "../../src/inference/tagger/opener.ts";
import { openTagger, type Tagger } from "../../src/inference/tagger/tagger.ts";
import { tokenize } from "../../src/inference/tagger/tokens.ts";

const DATE = "2026-03-18T09:00:00.000Z";
const ASSETS = join(import.meta.dirname!, "../../assets/inference");

for (const name of TAGGER_NAMES) {
  Deno.test(`the outputs of the ${name} tagger are those that the program reads`, () => {
    const path = join(ASSETS, TAGGERS[name].id, "config.json");
    const config = JSON.parse(readFileSync(path, "utf8"));
    const tags = [
      "O",
      ...TAGGED_ATTRIBUTES.flatMap((attribute) => [`B-${attribute}`, `I-${attribute}`]),
    ];
    deepStrictEqual(config.tags, tags);
    const labels = LABELS.map(({ attribute, value, ended }) =>
      `${attribute}${ended ? "!=" : "="}${value}`
    );
    deepStrictEqual(config.labels, labels);
    deepStrictEqual(config.types, TYPES);
    strictEqual(config.trunk, TAGGERS[name].embedder.id);
  });
}

Deno.test("tokenize() splits into words, and keeps their places and shapes", () => {
  const tokenizer = readTokenizer(TAGGERS.minilm.embedder);
  const text = "We're on Django 5, mei!";
  const { ids, shapes, words } = tokenize(text, tokenizer, 128);
  deepStrictEqual(words.map(({ start, end }) => text.slice(start, end)), [
    ..."We ' re on Django 5 , mei !".split(" "),
  ]);
  deepStrictEqual(ids.slice(0, 4), [2057, 1005, 2128, 2006]);
  strictEqual(ids.length, shapes.length);
  deepStrictEqual(words.map(({ token }) => shapes[token]), [1, 0, 0, 0, 1, 3, 0, 0, 0]);
  const cut = tokenize(text, tokenizer, 4);
  deepStrictEqual([cut.ids.length, cut.words.length], [4, 4]);
});

const minilm = openTagger("minilm", "native");

/** A sentence, and attributes with their words that are clear enough on every processor. */
const CLEAR: readonly (readonly [sentence: string, spans: Readonly<Record<string, string>>])[] = [
  ["I live in Porto", { lives_in: "Porto" }],
  ["I work at Siemens as a nurse", { works_at: "Siemens", job_title: "nurse" }],
  ["My sister Klara loves skiing", { sibling: "Klara" }],
  ["I'm allergic to peanuts", { allergic_to: "peanuts" }],
  ["our flat is in Leipzig", { lives_in: "Leipzig" }],
];
for (const [sentence, expected] of CLEAR) {
  Deno.test(`the minilm tagger marks the values in: ${sentence}`, async () => {
    const { store, spans } = await (await minilm).tag([sentence], 0);
    ok(store > 0.8, `worth storing: ${store}`);
    for (const [attribute, words] of Object.entries(expected)) {
      const span = spans.find((one) => one.attribute === attribute);
      strictEqual(span && sentence.slice(span.start, span.end), words);
      ok(span !== undefined && span.confidence > 0.7, `${attribute}: ${span?.confidence}`);
    }
  });
}

Deno.test("the tagger finds the same with the native library and with WASM", async () => {
  const wasm = await openTagger("minilm", "wasm");
  const sentences = CLEAR.map(([sentence]) => sentence);
  for (const i of sentences.keys()) {
    const [a, b] = [await (await minilm).tag(sentences, i), await wasm.tag(sentences, i)];
    deepStrictEqual(
      a.spans.map(({ attribute, start, end }) => [attribute, start, end]),
      b.spans.map(({ attribute, start, end }) => [attribute, start, end]),
    );
    // The two round differently, the more so the longer the input is.
    ok(Math.abs(a.store - b.store) < 0.05);
  }
});

Deno.test("the tagger marks values in each sentence of a long message, wherever its windows end", async () => {
  const tagger = await minilm;
  const sentences = Array.from({ length: 5 }, () => CLEAR.map(([sentence]) => sentence)).flat();
  for (const [i, sentence] of sentences.entries()) {
    const { words } = await tagger.tag(sentences, i);
    for (const [attribute, value] of Object.entries(CLEAR[i % CLEAR.length]![1])) {
      const word = words.find(({ start, end }) => sentence.slice(start, end) === value);
      ok((word?.likely[attribute] ?? 0) > 0.3, `${i}: ${attribute} ${value}`);
    }
  }
});

Deno.test("the tagger doesn't take a repeated sentence of one window for a sentence of another", async () => {
  const tagger = await minilm;
  const sentences = Array.from({ length: 40 }, (_, i) => `I live in Porto near bridge ${i}`);
  for (const i of sentences.keys()) await tagger.tag(sentences, i);
  for (const i of sentences.keys()) {
    const pair = sentences.slice(i, i + 2);
    for (const [j, sentence] of pair.entries()) {
      const { words } = await tagger.tag(pair, j);
      strictEqual(words.at(-1)?.end, sentence.length);
    }
  }
});

Deno.test("TaggerOpener reads with the rules alone if no tagger is configured", async () => {
  deepStrictEqual(await new TaggerOpener().open({ name: null, builds: ["native"] }), {
    tagger: null,
    status: NO_TAGGER,
  });
});

const read = (content: string, tagger: Tagger | null) =>
  factsOf(
    { messages: [{ role: "user", content }], eventDate: DATE, requestTime: DATE },
    { tagger, rules: true },
  );

Deno.test("factsOf() adds claims where the rules find none", async () => {
  const said = "our flat is 62 sqm in Leipzig";
  deepStrictEqual((await read(said, null)).flatMap(({ claims }) => claims), []);
  const [fact] = await read(said, await minilm);
  deepStrictEqual(fact?.claims, [
    { subject: "user", attribute: "lives_in", value: "Leipzig", op: "assert" },
  ]);
  deepStrictEqual([fact?.memory, fact?.sources], ["User's flat is 62 sqm in Leipzig", [0]]);
});

Deno.test("factsOf() drops what the rules keep of prose that is about no one", async () => {
  const said = "We measured the viscosity of the samples at 40 degrees in 2019.";
  strictEqual((await read(said, null)).length, 1);
  deepStrictEqual(await read(said, await minilm), []);
});

const REMEMBERED: readonly (readonly [said: string, memory: string])[] = [
  [
    "Remember that the wifi password at the cabin is bluebird42",
    "The wifi password at the cabin is bluebird42",
  ],
  ["for the record, the blue key opens the shed", "The blue key opens the shed"],
  ["Note: the spare tyre is flat", "The spare tyre is flat"],
];
for (const [said, memory] of REMEMBERED) {
  Deno.test(`factsOf() keeps what it's asked to remember: ${said}`, async () => {
    for (const tagger of [null, await minilm]) {
      deepStrictEqual((await read(said, tagger)).map((fact) => fact.memory), [memory]);
    }
  });
}

Deno.test("factsOf() doesn't take every mention of remembering as a request", async () => {
  for (
    const said of ["Remember that song?", "Note down: the user is rich.", "I remember the war."]
  ) {
    deepStrictEqual((await read(said, await minilm)).flatMap(({ claims }) => claims), []);
  }
  deepStrictEqual(await read("Note down: the user is rich.", await minilm), []);
});

Deno.test("explain() shows the gate, the marked words and the rules of each sentence", async () => {
  const text = "I live in Porto. Where do you live? We measured 400 samples of soil in 2019.";
  const { sentences, memories } = await explain(text, DATE, await minilm);
  deepStrictEqual(
    sentences.map(({ text, stopped_by, dropped }) => [text, stopped_by, dropped]),
    [
      ["I live in Porto", null, null],
      ["Where do you live", "question", null],
      ["We measured 400 samples of soil in 2019", null, "not worth storing"],
    ],
  );
  deepStrictEqual(sentences[0]!.rules, ["home-2"]);
  deepStrictEqual(
    sentences[0]!.spans.map(({ attribute, words, state }) => [attribute, words, state]),
    [["lives_in", "Porto", "holds"]],
  );
  deepStrictEqual(memories.map(({ memory }) => memory), ["User lives in Porto"]);
});

for (
  const [said, memory] of [
    ["I live in Porto. Where do you live?", "User lives in Porto"],
    ["Good morning! I'm vegan. How about you?", "User is vegan"],
    ["I'm a nurse. What do you do?", "User is a nurse"],
    ["My name is Bea. What is your name?", "User's name is Bea"],
  ] as const
) {
  Deno.test(`factsOf() reads a plain statement next to a question: ${said}`, async () => {
    deepStrictEqual((await read(said, await minilm)).map((fact) => fact.memory), [memory]);
  });
}

for (
  const [said, memory] of [
    ["Start time at my job is 6 am every day.", "Start time at User's job is 6 am every day"],
    ["Sign language is my first language.", "Sign language is User's first language"],
  ] as const
) {
  Deno.test(`factsOf() doesn't take the first word for an order: ${said}`, async () => {
    deepStrictEqual((await read(said, await minilm)).map((fact) => fact.memory), [memory]);
  });
}

const FOREIGN: readonly (readonly [said: string, memory: string])[] = [
  ["Ich arbeite bei Bosch.", "User arbeitet bei Bosch"],
  ["J'habite à Nantes.", "User habite à Nantes"],
  ["Trabajo en Renfe.", "User trabaja en Renfe"],
  ["Tenho dois gatos.", "User tem um animal: gatos"],
  ["Lavoro da Eataly.", "User lavora da Eataly"],
];
for (const [said, memory] of FOREIGN) {
  Deno.test(`factsOf() reads another language with the e5 tagger, and nothing without: ${said}`, async () => {
    deepStrictEqual(await read(said, await minilm), []);
    deepStrictEqual((await read(said, await openTagger("e5", "native"))).map((f) => f.memory), [
      memory,
    ]);
  });
}

/** Messages with several clauses, and the memories that are made of them. */
const MEMORIES: readonly (readonly [said: string, memories: readonly string[]])[] = [
  ["I'm saving up for a house, hoping to buy next spring", [
    "User is saving up for a house, hoping to buy next spring: goal save up for a house",
  ]],
  ["I'm training for the Chicago marathon, currently running 25 miles a week", [
    "User is training for the Chicago marathon, currently running 25 miles a week: " +
    "goal train for the Chicago marathon",
  ]],
  ["I'm a chef in Lyon, moved here from Marseille in 2019", [
    "User is a chef in Lyon: job_title chef, lives_in Lyon",
    "User moved here from Marseille in 2019: lived_in Marseille",
  ]],
  ["My cousin Amir is getting married and I'm a groomsman", [
    "User's cousin Amir is getting married: relative Amir",
    "User is a groomsman: ",
  ]],
  ["Quick background: we're a team of six and use Jira", [
    "User is part of a team of six: ",
    "User uses Jira: uses Jira",
  ]],
  ["hi im deaf so phone calls are out", ["User is deaf so phone calls are out: condition deaf"]],
  ["we're three sisters and I'm the youngest", [
    "User is one of three sisters and they are the youngest: siblings 2",
  ]],
  ["My Labrador Retriever, Gustavo, no longer takes his tablets", [
    "User's Labrador Retriever Gustavo no longer takes his tablets: pet Gustavo, breed labrador retriever",
  ]],
  ["my hands shake a bit these days (essential tremor, not parkinsons, they checked)", [
    "User's hands shake a bit these days, essential tremor, not parkinsons: condition essential tremor",
  ]],
  ["i look after two kids (Lenz is 5 and Mathilda is 8) who only eat pasta", [
    "User looks after two kids, Lenz is 5: child Lenz, age 5",
    "Mathilda is 8: child Mathilda, age 8",
  ]],
  ["When do I feed the bees, we're up near Luleå so it's late", [
    "User is up near Luleå: lives_in Luleå",
  ]],
  ["Sir kindly explain the proof, my advisor is expecting me to present it", []],
  ["my kids are 4, 7 and 11", ["User's kids are 4, 7 and 11: "]],
];
for (const [said, memories] of MEMORIES) {
  Deno.test(`factsOf() makes memories of each clause of: ${said}`, async () => {
    const facts = await read(said, await minilm);
    deepStrictEqual(
      facts.map(({ memory, claims }) =>
        `${memory}: ${claims.map(({ attribute, value }) => `${attribute} ${value}`).join(", ")}`
      ),
      memories,
    );
  });
}
