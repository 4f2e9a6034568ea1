/** One memory search from the query to the ranked ids: the walk through the rooms of this folder. */

import sql from "sql-template-tag";
import type { Connection } from "../store/sqlite/connection.ts";
import { arrange } from "./arrange.ts";
import { scoreInContext, SURROUNDINGS } from "./context.ts";
import { clausesOf, type TagClauses } from "./filter_tags.ts";
import { type Evidence, fuse, isPrecise, meaningOf } from "./fusion.ts";
import {
  type Collection,
  findByTags,
  findByTerms,
  Frequencies,
  type QueryTerm,
  weighTerms,
} from "./lexical.ts";
import { Matrices } from "./matrices.ts";
import { MemoryRows } from "./memory_rows.ts";
import type { PlaceMap } from "./place_map.ts";
import type { PlaceMaps } from "./place_maps.ts";
import { readPlaces } from "./place_table.ts";
import type { MemorySearch, QueryVector, SearchOutcome } from "./request.ts";
import { demandsOf, memorySource } from "./vector_source.ts";
import { readQuery, signalsOf } from "./signals.ts";
import { similaritiesOf } from "./smoothing.ts";
import { chooseStrategy } from "./strategy.ts";
import { withSuccessors } from "./successors.ts";
import { type Scored, traceOf } from "./trace.ts";
import { Comparison, orNull, sizeOf, type VectorDemand, type VectorSource } from "./vector_list.ts";
import { POSTINGS, STRATEGIES, VECTORS } from "./weights.ts";

/** With a filter, how many matches are looked through for enough that pass it. */
const MATCHES_FILTERED = 20_000;

/** Memories that pass a filter and are few enough to be candidates all together. */
const RARE = 2_000;

/** What was found while the vector of the query was on its way: all that needs no vector. */
export interface ByWords {
  readonly strategy: keyof typeof STRATEGIES;
  readonly terms: readonly QueryTerm[];
  readonly matches: readonly number[];
  /** True when a filter left too few of all the matches that are looked through. */
  readonly lacking: boolean;
  readonly source: VectorSource;
}

/** Searches on one connection; keeps what is worth keeping between searches. */
export class MemorySearcher {
  readonly #connection: Connection;
  readonly #frequencies = new Frequencies();
  readonly #matrices: Matrices;
  readonly #places: PlaceMaps;

  constructor(connection: Connection, matrices: Matrices, places: PlaceMaps) {
    this.#connection = connection;
    this.#matrices = matrices;
    this.#places = places;
  }

  /** The first half of a search. */
  findByWords(request: MemorySearch): ByWords {
    return this.#snapshot(() => {
      const strategy = chooseStrategy(request.strategy, request.query);
      const terms = weighTerms(
        this.#connection,
        this.#frequencies,
        this.#collection(request.project),
        POSTINGS,
        request.query,
      );
      const width = STRATEGIES[strategy].candidates;
      const source = this.#source(request);
      return { strategy, terms, source, ...this.#matches(request, terms, width) };
    });
  }

  /** The second half: by meaning, when there is a vector, and all that follows. */
  finish(request: MemorySearch, words: ByWords, vector: QueryVector | null): SearchOutcome {
    return this.#snapshot(() => this.#finish(request, words, vector));
  }

  #snapshot<T>(work: () => T): T {
    this.#connection.exec("begin");
    try {
      return work();
    } finally {
      this.#connection.exec("commit");
    }
  }

  #finish(request: MemorySearch, words: ByWords, vector: QueryVector | null): SearchOutcome {
    const { strategy, terms, matches, source } = words;
    const { candidates: width, scored, floor } = STRATEGIES[strategy];
    const { project } = request;
    const rows = new MemoryRows(this.#connection, request);
    const comparison = vector === null
      ? null
      : new Comparison(this.#connection, this.#matrices, source, vector);
    const map = this.#places.of(project, source.total);
    const keep = this.#keep(request, source, rows, map);
    const near = comparison?.nearest({ keep, limit: width }) ?? [];
    // What passes a filter may be too rare for the best matches to hold enough of it.
    const unseen = comparison !== null && near.length < width && sizeOf(source) > VECTORS.most;
    const lacking = request.filters !== undefined && (words.lacking || unseen);
    const few = lacking ? rows.rare(RARE) ?? [] : [];
    const found = [...new Set([...matches, ...near.map(({ seq }) => seq), ...few])];
    const places = map?.around(terms, found, SURROUNDINGS) ??
      readPlaces(this.#connection, project, terms, found, SURROUNDINGS);
    const candidates = scoreInContext(places, terms, found);
    const similarities = comparison === null
      ? null
      : similaritiesOf(comparison, places, candidates);
    const meaning = meaningOf(vector, "memories");
    const known = candidates.map(({ relevance }, at): Evidence => ({
      words: relevance,
      similarity: similarities === null ? null : orNull(similarities.smoothed[at]!),
      own: similarities === null ? null : orNull(similarities.own[at]!),
    }));
    const relevance = fuse(known, meaning);
    const evidence: Scorable[] = [];
    for (const [at, { words, similarity }] of known.entries()) {
      const each = { seq: candidates[at]!.seq, words, similarity, relevance: relevance[at]! };
      const fits = strategy !== "precision" || isPrecise(each, meaning);
      if (each.relevance > 0 && fits) evidence.push(each);
    }
    evidence.sort((a, b) => b.relevance - a.relevance);
    const scores = this.#score(request, terms, evidence, rows, scored);
    const ranked = withSuccessors(this.#connection, scores, {
      project,
      now: request.now,
      shown: (seqs) => rows.shown(seqs, seqs.length),
    });
    const best = ranked[0]?.score ?? 0;
    const eligible = ranked.filter((each) =>
      each.score >= best * floor && each.score >= request.minScore
    );
    const selected = arrange(this.#connection, request, eligible).slice(0, request.topK);
    return {
      found: selected.map(({ id, score }) => ({ id, score })),
      trace: request.trace
        ? traceOf(rows, { strategy, terms, lexical: matches, vector: near, ranked, selected })
        : null,
    };
  }

  /** Keeps those of the numbers that may be shown. */
  #keep(
    { filters, tags }: MemorySearch,
    source: VectorSource,
    rows: MemoryRows,
    map: PlaceMap | null,
  ): VectorDemand["keep"] {
    // All that a project or one scope holds may be shown, as long as it is there.
    const whole = tags.length === 0 ||
      tags.length === 1 && source.scope !== null && sizeOf(source) <= VECTORS.masked;
    if (filters !== undefined || !whole || map === null) return (seqs) => rows.numbersShown(seqs);
    return (seqs) => seqs.filter((seq) => map.has(seq));
  }

  /** Row numbers by words alone. A filter thins matches out, so more of them are looked at. */
  #matches(request: MemorySearch, terms: readonly QueryTerm[], width: number) {
    const { project } = request;
    const demanded = clausesIn(request);
    if (request.filters === undefined) {
      return { matches: this.#find(project, terms, demanded, width), lacking: false };
    }
    const wide = this.#find(project, terms, demanded, MATCHES_FILTERED);
    const rows = new MemoryRows(this.#connection, request).shown(wide, width);
    const lacking = wide.length === MATCHES_FILTERED && rows.length < width;
    return { matches: rows.map(({ seq }) => seq), lacking };
  }

  #find(
    project: number,
    terms: readonly QueryTerm[],
    demanded: TagClauses,
    limit: number,
  ): number[] {
    const collection = this.#collection(project);
    return findByTerms(this.#connection, collection, terms, demanded, limit);
  }

  #collection(project: number): Collection {
    const row = this.#connection.first<{ total: number }>(sql`select total_memories as total
      from scope_totals where project = ${project} and type = 'project' and id = ''`);
    return { index: "memories", project, total: row?.total ?? 0 };
  }

  /** Where to look: what a filter's tags leave, when that is less than the scope. */
  #source(request: MemorySearch): VectorSource {
    const { project, filters, meaning } = request;
    const source = memorySource(this.#connection, project, demandsOf(request.tags));
    const size = sizeOf(source);
    if (clausesOf(filters).length > 0) {
      const collection = { index: "memories", project } as const;
      const most = Math.min(VECTORS.masked, size);
      const seqs = findByTags(this.#connection, collection, clausesIn(request), most);
      if (seqs !== undefined) return { ...source, scope: { size: seqs.length, seqs: () => seqs } };
    }
    if (!meaning || source.scope === null || size > VECTORS.masked) return source;
    const seqs = source.scope.seqs();
    return { ...source, scope: { size, seqs: () => seqs } };
  }

  /** Relevance times signals, brought into [0, 1]; best first. */
  #score(
    request: MemorySearch,
    terms: readonly QueryTerm[],
    evidence: readonly Scorable[],
    rows: MemoryRows,
    most: number,
  ): Scored[] {
    const query = readQuery(request.query, terms, request.now);
    const options = { typed: request.mode === "typed", now: request.now };
    const shown = rows.shown(evidence.map(({ seq }) => seq), most);
    const bySeq = new Map(shown.map((row) => [row.seq, row]));
    const scorable = evidence.filter(({ seq }) => bySeq.has(seq));
    return scorable.map(({ seq, words, relevance, similarity }): Scored => {
      const row = bySeq.get(seq)!;
      const factors = { relevance, ...signalsOf(query, row, options) };
      const product = Object.values(factors).reduce((all, part) => all * part, 1);
      const parts = {
        words,
        ...(similarity === null ? {} : { similarity }),
        ...factors,
      };
      // tanh keeps the order, maps a full match to .76, and never leaves [0, 1].
      return { id: row.id, score: Math.tanh(product), parts, row };
    }).sort((a, b) => b.score - a.score || b.row.seq - a.row.seq);
  }
}

/** What a memory must have by the index: scope, type, and what the filter demands in tags. */
function clausesIn({ tags, filters }: MemorySearch): TagClauses {
  return [...tags.map((tag) => [tag]), ...clausesOf(filters)];
}

/** A candidate with what speaks for it. */
interface Scorable extends Evidence {
  readonly seq: number;
  readonly relevance: number;
}
