/** Tests which sentences are a statement and a question or request, and where they are parted. */

import { deepStrictEqual } from "node:assert/strict";
import { factsOf } from "../../src/inference/builtin/engine.ts";
import { partedFromAsked } from "../../src/inference/builtin/message/asked.ts";
import { sentences } from "../../src/inference/builtin/message/sentences.ts";

const PARTED: readonly (readonly string[])[] = [
  ["I have ADHD", "how do I stay on task"],
  ["I live in Utrecht", "where can I buy a used bike"],
  ["I play bass in a band", "which strings should I get"],
  ["I'm 34 and 150 lb", "what should my macros be"],
  ["my dog Rex is 9", "should I switch him to senior food"],
  ["I own a kayak", "is it ok on the sea"],
  ["we have a toddler", "any quick dinner ideas"],
  ["I'm allergic to shellfish", "please suggest something else"],
  ["I work at Deloitte", "help me write an out of office"],
  ["my anniversary is June 4th", "remind me to book a table"],
  ["I'm a night owl", "never schedule calls before 10"],
  ["she is coeliac", "so can you swap the flour"],
  ["always answer in metric", "I'm in Norway"],
  ["keep answers short please", "I'm dyslexic"],
];
for (const parts of PARTED) {
  Deno.test(`partedFromAsked() parts: ${parts.join(" | ")}`, () => {
    const [sentence] = sentences(parts.join(", "));
    deepStrictEqual(partedFromAsked(sentence!).map(({ text }) => text), parts);
  });
}

const WHOLE = [
  // No request: the verb has the subject of the statement.
  "On Sundays I cook, play guitar, read",
  "I'm shy, never talk much",
  // A relative clause, or a comparison.
  "I have two hens, which are my pride",
  "I moved to Leeds, where I teach",
  "My sister likes tea, so do I",
  // What depends on the question, or is someone else's.
  "If I were vegan, what would I eat",
  "When I run, what should I drink",
  "My boss asked me, can you stay late",
  "The heroine of my novel lives in Rome, what should she do",
];
for (const text of WHOLE) {
  Deno.test(`partedFromAsked() leaves: ${text}`, () => {
    const sentence = { text, question: false, explicit: false };
    deepStrictEqual(partedFromAsked(sentence), [sentence]);
  });
}

const MEMORIES: readonly (readonly [said: string, memories: readonly string[]])[] = [
  ["I have ADHD, how do I stay on task", ["User has ADHD"]],
  ["I work at Deloitte, help me write a letter", ["User works at Deloitte"]],
  ["Please always answer in metric, I live in Oslo", [
    "User prefers answers in metric",
    "User lives in Oslo",
  ]],
  ["I'm a nurse, never schedule anything before 10 for me", [
    "User is a nurse",
    "User prefers nothing before 10",
  ]],
];
for (const [said, memories] of MEMORIES) {
  Deno.test(`factsOf() keeps only the statement of: ${said}`, async () => {
    const facts = await factsOf({
      messages: [{ role: "user", content: said }],
      eventDate: null,
      requestTime: "2026-03-18T09:00:00.000Z",
    });
    deepStrictEqual(facts.map(({ memory }) => memory), memories);
  });
}
