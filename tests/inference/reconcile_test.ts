/** Tests how a new fact changes existing memories. */
import assert from "node:assert/strict";
import type { Claim, ExtractedFact } from "../../src/inference/extractor.ts";
import { factsOf } from "../../src/inference/builtin/engine.ts";
import { type ActiveMemory, contentWords, mayConsistOf } from "../../src/inference/comparison.ts";
import { type PlanStep, reconcile, reconcileSteps } from "../../src/inference/reconcile.ts";

const BEFORE = "2026-02-16T09:00:00.000Z", NOW = "2026-03-18T09:00:00.000Z";

const facts = (said: string, at = NOW): Promise<readonly ExtractedFact[]> =>
  factsOf({ messages: [{ role: "user", content: said }], eventDate: at, requestTime: at });
async function memories(...said: string[]): Promise<ActiveMemory[]> {
  const before = await Promise.all(said.map((one) => facts(one, BEFORE)));
  return before.flat().map((fact, i) => ({
    id: `mem_${i}`,
    memory: fact.memory,
    memory_type: fact.memory_type,
    event_date: fact.event_date,
    valid_from: fact.valid_from,
    valid_to: null,
    created_at: BEFORE,
    updated_at: BEFORE,
    observed_later: false,
    claims: fact.claims,
  }));
}
const short = (steps: readonly PlanStep[]) =>
  steps.map((step) =>
    step.kind === "add"
      ? "ADD"
      : `${step.kind.toUpperCase()} ${step.kind === "outdated" ? step.by : step.id}`
  );

const TABLE: readonly (readonly [string, readonly string[], string, readonly string[]])[] = [
  [
    "replaces the old value of a single-valued slot",
    ["I live in Paris."],
    "I live in Berlin.",
    ["ADD", "INVALIDATE mem_0"],
  ],
  [
    "drops a repeated fact",
    ["My dog is called Biscuit."],
    "My dog is called Biscuit.",
    ["DROP mem_0"],
  ],
  [
    "keeps the other values of a multi-valued slot",
    ["I speak French."],
    "I also speak Dutch.",
    ["ADD"],
  ],
  [
    "replaces the old favourite with a new one",
    ["My favourite colour is teal."],
    "My favourite colour is green.",
    ["ADD", "INVALIDATE mem_0"],
  ],
  [
    "keeps a favourite of a different kind",
    ["My favourite colour is teal."],
    "My favourite food is ramen.",
    ["ADD"],
  ],
  ["closes a value when it ends", ["I'm vegetarian."], "I'm not vegetarian any more.", [
    "ADD",
    "INVALIDATE mem_0",
  ]],
  ["closes an employer that the user left", ["I work at Nokia."], "I left Nokia in March.", [
    "ADD",
    "INVALIDATE mem_0",
  ]],
  ["closes the spouse after a divorce", ["My wife is called Amara."], "We got divorced.", [
    "ADD",
    "INVALIDATE mem_0",
  ]],
  [
    "closes nothing when a different value ends",
    ["I work at Nokia."],
    "I don't work at Siemens any more.",
    ["ADD"],
  ],
  [
    "updates a memory if the new statement has more claims",
    ["I work at Bosch."],
    "I work at Bosch in Stuttgart as a test engineer.",
    ["UPDATE mem_0"],
  ],
  [
    "updates a less detailed memory",
    ["I like jazz."],
    "I like jazz because it calms me down.",
    ["UPDATE mem_0"],
  ],
  [
    "keeps the user's home if another person moves",
    ["I live in Paris."],
    "My sister Klara lives in Berlin.",
    ["ADD"],
  ],
  [
    "keeps the current value if the fact is about the past",
    ["I live in Paris."],
    "I lived in Berlin from 2015 to 2019.",
    [
      "ADD",
    ],
  ],
];
for (const [rule, before, said, plan] of TABLE) {
  Deno.test(`reconcile() ${rule}`, async () => {
    const steps = reconcile(await facts(said), await memories(...before), NOW);
    assert.deepEqual(short(steps), plan);
  });
}

const claim = (attribute: string, value: string, op: Claim["op"] = "assert"): Claim => ({
  subject: "user",
  attribute,
  value,
  op,
});
const fact = (
  memory: string,
  claims: readonly Claim[],
  more: Partial<ExtractedFact> = {},
): ExtractedFact => ({
  memory,
  memory_type: "fact",
  importance: 0.5,
  event_date: null,
  valid_from: null,
  valid_to: null,
  claims: [...claims],
  sources: [0],
  ...more,
});
const held = (
  id: string,
  memory: string,
  claims: readonly Claim[],
  more: Partial<ActiveMemory> = {},
): ActiveMemory => ({
  id,
  memory,
  memory_type: "fact",
  event_date: null,
  valid_from: null,
  valid_to: null,
  created_at: BEFORE,
  updated_at: BEFORE,
  observed_later: false,
  claims,
  ...more,
});

Deno.test("reconcile() drops a fact with the same claims and fewer words", () => {
  const steps = reconcile([fact("User works at Bosch", [claim("works_at", "Bosch")])], [
    held("mem_0", "User works at Bosch in Stuttgart", [claim("works_at", "Bosch")]),
  ], NOW);
  assert.deepEqual(short(steps), ["DROP mem_0"]);
});

Deno.test("reconcile() ends a value at the start of the new one, or otherwise at the anchor", () => {
  const old = [held("mem_0", "User lives in Paris", [claim("lives_in", "Paris")])];
  const dated = reconcile(
    [fact("User moved to Oslo in March", [claim("lives_in", "Oslo")], {
      valid_from: "2026-03-01T00:00:00.000Z",
    })],
    old,
    NOW,
  );
  assert.deepEqual(dated[1], {
    kind: "invalidate",
    id: "mem_0",
    valid_to: "2026-03-01T00:00:00.000Z",
    fact: 0,
  });
  const plain = reconcile([fact("User lives in Oslo", [claim("lives_in", "Oslo")])], old, NOW);
  assert.deepEqual(plain[1], { kind: "invalidate", id: "mem_0", valid_to: NOW, fact: 0 });
});

Deno.test("reconcile() keeps the active value if the new one began before it did", () => {
  const old = [
    held("mem_0", "User has lived in Paris since 2024", [claim("lives_in", "Paris")], {
      valid_from: "2024-01-01T00:00:00.000Z",
    }),
  ];
  const steps = reconcile(
    [fact("User moved to Oslo in 2020", [claim("lives_in", "Oslo")], {
      valid_from: "2020-01-01T00:00:00.000Z",
    })],
    old,
    NOW,
  );
  assert.deepEqual(short(steps), ["ADD"]);
});

Deno.test("reconcile() replaces a value that has no start with one that began before it was stated", () => {
  const old = [
    held("mem_0", "User lives in Paris", [claim("lives_in", "Paris")], { event_date: NOW }),
  ];
  const steps = reconcile(
    [fact("User moved to Oslo in March", [claim("lives_in", "Oslo")], {
      valid_from: "2026-03-01T00:00:00.000Z",
    })],
    old,
    NOW,
  );
  assert.deepEqual(short(steps), ["ADD", "INVALIDATE mem_0"]);
  assert.deepEqual(steps[1], { kind: "invalidate", id: "mem_0", valid_to: NOW, fact: 0 });
});

const LATER = { created_at: NOW, observed_later: true };

for (
  const [rule, own, known, plan] of [
    [
      "supersedes a late fact by a later statement",
      claim("lives_in", "Paris"),
      claim("lives_in", "Oslo"),
      ["ADD", "OUTDATED mem_0"],
    ],
    [
      "ends a late fact that was ended later",
      claim("likes", "jazz"),
      claim("likes", "jazz", "end"),
      ["ADD", "OUTDATED mem_0"],
    ],
    [
      "ends a late marriage by a later divorce",
      claim("spouse", "Amara"),
      claim("marital_status", "divorced"),
      ["ADD", "OUTDATED mem_0"],
    ],
    [
      "doesn't apply a late end to a later statement",
      claim("works_at", "Bosch", "end"),
      claim("works_at", "Bosch"),
      ["ADD", "OUTDATED mem_0"],
    ],
    [
      "ignores the order of values in a multi-valued slot",
      claim("likes", "jazz"),
      claim("likes", "soul"),
      ["ADD"],
    ],
  ] as const
) {
  Deno.test(`reconcile() ${rule}`, () => {
    const memory = held("mem_0", "A later statement", [known], LATER);
    const steps = reconcile([fact("A late fact", [own])], [memory], NOW);
    assert.deepEqual(short(steps), plan);
    assert.ok(steps.every((step) => step.kind !== "outdated" || step.valid_to === NOW));
  });
}

Deno.test("reconcile() doesn't let a later statement supersede a past value", () => {
  const memory = held("mem_0", "User lives in Oslo", [claim("lives_in", "Oslo")], LATER);
  const lived = fact("User lived in Paris until 2019", [claim("lives_in", "Paris")], {
    valid_to: "2019-01-01T00:00:00.000Z",
  });
  assert.deepEqual(short(reconcile([lived], [memory], NOW)), ["ADD"]);
});

Deno.test("reconcile() ends a value again if it was stated again after it had ended", () => {
  const left = "User left Bosch", ended = claim("works_at", "Bosch", "end");
  const known = [
    held("mem_0", left, [ended]),
    held("mem_1", "User works at Bosch", [claim("works_at", "Bosch")]),
  ];
  assert.deepEqual(short(reconcile([fact(left, [ended])], known, NOW)), [
    "ADD",
    "INVALIDATE mem_1",
  ]);
  assert.deepEqual(short(reconcile([fact(left, [ended])], known.slice(0, 1), NOW)), ["DROP mem_0"]);
});

Deno.test("reconcile() adds a text only once if it is repeated within a request", () => {
  const one = fact("User likes jazz", [claim("likes", "jazz")]);
  assert.deepEqual(reconcile([one, one], [], NOW), [{ kind: "add", fact: 0 }, {
    kind: "drop",
    fact: 1,
    id: null,
  }]);
});

Deno.test("reconcile() invalidates a memory at most once", () => {
  const old = [held("mem_0", "User works at Nokia", [claim("works_at", "Nokia")])];
  const steps = reconcile(
    [
      fact("User left Nokia", [claim("works_at", "Nokia", "end")]),
      fact("User works at Bosch", [claim("works_at", "Bosch")]),
    ],
    old,
    NOW,
  );
  assert.deepEqual(short(steps), ["ADD", "INVALIDATE mem_0", "ADD"]);
});

Deno.test("mayConsistOf() never excludes a text that says the same as a fact, or less", () => {
  const pairs: [fact: string, known: string][] = [
    ["User's cat is called Miso.", "User's cat is called Miso"],
    ["User writes C++ and C# at home", "User writes C++"],
    ["User lives in the Rue de l'Église 5", "User lives in the Rue de l’Église"],
    ["User likes boxes, buses and glasses", "User likes (boxes), bus and glass"],
    ["User said “no” to the well-known offer", "User said no"],
    ["User has 3.5 kids", "user has 3.5"],
  ];
  for (const [said, known] of pairs) {
    const words = contentWords(said);
    const covered = [...contentWords(known)].every((word) => words.has(word));
    if (covered) assert.ok(mayConsistOf(words, known), known);
  }
  assert.ok(!mayConsistOf(contentWords("User lives in Porto"), "User lives in Lisbon"));
});

/**
 * Returns `size` facts and memories with the same content, and counts how often each memory is
 * read.
 */
function crowd(size: number) {
  const many = Array.from(
    { length: size },
    (_, n) => fact(`User likes thing ${n} of box ${n % 7}`, [claim("likes", `thing ${n}`)]),
  );
  const looks = { count: 0 };
  const active = many.map((one, n) => ({
    ...one,
    created_at: NOW,
    updated_at: NOW,
    observed_later: false,
    get id() {
      looks.count++;
      return `mem_${n}`;
    },
  }));
  return { many, active, looks };
}

Deno.test("reconcile() compares a fact only with the few memories that it can affect", () => {
  const { many, active, looks } = crowd(2_000);
  const steps = reconcile(many, active, NOW);
  assert.ok(looks.count <= 3 * many.length, `${looks.count} reads`);
  assert.ok(steps.every((step) => step.kind === "drop" && step.id === `mem_${step.fact}`));
  const other = crowd(2_000);
  const news = other.many.map((one, n) =>
    fact(
      `User likes item ${n} of shelf ${n % 7}`,
      one.claims.map((each) => ({ ...each, value: `item ${n}` })),
    )
  );
  assert.ok(reconcile(news, other.active, NOW).every((step) => step.kind === "add"));
  // Every seventh memory contains a word that's the number of a box or a shelf.
  assert.ok(other.looks.count <= 10 * news.length, `${other.looks.count} reads`);
});

Deno.test("reconcileSteps() yields after each memory and each fact", () => {
  const { many, active } = crowd(100);
  const planning = reconcileSteps(many, active, NOW);
  let turns = 0;
  while (!planning.next().done) turns++;
  assert.equal(turns, 200);
});
