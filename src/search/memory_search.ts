/** One memory search from the query to the ranked ids: the walk through the files of this folder. */

import sql from "sql-template-tag";
import type { Connection } from "../store/sqlite/connection.ts";
import { arrange, sortOf } from "./arrange.ts";
import { bestFirst, type Numbered, seqOf } from "./best_first.ts";
import { type Candidate, type InContext, scoreInContext, SURROUNDINGS } from "./context.ts";
import { clausesOf, type TagClauses } from "./filter_tags.ts";
import { type Evidence, fuse, isPrecise, type Meaning, meaningOf, speaksItself } from "./fusion.ts";
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
import type { PlaceMaps } from "./place_maps.ts";
import { readPlaces } from "./place_table.ts";
import type { MemorySearch, QueryVector, SearchOutcome } from "./request.ts";
import { ScopeNumbers } from "./scope_numbers.ts";
import { demandsOf, memorySource } from "./vector_source.ts";
import { type Scorable, Scorer } from "./scorer.ts";
import { similaritiesOf } from "./smoothing.ts";
import { chooseStrategy } from "./strategy.ts";
import { withSuccessors } from "./successors.ts";
import { traceOf } from "./trace.ts";
import { Comparison, orNull, sizeOf, type VectorDemand, type VectorSource } from "./vector_list.ts";
import { POSTINGS, STRATEGIES, VECTORS } from "./weights.ts";

/** With a filter, how many matches are looked through for enough that pass it. */
const MATCHES_FILTERED = 20_000;

/** Memories that pass a filter and are few enough to be candidates all together. */
const RARE = 2_000;

/** Matches by which it is told whether what passes may be rare. */
const SAMPLE = 500;

/** Memories that are read before it is known whether they will be scored. */
const AHEAD = 40;

const NONE: ReadonlySet<number> = new Set();

/** What was found while the vector of the query was on its way: all that needs no vector. */
export interface ByWords {
  readonly strategy: keyof typeof STRATEGIES;
  readonly terms: readonly QueryTerm[];
  readonly matches: readonly number[];
  /** All that pass a filter, where these had to be looked for beyond the matches. */
  readonly passing: readonly number[];
  readonly source: VectorSource;
  /** The matches and those next to them. */
  readonly context: InContext;
  readonly rows: MemoryRows;
  readonly scorer: Scorer;
}

/** Searches on one connection; keeps what is worth keeping between searches. */
export class MemorySearcher {
  readonly #connection: Connection;
  readonly #frequencies = new Frequencies();
  readonly #scopes = new ScopeNumbers();
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
      const rows = new MemoryRows(this.#connection, request);
      const { source, matches, passing } = this.#matches(request, terms, rows, width);
      const context = this.#inContext(source, terms, matches, NONE);
      const scorer = new Scorer(request, terms, rows);
      // These will most likely be scored: while the vector is on its way there is time to read them.
      const [likely] = bestFirst(context.candidates, AHEAD, ({ relevance }) => relevance);
      scorer.read((likely ?? []).slice(0, AHEAD).map(seqOf));
      return { strategy, terms, source, matches, passing, context, rows, scorer };
    });
  }

  /**
   * The second half: by meaning, when there is a vector, and all that follows. What the first half has
   * read is as it was then, so whoever shows what was found loads it anew.
   */
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
    const { strategy, terms, matches, source, context, rows, scorer } = words;
    const { candidates: width, scored, floor } = STRATEGIES[strategy];
    const comparison = vector === null
      ? null
      : new Comparison(this.#connection, this.#matrices, source, vector);
    const keep = this.#keep(request, source, rows);
    const near = comparison?.nearest({ keep, limit: width }) ?? [];
    const missed = comparison === null || near.length === width ? [] : this.#missed(words);
    const others = new Set([...near.map(seqOf), ...words.passing, ...missed]);
    for (const seq of matches) others.delete(seq);
    const known = new Set(context.candidates.map(seqOf));
    const beside = this.#inContext(source, terms, [...others], known);
    const evidence = [...evidenceOf(context, comparison), ...evidenceOf(beside, comparison)];
    const relevant = relevantOf(request, strategy, evidence, meaningOf(vector, "memories"));
    const ranked = withSuccessors(this.#connection, scorer.score(relevant, scored), {
      project: request.project,
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

  /** What passes a filter, when looking at the nearest found too little of it. */
  #missed({ source, rows }: ByWords): readonly number[] {
    return rows.filtered && sizeOf(source) > VECTORS.most ? rows.rare(RARE) ?? [] : [];
  }

  /** Keeps those of the numbers that may be shown. */
  #keep(
    { filters, tags }: MemorySearch,
    source: VectorSource,
    rows: MemoryRows,
  ): VectorDemand["keep"] {
    const map = this.#places.of(source.project, source.total);
    // All that a project or one scope holds may be shown, as long as it is there.
    const whole = tags.length === 0 ||
      tags.length === 1 && source.scope !== null && sizeOf(source) <= VECTORS.masked;
    if (filters !== undefined || !whole || map === null) return (seqs) => rows.numbersShown(seqs);
    return (seqs) => seqs.filter((seq) => map.has(seq));
  }

  /**
   * Row numbers by words alone, and where to look for others. A filter thins matches out, so more of
   * them are looked at; what passes may be too rare for these to hold enough of it.
   */
  #matches(
    request: MemorySearch,
    terms: readonly QueryTerm[],
    rows: MemoryRows,
    width: number,
  ): Pick<ByWords, "source" | "matches" | "passing"> {
    const { project } = request;
    const demanded = clausesIn(request);
    const { source, tagged } = this.#source(request);
    if (!rows.filtered) {
      return { source, matches: this.#find(project, terms, demanded, width), passing: [] };
    }
    const wide = this.#find(project, terms, demanded, MATCHES_FILTERED);
    const few = sizeOf(source) > RARE && rows.seldom(wide.slice(0, SAMPLE))
      ? rows.few(RARE, tagged)
      : undefined;
    const known = few === undefined ? null : new Set(few);
    const shown = rows.shown(known === null ? wide : wide.filter((seq) => known.has(seq)), width);
    const matches = shown.map(({ seq }) => seq);
    const lacking = wide.length === MATCHES_FILTERED && matches.length < width;
    const passing = few ?? (lacking ? rows.rare(RARE) : undefined);
    if (passing === undefined) return { source, matches, passing: [] };
    return { source: among(source, passing), matches, passing: lacking ? passing : [] };
  }

  /** The memories found and those next to them, but for those that are known. */
  #inContext(
    { project, total }: VectorSource,
    terms: readonly QueryTerm[],
    found: readonly number[],
    known: ReadonlySet<number>,
  ): InContext {
    const places = this.#places.of(project, total)?.around(terms, found, SURROUNDINGS) ??
      readPlaces(this.#connection, project, terms, found, SURROUNDINGS);
    return scoreInContext(places, terms, found, known);
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
  #source(request: MemorySearch): { source: VectorSource; tagged: readonly number[] | null } {
    const { project, filters, meaning } = request;
    const demands = demandsOf(request.tags);
    const source = memorySource(this.#connection, this.#scopes, project, demands);
    const size = sizeOf(source);
    if (clausesOf(filters).length > 0) {
      const collection = { index: "memories", project } as const;
      const most = Math.min(VECTORS.masked, size);
      const seqs = findByTags(this.#connection, collection, clausesIn(request), most);
      if (seqs !== undefined) return { source: among(source, seqs), tagged: seqs };
    }
    const lazy = !meaning || source.scope === null || size > VECTORS.masked;
    return { source: lazy ? source : among(source, source.scope.seqs()), tagged: null };
  }
}

/** A source of certain memories alone. */
function among(source: VectorSource, seqs: readonly number[]): VectorSource {
  return { ...source, scope: { size: seqs.length, seqs: () => seqs } };
}

/** What a memory must have by the index: scope, type, and what the filter demands in tags. */
function clausesIn({ tags, filters }: MemorySearch): TagClauses {
  return [...tags.map((tag) => [tag]), ...clausesOf(filters)];
}

/** A candidate, what is known of it, and whether it has a word of the query itself. */
type Considered = Evidence & Numbered & Pick<Candidate, "says">;

/** What words and meaning say of candidates. */
function evidenceOf(
  context: InContext,
  comparison: Comparison | null,
): Considered[] {
  const similarities = comparison === null ? null : similaritiesOf(comparison, context);
  return context.candidates.map(({ seq, relevance, says }, at) => ({
    seq,
    says,
    words: relevance,
    similarity: similarities === null ? null : orNull(similarities.smoothed[at]!),
    own: similarities === null ? null : orNull(similarities.own[at]!),
  }));
}

/**
 * Both together, of those that are relevant at all. Where relevance doesn't decide the order, what
 * only stands beside a match could come first; there, as in `precision`, it isn't enough.
 */
function relevantOf(
  request: MemorySearch,
  strategy: ByWords["strategy"],
  evidence: readonly Considered[],
  meaning: Meaning,
): Scorable[] {
  const precise = strategy === "precision";
  const itself = precise || sortOf(request) !== null;
  const relevance = fuse(evidence, meaning);
  const relevant: Scorable[] = [];
  for (const [at, each] of evidence.entries()) {
    if (relevance[at]! <= 0 || itself && !speaksItself(each, meaning)) continue;
    if (precise && !isPrecise(each, meaning)) continue;
    const { seq, words, similarity } = each;
    relevant.push({ seq, words, similarity, relevance: relevance[at]! });
  }
  return relevant;
}
