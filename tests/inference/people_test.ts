/** Tests whom the claims of the tagger are about, with outputs of the tagger written by hand. */

import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { factsOf } from "../../src/inference/builtin/engine.ts";
import { withRelations } from "../../src/inference/builtin/tagged/people.ts";
import type { Tagger } from "../../src/inference/tagger/mod.ts";
import { marked, type Marks } from "./marked_tags.ts";

const DATE = "2026-03-18T09:00:00.000Z";

/** Marks by sentence. Any other sentence is taken for nothing worth storing. */
type Marking = Readonly<Record<string, Marks>>;

const taggerOf = (marking: Marking): Tagger => ({
  multilingual: false,
  tag: (sentences, index) => {
    const sentence = sentences[index]!;
    return Promise.resolve(marked(sentence, marking[sentence] ?? { store: 0.01 }));
  },
});

async function claimsOf(content: string, marking: Marking): Promise<readonly string[]> {
  const facts = await factsOf(
    { messages: [{ role: "user", content }], eventDate: DATE, requestTime: DATE },
    { tagger: taggerOf(marking), rules: true },
  );
  return facts.flatMap(({ claims }) =>
    claims.map(({ subject, attribute, value }) => `${subject} ${attribute} ${value}`)
  ).sort();
}

/** What the tagger marks in a sentence, and the claims of the sentence. */
const SUBJECTS: readonly (readonly [said: string, marks: Marks, claims: readonly string[]])[] = [
  [
    "hubby's a long haul trucker",
    { others: { job_title: "long haul trucker" } },
    ["user's hubby job_title long haul trucker"],
  ],
  [
    "Mom has early onset alzheimers",
    { others: { condition: "early onset alzheimers" } },
    ["user's mom condition early onset alzheimers"],
  ],
  ["the wife is at Kroger", { others: { works_at: "Kroger" } }, ["user's wife works_at Kroger"]],
  ["wifes a pescatarian", { others: { diet: "pescatarian" } }, ["user's wife diet pescatarian"]],
  [
    "cat's a maine coon called tinsel",
    { spans: { pet: "tinsel" }, others: { breed: "maine coon" } },
    ["tinsel breed maine coon", "user pet tinsel"],
  ],
  [
    "wife Trinh, dog Cowboy",
    { spans: { spouse: "Trinh", pet: "Cowboy" }, others: { species: "dog" } },
    ["cowboy species dog", "user pet Cowboy", "user spouse Trinh"],
  ],
  [
    "got a pup, that's Biscuit",
    { spans: { pet: "Biscuit" }, others: { species: "pup" } },
    ["biscuit species dog", "user pet Biscuit"],
  ],
  [
    "he's kosher my uncle and she's halal my aunt",
    { others: { diet: "kosher" } },
    ["user's uncle diet kosher"],
  ],
  [
    "my girlfriend rukmini is a paramedic",
    { spans: { partner: "rukmini" }, others: { job_title: "paramedic" } },
    ["rukmini job_title paramedic", "user partner rukmini"],
  ],
  [
    "dad goes by Stavros at the club",
    { others: { parent: "Stavros" } },
    ["user parent Stavros"],
  ],
  ["the baby is allergic to eggs", { others: { allergic_to: "eggs" } }, []],
  ["My daughter's boyfriend is a vegan", { others: { diet: "vegan" } }, []],
  ["a friend's son lives on Skye", { others: { lives_in: "Skye" } }, []],
  [
    "My ex-wife's new husband Karl is a dentist",
    { spans: { spouse: "Karl" }, others: { job_title: "dentist" } },
    [],
  ],
  [
    "Two weeks ago we visited my aunt in Sligo",
    { spans: { lives_in: "Sligo" } },
    ["user's aunt lives_in Sligo"],
  ],
  ["I live with my parents in Leeds", { spans: { lives_in: "Leeds" } }, ["user lives_in Leeds"]],
  ["I live near my parents in Leeds", { spans: { lives_in: "Leeds" } }, ["user lives_in Leeds"]],
  ["Her brother Leon sings", { spans: { sibling: "Leon" } }, []],
  ["My son's teacher Ms Lee rang", { spans: { teacher: "Ms Lee" } }, []],
  ["My boss's wife Ida is a nurse", { spans: { spouse: "Ida" } }, []],
  ["That's my sister Klara", { spans: { sibling: "Klara" } }, ["user sibling Klara"]],
  [
    "My sister broke up with Marco and he moved to Rome where he works as a chef",
    { others: { job_title: "chef" } },
    [],
  ],
  [
    "My brother broke up with Jo and he is more of a chef these days",
    { others: { job_title: "chef" } },
    [],
  ],
  [
    "my friend said bring snacks and i told her im vegan",
    { others: { diet: "vegan" } },
    [],
  ],
  [
    "My aunt told my cousin she works as a chef",
    { others: { job_title: "chef" } },
    [],
  ],
  [
    "My brother moved to Rome and he works as a chef",
    { others: { job_title: "chef" } },
    ["user's brother job_title chef"],
  ],
  [
    "My mother, Ngozi, is with us till Easter, she has glaucoma",
    { others: { condition: "glaucoma" } },
    ["ngozi condition glaucoma"],
  ],
  [
    "my brother told my sister she should work as a chef",
    { others: { job_title: "chef" } },
    ["user's sister job_title chef"],
  ],
  ["my cousins are midwives", { others: { job_title: "midwives" } }, []],
  ["Parents are both teachers now", { spans: { job_title: "teachers" } }, []],
];
for (const [said, marks, claims] of SUBJECTS) {
  Deno.test(`factsOf() claims ${claims.join(", ") || "nothing"} of: ${said}`, async () => {
    deepStrictEqual(await claimsOf(said, { [said]: marks }), claims);
  });
}

/** A message, what the tagger marks in its sentences, and its claims. */
const PRONOUNS: readonly (readonly [said: string, marking: Marking, claims: readonly string[]])[] =
  [
    [
      "my manager priya is off sick. she lives near Reading",
      {
        "my manager priya is off sick": { spans: { colleague: "priya" } },
        "my manager priya lives near Reading": { others: { lives_in: "Reading" } },
      },
      ["priya lives_in Reading", "user colleague priya"],
    ],
    [
      "My dad called. He's moving to Cork",
      { "my dad is moving to Cork": { others: { plan: "moving to Cork" } } },
      ["user's dad plan move to Cork"],
    ],
    [
      "My boyfriend is coming over. His name is Jonas.",
      { "my boyfriend's name is Jonas": { spans: { partner: "Jonas" } } },
      ["user partner Jonas"],
    ],
    [
      "I have an aunt. She's called Bea. shes a welder",
      {
        "my aunt is called Bea": { spans: { relative: "Bea" } },
        "my aunt Bea is a welder": { others: { job_title: "welder" } },
      },
      ["bea job_title welder", "user relative Bea"],
    ],
    [
      "My sister Klara and my brother Tom came. She works at Ikea.",
      {
        "My sister Klara and my brother Tom came": {
          likely: [["sibling", "Klara and my brother Tom", 1]],
        },
        "my sister Klara works at Ikea": { others: { works_at: "Ikea" } },
      },
      ["klara works_at Ikea", "user sibling Klara", "user sibling Tom"],
    ],
    [
      "My aunt Klara and my cousin Sam came. She works at Ikea.",
      {
        "My aunt Klara and my cousin Sam came": {
          likely: [["relative", "Klara and my cousin Sam", 1]],
        },
        "my aunt Klara works at Ikea": { others: { works_at: "Ikea" } },
        "my cousin Sam works at Ikea": { others: { works_at: "Ikea" } },
      },
      ["user relative Klara", "user relative Sam"],
    ],
    [
      "My brother called. He said he works at Shell.",
      { "my brother said he works at Shell": { others: { works_at: "Shell" } } },
      [],
    ],
    ["He works at Shell.", {}, []],
    [
      "My ex-wife's new husband Karl is a dentist. He has diabetes.",
      {
        "My ex-wife's new husband Karl is a dentist": { spans: { spouse: "Karl" } },
        "my husband Karl has diabetes": { others: { condition: "diabetes" } },
      },
      [],
    ],
    [
      "My sister's boss Karl fired her. He is an alcoholic.",
      {
        "My sister's boss Karl fired her": { spans: { colleague: "Karl" } },
        "my boss Karl is an alcoholic": { others: { condition: "alcoholic" } },
      },
      [],
    ],
    [
      "My sister called. She's glad that he is a chef.",
      { "My sister is glad that he is a chef": { others: { job_title: "chef" } } },
      [],
    ],
    [
      "My sister's husband Dermot is a plumber. He lives in Cork.",
      {
        "My sister's husband Dermot is a plumber": { spans: { spouse: "Dermot" } },
        "Dermot lives in Cork": { others: { lives_in: "Cork" } },
      },
      ["dermot lives_in Cork", "user relative Dermot"],
    ],
  ];
for (const [said, marking, claims] of PRONOUNS) {
  Deno.test(`factsOf() claims ${claims.join(", ") || "nothing"} of: ${said}`, async () => {
    deepStrictEqual(await claimsOf(said, marking), claims);
  });
}

/** A name, the attribute that the tagger gives it, and that of the word next to it. */
const RELATIONS:
  readonly (readonly [said: string, name: string, tagged: string, attribute: string | null])[] = [
    ["grandson Colt can't be near peanuts", "Colt", "child", "relative"],
    ["my sister Charito is a nurse", "Charito", "child", "sibling"],
    ["Verna, my sis, runs the window", "Verna", "friend", "sibling"],
    ["my sister's husband dermot is a plumber", "dermot", "spouse", "relative"],
    ["her brother Leon is a vegan", "Leon", "sibling", null],
    ["my boss's wife Ida is a nurse", "Ida", "spouse", null],
    ["my sister's ex Karl is a nurse", "Karl", "partner", null],
    ["my work wife shazia brings samosas", "shazia", "colleague", "colleague"],
    ["Maureen, my oldest friend, is coming", "Maureen", "friend", "friend"],
    ["my twin Ada lives in Cork", "Ada", "sibling", "sibling"],
  ];
for (const [said, name, tagged, attribute] of RELATIONS) {
  Deno.test(`withRelations() makes ${name} ${attribute ?? "no one"} in: ${said}`, () => {
    const { spans: [span] } = withRelations(
      said,
      marked(said, { spans: { [tagged]: name }, confidence: 0.5 }),
    );
    strictEqual(span?.attribute ?? null, attribute);
  });
}

Deno.test("factsOf() takes what is said right behind a companion's name for theirs", async () => {
  const marks: Marks = { spans: { job_title: "engineer", from: "Pune" } };
  for (
    const [said, claims] of [
      ["I work with Priya, an engineer from Pune", []],
      ["I'm Priya, an engineer from Pune", [
        "user from Pune",
        "user job_title engineer",
      ]],
      ["I'm married to Priya, an engineer from Pune", [
        "priya from Pune",
        "priya job_title engineer",
      ]],
    ] as const
  ) deepStrictEqual(await claimsOf(said, { [said]: marks }), claims, said);
});

/** Messages in which a pronoun may mean someone of whom the user only says whose they are. */
const UNCLEAR: readonly (readonly [said: string, claims: readonly string[]])[] = [
  ["My friend Tom's girlfriend is pregnant. She is vegan.", ["user friend Tom"]],
  ["My friend Tom's son is autistic. He is six.", ["user friend Tom"]],
  ["My boss's wife Ida is a nurse. She has epilepsy.", []],
  ["Can you find a gift for my friend Tom's girlfriend? She is vegan.", []],
  ["My dad left his wife Monica. She is vegan.", []],
  // "He" can't be the wife.
  ["My husband Tom fed his dog. He works at Ikea.", ["tom works_at Ikea", "user spouse Tom"]],
  ["My boss's wife Ida is a nurse. He has epilepsy.", ["user's boss condition epilepsy"]],
  ["My sister Klara and her husband came. She is vegan.", [
    "klara diet vegan",
    "user sibling Klara",
  ]],
  ["I saw my cousin Ada. It's mother's day. She is vegan.", [
    "ada diet vegan",
    "user relative Ada",
  ]],
];
for (const [said, claims] of UNCLEAR) {
  Deno.test(`factsOf() claims ${claims.join(", ") || "nothing"} by rules of: ${said}`, async () => {
    const facts = await factsOf({
      messages: [{ role: "user", content: said }],
      eventDate: DATE,
      requestTime: DATE,
    });
    deepStrictEqual(
      facts.flatMap((fact) =>
        fact.claims.map(({ subject, attribute, value }) => `${subject} ${attribute} ${value}`)
      ).sort(),
      claims,
    );
  });
}
