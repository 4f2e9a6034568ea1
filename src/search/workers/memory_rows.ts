/** Reads memory rows for a search and checks whether they're visible to the request. */

import sql, { empty, join, raw, type Sql } from "sql-template-tag";
import type { Connection } from "../../store/sqlite/connection.ts";
import { type Filterable, MEMORY_FIELDS } from "../query/filterable.ts";
import { sqlPrefilter } from "../lexical/filter_sql.ts";
import { parseFilterTree, referencedColumns } from "../query/filter_tree.ts";
import type { MemorySearchRequest } from "../query/memory_request.ts";
import type { FeatureInput } from "../ranking/features.ts";
import { type JsonColumns, parseRows, selectColumns } from "../threads/json_columns.ts";
import { memoryConditions, parseTags } from "../vectors/vector_source.ts";
import { rowPredicate } from "./record_query.ts";

/** Rows read per query while checking candidates. */
const READ_BATCH_ROWS = 70;

/** Rows read per query while scanning a whole scope. */
const SCAN_BATCH_ROWS = 2_000;

/** A filter counts as selective if less than this share of a sample matches. */
const MAX_SELECTIVE_SHARE = 0.04;

/** Minimum sample size. Anything smaller isn't representative. */
const MIN_SAMPLE_ROWS = 100;

/** Columns used for scoring, and columns that only filters need. */
const SCORING_COLUMNS: readonly (keyof ScoringRow)[] = [
  "seq",
  "id",
  "memory",
  "memory_type",
  "importance",
  "created_at",
  "event_date",
  "valid_to",
];
const FILTER_COLUMNS: readonly (keyof FilteredRow)[] = [
  "user_id",
  "agent_id",
  "run_id",
  "updated_at",
  "valid_from",
  "metadata",
];

/** Memory columns read for scoring. */
export interface ScoringRow extends FeatureInput {
  readonly seq: number;
  readonly id: string;
}

/** Memory columns read for scoring and filtering. `metadata` is JSON text. */
type FilteredRow = ScoringRow & Omit<Filterable, "metadata"> & { readonly metadata: string | null };

/** Columns read by a scan: the keys plus any the filter needs. */
type ScannedRow = Pick<FilteredRow, "seq"> & Partial<FilteredRow>;

/** The memories in a single search. Reads each row once. */
export class MemoryRows {
  readonly #connection: Connection;
  readonly #project: number;
  /** SQL condition for the scope and the memory type. */
  readonly #scopeCondition: Sql;
  readonly #columns: Sql;
  /** Columns that a scan is ordered by, as in the index: by time for a scope, by id for a project. */
  readonly #scanKeys: readonly ("created_at" | "id")[];
  /** The compiled filter; null if there is none. */
  readonly #predicate: ((row: ScannedRow) => boolean) | null;
  /** Columns read by a scan. */
  readonly #scanColumns: Sql;
  /** The part of the filter SQL can express; null if there is none. */
  readonly #filterCondition: Sql | null;
  /** Rows by `seq`; null for rows that aren't visible. */
  readonly #rows = new Map<number, ScoringRow | null>();
  /** Result of `scanMatching()` once it has run; null if there are too many rows. */
  #scanned: readonly number[] | null | undefined;

  constructor(connection: Connection, request: MemorySearchRequest) {
    this.#connection = connection;
    this.#project = request.project;
    const conditions = parseTags(request.tags);
    const isScoped = conditions.some(({ column }) => column !== "memory_type");
    this.#scanKeys = isScoped ? ["created_at", "id"] : ["id"];
    this.#scopeCondition = andConditions(
      memoryConditions(connection, request.project, conditions),
    );
    this.#predicate = request.filters === undefined
      ? null
      : rowPredicate(request.filters, MEMORY_FIELDS);
    const filterColumns = referencedColumns(parseFilterTree(request.filters));
    const columns = new Set(["seq", ...this.#scanKeys, ...filterColumns]);
    this.#scanColumns = raw([...columns].join(", "));
    this.#filterCondition = sqlPrefilter(request.filters);
    const filtered = this.#predicate === null ? [] : FILTER_COLUMNS;
    this.#columns = selectColumns("memories", [...SCORING_COLUMNS, ...filtered]);
  }

  /** Whether the request has a filter. */
  get hasFilter(): boolean {
    return this.#predicate !== null;
  }

  /** Returns the `seq`s of visible rows, in the order of `seqs`. */
  visibleSeqs(seqs: readonly number[]): readonly number[] {
    if (this.#predicate !== null) return this.visibleRows(seqs, seqs.length).map(({ seq }) => seq);
    const result = this.#connection.first<{ seqs: string }>(sql`
      select json_group_array(seq) as seqs from json_each(${JSON.stringify(seqs)}) as wanted
      cross join memories on seq = wanted.value and project = ${this.#project} ${this.#scopeCondition}`);
    const visible = new Set<number>(JSON.parse(result!.seqs));
    return seqs.filter((seq) => visible.has(seq));
  }

  /**
   * Checks whether a filter is selective, i.e. so few rows in a sample match its SQL condition that
   * few may match overall.
   */
  isSelective(sample: readonly number[]): boolean {
    if (this.#filterCondition === null) return false;
    const { passing } = this.#connection.first<{ passing: number }>(sql`
      select count(*) as passing from json_each(${JSON.stringify(sample)}) as wanted
      cross join memories on seq = wanted.value and project = ${this.#project}
        and ${this.#filterCondition}`)!;
    return passing < MAX_SELECTIVE_SHARE * sample.length || sample.length < MIN_SAMPLE_ROWS;
  }

  /**
   * Returns the `seq`s of all visible rows, or undefined if SQLite can't determine them or there
   * are more than `maxRows`. Checks either the whole scope, at .25 µs per row, or the candidates,
   * at 1 µs each.
   *
   * @param candidates `seq`s that have the filter's tags, or null if there are too many
   */
  queryMatching(
    maxRows: number,
    candidates: readonly number[] | null,
  ): readonly number[] | undefined {
    if (this.#filterCondition === null) return undefined;
    const projectCondition = candidates === null
      ? sql`project = ${this.#project}`
      // The plus sign makes SQLite look up the candidates. Otherwise it might use the project's
      // index and read the whole project.
      : sql`+project = ${this.#project}
        and seq in (select value from json_each(${JSON.stringify(candidates)}))`;
    const rows = this.#connection.all<{ seq: number }>(sql`select seq from memories
      where ${projectCondition} ${this.#scopeCondition} and ${this.#filterCondition}
      limit ${maxRows + 1}`);
    return rows.length > maxRows ? undefined : this.visibleSeqs(rows.map(({ seq }) => seq));
  }

  /**
   * Returns the `seq`s of all visible rows, or undefined if there are more than `maxRows`. Reads
   * every row in the scope that meets the SQL condition, at 2 µs per row. Meant for filters that
   * too few of the best candidates pass.
   */
  scanMatching(maxRows: number): readonly number[] | undefined {
    if (this.#scanned === undefined) this.#scanned = this.#scan(maxRows) ?? null;
    return this.#scanned ?? undefined;
  }

  #scan(maxRows: number): readonly number[] | undefined {
    const keys = raw(this.#scanKeys.join(", "));
    const condition = this.#filterCondition === null ? empty : sql`and ${this.#filterCondition}`;
    const found: number[] = [];
    for (let after = this.#scanKeys.map(() => "");;) {
      const rows: ScannedRow[] = this.#connection.all<ScannedRow>(
        sql`select ${this.#scanColumns} from memories
          where project = ${this.#project} and (${keys}) > (${join(after)})
            ${this.#scopeCondition} ${condition}
          order by ${keys} limit ${SCAN_BATCH_ROWS}`,
      );
      for (const row of rows) if (this.#predicate?.(row) ?? true) found.push(row.seq);
      if (found.length > maxRows) return undefined;
      if (rows.length < SCAN_BATCH_ROWS) return found;
      const last = rows.at(-1)!;
      after = this.#scanKeys.map((key) => last[key]!);
    }
  }

  /** Returns the first `limit` visible rows, in the order of `seqs`. */
  visibleRows(seqs: readonly number[], limit: number): ScoringRow[] {
    const visible: ScoringRow[] = [];
    for (let start = 0; start < seqs.length && visible.length < limit; start += READ_BATCH_ROWS) {
      const batch = seqs.slice(start, start + READ_BATCH_ROWS);
      this.#read(batch.filter((seq) => !this.#rows.has(seq)));
      for (const seq of batch) {
        const row = this.#rows.get(seq)!;
        if (row !== null) visible.push(row);
      }
    }
    return visible.slice(0, limit);
  }

  #read(seqs: readonly number[]): void {
    if (seqs.length === 0) return;
    // The cross join makes the requested rows the outer loop. Otherwise, SQLite may decide to read
    // the whole project.
    const columns = this.#connection.first<JsonColumns<FilteredRow>>(sql`select ${this.#columns}
      from json_each(${JSON.stringify(seqs)}) as wanted
      cross join memories on seq = wanted.value and project = ${this.#project} ${this.#scopeCondition}`)!;
    for (const seq of seqs) this.#rows.set(seq, null);
    for (const row of parseRows<FilteredRow>(columns)) {
      if (this.#predicate?.(row) ?? true) this.#rows.set(row.seq, row);
    }
  }
}

function andConditions(parts: readonly Sql[]): Sql {
  return parts.length === 0 ? empty : sql`and ${join(parts, " and ")}`;
}
