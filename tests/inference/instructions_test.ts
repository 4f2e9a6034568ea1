/** Tests what the engine makes of instructions to the assistant. */

import { deepStrictEqual } from "node:assert/strict";
import { factsOf } from "../../src/inference/builtin/engine.ts";
import { markingTagger } from "./marked_tags.ts";

const DATE = "2026-03-18T09:00:00.000Z";

/** A message with several instructions, or with one that looks like several. */
const INSTRUCTIONS: readonly (readonly [said: string, claims: readonly string[]])[] = [
  ["Always give me metric, and skip the pep talk.", ["prefers metric", "avoids pep talk"]],
  ["Keep it short and no emojis", ["prefers short answers", "avoids emojis"]],
  ["Short answers, and please no tables", ["prefers short answers", "avoids tables"]],
  [
    "Never use bullet points, use short paragraphs.",
    ["avoids bullet points", "prefers short paragraphs"],
  ],
  [
    "From now on answer in Spanish and use metric units",
    ["prefers answer in Spanish", "prefers metric units"],
  ],
  ["Never use bullet points and emojis", ["avoids bullet points and emojis"]],
  ["Always use metric and celsius", ["prefers metric and celsius"]],
  ["Write the report, and please no tables", []],
  ["From now on answer in French, and please keep it formal", [
    "prefers answer in French",
    "prefers formal answers",
  ]],
  ["Never recommend Starbucks to me again", ["avoids Starbucks"]],
  ["Don't ever suggest pork", ["avoids pork"]],
  ["Avoid suggesting pork", ["avoids pork"]],
  ["I'd rather you didn't use tables", ["avoids tables"]],
  ["Don't mention it", []],
  ["Avoid “leverage”", ["avoids leverage"]],
  ["Please don't bring up football", ["avoids football"]],
  // Only the first part is about responses.
  ["Keep it short and stop smoking", []],
  ["Keep it short and avoid long drives", []],
  ["Always keep the window open, never use the oven, please.", []],
];
for (const [said, claims] of INSTRUCTIONS) {
  Deno.test(`factsOf() claims ${claims.join(", ") || "nothing"} of: ${said}`, async () => {
    const facts = await factsOf({
      messages: [{ role: "user", content: said }],
      eventDate: DATE,
      requestTime: DATE,
    });
    deepStrictEqual(
      facts.flatMap((fact) => fact.claims.map(({ attribute, value }) => `${attribute} ${value}`)),
      claims,
    );
  });
}

/** What the tagger marks in an instruction of the rules, and what is then kept of it. */
const MARKED: readonly (readonly [
  said: string,
  spans: Readonly<Record<string, string>>,
  memories: readonly string[],
])[] = [
  ["Keep your answers short.", { prefers: "Keep your answers short" }, [
    "User prefers short answers",
  ]],
  // Once, or not about responses.
  ["Keep it under fifty words.", {}, []],
  ["Never seen without a flask.", {}, []],
  // The tagger knows better which words are meant.
  ["From now on day before month.", { prefers: "day before month" }, [
    "User prefers day before month",
  ]],
];
for (const [said, spans, memories] of MARKED) {
  Deno.test(`factsOf() with the tagger keeps of: ${said}`, async () => {
    const facts = await factsOf(
      { messages: [{ role: "user", content: said }], eventDate: DATE, requestTime: DATE },
      { tagger: markingTagger({ spans }), rules: true },
    );
    deepStrictEqual(facts.map(({ memory }) => memory), memories);
  });
}
