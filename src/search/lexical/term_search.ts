/** Finding candidates by their words: terms weighed by rarity, looked up in the full-text index. */

import sql, { raw } from "sql-template-tag";
import type { Connection } from "../../store/sqlite/connection.ts";
import { indexedTag, indexedTerm, textTable } from "../../store/sqlite/text_index.ts";
import type { TextIndexName } from "../../store/store.ts";
import type { TagClauses } from "../query/filter_tags.ts";
import { isStopTerm } from "../query/stop_words.ts";
import { ScoreAccumulator } from "./score_accumulator.ts";
import { termHash, termsOf } from "../query/terms.ts";

/** A term of a query. */
export interface QueryTerm {
  readonly term: string;
  readonly hash: number;
  /** In how many records of the project it stands. */
  readonly frequency: number;
  /** Its rarity: what a record gains by having it. */
  readonly weight: number;
  /** How often the query says it. */
  readonly count: number;
  /** Whether the index is asked for it; very common terms only count in what others found. */
  readonly asked: boolean;
}

/** Telling terms of a query; the commonest ones beyond it are left out. A bit mask holds 31. */
const MAX_QUERY_TERMS = 31;

/** The records of one project in one text index, as far as weighing terms needs them. */
export interface Collection {
  readonly index: TextIndexName;
  readonly project: number;
  /** How many records there are. */
  readonly total: number;
  /** What may stand before a term in the index; nothing unless given. */
  readonly letters?: readonly string[];
}

/** Document frequencies seen lately; the number of records tells when they are out of date. */
export class DocumentFrequencies {
  readonly #entries = new Map<string, { readonly frequency: number; readonly total: number }>();

  /** Walks the term's postings on the first call; later ones cost a lookup. */
  get(connection: Connection, { index, project, total }: Collection, term: string): number {
    const key = indexedTerm(project, term);
    const known = this.#entries.get(key);
    if (known !== undefined && Math.abs(total - known.total) <= known.total * 0.05) {
      return known.frequency;
    }
    const row = connection.first<{ doc: number }>(
      sql`select doc from ${raw(`${index}_vocabulary`)} where term = ${key}`,
    );
    const frequency = row?.doc ?? 0;
    if (this.#entries.size >= 50_000) this.#entries.clear();
    this.#entries.set(key, { frequency, total });
    return frequency;
  }
}

/**
 * The terms of a query with their weights: stop words dropped (unless there is nothing else), and
 * the rarest ones asked for until the postings to read would exceed the budget. The weight is
 * BM25's inverse document frequency in the form that never falls below zero (Lucene's).
 */
export function weightTerms(
  connection: Connection,
  frequencies: DocumentFrequencies,
  collection: Collection,
  postings: { readonly share: number; readonly minPostings: number },
  query: string,
): QueryTerm[] {
  const { total } = collection;
  const counts = new Map<string, number>();
  for (const term of termsOf(query)) counts.set(term, (counts.get(term) ?? 0) + 1);
  const all = [...counts.keys()];
  const contentTerms = all.filter((term) => !isStopTerm(term));
  const weighted = (contentTerms.length > 0 ? contentTerms : all).map((term) => {
    const frequency = (collection.letters ?? [""])
      .reduce((sum, letter) => sum + frequencies.get(connection, collection, letter + term), 0);
    const count = Math.max(total, frequency);
    const rarity = Math.log(1 + (count - frequency + 0.5) / (frequency + 0.5));
    // A word that the project doesn't know says less about how well a record fits than about how
    // the question is put; it counts for half of what it would count for if it were rare.
    const weight = frequency === 0 ? rarity / 2 : rarity;
    return { term, hash: termHash(term), frequency, weight, count: counts.get(term)! };
  });
  const budget = Math.max(postings.share * total, postings.minPostings);
  let read = 0;
  weighted.sort((a, b) => a.frequency - b.frequency);
  return weighted.slice(0, MAX_QUERY_TERMS).map((term, index) => {
    read += term.frequency;
    return { ...term, asked: term.frequency > 0 && (index === 0 || read <= budget) };
  });
}

/**
 * The numbers of the rows that have any of the terms and a tag of every clause, those first whose
 * terms weigh most. FTS5's own bm25() is called for every match and takes 1.2 µs each; a list of
 * numbers, added up here, takes an eighth of that.
 */
export function findByTerms(
  connection: Connection,
  { index, project }: Collection,
  terms: readonly QueryTerm[],
  requiredTags: TagClauses,
  limit: number,
): number[] {
  const asked = terms.filter((each) => each.asked);
  const maxMatches = asked.reduce((sum, { frequency }) => sum + frequency, 0);
  // What a scope leaves of the lists is not known, but often little.
  const scores = new ScoreAccumulator(requiredTags.length === 0 ? maxMatches : 0);
  for (const { term, weight } of asked) {
    const match = matchExpression(project, indexedTerm(project, term), requiredTags);
    scores.add(matchingRows(connection, index, match), weight);
  }
  return scores.top(limit);
}

/** What FTS5 is asked for: the rows that have a token and a tag of every clause. */
export function matchExpression(project: number, token: string, requiredTags: TagClauses): string {
  return [...requiredTags.map((clause) => clauseExpression(project, clause)), quote(token)].join(
    " AND ",
  );
}

/** The rows that match, with commas: one text instead of a row object each. */
export function matchingRows(connection: Connection, index: TextIndexName, match: string): string {
  const table = raw(textTable(index));
  const row = connection.first<{ rows: string | null }>(
    sql`select group_concat(rowid) as rows from ${table} where ${table} match ${match}`,
  );
  return row?.rows ?? "";
}

/** At most so many rows that have a tag of every clause; undefined when there are more. */
export function findByTags(
  connection: Connection,
  { index, project }: Pick<Collection, "index" | "project">,
  requiredTags: TagClauses,
  maxRows: number,
): number[] | undefined {
  const table = raw(textTable(index));
  const all = requiredTags.map((clause) => clauseExpression(project, clause)).join(" AND ");
  const rows = connection.all<{ rowid: number }>(
    sql`select rowid from ${table} where ${table} match ${all} limit ${maxRows + 1}`,
  );
  return rows.length > maxRows ? undefined : rows.map((row) => row.rowid);
}

/** A clause as FTS5 asks for it. A tag that nothing has stands for an empty clause. */
function clauseExpression(project: number, clause: readonly string[]): string {
  const tags = clause.length === 0 ? [""] : clause;
  return `(${tags.map((tag) => quote(indexedTag(project, tag))).join(" OR ")})`;
}

/** A token as FTS5 asks for it. */
function quote(token: string): string {
  return `"${token}"`;
}
