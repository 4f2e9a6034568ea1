/** Finding candidates by their words: terms weighed by rarity, looked up in the full-text index. */

import sql from "sql-template-tag";
import type { Connection } from "../store/sqlite/connection.ts";
import { indexedTag, indexedTerm } from "../store/sqlite/text_index.ts";
import { isStopTerm } from "./stop_words.ts";
import { distinctTerms, termHash } from "./terms.ts";
import { POSTINGS } from "./weights.ts";

/** A term of a query. */
export interface QueryTerm {
  readonly term: string;
  readonly hash: number;
  /** In how many memories of the project it stands. */
  readonly frequency: number;
  /** Its rarity: what a memory gains by having it. */
  readonly weight: number;
  /** Whether the index is asked for it; very common terms only count in what others found. */
  readonly asked: boolean;
}

/** Telling terms of a query; the commonest ones beyond it are left out. A bit mask holds 31. */
const MOST_TERMS = 31;

/** Document frequencies seen lately; the number of memories tells when they are out of date. */
export class Frequencies {
  readonly #known = new Map<string, { readonly frequency: number; readonly memories: number }>();

  /** Walks the term's postings on the first call; later ones cost a lookup. */
  of(connection: Connection, project: number, term: string, memories: number): number {
    const key = indexedTerm(project, term);
    const known = this.#known.get(key);
    if (known !== undefined && Math.abs(memories - known.memories) <= known.memories * 0.05) {
      return known.frequency;
    }
    const row = connection.first<{ doc: number }>(
      sql`select doc from memories_vocabulary where term = ${key}`,
    );
    const frequency = row?.doc ?? 0;
    if (this.#known.size >= 50_000) this.#known.clear();
    this.#known.set(key, { frequency, memories });
    return frequency;
  }
}

/** How many memories a project has. */
export function countMemories(connection: Connection, project: number): number {
  const row = connection.first<{ n: number }>(sql`select total_memories as n from scope_totals
    where project = ${project} and type = 'project' and id = ''`);
  return row?.n ?? 0;
}

/**
 * The terms of a query with their weights: stop words dropped (unless there is nothing else), and
 * the rarest ones asked for until the postings to read would exceed the budget. The weight is
 * BM25's inverse document frequency in the form that never falls below zero (Lucene's).
 */
export function weighTerms(
  connection: Connection,
  frequencies: Frequencies,
  project: number,
  query: string,
): QueryTerm[] {
  const memories = countMemories(connection, project);
  const all = distinctTerms(query);
  const telling = all.filter((term) => !isStopTerm(term));
  const weighed = (telling.length > 0 ? telling : all).map((term) => {
    const frequency = frequencies.of(connection, project, term, memories);
    const count = Math.max(memories, frequency);
    const rarity = Math.log(1 + (count - frequency + 0.5) / (frequency + 0.5));
    // A word that the project doesn't know says less about how well a memory fits than about how
    // the question is put; it counts for half of what it would count for if it were rare.
    const weight = frequency === 0 ? rarity / 2 : rarity;
    return { term, hash: termHash(term), frequency, weight };
  });
  const budget = Math.max(POSTINGS.share * memories, POSTINGS.least);
  let read = 0;
  weighed.sort((a, b) => a.frequency - b.frequency);
  return weighed.slice(0, MOST_TERMS).map((term, index) => {
    read += term.frequency;
    return { ...term, asked: term.frequency > 0 && (index === 0 || read <= budget) };
  });
}

/** Row numbers of the memories that have any of the terms and all of the tags, best first. */
export function findByTerms(
  connection: Connection,
  project: number,
  terms: readonly QueryTerm[],
  tags: readonly string[],
  limit: number,
): number[] {
  const asked = terms.filter((term) => term.asked);
  if (asked.length === 0) return [];
  const any = asked.map(({ term }) => quoted(indexedTerm(project, term))).join(" OR ");
  const all = tags.map((tag) => `${quoted(indexedTag(project, tag))} AND `).join("");
  // FTS5 has no ranking that stops early: every match is scored, which the budget keeps in bounds.
  const rows = connection.all<{ rowid: number }>(sql`select rowid from memories_fts
    where memories_fts match ${`${all}(${any})`}
    order by bm25(memories_fts, 1.0, 0.0), rowid desc limit ${limit}`);
  return rows.map((row) => row.rowid);
}

function quoted(token: string): string {
  return `"${token}"`;
}
