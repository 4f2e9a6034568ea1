/** Tests what the tagger changes about the claims of the rules. */

import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { factsOf } from "../../src/inference/builtin/engine.ts";
import { fitToSpan, isSupported } from "../../src/inference/builtin/tagged/verify.ts";
import { marked, markingTagger, type Marks } from "./marked_tags.ts";

interface SupportCase {
  readonly rule: string;
  readonly said: string;
  readonly attribute: string;
  readonly value: string;
  readonly marks: Marks;
  readonly supported: boolean;
}

const GOAL = "I mean to see Rome before I'm old";
const PAINT = "I paint every Saturday";

const SUPPORT: readonly SupportCase[] = [
  {
    rule: "that has the same words and attribute as a span",
    said: "I live in Porto",
    attribute: "lives_in",
    value: "Porto",
    marks: { spans: { lives_in: "Porto" } },
    supported: true,
  },
  {
    rule: "of which no word is likely a value",
    said: "I live in hope",
    attribute: "lives_in",
    value: "hope",
    marks: {},
    supported: false,
  },
  {
    rule: "with a word that is possibly a value of a related attribute",
    said: "I live in Porto",
    attribute: "lives_in",
    value: "Porto",
    marks: { likely: [["from", "Porto", 0.6]] },
    supported: true,
  },
  {
    rule: "with words that are possibly a value of an unrelated attribute",
    said: "I live in Porto",
    attribute: "lives_in",
    value: "Porto",
    marks: { likely: [["owns", "Porto", 0.6]] },
    supported: false,
  },
  {
    rule: "whose words are surely a value of another attribute",
    said: GOAL,
    attribute: "plan",
    value: "see Rome",
    marks: { spans: { goal: "see Rome" } },
    supported: false,
  },
  {
    rule: "whose words are of another attribute, but its own is possible",
    said: GOAL,
    attribute: "plan",
    value: "see Rome",
    marks: { spans: { goal: "see Rome" }, likely: [["plan", "see Rome", 0.2]] },
    supported: true,
  },
  {
    rule: "of a hobby that the tagger takes for a habit",
    said: PAINT,
    attribute: "hobby",
    value: "painting",
    marks: { spans: { habit: "paint" } },
    supported: false,
  },
  {
    rule: "of a habit that the tagger takes for a hobby",
    said: PAINT,
    attribute: "habit",
    value: "paint every Saturday",
    marks: { spans: { hobby: "paint" }, likely: [["habit", "paint", 0.3]] },
    supported: false,
  },
  {
    rule: "of a habit that the tagger sees in a part of the words",
    said: PAINT,
    attribute: "habit",
    value: "paint every Saturday",
    marks: { likely: [["habit", "paint", 0.6]] },
    supported: true,
  },
  {
    rule: "whose words aren't in the sentence",
    said: "My baby turned one",
    attribute: "age",
    value: "1",
    marks: {},
    supported: true,
  },
];
for (const { rule, said, attribute, value, marks, supported } of SUPPORT) {
  Deno.test(`isSupported() ${supported ? "keeps" : "drops"} a claim ${rule}`, () => {
    strictEqual(isSupported({ attribute, value }, said, marked(said, marks)), supported);
  });
}

const CUT: readonly (readonly [
  rule: string,
  attribute: string,
  value: string,
  marks: Marks,
  cut: string,
])[] = [
  [
    "cuts a value to the words that were marked",
    "goal",
    "see Rome before I'm old",
    { spans: { goal: "see Rome" } },
    "see Rome",
  ],
  [
    "leaves a value of which the end was marked",
    "goal",
    "mean to see Rome",
    { spans: { goal: "see Rome" } },
    "mean to see Rome",
  ],
  [
    "keeps a few words before those that were marked",
    "goal",
    "mean to see Rome before I'm old",
    { spans: { goal: "see Rome" } },
    "mean to see Rome",
  ],
  [
    "cuts a value that the rules reworded",
    "hobby",
    "seeing Rome before I'm old",
    { spans: { hobby: "see Rome" } },
    "seeing Rome",
  ],
  [
    "leaves a value of which the tagger is unsure",
    "goal",
    "see Rome before I'm old",
    { spans: { goal: "see Rome" }, confidence: 0.5 },
    "see Rome before I'm old",
  ],
  [
    "leaves a value marked as another attribute",
    "goal",
    "see Rome before I'm old",
    { spans: { plan: "see Rome" } },
    "see Rome before I'm old",
  ],
];
for (const [rule, attribute, value, marks, cut] of CUT) {
  Deno.test(`fitToSpan() ${rule}`, () => {
    strictEqual(fitToSpan({ attribute, value }, GOAL, marked(GOAL, marks)), cut);
  });
}

const DATE = "2026-03-18T09:00:00.000Z";

const read = (content: string, marks: Marks | null) =>
  factsOf(
    { messages: [{ role: "user", content }], eventDate: DATE, requestTime: DATE },
    { tagger: marks === null ? null : markingTagger(marks), rules: true },
  );

Deno.test("factsOf() gives a fact the type and importance of the claims that are left", async () => {
  const said = "I'm allergic to rye and I live in Porto";
  const [allergy] = await read(said, null);
  deepStrictEqual([allergy?.importance, allergy?.claims.length], [0.9, 1]);
  const facts = await read(said, { spans: { lives_in: "Porto" } });
  deepStrictEqual(
    facts.map(({ importance, claims }) => [importance, claims.map(({ attribute }) => attribute)]),
    [[0.5, []], [0.7, ["lives_in"]]],
  );
});

Deno.test("factsOf() keeps a list if the tagger sees several of its values", async () => {
  const said = "I'm allergic to rye, eggs, soy, squid and mace";
  const valuesWith = async (...seen: readonly string[]) => {
    const likely = seen.map((word) => ["allergic_to", word, 0.5] as const);
    const facts = await read(said, { likely });
    return facts.flatMap(({ claims }) => claims.map(({ value }) => value));
  };
  deepStrictEqual(await valuesWith("rye", "soy"), ["rye", "soy"]);
  deepStrictEqual(
    await valuesWith("rye", "soy", "mace"),
    ["rye", "eggs", "soy", "squid", "mace"],
  );
});

Deno.test("factsOf() drops a fact that lost its claims unless the sentence is worth storing", async () => {
  const said = "I live in constant hope of better days";
  const kept = await read(said, { store: 0.9 });
  deepStrictEqual(kept.map(({ claims }) => claims), [[]]);
  deepStrictEqual(await read(said, { store: 0.1 }), []);
});

Deno.test("factsOf() keeps a sentence without claims with less certainty if it has a date", async () => {
  const kept = async (said: string, store: number) => (await read(said, { store })).length > 0;
  deepStrictEqual(
    [
      await kept("My parents are visiting us", 0.5),
      await kept("My parents are visiting us tomorrow", 0.5),
      await kept("My parents are visiting us", 0.9),
      await kept("My parents are visiting us tomorrow", 0.3),
    ],
    [false, true, true, false],
  );
});

Deno.test("factsOf() keeps a name that the tagger has no attribute for if the sentence is worth storing", async () => {
  const CALLED: readonly (readonly [said: string, attribute: string, value: string])[] = [
    ["My roommate is called Dev", "roommate", "Dev"],
    ["My neighbour is called Ahmed", "neighbor", "Ahmed"],
    ["My dentist is called Dr. Lund", "doctor", "Dr. Lund"],
  ];
  for (const [said, attribute, value] of CALLED) {
    const claims = async (store: number) =>
      (await read(said, { store })).flatMap(({ claims }) => claims);
    deepStrictEqual(await claims(0.9), [{ subject: "user", attribute, value, op: "assert" }]);
    deepStrictEqual(await claims(0.1), []);
  }
});

Deno.test("factsOf() says that a preference against something is one to avoid it", async () => {
  const values = async (said: string, prefers: string) =>
    (await read(said, { spans: { prefers } }))
      .flatMap(({ claims }) => claims.map(({ attribute }) => attribute));
  deepStrictEqual(await values("for the slides clear fonts and no clip art", "clip art"), [
    "avoids",
  ]);
  deepStrictEqual(await values("my reports go out without any tables", "tables"), ["avoids"]);
  deepStrictEqual(await values("I don't mind, but aisle seats suit me", "aisle seats"), [
    "prefers",
  ]);
});

/** A sentence with an attribute that the tagger gives its last words, and what is claimed. */
const CLAIMED: readonly (readonly [said: string, marks: Marks, claims: readonly string[]])[] = [
  ["no film beats it, my favourite, Paddington 2", { spans: { favorite: "Paddington 2" } }, [
    "favorite_film Paddington 2",
  ]],
  ["fav singer gotta be Merle Haggard", { spans: { favorite: "Merle Haggard" } }, [
    "favorite_singer Merle Haggard",
  ]],
  ["I teach 8th grade math", { spans: { job_title: "8th grade math" } }, [
    "job_title 8th grade math teacher",
  ]],
  ["I teach the violin, as an assistant teacher", { spans: { job_title: "assistant teacher" } }, [
    "job_title assistant teacher",
  ]],
  ["I farm, I drive a tractor", { spans: { job_title: "tractor" } }, ["job_title tractor driver"]],
  ["I'm a courier, I drive a van", { spans: { job_title: "van" } }, ["job_title van driver"]],
  ["my thing, forever, the Reds", { spans: { favorite: "Reds" } }, ["likes Reds"]],
  ["my shoes come in size 43", { spans: { age: "43" } }, []],
  ["it's me, day 40", { spans: { age: "40" } }, []],
  ["I'm the one", { spans: { age: "one" } }, []],
  ["it's me, 34 by now", { spans: { age: "34" } }, ["age 34"]],
  ["it's us, 34 and 36", { spans: { age: "34" } }, []],
  ["my son, 7 and 11", { others: { age: "11" } }, []],
  ["it's me, 5'10, 34, and tired", { spans: { age: "34" } }, ["age 34"]],
  ["it's me, 34 and 5 years sober", { spans: { age: "34" } }, ["age 34"]],
  ["born on June 4th, our anniversary", { spans: { birthday: "June 4th" } }, ["birthday 06-04"]],
  ["I studied architecture in Delft", { spans: { studies: "architecture" } }, []],
  ["My shift start at work is 6 am", { spans: { habit: "shift start" } }, []],
  ["the big anniversary, June 4th", { spans: { birthday: "June 4th" } }, []],
  ["a teaching degree at Durham", { spans: { studies_at: "Durham" } }, ["studies_at Durham"]],
  ["applied maths, now at Leeds", { spans: { studies_at: "Leeds" } }, ["studies_at Leeds"]],
  ["got teased for being left-handed", { spans: { identity: "left-handed" } }, [
    "identity left-handed",
  ]],
  ["here I am, 5ft10, 34", { spans: { age: "34" } }, ["age 34"]],
  ["the big anniversary is June 4th", { spans: { birthday: "June 4th" } }, []],
  ["the big day, June 4th", { spans: { birthday: "June 4th" } }, ["birthday 06-04"]],
  ["new here, moved over from Marseille", { spans: { lives_in: "Marseille" } }, [
    "lived_in Marseille",
  ]],
  ["it's a goal, to buy", { spans: { goal: "to buy" } }, []],
  ["up front as a bridesmaid", { spans: { job_title: "bridesmaid" } }, []],
  ["it's bad, can't stop eating seeds", { spans: { avoids: "seeds" } }, []],
  ["maths teacher, taught it in Leeds", { spans: { studies_at: "Leeds" } }, []],
  ["on nights we play FIFA", { spans: { works_at: "FIFA" } }, []],
  ["back to my maiden name, Vantongeren", { spans: { spouse: "Vantongeren" } }, []],
  ["all the videos are for right-handed players", { spans: { identity: "right-handed" } }, []],
  ["I cook, half our regulars are vegan", { spans: { diet: "vegan" } }, []],
  ["she's my dog, 31 kg", { others: { age: "31" } }, []],
  ["not a morning runner", { spans: { job_title: "morning runner" }, state: "ended" }, []],
  ["it's my son, four months", { others: { age: "four" } }, []],
  ["put him down, sixteen years old, and my wife is sad", { others: { age: "sixteen" } }, []],
  ["no more coffee, switched to matcha", { spans: { lives_in: "matcha" } }, []],
];
for (const [said, marks, claims] of CLAIMED) {
  Deno.test(`factsOf() claims ${claims.join(", ") || "nothing"} of: ${said}`, async () => {
    const facts = await read(said, marks);
    deepStrictEqual(
      facts.flatMap((fact) => fact.claims.map(({ attribute, value }) => `${attribute} ${value}`)),
      claims,
    );
  });
}

Deno.test("factsOf() reads a sentence that only looks like a request if the tagger is sure", async () => {
  const said = "Don't touch alcohol at all now, tea only";
  const sure: Marks = { spans: { avoids: "alcohol" } };
  deepStrictEqual(await read(said, null), []);
  deepStrictEqual((await read(said, sure)).flatMap(({ claims }) => claims), [
    { subject: "user", attribute: "avoids", value: "alcohol", op: "assert" },
  ]);
  deepStrictEqual(await read(said, { ...sure, confidence: 0.8 }), []);
  deepStrictEqual(await read(said, { ...sure, store: 0.8 }), []);
});

Deno.test("factsOf() widens a value of the rules to the words that the tagger is sure of", async () => {
  const said = "I'm red-green colour-blind.";
  const values = async (marks: Marks | null) =>
    (await read(said, marks)).flatMap(({ claims }) => claims.map(({ value }) => value));
  deepStrictEqual(await values(null), ["colour-blind"]);
  const spans = { condition: "red-green colour-blind" };
  deepStrictEqual(await values({ spans }), ["red-green colour-blind"]);
  deepStrictEqual(await values({ spans, confidence: 0.7 }), ["colour-blind"]);
});

Deno.test("factsOf() keeps an end that the rules find and the tagger is unsure of", async () => {
  const claims = async (marks: Marks) =>
    (await read("I no longer speak Greek.", marks)).flatMap(({ claims }) =>
      claims.map(({ attribute, op }) => `${attribute} ${op}`)
    );
  deepStrictEqual(await claims({}), ["speaks end"]);
  deepStrictEqual(await claims({ spans: { plan: "Greek" } }), []);
});

Deno.test("factsOf() takes an instruction for a lasting one if the tagger may see a preference in it", async () => {
  const said = "Write answers in two lines.";
  const values = async (marks: Marks | null) =>
    (await read(said, marks)).flatMap(({ claims }) => claims.map(({ attribute }) => attribute));
  deepStrictEqual(await values(null), ["prefers"]);
  const likely = [["prefers", "two lines", 0.6]] as const;
  deepStrictEqual(await values({ store: 0.02, likely }), ["prefers"]);
  deepStrictEqual(await values({ store: 0.02 }), []);
  deepStrictEqual(await values({ store: 0.001, likely }), []);
});

Deno.test("factsOf() claims that the user lived where they used to live", async () => {
  const claims = async (marks: Marks | null) =>
    (await read("my twenties went by in Fresno", marks)).flatMap(({ claims }) => claims);
  deepStrictEqual(await claims(null), []);
  for (const state of ["holds", "ended"] as const) {
    deepStrictEqual(await claims({ spans: { lived_in: "Fresno" }, state }), [
      { subject: "user", attribute: "lived_in", value: "Fresno", op: "assert" },
    ]);
  }
});
