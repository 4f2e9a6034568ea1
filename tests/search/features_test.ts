/** Tests memory features that raise or lower the score. */

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

function featureNames(query: string, memory: string, queryTerms: readonly string[] = []): string[] {
  const terms = queryTerms.map((term) => ({
    term,
    hash: 0,
    frequency: 1,
    weight: 1,
    count: 1,
    asked: true,
  }));
  const analysis = analyzeQuery(query, terms, NOW);
  return Object.keys(computeFeatures(analysis, { ...MEMORY, memory }, { typed: false, now: NOW }));
}

Deno.test("computeFeatures() prefers memories with a name if the query asks for one", () => {
  for (const query of ["Where does Ben work?", "Which book did he read?", "What city is it?"]) {
    ok(featureNames(query, "Ben: I work at Siemens", ["ben"]).includes("name"));
  }
  ok(!featureNames("How does Ben work?", "Ben: I work at Siemens").includes("name"));
});

Deno.test("computeFeatures() ignores names that are in the query, and capitals at the start of a sentence", () => {
  const where = "Where does Ben work?";
  ok(!featureNames(where, "Ana: Thanks, Ben! Work is fine", ["ben"]).includes("name"));
  ok(!featureNames(where, "Work is fine. Really fine", ["ben"]).includes("name"));
  ok(featureNames(where, "I work in Évora", ["ben"]).includes("name"));
});

Deno.test("computeFeatures() returns no other features if the query asks for nothing in particular", () => {
  deepStrictEqual(featureNames("tea", "Ana drinks tea in Porto"), ["recency"]);
});
