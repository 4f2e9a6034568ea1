/** Tests which sentences are a statement and a question or request, and where they are split. */

import { deepStrictEqual } from "node:assert/strict";
import { factsOf } from "../../src/inference/builtin/engine.ts";
import { splitRequests } from "../../src/inference/builtin/message/requests.ts";
import { sentences } from "../../src/inference/builtin/message/sentences.ts";

const SPLIT: readonly (readonly string[])[] = [
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
  ["I'm a night owl", "never schedule calls before 10 for me"],
  ["I have a sore knee", "which doctor should I see"],
  ["I'm vegan", "any snack ideas, no nuts", "I have a nut allergy"],
  ["My kids are 4 and 7", "give me some rainy-day ideas"],
  ["On Sundays I cook for my mum", "please suggest a roast"],
  ["always answer in metric", "I'm in Norway, I work at Equinor"],
  ["never mention my ex, my divorce or my weight", "I hate that"],
  ["she is coeliac", "so can you swap the flour"],
  ["always answer in metric", "I'm in Norway"],
  ["keep answers short please", "I'm dyslexic"],
];
for (const parts of SPLIT) {
  Deno.test(`splitRequests() splits: ${parts.join(" | ")}`, () => {
    const [sentence] = sentences(parts.join(", "));
    deepStrictEqual(splitRequests(sentence!).map(({ text }) => text), parts);
  });
}

const WHOLE = [
  // The verb has the subject of the statement.
  "My wife works at Shell, does the school run and plays the violin",
  "My parents were teachers, did it for 30 years, and I'm a nurse",
  "I studied at MIT, was there for five years, then moved to Boston",
  "My parents are retired, send me money every month and live in Cork",
  "My parents are retired, help me with the kids and live in Cork",
  "My brother lives in Cork, is my best friend and plays the violin",
  "I travel a lot for work, always book aisle seats",
  // A relative clause, or a question that repeats the statement.
  "I have two hens, which are my pride",
  "I drive a Panda, which still has the original engine",
  "I live in Leeds, where most pubs have a garden",
  "So I'm diabetic now, am I",
  // What depends on the question or request, or is someone else's.
  "If I were vegan, what would I eat",
  "When I run, what should I drink",
  "In emails I write to my boss, please use formal language",
  "My boss asked me, can you stay late",
  "The heroine of my novel lives in Rome, what should she do",
];
for (const text of WHOLE) {
  Deno.test(`splitRequests() leaves: ${text}`, () => {
    const sentence = { text, question: false, explicit: false };
    deepStrictEqual(splitRequests(sentence), [sentence]);
  });
}

const MEMORIES: readonly (readonly [said: string, memories: readonly string[]])[] = [
  ["I have ADHD, how do I stay on task", ["User has ADHD"]],
  ["I work at Deloitte, help me write a letter", ["User works at Deloitte"]],
  ["Please always answer in metric, I live in Oslo", [
    "User prefers answers in metric",
    "User lives in Oslo",
  ]],
  ["I'm 34 and 5'6, what should I weigh", ["User is 34 and 5'6"]],
  ["Always use metric because I live in Oslo", [
    "User prefers metric",
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
