/**
 * Evaluates document search on labelled sets in BEIR format. Each document is a separate source,
 * and counts as found if any of its chunks is.
 */

import type { TestServer } from "../../testing/harness.ts";
import { readLines, readTable } from "./data.ts";

/** Mean metrics across a set's queries. */
export interface SetMetrics {
  readonly queries: number;
  readonly ndcg10: number;
  readonly r10: number;
}

/** How many ingests run concurrently. They can finish in any order. */
const CONCURRENT_INGESTS = 8;

/** Ingests a set, runs the queries, and returns nDCG@10 and R@10. */
export async function evaluateSet(server: TestServer, set: string): Promise<SetMetrics> {
  const corpus = readLines<{ _id: string; title: string; text: string }>(`${set}/corpus.jsonl`);
  const queries = readLines<{ _id: string; text: string }>(`${set}/queries.jsonl`);
  const grades = parseGrades(readTable(`${set}/qrels.tsv`));
  for (let start = 0; start < corpus.length; start += CONCURRENT_INGESTS) {
    await Promise.all(
      corpus.slice(start, start + CONCURRENT_INGESTS).map((document) =>
        ingest(server, set, document)
      ),
    );
  }
  await server.waitForEmbeddings();
  const measured: { readonly ndcg: number; readonly recall: number }[] = [];
  for (const { _id, text } of queries) {
    const wanted = grades.get(_id);
    if (wanted === undefined) continue;
    const body = { query: text, user_id: set, limit: 20 };
    const reply = await server.call("POST", "/v1/documents/search", { body });
    const found: string[] = reply.json.results.map((hit: Hit) => hit.document.source_key);
    const ranked = [...new Set(found)].slice(0, 10);
    measured.push({ ndcg: ndcg(ranked, wanted), recall: recall(ranked, wanted) });
  }
  const mean = (pick: (query: { ndcg: number; recall: number }) => number) =>
    measured.reduce((sum, query) => sum + pick(query), 0) / measured.length;
  return {
    queries: measured.length,
    ndcg10: mean(({ ndcg }) => ndcg),
    r10: mean(({ recall }) => recall),
  };
}

interface Hit {
  readonly document: { readonly source_key: string };
}

type Grades = ReadonlyMap<string, number>;

async function ingest(
  server: TestServer,
  set: string,
  { _id, title, text }: { _id: string; title: string; text: string },
): Promise<void> {
  // Skip empty documents: Cranfield has two empty abstracts.
  if (text.trim() === "") return;
  const optional = title.trim() === "" ? {} : { title: title.slice(0, 512) };
  const body = { source_key: _id, ...optional, content: text, user_id: set };
  const reply = await server.call("POST", "/v1/documents", { body });
  if (reply.status !== 200) throw new Error(`${set} ${_id}: ${reply.text}`);
}

function parseGrades(table: readonly (readonly string[])[]): Map<string, Map<string, number>> {
  const grades = new Map<string, Map<string, number>>();
  for (const [query, document, grade] of table) {
    if (Number(grade) <= 0) continue;
    const queryGrades = grades.get(query!) ?? new Map<string, number>();
    grades.set(query!, queryGrades.set(document!, Number(grade)));
  }
  return grades;
}

/**
 * Returns the normalized discounted cumulative gain (nDCG) for the first ten results. Grades are
 * the gains.
 */
function ndcg(ranked: readonly string[], wanted: Grades): number {
  const gain = (grade: number, rank: number) => grade / Math.log2(rank + 2);
  const sum = (grades: readonly number[]) =>
    grades.reduce((total, grade, rank) => total + gain(grade, rank), 0);
  const ideal = [...wanted.values()].sort((a, b) => b - a).slice(0, 10);
  return sum(ranked.map((document) => wanted.get(document) ?? 0)) / sum(ideal);
}

/** Returns the recall of relevant documents in the first ten results. */
function recall(ranked: readonly string[], wanted: Grades): number {
  return ranked.filter((document) => wanted.has(document)).length / wanted.size;
}
