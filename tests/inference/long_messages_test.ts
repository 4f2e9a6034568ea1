/**
 * Tests messages of the maximum size, with shapes that would make a careless regular expression
 * take quadratic time, i.e. minutes rather than a moment.
 */
import assert from "node:assert/strict";
import { factsOf } from "../../src/inference/builtin/engine.ts";

const DATE = "2026-03-18T09:00:00.000Z";
const MAX_MESSAGE_CHARACTERS = 240_000;

const filled = (piece: string) => piece.repeat(MAX_MESSAGE_CHARACTERS / piece.length);
const claimsOf = async (...contents: readonly string[]) => {
  const facts = await factsOf({
    messages: contents.map((content) => ({ role: "user", content })),
    eventDate: DATE,
    requestTime: DATE,
  });
  return facts.flatMap((fact) =>
    fact.claims.map(({ attribute, value }) => `${attribute}=${value}`)
  );
};

for (
  const [shape, piece] of [
    ["line ends", "\n"],
    ["line separators", "\u2028"],
    ["unclosed quotes", "“"],
    ["unclosed low quotes", "„"],
    ["unclosed angled quotes", "« "],
    ["unclosed tags", "<system "],
    ["hesitations", "well, "],
    ["requests to remember", "a, note "],
    ["praise", "you are a star, "],
  ] as const
) {
  Deno.test(`factsOf() reads statements before and after many ${shape}`, async () => {
    assert.deepEqual(await claimsOf(`I live in Porto.\n${filled(piece)}\nI'm Brazilian.`), [
      "lives_in=Porto",
      "nationality=Brazilian",
    ]);
  });
}

Deno.test("factsOf() finds a question in a long conversation turn", async () => {
  assert.deepEqual(await claimsOf(`Ann: ${filled("really ")}`, "Bob: I live in Porto."), [
    "lives_in=Porto",
  ]);
});

Deno.test("factsOf() reads a statement before an invalid address", async () => {
  assert.deepEqual(await claimsOf(`I live in Porto. My email is not ${filled("@")}`), [
    "lives_in=Porto",
  ]);
});

Deno.test("factsOf() corrects the previous one among thousands of messages, not an old one", async () => {
  const small = Array.from({ length: 4_000 }, () => "Oh wait, sorry.");
  assert.deepEqual(await claimsOf("I live in Porto.", ...small, "I'm from Graz.", "Sorry, Linz."), [
    "lives_in=Porto",
    "from=Linz",
  ]);
});

for (
  const sentence of [
    `I am tired${" today".repeat(40)} x`,
    `I am ${"literally ".repeat(40)}x`,
    `${"no, that's wrong ".repeat(35)}x`,
    `I ${"have been ".repeat(40)}x`,
    `My ${"default web ".repeat(40)}x is y`,
    `I am ${"a strict ".repeat(40)}x`,
    `My favourite film ${"to watch with ".repeat(30)}x`,
    `I have three cats called Tom${", And Bob".repeat(40)} x`,
  ]
) {
  Deno.test(`factsOf() reads "${sentence.slice(0, 40)} …" in time`, async () => {
    assert.equal((await claimsOf(`I live in Porto.\n${sentence}`))[0], "lives_in=Porto");
  });
}

for (
  const [shape, text] of [
    ["dots", ".".repeat(20_000) + "x"],
    ["short words after a mark", `Sorry, ${"is in at ".repeat(2_000)}`],
    ["values with dots", `No, ${"a.b".repeat(5_000)} not`],
    ["words before a denial", `${"word".repeat(10_000)}, not Porto`],
  ] as const
) {
  Deno.test(`factsOf() reads a message of many ${shape} in time`, async () => {
    assert.deepEqual(await claimsOf("I live in Porto.", text), ["lives_in=Porto"]);
  });
}

Deno.test("factsOf() keeps a long sentence that it is asked to remember, in pieces", async () => {
  const items = Array.from({ length: 60 }, (_, n) => `shelf ${n} has box ${n * 7}`);
  const content = `Remember that ${items.join(", ")}.`;
  const facts = await factsOf({
    messages: [{ role: "user", content }],
    eventDate: DATE,
    requestTime: DATE,
  });
  const kept = facts.map(({ memory }) => memory).join(" ");
  assert.deepEqual(items.filter((item) => !kept.toLowerCase().includes(item)), []);
});

Deno.test("factsOf() reads ordinary sentences with words that can address the system", async () => {
  assert.deepEqual(
    await claimsOf("Remind me to write a list and go to the store. I'm allergic to nuts."),
    ["todo=write a list and go to the store", "allergic_to=nuts"],
  );
});
