/** Canonical rows as search reads them, and whether a request may be shown them. */

import sql, { empty, join, raw, type Sql } from "sql-template-tag";
import type { Connection } from "../../store/sqlite/connection.ts";
import { compileFilter, type Filterable } from "../query/filter.ts";
import { sqlPrefilter } from "../lexical/filter_sql.ts";
import { parseFilterTree, referencedColumns } from "../query/filter_tree.ts";
import type { MemorySearchRequest } from "../query/memory_request.ts";
import type { FeatureInput } from "../ranking/features.ts";
import { parseTags } from "../vectors/vector_source.ts";

/** Canonical rows read at a time while candidates are checked. */
const READ_BATCH_ROWS = 70;

/** The same while a whole scope is read. */
const SCAN_BATCH_ROWS = 2_000;

/** The share of a sample below which the rows that pass are looked for. */
const MAX_SELECTIVE_SHARE = 0.04;

/** A smaller sample says nothing. */
const MIN_SAMPLE_ROWS = 100;

/** What scoring reads, and what only filters do. */
const SCORING_COLUMNS = raw(
  `seq, memories.id, memory, memory_type, importance, created_at, event_date, valid_to`,
);
const FILTER_COLUMNS = raw(`user_id, agent_id, run_id, updated_at, valid_from, metadata`);

/** What of a canonical row scoring reads. */
export interface ScoringRow extends FeatureInput {
  readonly seq: number;
  readonly id: string;
}

/** With what filters read; `metadata` is JSON text. */
type FilteredRow = ScoringRow & Omit<Filterable, "metadata"> & { readonly metadata: string | null };

/** What a scan reads: beside the keys, only what the filter looks at. */
type ScannedRow = Pick<FilteredRow, "seq" | "id"> & Partial<FilteredRow>;

/** The rows of one search; each is read once. */
export class MemoryRows {
  readonly #connection: Connection;
  readonly #project: number;
  /** What the scope and the type demand of a row. */
  readonly #scopeCondition: Sql;
  readonly #columns: Sql;
  /** Whether the scope demands a user, an agent or a run. */
  readonly #scoped: boolean;
  /** The filter; null without one. */
  readonly #predicate: ((row: ScannedRow) => boolean) | null;
  /** The columns that it looks at. */
  readonly #scanColumns: Sql;
  /** What SQLite can tell of the filter; null for nothing. */
  readonly #filterCondition: Sql | null;
  /** By number, the rows that were looked for; null for those that may not be shown. */
  readonly #rows = new Map<number, ScoringRow | null>();
  /** What `rare` found, once it has looked; null for too many. */
  #scanned: readonly number[] | null | undefined;

  constructor(connection: Connection, request: MemorySearchRequest) {
    this.#connection = connection;
    this.#project = request.project;
    const demands = parseTags(request.tags);
    this.#scoped = demands.some(({ column }) => column !== "memory_type");
    this.#scopeCondition = andConditions(
      demands.map(({ column, value }) => sql`${raw(column)} = ${value}`),
    );
    this.#predicate = request.filters === undefined ? null : rowPredicate(request.filters);
    const columns = new Set(["seq", "id", ...referencedColumns(parseFilterTree(request.filters))]);
    this.#scanColumns = raw([...columns].join(", "));
    this.#filterCondition = sqlPrefilter(request.filters);
    this.#columns = this.#predicate === null
      ? SCORING_COLUMNS
      : sql`${SCORING_COLUMNS}, ${FILTER_COLUMNS}`;
  }

  /** Whether there is a filter. */
  get hasFilter(): boolean {
    return this.#predicate !== null;
  }

  /** Of these numbers, in their order, those of rows that may be shown. */
  visibleSeqs(seqs: readonly number[]): readonly number[] {
    if (this.#predicate !== null) return this.visibleRows(seqs, seqs.length).map(({ seq }) => seq);
    const read = this.#connection.first<{ seqs: string }>(sql`
      select json_group_array(seq) as seqs from json_each(${JSON.stringify(seqs)}) as wanted
      cross join memories on seq = wanted.value and project = ${this.#project} ${this.#scopeCondition}`);
    const shown = new Set<number>(JSON.parse(read!.seqs));
    return seqs.filter((seq) => shown.has(seq));
  }

  /** Whether, of a sample, so few rows pass the filter as far as SQLite can tell that all may be few. */
  isSelective(sample: readonly number[]): boolean {
    if (this.#filterCondition === null) return false;
    const { passing } = this.#connection.first<{ passing: number }>(sql`
      select count(*) as passing from json_each(${JSON.stringify(sample)}) as wanted
      cross join memories on seq = wanted.value and project = ${this.#project}
        and ${this.#filterCondition}`)!;
    return passing < MAX_SELECTIVE_SHARE * sample.length || sample.length < MIN_SAMPLE_ROWS;
  }

  /**
   * The numbers of all rows that may be shown, where SQLite can tell that these are at most `most`;
   * undefined where it can't. Looks at the whole scope, .25 µs a row, or at some of it, 1 µs each.
   *
   * @param candidates the numbers that the filter's tags leave; null where these leave too many
   */
  queryMatching(
    maxRows: number,
    candidates: readonly number[] | null,
  ): readonly number[] | undefined {
    if (this.#filterCondition === null) return undefined;
    const owned = candidates === null
      ? sql`project = ${this.#project}`
      // The plus: SQLite takes the numbers then, and not the whole project, which an index has too.
      : sql`+project = ${this.#project}
        and seq in (select value from json_each(${JSON.stringify(candidates)}))`;
    const rows = this.#connection.all<{ seq: number }>(sql`select seq from memories
      where ${owned} ${this.#scopeCondition} and ${this.#filterCondition} limit ${maxRows + 1}`);
    return rows.length > maxRows ? undefined : this.visibleSeqs(rows.map(({ seq }) => seq));
  }

  /**
   * The numbers of all rows that may be shown; undefined when there are more than `most`. Reads what
   * SQLite leaves of the whole scope, 2 µs a row: for filters of which looking at the best finds too
   * few.
   */
  scanMatching(maxRows: number): readonly number[] | undefined {
    if (this.#scanned === undefined) this.#scanned = this.#scan(maxRows) ?? null;
    return this.#scanned ?? undefined;
  }

  #scan(maxRows: number): readonly number[] | undefined {
    // In the order of an index: that of the scope has the numbers in it, that of the project the ids.
    const key = this.#scoped ? "seq" : "id";
    const condition = this.#filterCondition === null ? empty : sql`and ${this.#filterCondition}`;
    const found: number[] = [];
    for (let after: string | number = this.#scoped ? 0 : "";;) {
      const rows: ScannedRow[] = this.#connection.all<ScannedRow>(
        sql`select ${this.#scanColumns} from memories
          where project = ${this.#project} and ${
          raw(key)
        } > ${after} ${this.#scopeCondition} ${condition}
          order by ${raw(key)} limit ${SCAN_BATCH_ROWS}`,
      );
      for (const row of rows) if (this.#predicate?.(row) ?? true) found.push(row.seq);
      if (found.length > maxRows) return undefined;
      if (rows.length < SCAN_BATCH_ROWS) return found;
      after = rows.at(-1)![key];
    }
  }

  /** The first `limit` rows, in the order given, that may be shown. */
  visibleRows(seqs: readonly number[], limit: number): ScoringRow[] {
    const shown: ScoringRow[] = [];
    for (let start = 0; start < seqs.length && shown.length < limit; start += READ_BATCH_ROWS) {
      const some = seqs.slice(start, start + READ_BATCH_ROWS);
      this.#read(some.filter((seq) => !this.#rows.has(seq)));
      for (const seq of some) {
        const row = this.#rows.get(seq)!;
        if (row !== null) shown.push(row);
      }
    }
    return shown.slice(0, limit);
  }

  #read(seqs: readonly number[]): void {
    if (seqs.length === 0) return;
    // The cross join keeps the rows wanted on the outside: left to choose, SQLite reads the project.
    const rows = this.#connection.all<FilteredRow>(sql`select ${this.#columns}
      from json_each(${JSON.stringify(seqs)}) as wanted
      cross join memories on seq = wanted.value and project = ${this.#project} ${this.#scopeCondition}`);
    for (const seq of seqs) this.#rows.set(seq, null);
    for (const row of rows) if (this.#predicate?.(row) ?? true) this.#rows.set(row.seq, row);
  }
}

function andConditions(parts: readonly Sql[]): Sql {
  return parts.length === 0 ? empty : sql`and ${join(parts, " and ")}`;
}

/** Whether a filter lets a row pass. */
function rowPredicate(filters: unknown): (row: ScannedRow) => boolean {
  const predicate = compileFilter(filters);
  return (row) => {
    const { metadata } = row;
    const read = typeof metadata === "string" ? { ...row, metadata: JSON.parse(metadata) } : row;
    // The filter doesn't look at what was not read.
    return predicate(read as Filterable);
  };
}
