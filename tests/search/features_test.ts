/** What else speaks for a memory beside its words. */

import { deepStrictEqual, ok } from "node:assert/strict";
import {
  analyzeQuery,
  computeFeatures,
  type FeatureInput,
} from "../../src/search/ranking/features.ts";

const NOW = Date.UTC(2026, 0, 1);
const MEMORY: FeatureInput = {
  memory: "",
  memory_type: "fact",
  importance: 0.5,
  created_at: "2026-01-01T00:00:00.000Z",
  event_date: null,
  valid_to: null,
};

function namesOf(query: string, memory: string, known: readonly string[] = []): string[] {
  const terms = known.map((term) => ({
    term,
    hash: 0,
    frequency: 1,
    weight: 1,
    count: 1,
    asked: true,
  }));
  const form = analyzeQuery(query, terms, NOW);
  return Object.keys(computeFeatures(form, { ...MEMORY, memory }, { typed: false, now: NOW }));
}

Deno.test("who, where and what is called something asks for a memory with a name", () => {
  for (const query of ["Where does Ben work?", "Which book did he read?", "What city is it?"]) {
    ok(namesOf(query, "Ben: I work at Siemens", ["ben"]).includes("name"));
  }
  ok(!namesOf("How does Ben work?", "Ben: I work at Siemens").includes("name"));
});

Deno.test("a name that the question holds, or a capital that begins a sentence, is no answer", () => {
  const where = "Where does Ben work?";
  ok(!namesOf(where, "Ana: Thanks, Ben! Work is fine", ["ben"]).includes("name"));
  ok(!namesOf(where, "Work is fine. Really fine", ["ben"]).includes("name"));
  ok(namesOf(where, "I work in Évora", ["ben"]).includes("name"));
});

Deno.test("signals are silent when a question asks for nothing in particular", () => {
  deepStrictEqual(namesOf("tea", "Ana drinks tea in Porto"), ["recency"]);
});
