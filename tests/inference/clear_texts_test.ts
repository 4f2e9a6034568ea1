/** Tests that memories with claims can be read without the message, and say only what was said. */

import { deepStrictEqual } from "node:assert/strict";
import { factsOf } from "../../src/inference/builtin/engine.ts";
import type { Tagger } from "../../src/inference/tagger/mod.ts";
import { marked, markingTagger, type Marks } from "./marked_tags.ts";

const DATE = "2026-03-18T09:00:00.000Z";

/** A tagger that finds marks in the sentences that have their words, and nothing in others. */
const taggerOf = (spans: Readonly<Record<string, string>>): Tagger => ({
  multilingual: false,
  tag: (sentences, index) => {
    const sentence = sentences[index]!;
    const isMarked = Object.values(spans).every((words) => sentence.includes(words));
    return Promise.resolve(marked(sentence, isMarked ? { spans } : { store: 0.5 }));
  },
});

const MEMORIES: readonly (readonly [
  said: string,
  marks: Marks["spans"],
  memories: readonly string[],
])[] = [
  ["it's glaucoma", { condition: "glaucoma" }, ["User's health condition is glaucoma"]],
  ["it's swimming these days", { hobby: "swimming" }, ["User's hobby is swimming"]],
  [
    "Kotlin by day, OCaml when nobody pays me",
    { programming_language: "Kotlin" },
    ["User programs in Kotlin"],
  ],
  [
    "doing forestry at north metro tafe",
    { studies: "forestry", studies_at: "north metro tafe" },
    ["User studies forestry", "User studies at north metro tafe"],
  ],
  [
    "you know me, always the aisle seat",
    { prefers: "aisle seat" },
    ["User prefers aisle seat"],
  ],
  [
    "I'm allergic to bluebottles, they sting u when surfing",
    { allergic_to: "bluebottles" },
    ["User is allergic to bluebottles"],
  ],
  [
    "plan: visit my gran in Lahore",
    { plan: "visit my gran" },
    ["User plans to visit their gran"],
  ],
  [
    "I'm up at night, and before u ask, it's asthma",
    { condition: "asthma" },
    ["User's health condition is asthma"],
  ],
  ["plan: rewire the kitchen", { plan: "rewire the kitchen" }, [
    "User plans to rewire the kitchen",
  ]],
  ["me, agnostic", { religion: "agnostic" }, ["User's religion is agnostic"]],
  ["Siân, to McGill", { relative: "Siân" }, ["User's relative is Siân"]],
  ["ours is a Škoda", { owns: "Škoda" }, ["User owns a Škoda"]],
  ["count me as self-employed", { employment: "self-employed" }, [
    "User's employment is self-employed",
  ]],
  ["don't call me maam", { prefers: "don't call me maam" }, [
    "User prefers the assistant not to call them maam",
  ]],
  ["mine: patch the hole", { todo: "patch the hole" }, ["User has to patch the hole"]],
  // Each memory says what its claims say.
  [
    "I live in Porto and it is propranolol these days",
    { lives_in: "Porto", medication: "propranolol" },
    ["User lives in Porto", "User takes propranolol"],
  ],
  ["I'm the youngest of seven", { siblings: "seven" }, ["User is the youngest of seven"]],
  ["I'm freelance, i.e. broke", { website: "i.e" }, ["User is freelance, i.e. broke"]],
  ["hip surgery is the 9th", { plan: "hip surgery" }, ["User's plan is: hip surgery"]],
  // These are clear as they are.
  ["biscuit ate the couch", { pet: "biscuit" }, ["Biscuit ate the couch"]],
  [
    "the little one, Oskar, starts school in May",
    { child: "Oskar" },
    ["The little one, Oskar, starts school in May"],
  ],
  ["Welsh is what I dream in", { native_language: "Welsh" }, ["Welsh is what User dreams in"]],
  ["our flat is in Leipzig", { lives_in: "Leipzig" }, ["User's flat is in Leipzig"]],
];
for (const [said, spans, memories] of MEMORIES) {
  Deno.test(`factsOf() writes a memory that says whom it's about: ${said}`, async () => {
    const facts = await factsOf(
      { messages: [{ role: "user", content: said }], eventDate: null, requestTime: DATE },
      { tagger: markingTagger({ spans: spans ?? {} }), rules: true },
    );
    deepStrictEqual(facts.map(({ memory }) => memory), memories);
  });
}

/** Texts whose first pronoun may mean another than the user, and what the tagger marks in them. */
const OF_ANOTHER: readonly (readonly [said: string, marks: Marks["spans"]])[] = [
  ["My neighbour has a dog. It is a poodle called Max.", { pet: "Max" }],
  ["My neighbour is in hospital. It's glaucoma.", { condition: "glaucoma" }],
  ["he's a strict vegan", { diet: "vegan" }],
  ["it's called Max", { pet: "Max" }],
];
for (const [said, spans = {}] of OF_ANOTHER) {
  Deno.test(`factsOf() keeps no claim about the user of: ${said}`, async () => {
    const facts = await factsOf(
      { messages: [{ role: "user", content: said }], eventDate: null, requestTime: DATE },
      { tagger: taggerOf(spans), rules: true },
    );
    deepStrictEqual(facts.flatMap(({ claims }) => claims).filter((c) => c.subject === "user"), []);
  });
}

Deno.test("factsOf() writes an ended claim as one that no longer holds", async () => {
  const tagger = markingTagger({ spans: { owns: "riding mower" }, state: "ended" });
  const facts = await factsOf(
    {
      messages: [{ role: "user", content: "the riding mower finally quit" }],
      eventDate: null,
      requestTime: DATE,
    },
    { tagger, rules: true },
  );
  deepStrictEqual(facts.map(({ memory, claims }) => [memory, claims[0]?.op]), [
    ["User no longer owns a riding mower", "end"],
  ]);
});

Deno.test("factsOf() doesn't count the user among their siblings", async () => {
  const content = "I'm the youngest of seven";
  const facts = await factsOf(
    { messages: [{ role: "user", content }], eventDate: null, requestTime: DATE },
    { tagger: markingTagger({ spans: { siblings: "seven" } }), rules: true },
  );
  deepStrictEqual(facts.flatMap(({ claims }) => claims.map(({ value }) => value)), ["6"]);
});
