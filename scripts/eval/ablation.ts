/**
 * Measures how much each signal contributes by repeating the LoCoMo questions with one signal
 * turned off at a time.
 */

import type { Searched } from "../../src/embedding/embedder.ts";
import { NO_EMBEDDER, openEmbedder } from "../../src/embedding/open.ts";
import { CurrentEmbedder } from "../../src/search/vectors/current_embedder.ts";
import { QueryEmbedder } from "../../src/search/vectors/query_embedder.ts";
import { VectorCache } from "../../src/search/vectors/vector_cache.ts";
import { MemorySearcher } from "../../src/search/workers/memory_search.ts";
import { ThreadIndexCache } from "../../src/search/threads/thread_index_cache.ts";
import type { MemorySearchRequest, QueryVector } from "../../src/search/query/memory_request.ts";
import { FUSION, VECTORS, WEIGHTS } from "../../src/search/ranking/weights.ts";
import { Connection } from "../../src/store/sqlite/connection.ts";
import { databasePath, SqliteStore } from "../../src/store/sqlite/store.ts";
import type { TestServer } from "../../testing/harness.ts";
import { userOf } from "./dialogues.ts";
import { readQuestions } from "./locomo.ts";
import { meanMetrics, type RankMetrics, rankMetrics } from "./metrics.ts";

/**
 * Weights that turn off a signal. These searches run in this process, so no server ever uses them.
 */
const ABLATIONS: Readonly<Record<string, readonly [object, object]>> = {
  "without neighbours' words": [WEIGHTS, { before: [0, 0, 0], after: [0, 0, 0], asked: 0 }],
  "without the question before a reply": [WEIGHTS, { asked: 0 }],
  "without similarity smoothing": [VECTORS, { before: [0, 0], after: [0, 0] }],
  "without the time feature for when": [WEIGHTS, { when: 0 }],
  "without the name feature": [WEIGHTS, { name: 0 }],
  "without the speaker feature": [WEIGHTS, { speaker: 0 }],
  "without the question penalty": [WEIGHTS, { question: 0 }],
  "without importance and recency": [WEIGHTS, { importance: 0, recency: 0 }],
  "without similarity alone": [FUSION, { alone: { memories: 0, documents: 0 } }],
};

/** Returns the metrics with each signal turned off. The first row has everything turned on. */
export async function ablate(
  server: TestServer,
  embedder: string,
  turnOf: ReadonlyMap<string, string>,
): Promise<[name: string, measured: RankMetrics][]> {
  const questions = readQuestions();
  const queries = questions.map(({ q }) => q);
  const vectors = await embedQueries(server, embedder, queries, "memories");
  const connection = new Connection(databasePath(server.directory), { readOnly: true });
  const searcher = new MemorySearcher(
    connection,
    new VectorCache(2 ** 26),
    new ThreadIndexCache(2 ** 26),
  );
  const measure = (queryVectors: readonly (QueryVector | null)[]) =>
    meanMetrics(questions.map(({ q, conv, ev }, index) => {
      const request = toMemorySearch(q, userOf("messages of one add", conv));
      const { found } = searcher.finish(request, searcher.begin(request), queryVectors[index]!);
      return rankMetrics(found.map(({ id }) => turnOf.get(id)), ev);
    }));
  try {
    const rows: [string, RankMetrics][] = [["all signals", measure(vectors)]];
    if (embedder !== "none") {
      const likeTexts = await embedQueries(server, embedder, queries, "documents");
      rows.push(["without the encoder of memory queries", measure(likeTexts)]);
      rows.push(["without vectors", measure(vectors.map(() => null))]);
    }
    for (const [name, [weights, off]] of Object.entries(ABLATIONS)) {
      const on = { ...weights };
      Object.assign(weights, off);
      rows.push([name, measure(vectors)]);
      Object.assign(weights, on);
    }
    return rows;
  } finally {
    connection.close();
  }
}

async function embedQueries(
  server: TestServer,
  name: string,
  queries: readonly string[],
  searched: Searched,
): Promise<(QueryVector | null)[]> {
  const embedder = openEmbedder({ ...NO_EMBEDDER, name });
  const store = new SqliteStore(server.directory);
  const vectors = new QueryEmbedder(store, embedder && new CurrentEmbedder(embedder));
  const embedded: (QueryVector | null)[] = [];
  for (const query of queries) embedded.push(await vectors.embed(query, searched));
  embedder?.close();
  await store.close();
  return embedded;
}

function toMemorySearch(query: string, user: string): MemorySearchRequest {
  return {
    project: 1,
    query,
    tags: [`user_id=${user}`],
    filters: undefined,
    mode: "hybrid",
    strategy: "balanced",
    sortBy: null,
    minScore: 0,
    topK: 50,
    trace: false,
    now: 0,
    vectorExpected: true,
  };
}
