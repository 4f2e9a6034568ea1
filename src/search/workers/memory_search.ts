/** One memory search from the query to the ranked ids: the walk through the files of this folder. */

import sql from "sql-template-tag";
import type { Connection } from "../../store/sqlite/connection.ts";
import { effectiveSort, sortResults } from "../ranking/sort.ts";
import { type HasSeq, partialSort, seqOf } from "../ranking/partial_sort.ts";
import {
  type Candidate,
  type ScoredWindow,
  scoreInContext,
  WINDOW_STEPS,
} from "../threads/context.ts";
import { type TagClauses, tagClauses } from "../query/filter_tags.ts";
import {
  type Evidence,
  fuse,
  isPrecise,
  matchesDirectly,
  type SimilarityScale,
  similarityScale,
} from "../ranking/fusion.ts";
import {
  type Collection,
  DocumentFrequencies,
  findByTags,
  findByTerms,
  type QueryTerm,
  weightTerms,
} from "../lexical/term_search.ts";
import { VectorCache } from "../vectors/vector_cache.ts";
import { MemoryRows } from "./memory_rows.ts";
import type { ThreadIndexCache } from "../threads/thread_index_cache.ts";
import { readThreadWindow } from "../threads/thread_window_sql.ts";
import type {
  MemorySearchRequest,
  MemorySearchResult,
  QueryVector,
} from "../query/memory_request.ts";
import { ScopeRowsCache } from "../vectors/scope_rows_cache.ts";
import { memorySource, parseTags } from "../vectors/vector_source.ts";
import { Scorer, type ScoringCandidate } from "../ranking/scorer.ts";
import { smoothSimilarities } from "../threads/smoothing.ts";
import { chooseStrategy } from "../query/strategy.ts";
import { promoteSuccessors } from "../ranking/superseding.ts";
import { buildTrace } from "../ranking/trace.ts";
import {
  nanToNull,
  type NearestOptions,
  sizeOf,
  VectorScorer,
  type VectorSource,
} from "../vectors/vector_search.ts";
import { MEMORY_POSTINGS, STRATEGIES, VECTORS } from "../ranking/weights.ts";

/** With a filter, how many matches are looked through for enough that pass it. */
const MAX_FILTERED_MATCHES = 20_000;

/** Memories that pass a filter and are few enough to be candidates all together. */
const MAX_SELECTIVE_MEMORIES = 2_000;

/** Matches by which it is told whether what passes may be rare. */
const SAMPLE_MATCHES = 500;

/** Memories that are read before it is known whether they will be scored. */
const PREFETCH_MEMORIES = 40;

const NO_SEQS: ReadonlySet<number> = new Set();

/** What was found while the vector of the query was on its way: all that needs no vector. */
export interface LexicalPhase {
  readonly strategy: keyof typeof STRATEGIES;
  readonly terms: readonly QueryTerm[];
  readonly matches: readonly number[];
  /** All that pass a filter, where these had to be looked for beyond the matches. */
  readonly passing: readonly number[];
  readonly source: VectorSource;
  /** The matches and those next to them. */
  readonly context: ScoredWindow;
  readonly rows: MemoryRows;
  readonly scorer: Scorer;
}

/** Searches on one connection; keeps what is worth keeping between searches. */
export class MemorySearcher {
  readonly #connection: Connection;
  readonly #documentFrequencies = new DocumentFrequencies();
  readonly #scopeRows = new ScopeRowsCache();
  readonly #vectorCache: VectorCache;
  readonly #threadIndexes: ThreadIndexCache;

  constructor(connection: Connection, vectorCache: VectorCache, threadIndexes: ThreadIndexCache) {
    this.#connection = connection;
    this.#vectorCache = vectorCache;
    this.#threadIndexes = threadIndexes;
  }

  /** The first half of a search. */
  begin(request: MemorySearchRequest): LexicalPhase {
    return this.#inSnapshot(() => {
      const strategy = chooseStrategy(request.strategy, request.query);
      const terms = weightTerms(
        this.#connection,
        this.#documentFrequencies,
        this.#collection(request.project),
        MEMORY_POSTINGS,
        request.query,
      );
      const width = STRATEGIES[strategy].candidates;
      const rows = new MemoryRows(this.#connection, request);
      const { source, matches, passing } = this.#findMatches(request, terms, rows, width);
      const context = this.#scoreInContext(source, terms, matches, NO_SEQS);
      const scorer = new Scorer(request, terms, rows);
      // These will most likely be scored: while the vector is on its way there is time to read them.
      const [likely] = partialSort(
        context.candidates,
        PREFETCH_MEMORIES,
        ({ relevance }) => relevance,
      );
      scorer.load((likely ?? []).slice(0, PREFETCH_MEMORIES).map(seqOf));
      return { strategy, terms, source, matches, passing, context, rows, scorer };
    });
  }

  /**
   * The second half: by meaning, when there is a vector, and all that follows. What the first half has
   * read is as it was then, so whoever shows what was found loads it anew.
   */
  finish(
    request: MemorySearchRequest,
    lexical: LexicalPhase,
    vector: QueryVector | null,
  ): MemorySearchResult {
    return this.#inSnapshot(() => this.#finish(request, lexical, vector));
  }

  #inSnapshot<T>(work: () => T): T {
    this.#connection.exec("begin");
    try {
      return work();
    } finally {
      this.#connection.exec("commit");
    }
  }

  #finish(
    request: MemorySearchRequest,
    lexical: LexicalPhase,
    vector: QueryVector | null,
  ): MemorySearchResult {
    const { strategy, terms, matches, source, context, rows, scorer } = lexical;
    const { candidates: width, scored, floor } = STRATEGIES[strategy];
    const comparison = vector === null
      ? null
      : new VectorScorer(this.#connection, this.#vectorCache, source, vector);
    const keep = this.#visibilityFilter(request, source, rows);
    const near = comparison?.nearest({ keep, limit: width }) ?? [];
    const missed = comparison === null || near.length === width ? [] : this.#findUnreached(lexical);
    const others = new Set([...near.map(seqOf), ...lexical.passing, ...missed]);
    for (const seq of matches) others.delete(seq);
    const known = new Set(context.candidates.map(seqOf));
    const beside = this.#scoreInContext(source, terms, [...others], known);
    const evidence = [...evidenceOf(context, comparison), ...evidenceOf(beside, comparison)];
    const relevant = relevantCandidates(
      request,
      strategy,
      evidence,
      similarityScale(vector, "memories"),
    );
    const ranked = promoteSuccessors(this.#connection, scorer.score(relevant, scored), {
      project: request.project,
      now: request.now,
      visibleRows: (seqs) => rows.visibleRows(seqs, seqs.length),
    });
    const best = ranked[0]?.score ?? 0;
    const eligible = ranked.filter((each) =>
      each.score >= best * floor && each.score >= request.minScore
    );
    const selected = sortResults(this.#connection, request, eligible).slice(0, request.topK);
    return {
      found: selected.map(({ id, score }) => ({ id, score })),
      trace: request.trace
        ? buildTrace(rows, { strategy, terms, lexical: matches, vector: near, ranked, selected })
        : null,
    };
  }

  /** What passes a filter, when looking at the nearest found too little of it. */
  #findUnreached({ source, rows }: LexicalPhase): readonly number[] {
    return rows.hasFilter && sizeOf(source) > VECTORS.maxCandidates
      ? rows.scanMatching(MAX_SELECTIVE_MEMORIES) ?? []
      : [];
  }

  /** Keeps those of the numbers that may be shown. */
  #visibilityFilter(
    { filters, tags }: MemorySearchRequest,
    source: VectorSource,
    rows: MemoryRows,
  ): NearestOptions["keep"] {
    const map = this.#threadIndexes.get(source.project, source.total);
    // All that a project or one scope holds may be shown, as long as it is there.
    const whole = tags.length === 0 ||
      tags.length === 1 && source.scope !== null && sizeOf(source) <= VECTORS.maxMaskedRecords;
    if (filters !== undefined || !whole || map === null) return (seqs) => rows.visibleSeqs(seqs);
    return (seqs) => seqs.filter((seq) => map.has(seq));
  }

  /**
   * Row numbers by words alone, and where to look for others. A filter thins matches out, so more of
   * them are looked at; what passes may be too rare for these to hold enough of it.
   */
  #findMatches(
    request: MemorySearchRequest,
    terms: readonly QueryTerm[],
    rows: MemoryRows,
    width: number,
  ): Pick<LexicalPhase, "source" | "matches" | "passing"> {
    const { project } = request;
    const demanded = requiredTagClauses(request);
    const { source, tagged } = this.#source(request);
    if (!rows.hasFilter) {
      return { source, matches: this.#findByTerms(project, terms, demanded, width), passing: [] };
    }
    const wide = this.#findByTerms(project, terms, demanded, MAX_FILTERED_MATCHES);
    const few =
      sizeOf(source) > MAX_SELECTIVE_MEMORIES && rows.isSelective(wide.slice(0, SAMPLE_MATCHES))
        ? rows.queryMatching(MAX_SELECTIVE_MEMORIES, tagged)
        : undefined;
    const known = few === undefined ? null : new Set(few);
    const shown = rows.visibleRows(
      known === null ? wide : wide.filter((seq) => known.has(seq)),
      width,
    );
    const matches = shown.map(({ seq }) => seq);
    const lacking = wide.length === MAX_FILTERED_MATCHES && matches.length < width;
    const passing = few ?? (lacking ? rows.scanMatching(MAX_SELECTIVE_MEMORIES) : undefined);
    if (passing === undefined) return { source, matches, passing: [] };
    return { source: restrictTo(source, passing), matches, passing: lacking ? passing : [] };
  }

  /** The memories found and those next to them, but for those that are known. */
  #scoreInContext(
    { project, total }: VectorSource,
    terms: readonly QueryTerm[],
    found: readonly number[],
    known: ReadonlySet<number>,
  ): ScoredWindow {
    const places =
      this.#threadIndexes.get(project, total)?.windowAround(terms, found, WINDOW_STEPS) ??
        readThreadWindow(this.#connection, project, terms, found, WINDOW_STEPS);
    return scoreInContext(places, terms, found, known);
  }

  #findByTerms(
    project: number,
    terms: readonly QueryTerm[],
    requiredTags: TagClauses,
    limit: number,
  ): number[] {
    const collection = this.#collection(project);
    return findByTerms(this.#connection, collection, terms, requiredTags, limit);
  }

  #collection(project: number): Collection {
    const row = this.#connection.first<{ total: number }>(sql`select total_memories as total
      from scope_totals where project = ${project} and type = 'project' and id = ''`);
    return { index: "memories", project, total: row?.total ?? 0 };
  }

  /** Where to look: what a filter's tags leave, when that is less than the scope. */
  #source(
    request: MemorySearchRequest,
  ): { source: VectorSource; tagged: readonly number[] | null } {
    const { project, filters, vectorExpected } = request;
    const demands = parseTags(request.tags);
    const source = memorySource(this.#connection, this.#scopeRows, project, demands);
    const size = sizeOf(source);
    if (tagClauses(filters).length > 0) {
      const collection = { index: "memories", project } as const;
      const most = Math.min(VECTORS.maxMaskedRecords, size);
      const seqs = findByTags(this.#connection, collection, requiredTagClauses(request), most);
      if (seqs !== undefined) return { source: restrictTo(source, seqs), tagged: seqs };
    }
    const lazy = !vectorExpected || source.scope === null || size > VECTORS.maxMaskedRecords;
    return { source: lazy ? source : restrictTo(source, source.scope.seqs()), tagged: null };
  }
}

/** A source of certain memories alone. */
function restrictTo(source: VectorSource, seqs: readonly number[]): VectorSource {
  return { ...source, scope: { size: seqs.length, seqs: () => seqs } };
}

/** What a memory must have by the index: scope, type, and what the filter demands in tags. */
function requiredTagClauses({ tags, filters }: MemorySearchRequest): TagClauses {
  return [...tags.map((tag) => [tag]), ...tagClauses(filters)];
}

/** A candidate, what is known of it, and whether it has a word of the query itself. */
type CandidateEvidence = Evidence & HasSeq & Pick<Candidate, "says">;

/** What words and meaning say of candidates. */
function evidenceOf(
  context: ScoredWindow,
  vectorScorer: VectorScorer | null,
): CandidateEvidence[] {
  const similarities = vectorScorer === null ? null : smoothSimilarities(vectorScorer, context);
  return context.candidates.map(({ seq, relevance, says }, at) => ({
    seq,
    says,
    words: relevance,
    similarity: similarities === null ? null : nanToNull(similarities.smoothed[at]!),
    own: similarities === null ? null : nanToNull(similarities.own[at]!),
  }));
}

/**
 * Both together, of those that are relevant at all. Where relevance doesn't decide the order, what
 * only stands beside a match could come first; there, as in `precision`, it isn't enough.
 */
function relevantCandidates(
  request: MemorySearchRequest,
  strategy: LexicalPhase["strategy"],
  evidence: readonly CandidateEvidence[],
  scale: SimilarityScale,
): ScoringCandidate[] {
  const precise = strategy === "precision";
  const direct = precise || effectiveSort(request) !== null;
  const relevance = fuse(evidence, scale);
  const relevant: ScoringCandidate[] = [];
  for (const [at, each] of evidence.entries()) {
    if (relevance[at]! <= 0 || direct && !matchesDirectly(each, scale)) continue;
    if (precise && !isPrecise(each, scale)) continue;
    const { seq, words, similarity } = each;
    relevant.push({ seq, words, similarity, relevance: relevance[at]! });
  }
  return relevant;
}
