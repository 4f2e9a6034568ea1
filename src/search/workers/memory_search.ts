/**
 * Memory search, from the query to the ranked ids. Ties together the modules in the search folder.
 */

import sql from "sql-template-tag";
import type { Connection } from "../../store/sqlite/connection.ts";
import { sortResults } from "../ranking/sort.ts";
import { partialSort, seqOf } from "../ranking/partial_sort.ts";
import { type ScoredWindow, scoreInContext, WINDOW_STEPS } from "../threads/context.ts";
import { tagClauses } from "../query/filter_tags.ts";
import { evidenceOf, relevantCandidates } from "../ranking/evidence.ts";
import { similarityScale } from "../ranking/fusion.ts";
import {
  type Collection,
  DocumentFrequencies,
  findByTags,
  findByTerms,
  type QueryTerm,
  type RequiredTags,
  weightTerms,
} from "../lexical/term_search.ts";
import { VectorCache } from "../vectors/vector_cache.ts";
import { MemoryRows } from "./memory_rows.ts";
import type { ThreadIndex } from "../threads/thread_index.ts";
import type { ThreadIndexCache } from "../threads/thread_index_cache.ts";
import { readThreadWindow } from "../threads/thread_window_sql.ts";
import type {
  MemorySearchRequest,
  MemorySearchResult,
  QueryVector,
} from "../query/memory_request.ts";
import { ScopeRowsCache } from "../vectors/scope_rows_cache.ts";
import { memorySource, parseTags } from "../vectors/vector_source.ts";
import { Scorer } from "../ranking/scorer.ts";
import { chooseStrategy } from "../query/strategy.ts";
import { promoteSuccessors } from "../ranking/superseding.ts";
import { buildTrace } from "../ranking/trace.ts";
import {
  type NearestOptions,
  sizeOf,
  VectorScorer,
  type VectorSource,
} from "../vectors/vector_search.ts";
import { MEMORY_POSTINGS, STRATEGIES, VECTORS } from "../ranking/weights.ts";

/** Maximum number of matches to check when looking for enough that pass a filter. */
const MAX_FILTERED_MATCHES = 20_000;

/** If at most this many memories pass a filter, all of them become candidates. */
const MAX_SELECTIVE_MEMORIES = 2_000;

/** Number of matches sampled to see whether a filter is selective. */
const SAMPLE_MATCHES = 500;

/** Number of memories to load before we know whether they'll be scored. */
const PREFETCH_MEMORIES = 40;

const NO_SEQS: ReadonlySet<number> = new Set();

/**
 * Result of the first phase, which doesn't need a vector and runs while the query is being
 * embedded.
 */
export interface LexicalPhase {
  readonly strategy: keyof typeof STRATEGIES;
  readonly terms: readonly QueryTerm[];
  readonly matches: readonly number[];
  /** All memories passing the filter, if the matches alone weren't enough. */
  readonly passing: readonly number[];
  readonly source: VectorSource;
  /** The matches and their neighbours. */
  readonly context: ScoredWindow;
  readonly rows: MemoryRows;
  readonly scorer: Scorer;
}

/** A project as of the connection's snapshot. */
interface ProjectView extends Collection {
  /** Null while it's incomplete. */
  readonly threads: ThreadIndex | null;
}

/** Searches memories on a single connection, with caches that carry over between searches. */
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

  /** Runs the first phase of a search. */
  begin(request: MemorySearchRequest): LexicalPhase {
    return this.#inSnapshot(() => {
      const strategy = chooseStrategy(request.strategy, request.query);
      const view = this.#view(request.project);
      const terms = weightTerms(
        this.#connection,
        this.#documentFrequencies,
        view,
        MEMORY_POSTINGS,
        request.query,
      );
      const width = STRATEGIES[strategy].candidates;
      const rows = new MemoryRows(this.#connection, request);
      const { source, matches, passing } = this.#findMatches(request, view, terms, rows, width);
      const context = this.#scoreInContext(view, terms, matches, NO_SEQS);
      const scorer = new Scorer(request, terms, rows);
      // These are the most likely results, and there's time to load them while the query is being
      // embedded.
      const [firstBatch] = partialSort(
        context.candidates,
        PREFETCH_MEMORIES,
        ({ relevance }) => relevance,
      );
      scorer.load((firstBatch ?? []).slice(0, PREFETCH_MEMORIES).map(seqOf));
      return { strategy, terms, source, matches, passing, context, rows, scorer };
    });
  }

  /**
   * Runs the second phase: vector search if there is a vector, then scoring and sorting. The rows
   * from the first phase may be outdated by now, so callers must reload the memories they return.
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
    const vectorScorer = vector === null
      ? null
      : new VectorScorer(this.#connection, this.#vectorCache, source, vector);
    const view = this.#view(request.project);
    const keep = this.#visibilityFilter(request, source, view, rows);
    const nearest = vectorScorer?.nearest({ keep, limit: width }) ?? [];
    const unreached = vectorScorer === null || nearest.length === width
      ? []
      : this.#findUnreached(lexical);
    const otherSeqs = new Set([...nearest.map(seqOf), ...lexical.passing, ...unreached]);
    for (const seq of matches) otherSeqs.delete(seq);
    const alreadyScored = new Set(context.candidates.map(seqOf));
    const otherContext = this.#scoreInContext(view, terms, [...otherSeqs], alreadyScored);
    const evidence = [
      ...evidenceOf(context, vectorScorer),
      ...evidenceOf(otherContext, vectorScorer),
    ];
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
    const eligible = ranked.filter(({ score }) =>
      score >= best * floor && score >= request.minScore
    );
    const selected = sortResults(this.#connection, request, eligible).slice(0, request.topK);
    return {
      found: selected.map(({ id, score }) => ({ id, score })),
      trace: request.trace
        ? buildTrace(rows, { strategy, terms, lexical: matches, vector: nearest, ranked, selected })
        : null,
    };
  }

  /** Returns the memories passing a filter if vector search reached too few of them. */
  #findUnreached({ source, rows }: LexicalPhase): readonly number[] {
    return rows.hasFilter && sizeOf(source) > VECTORS.maxCandidates
      ? rows.scanMatching(MAX_SELECTIVE_MEMORIES) ?? []
      : [];
  }

  /** Returns a function that removes `seq`s not visible to the request. */
  #visibilityFilter(
    { filters, tags }: MemorySearchRequest,
    source: VectorSource,
    { threads }: ProjectView,
    rows: MemoryRows,
  ): NearestOptions["keep"] {
    // Every memory in a project, or in a single scope, is visible as long as it exists.
    const coversScope = tags.length === 0 ||
      tags.length === 1 && source.scope !== null && sizeOf(source) <= VECTORS.maxMaskedRecords;
    if (filters !== undefined || !coversScope || threads === null) {
      return (seqs) => rows.visibleSeqs(seqs);
    }
    return (seqs) => seqs.filter((seq) => threads.has(seq));
  }

  /**
   * Returns the lexical matches and the source for vector search. With a filter, more matches are
   * checked, since some of them won't pass. If the filter is selective, even those may not be
   * enough, so we look up all memories that pass.
   */
  #findMatches(
    request: MemorySearchRequest,
    view: ProjectView,
    terms: readonly QueryTerm[],
    rows: MemoryRows,
    width: number,
  ): Pick<LexicalPhase, "source" | "matches" | "passing"> {
    const { source, tags, tagged } = this.#source(request, view);
    const find = (limit: number) => findByTerms(this.#connection, view, terms, tags, limit);
    if (!rows.hasFilter) return { source, matches: find(width), passing: [] };
    const allMatches = find(MAX_FILTERED_MATCHES);
    const matching = sizeOf(source) > MAX_SELECTIVE_MEMORIES &&
        rows.isSelective(allMatches.slice(0, SAMPLE_MATCHES))
      ? rows.queryMatching(MAX_SELECTIVE_MEMORIES, tagged)
      : undefined;
    const matchingSet = matching === undefined ? null : new Set(matching);
    const visible = rows.visibleRows(
      matchingSet === null ? allMatches : allMatches.filter((seq) => matchingSet.has(seq)),
      width,
    );
    const matches = visible.map(({ seq }) => seq);
    const isIncomplete = allMatches.length === MAX_FILTERED_MATCHES && matches.length < width;
    const passing = matching ??
      (isIncomplete ? rows.scanMatching(MAX_SELECTIVE_MEMORIES) : undefined);
    if (passing === undefined) return { source, matches, passing: [] };
    return { source: restrictTo(source, passing), matches, passing: isIncomplete ? passing : [] };
  }

  /** Scores the matching memories and those next to them, except any in `alreadyScored`. */
  #scoreInContext(
    { project, threads }: ProjectView,
    terms: readonly QueryTerm[],
    found: readonly number[],
    alreadyScored: ReadonlySet<number>,
  ): ScoredWindow {
    const threadWindow = threads?.windowAround(terms, found, WINDOW_STEPS) ??
      readThreadWindow(this.#connection, project, terms, found, WINDOW_STEPS);
    return scoreInContext(threadWindow, terms, found, alreadyScored);
  }

  #view(project: number): ProjectView {
    const row = this.#connection.first<{ total: number }>(sql`select total_memories as total
      from scope_totals where project = ${project} and type = 'project' and id = ''`);
    const total = row?.total ?? 0;
    const threads = this.#threadIndexes.get(this.#connection, project, total);
    return { index: "memories", project, total, threads, postings: threads?.postings };
  }

  /**
   * Returns the source for vector search, and the tags that it requires. Narrows the source down to
   * the memories with the filter's tags (`tagged`) if those are fewer than the memories in the
   * scope.
   */
  #source(
    request: MemorySearchRequest,
    view: ProjectView,
  ): { source: VectorSource; tags: RequiredTags; tagged: readonly number[] | null } {
    const conditions = parseTags(request.tags);
    const clauses = [...request.tags.map((tag) => [tag]), ...tagClauses(request.filters)];
    const source = memorySource(this.#connection, this.#scopeRows, view, conditions);
    const size = sizeOf(source);
    if (clauses.length > conditions.length) {
      const maxRows = Math.min(VECTORS.maxMaskedRecords, size);
      const seqs = findByTags(this.#connection, view, clauses, maxRows);
      if (seqs !== undefined) {
        return { source: restrictTo(source, seqs), tags: { clauses, seqs }, tagged: seqs };
      }
    }
    const isLazy = !request.vectorExpected || size > VECTORS.maxMaskedRecords;
    if (source.scope === null || isLazy) {
      return { source, tags: { clauses, seqs: null }, tagged: null };
    }
    const seqs = source.scope.seqs();
    const tags = { clauses, seqs: clauses.length === 1 ? seqs : null };
    return { source: restrictTo(source, seqs), tags, tagged: null };
  }
}

/** Restricts a source to certain memories. */
function restrictTo(source: VectorSource, seqs: readonly number[]): VectorSource {
  return { ...source, scope: { size: seqs.length, seqs: () => seqs } };
}
