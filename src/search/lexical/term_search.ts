/**
 * Finds candidates by their words: weights the query terms by rarity and looks them up in the
 * full-text index.
 */

import sql, { raw } from "sql-template-tag";
import { TwoGenerationCache } from "../../kernel/caches/two_generation_cache.ts";
import type { Connection } from "../../store/sqlite/connection.ts";
import {
  indexedTag,
  indexedTerm,
  type TextIndexName,
  textTable,
} from "../../store/sqlite/text_index.ts";
import type { TagClauses } from "../query/filter_tags.ts";
import { isStopTerm } from "../query/stop_words.ts";
import { ScoreAccumulator } from "./score_accumulator.ts";
import { type HashedTerm, hashedTermsOf } from "../query/terms.ts";

/** A query term. */
export interface QueryTerm {
  readonly term: string;
  readonly hash: number;
  /** Number of records in the project containing the term. */
  readonly frequency: number;
  /** Rarity of the term, i.e. what a record gains by containing it. */
  readonly weight: number;
  /** Number of occurrences in the query. */
  readonly count: number;
  /**
   * Whether the index is searched for the term. Very common terms only count in records found via
   * other terms.
   */
  readonly asked: boolean;
}

/**
 * Maximum number of terms in a query; beyond that, terms that don't occur are dropped first, then the
 * most common ones. A bit mask has room for 31.
 */
const MAX_QUERY_TERMS = 31;

/** A project's records in a text index, reduced to what term weights depend on. */
export interface Collection {
  readonly index: TextIndexName;
  readonly project: number;
  /** Number of records. */
  readonly total: number;
  /** Letters that may precede a term in the index. Defaults to none. */
  readonly letters?: readonly string[];
  /** Posting lists in memory, as of the same snapshot. Defaults to none. */
  readonly postings?: Postings | undefined;
}

/** Posting lists in memory. */
export interface Postings {
  /**
   * Returns the `seq`s of the records that contain a term, in ascending order, or undefined if they
   * aren't known.
   */
  get(term: HashedTerm): Uint32Array | undefined;
  /** Stores them if there's room. */
  set(term: HashedTerm, seqs: Uint32Array): void;
}

/** Maximum number of records in a list that's read rather than counted. */
const MAX_SHORT_LIST = 2_000;

/**
 * Maximum number of records in a list that's read for a search in a scope, per record in the scope.
 * Reading a longer one takes many times as long as finding its records in the scope.
 */
const MAX_LIST_PER_RECORD = 16;

/** Maximum number of cached document frequencies. Any search can add new words. */
const MAX_CACHED_FREQUENCIES = 100_000;

/**
 * A cache for document frequencies. Entries expire once the number of records has changed by more
 * than 5 %.
 */
export class DocumentFrequencies {
  readonly #entries = new TwoGenerationCache<
    string,
    { readonly frequency: number; readonly total: number }
  >(MAX_CACHED_FREQUENCIES);

  /** Returns how many records contain a term, or undefined if that isn't known. */
  cached({ project, total }: Collection, term: string): number | undefined {
    const cached = this.#entries.get(indexedTerm(project, term));
    const isCurrent = cached !== undefined &&
      Math.abs(total - cached.total) <= cached.total * 0.05;
    return isCurrent ? cached.frequency : undefined;
  }

  /**
   * Returns how many records contain a term, or 0 only if none does. The first call walks the term's
   * postings; after that, it's a lookup.
   */
  get(connection: Connection, collection: Collection, term: string): number {
    const cached = this.cached(collection, term);
    if (cached !== undefined) return cached;
    const { index, project } = collection;
    const row = connection.first<{ doc: number }>(
      sql`select doc from ${raw(`${index}_vocabulary`)} where term = ${indexedTerm(project, term)}`,
    );
    const frequency = row?.doc ?? 0;
    this.set(collection, term, frequency);
    return frequency;
  }

  /** Caches how many records contain a term. */
  set({ project, total }: Collection, term: string, frequency: number): void {
    // A term that doesn't occur is looked up every time. It costs little without postings, and if
    // its absence were cached, the first record with the term couldn't be found.
    if (frequency > 0) this.#entries.set(indexedTerm(project, term), { frequency, total });
  }
}

/**
 * Returns the query terms with their weights. Stop words are dropped unless the query has nothing
 * else. The index is searched for the rarest terms first, as long as the postings stay within
 * budget. It's always searched for the rarest one that occurs.
 *
 * The weight is the BM25 inverse document frequency, in the form that's never negative (Lucene's).
 */
export function weightTerms(
  connection: Connection,
  frequencies: DocumentFrequencies,
  collection: Collection,
  postings: { readonly share: number; readonly minPostings: number },
  query: string,
): QueryTerm[] {
  const { total } = collection;
  const counts = new Map<string, { readonly hash: number; count: number }>();
  for (const { term, hash } of hashedTermsOf(query)) {
    const counted = counts.get(term);
    if (counted === undefined) counts.set(term, { hash, count: 1 });
    else counted.count++;
  }
  const all = [...counts].map(([term, counted]) => ({ term, ...counted }));
  const contentTerms = all.filter(({ term }) => !isStopTerm(term));
  const weighted = (contentTerms.length > 0 ? contentTerms : all).map((term) => {
    const frequency = frequencyOf(connection, frequencies, collection, term);
    const count = Math.max(total, frequency);
    const rarity = Math.log(1 + (count - frequency + 0.5) / (frequency + 0.5));
    // A word that doesn't occur in the project says more about how the query is worded than about
    // how well a record matches, so it gets half the weight of a rare term.
    const weight = frequency === 0 ? rarity / 2 : rarity;
    return { ...term, frequency, weight };
  });
  const budget = Math.max(postings.share * total, postings.minPostings);
  let postingsRead = 0;
  // Terms that don't occur come last.
  const order = ({ frequency }: { frequency: number }) => frequency || Number.MAX_VALUE;
  weighted.sort((a, b) => order(a) - order(b));
  return weighted.slice(0, MAX_QUERY_TERMS).map((term, index) => {
    postingsRead += term.frequency;
    return { ...term, asked: term.frequency > 0 && (index === 0 || postingsRead <= budget) };
  });
}

/**
 * Returns how many records contain a term, or 0 only if none does. If they are few, it stores their
 * list: reading it takes as long as counting, and any later search needs neither.
 */
function frequencyOf(
  connection: Connection,
  frequencies: DocumentFrequencies,
  collection: Collection,
  term: HashedTerm,
): number {
  const { index, project, letters, postings } = collection;
  const count = (token: string) => frequencies.get(connection, collection, token);
  if (letters !== undefined) {
    return letters.reduce((sum, letter) => sum + count(letter + term.term), 0);
  }
  const known = postings?.get(term)?.length ?? frequencies.cached(collection, term.term);
  if (known !== undefined) return known;
  if (postings !== undefined) {
    const match = matchExpression(project, indexedTerm(project, term.term), []);
    const seqs = matchingRows(connection, index, match, MAX_SHORT_LIST + 1);
    if (seqs.length <= MAX_SHORT_LIST) {
      postings.set(term, seqs);
      frequencies.set(collection, term.term, seqs.length);
      return seqs.length;
    }
  }
  return count(term.term);
}

/** The tags required of every record. */
export interface RequiredTags {
  readonly clauses: TagClauses;
  /** `seq`s of the records that have a tag from every clause, in ascending order, if known. */
  readonly seqs: readonly number[] | null;
}

/** Reused by all searches in this thread. */
const scores = new ScoreAccumulator();

/**
 * Returns the `seq`s of the records that contain any of the terms and have a tag from every clause,
 * heaviest matches first.
 *
 * FTS5's bm25() is called once per match at 1.2 µs a call. Summing a list of numbers here takes an
 * eighth of that.
 */
export function findByTerms(
  connection: Connection,
  collection: Collection,
  terms: readonly QueryTerm[],
  tags: RequiredTags,
  limit: number,
): number[] {
  const asked = terms.filter((term) => term.asked);
  const maxMatches = asked.reduce((sum, { frequency }) => sum + frequency, 0);
  // With required tags, the number of matches isn't known up front and is often small.
  scores.clear(tags.clauses.length === 0 ? maxMatches : 0);
  for (const term of asked) scores.add(matchesOf(connection, collection, term, tags), term.weight);
  const best = scores.top(limit);
  // Large tables are given up now instead of with the next search.
  scores.clear();
  return best;
}

/** Returns the `seq`s of the records that contain a term and have a tag from every clause. */
function matchesOf(
  connection: Connection,
  { index, project, postings }: Collection,
  term: QueryTerm,
  { clauses, seqs }: RequiredTags,
): Uint32Array {
  const read = (required: TagClauses) =>
    matchingRows(
      connection,
      index,
      matchExpression(project, indexedTerm(project, term.term), required),
    );
  const isListed = clauses.length === 0 || seqs !== null;
  if (postings === undefined || !isListed) return read(clauses);
  let list = postings.get(term);
  if (list === undefined) {
    const isWorthReading = seqs === null || term.frequency <= MAX_LIST_PER_RECORD * seqs.length;
    if (!isWorthReading) return read(clauses);
    list = read([]);
    postings.set(term, list);
  }
  return seqs === null ? list : intersect(list, seqs);
}

/** Returns the numbers that are in both lists. Both are in ascending order. */
function intersect(list: Uint32Array, other: readonly number[]): Uint32Array {
  const common = new Uint32Array(Math.min(list.length, other.length));
  let [count, at] = [0, 0];
  for (const seq of list) {
    while (at < other.length && other[at]! < seq) at++;
    if (other[at] === seq) common[count++] = seq;
  }
  return common.subarray(0, count);
}

/** Returns the FTS5 expression for rows with a given token and a tag from every clause. */
export function matchExpression(project: number, token: string, requiredTags: TagClauses): string {
  return [...requiredTags.map((clause) => clauseExpression(project, clause)), quote(token)].join(
    " AND ",
  );
}

/**
 * Returns the `seq`s of the matching rows, in ascending order. Reads them as one string, which is
 * cheaper than a row object per match.
 */
export function matchingRows(
  connection: Connection,
  index: TextIndexName,
  match: string,
  maxRows = Infinity,
): Uint32Array {
  const table = raw(textTable(index));
  const matching = sql`from ${table} where ${table} match ${match}`;
  const row = connection.first<{ rows: string | null }>(
    maxRows === Infinity
      ? sql`select group_concat(rowid) as rows ${matching}`
      : sql`select group_concat(rowid) as rows from (select rowid ${matching} limit ${maxRows})`,
  );
  return parseSeqs(row?.rows ?? "");
}

/** Parses a comma-separated list of `seq`s. */
function parseSeqs(list: string): Uint32Array {
  const seqs = new Uint32Array(Math.ceil(list.length / 2));
  let [count, seq] = [0, 0];
  for (let index = 0; index < list.length; index++) {
    const digit = list.charCodeAt(index) - DIGIT_ZERO_CODE;
    if (digit >= 0) seq = seq * 10 + digit;
    else {
      seqs[count++] = seq;
      seq = 0;
    }
  }
  if (list !== "") seqs[count++] = seq;
  return seqs.slice(0, count);
}

const DIGIT_ZERO_CODE = "0".charCodeAt(0);

/**
 * Returns the rows that have a tag from every clause, or undefined if there are more than
 * `maxRows`.
 */
export function findByTags(
  connection: Connection,
  { index, project }: Pick<Collection, "index" | "project">,
  requiredTags: TagClauses,
  maxRows: number,
): number[] | undefined {
  const table = raw(textTable(index));
  const match = requiredTags.map((clause) => clauseExpression(project, clause)).join(" AND ");
  const rows = connection.all<{ rowid: number }>(
    sql`select rowid from ${table} where ${table} match ${match} limit ${maxRows + 1}`,
  );
  return rows.length > maxRows ? undefined : rows.map((row) => row.rowid);
}

/** Returns the FTS5 expression for a clause. An empty clause turns into a tag no record has. */
function clauseExpression(project: number, clause: readonly string[]): string {
  const tags = clause.length === 0 ? [""] : clause;
  return `(${tags.map((tag) => quote(indexedTag(project, tag))).join(" OR ")})`;
}

/** Quotes a token for FTS5. */
function quote(token: string): string {
  return `"${token}"`;
}
