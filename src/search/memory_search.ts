/** One memory search from the query to the ranked ids: the walk through the rooms of this folder. */

import sql from "sql-template-tag";
import type { Connection } from "../store/sqlite/connection.ts";
import { type Candidate, scoreInContext } from "./context.ts";
import { compileFilter, type Filterable } from "./filter.ts";
import {
  type Collection,
  findByTerms,
  Frequencies,
  type QueryTerm,
  weighTerms,
} from "./lexical.ts";
import type { MemorySearch, ScoredParts, SearchOutcome, Trace } from "./request.ts";
import { readQuery, signalsOf } from "./signals.ts";
import { chooseStrategy } from "./strategy.ts";
import { MEMORY_COLUMNS, POSTINGS, RELEVANT, STRATEGIES } from "./weights.ts";

/** Canonical rows read at a time while candidates are checked. */
const CHECKED_AT_ONCE = 70;

/** With a filter, how many matches are looked through for enough that pass it. */
const MATCHES_FILTERED = 20_000;

/** Memories that get their full score; the rest of the candidates is too far down to matter. */
const SCORED = 70;

/** A canonical row as search needs it. */
interface Row extends Omit<Filterable, "metadata"> {
  readonly seq: number;
  readonly metadata: string | null;
}

interface Scored extends ScoredParts {
  readonly row: Row;
}

/** Searches on one connection; keeps what is worth keeping between searches. */
export class MemorySearcher {
  readonly #connection: Connection;
  readonly #frequencies = new Frequencies();

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** Everything is read from one snapshot. */
  search(request: MemorySearch): SearchOutcome {
    this.#connection.exec("begin");
    try {
      return this.#search(request);
    } finally {
      this.#connection.exec("commit");
    }
  }

  #search(request: MemorySearch): SearchOutcome {
    const strategy = chooseStrategy(request.strategy, request.query);
    const { candidates: width, floor } = STRATEGIES[strategy];
    const { project } = request;
    const terms = weighTerms(
      this.#connection,
      this.#frequencies,
      this.#collection(project),
      POSTINGS,
      request.query,
    );
    const passes = this.#predicate(request);
    const matches = this.#matches(request, terms, width);
    const candidates = scoreInContext(this.#connection, project, terms, matches);
    const ranked = this.#score(request, terms, this.#checked(project, candidates, passes));
    const best = ranked[0]?.score ?? 0;
    const eligible = ranked.filter((each) =>
      each.score >= best * floor && each.score >= request.minScore
    );
    const selected = this.#arrange(request, eligible, best).slice(0, request.topK);
    return {
      found: selected.map(({ id, score }) => ({ id, score })),
      trace: request.trace
        ? this.#trace(request, strategy, terms, matches, ranked, selected)
        : null,
    };
  }

  /** Row numbers by words alone. A filter thins matches out, so more of them are looked at. */
  #matches(request: MemorySearch, terms: readonly QueryTerm[], width: number): number[] {
    const { project, tags } = request;
    if (request.filters === undefined) {
      return this.#find(project, terms, tags, width);
    }
    const passes = this.#predicate(request);
    const wide = this.#find(project, terms, tags, MATCHES_FILTERED);
    const kept: number[] = [];
    for (let start = 0; start < wide.length && kept.length < width; start += CHECKED_AT_ONCE) {
      const chunk = wide.slice(start, start + CHECKED_AT_ONCE);
      const rows = this.#rows(project, chunk);
      kept.push(...chunk.filter((seq) => {
        const row = rows.get(seq);
        return row !== undefined && passes(row);
      }));
    }
    return kept.slice(0, width);
  }

  #find(
    project: number,
    terms: readonly QueryTerm[],
    tags: readonly string[],
    limit: number,
  ): number[] {
    const collection = this.#collection(project);
    return findByTerms(this.#connection, collection, MEMORY_COLUMNS, terms, tags, limit);
  }

  #collection(project: number): Collection {
    const row = this.#connection.first<{ total: number }>(sql`select total_memories as total
      from scope_totals where project = ${project} and type = 'project' and id = ''`);
    return { index: "memories", project, total: row?.total ?? 0 };
  }

  /** Whether a row may be shown at all: its scope, its type, the filter. */
  #predicate({ tags, filters }: MemorySearch): (row: Row) => boolean {
    const conditions = tags.map((tag) => {
      const [field, ...value] = tag.split("=");
      return [field as keyof Row, value.join("=")] as const;
    });
    const inScope = (row: Row) => conditions.every(([field, value]) => row[field] === value);
    if (filters === undefined) return inScope;
    const filter = compileFilter(filters);
    return (row) =>
      inScope(row) &&
      filter({ ...row, metadata: row.metadata === null ? null : JSON.parse(row.metadata) });
  }

  /** The best candidates that may be shown, with their rows. */
  #checked(
    project: number,
    candidates: readonly Candidate[],
    passes: (row: Row) => boolean,
  ): [Candidate, Row][] {
    const checked: [Candidate, Row][] = [];
    for (let start = 0; start < candidates.length; start += CHECKED_AT_ONCE) {
      const chunk = candidates.slice(start, start + CHECKED_AT_ONCE);
      const rows = this.#rows(project, chunk.map((candidate) => candidate.seq));
      for (const candidate of chunk) {
        const row = rows.get(candidate.seq);
        if (row !== undefined && candidate.relevance > 0 && passes(row)) {
          checked.push([candidate, row]);
        }
      }
      if (checked.length >= SCORED) break;
    }
    return checked.slice(0, SCORED);
  }

  #rows(project: number, seqs: readonly number[]): Map<number, Row> {
    const rows = this.#connection.all<Row>(sql`select seq, memories.id, memory, memory_type,
        importance, user_id, agent_id, run_id, created_at, updated_at, event_date, valid_from,
        valid_to, metadata
      from json_each(${JSON.stringify(seqs)}) as wanted
      cross join memories on seq = wanted.value and project = ${project}`);
    return new Map(rows.map((row) => [row.seq, row]));
  }

  /** Relevance times signals, brought into [0, 1]; best first. */
  #score(
    request: MemorySearch,
    terms: readonly QueryTerm[],
    checked: readonly [Candidate, Row][],
  ): Scored[] {
    const query = readQuery(request.query, terms);
    const options = { typed: request.mode === "typed", now: request.now };
    return checked.map(([candidate, row]): Scored => {
      const parts: Record<string, number> = {
        relevance: candidate.relevance,
        ...signalsOf(query, row, options),
      };
      const product = Object.values(parts).reduce((all, part) => all * part, 1);
      // tanh keeps the order, maps a full match to .76, and never leaves [0, 1].
      return { id: row.id, score: Math.tanh(product), parts, row };
    }).sort((a, b) => b.score - a.score || b.row.seq - a.row.seq);
  }

  /** Modes and `sort_by` other than relevance put what is relevant into another order. */
  #arrange(request: MemorySearch, ranked: readonly Scored[], best: number): readonly Scored[] {
    const sort = request.sortBy ??
      (request.mode === "recent" ? "recent" : request.mode === "important" ? "importance" : null);
    if (sort === null) return ranked;
    const relevant = ranked.filter((each) => each.score >= best * RELEVANT);
    if (sort === "recent") return relevant.sort((a, b) => b.row.seq - a.row.seq);
    if (sort === "importance") return relevant.sort((a, b) => b.row.importance - a.row.importance);
    const reads = this.#reads(request.project, relevant);
    const of = (each: Scored) => reads.get(each.id);
    return sort === "most_accessed"
      ? relevant.sort((a, b) => (of(b)?.count ?? 0) - (of(a)?.count ?? 0))
      : relevant.sort((a, b) => (of(b)?.last_at ?? "").localeCompare(of(a)?.last_at ?? ""));
  }

  #reads(project: number, scored: readonly Scored[]) {
    const ids = JSON.stringify(scored.map((each) => each.id));
    const rows = this.#connection.all<{ memory_id: string; count: number; last_at: string }>(sql`
      select memory_id, count, last_at from memory_access
      where project = ${project} and memory_id in (select value from json_each(${ids}))`);
    return new Map(rows.map((row) => [row.memory_id, row]));
  }

  #trace(
    request: MemorySearch,
    strategy: string,
    terms: readonly QueryTerm[],
    matches: readonly number[],
    ranked: readonly Scored[],
    selected: readonly Scored[],
  ): Trace {
    const rows = this.#rows(request.project, matches);
    const show = ({ id, score, parts }: Scored): ScoredParts => ({ id, score, parts });
    return {
      strategy,
      terms: terms.map(({ term, frequency, weight, asked }) => ({
        term,
        frequency,
        weight,
        asked,
      })),
      lists: {
        lexical: matches.flatMap((seq, index) => {
          const row = rows.get(seq);
          const score = ranked.find((each) => each.row.seq === seq)?.parts["relevance"] ?? 0;
          return row === undefined ? [] : [{ id: row.id, rank: index + 1, score }];
        }),
      },
      fused: ranked.map(show),
      selected: selected.map((each) => each.id),
      selected_items: selected.map((each) => ({ ...show(each), rank: ranked.indexOf(each) + 1 })),
    };
  }
}
