/** Canonical rows as search reads them, and whether a request may be shown them. */

import sql, { empty, join, raw, type Sql } from "sql-template-tag";
import type { Connection } from "../store/sqlite/connection.ts";
import { compileFilter, type Filterable } from "./filter.ts";
import { demandedBy } from "./filter_sql.ts";
import { columnsOf, treeOf } from "./filter_tree.ts";
import type { MemorySearch } from "./request.ts";
import type { Signalled } from "./signals.ts";
import { demandsOf } from "./vector_source.ts";

/** Canonical rows read at a time while candidates are checked. */
const READ_AT_ONCE = 70;

/** The same while a whole scope is read. */
const SCANNED_AT_ONCE = 2_000;

/** The share of a sample below which the rows that pass are looked for. */
const SELDOM = 0.04;

/** A smaller sample says nothing. */
const LEAST_SAMPLE = 100;

/** What scoring reads, and what only filters do. */
const COLUMNS = raw(
  `seq, memories.id, memory, memory_type, importance, created_at, event_date, valid_to`,
);
const FILTERED_COLUMNS = raw(`user_id, agent_id, run_id, updated_at, valid_from, metadata`);

/** What of a canonical row scoring reads. */
export interface Row extends Signalled {
  readonly seq: number;
  readonly id: string;
}

/** With what filters read; `metadata` is JSON text. */
type FilteredRow = Row & Omit<Filterable, "metadata"> & { readonly metadata: string | null };

/** What a scan reads: beside the keys, only what the filter looks at. */
type ScannedRow = Pick<FilteredRow, "seq" | "id"> & Partial<FilteredRow>;

/** The rows of one search; each is read once. */
export class MemoryRows {
  readonly #connection: Connection;
  readonly #project: number;
  /** What the scope and the type demand of a row. */
  readonly #demanded: Sql;
  readonly #columns: Sql;
  /** Whether the scope demands a user, an agent or a run. */
  readonly #scoped: boolean;
  /** The filter; null without one. */
  readonly #passes: ((row: ScannedRow) => boolean) | null;
  /** The columns that it looks at. */
  readonly #looksAt: Sql;
  /** What SQLite can tell of the filter; null for nothing. */
  readonly #condition: Sql | null;
  /** By number, the rows that were looked for; null for those that may not be shown. */
  readonly #known = new Map<number, Row | null>();
  /** What `rare` found, once it has looked; null for too many. */
  #rare: readonly number[] | null | undefined;

  constructor(connection: Connection, request: MemorySearch) {
    this.#connection = connection;
    this.#project = request.project;
    const demands = demandsOf(request.tags);
    this.#scoped = demands.some(({ column }) => column !== "memory_type");
    this.#demanded = conditions(
      demands.map(({ column, value }) => sql`${raw(column)} = ${value}`),
    );
    this.#passes = request.filters === undefined ? null : passing(request.filters);
    const columns = new Set(["seq", "id", ...columnsOf(treeOf(request.filters))]);
    this.#looksAt = raw([...columns].join(", "));
    this.#condition = demandedBy(request.filters);
    this.#columns = this.#passes === null ? COLUMNS : sql`${COLUMNS}, ${FILTERED_COLUMNS}`;
  }

  /** Whether there is a filter. */
  get filtered(): boolean {
    return this.#passes !== null;
  }

  /** Of these numbers, in their order, those of rows that may be shown. */
  numbersShown(seqs: readonly number[]): readonly number[] {
    if (this.#passes !== null) return this.shown(seqs, seqs.length).map(({ seq }) => seq);
    const read = this.#connection.first<{ seqs: string }>(sql`
      select json_group_array(seq) as seqs from json_each(${JSON.stringify(seqs)}) as wanted
      cross join memories on seq = wanted.value and project = ${this.#project} ${this.#demanded}`);
    const shown = new Set<number>(JSON.parse(read!.seqs));
    return seqs.filter((seq) => shown.has(seq));
  }

  /** Whether, of a sample, so few rows pass the filter as far as SQLite can tell that all may be few. */
  seldom(sample: readonly number[]): boolean {
    if (this.#condition === null) return false;
    const { passing } = this.#connection.first<{ passing: number }>(sql`
      select count(*) as passing from json_each(${JSON.stringify(sample)}) as wanted
      cross join memories on seq = wanted.value and project = ${this.#project}
        and ${this.#condition}`)!;
    return passing < SELDOM * sample.length || sample.length < LEAST_SAMPLE;
  }

  /**
   * The numbers of all rows that may be shown, where SQLite can tell that these are at most `most`;
   * undefined where it can't. Looks at the whole scope, .25 µs a row, or at some of it, 1 µs each.
   *
   * @param among the numbers that the filter's tags leave; null where these leave too many
   */
  few(most: number, among: readonly number[] | null): readonly number[] | undefined {
    if (this.#condition === null) return undefined;
    const owned = among === null
      ? sql`project = ${this.#project}`
      // The plus: SQLite takes the numbers then, and not the whole project, which an index has too.
      : sql`+project = ${this.#project}
        and seq in (select value from json_each(${JSON.stringify(among)}))`;
    const rows = this.#connection.all<{ seq: number }>(sql`select seq from memories
      where ${owned} ${this.#demanded} and ${this.#condition} limit ${most + 1}`);
    return rows.length > most ? undefined : this.numbersShown(rows.map(({ seq }) => seq));
  }

  /**
   * The numbers of all rows that may be shown; undefined when there are more than `most`. Reads what
   * SQLite leaves of the whole scope, 2 µs a row: for filters of which looking at the best finds too
   * few.
   */
  rare(most: number): readonly number[] | undefined {
    if (this.#rare === undefined) this.#rare = this.#scan(most) ?? null;
    return this.#rare ?? undefined;
  }

  #scan(most: number): readonly number[] | undefined {
    // In the order of an index: that of the scope has the numbers in it, that of the project the ids.
    const key = this.#scoped ? "seq" : "id";
    const condition = this.#condition === null ? empty : sql`and ${this.#condition}`;
    const found: number[] = [];
    for (let after: string | number = this.#scoped ? 0 : "";;) {
      const rows: ScannedRow[] = this.#connection.all<ScannedRow>(
        sql`select ${this.#looksAt} from memories
          where project = ${this.#project} and ${raw(key)} > ${after} ${this.#demanded} ${condition}
          order by ${raw(key)} limit ${SCANNED_AT_ONCE}`,
      );
      for (const row of rows) if (this.#passes?.(row) ?? true) found.push(row.seq);
      if (found.length > most) return undefined;
      if (rows.length < SCANNED_AT_ONCE) return found;
      after = rows.at(-1)![key];
    }
  }

  /** The first `limit` rows, in the order given, that may be shown. */
  shown(seqs: readonly number[], limit: number): Row[] {
    const shown: Row[] = [];
    for (let start = 0; start < seqs.length && shown.length < limit; start += READ_AT_ONCE) {
      const some = seqs.slice(start, start + READ_AT_ONCE);
      this.#read(some.filter((seq) => !this.#known.has(seq)));
      for (const seq of some) {
        const row = this.#known.get(seq)!;
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
      cross join memories on seq = wanted.value and project = ${this.#project} ${this.#demanded}`);
    for (const seq of seqs) this.#known.set(seq, null);
    for (const row of rows) if (this.#passes?.(row) ?? true) this.#known.set(row.seq, row);
  }
}

function conditions(all: readonly Sql[]): Sql {
  return all.length === 0 ? empty : sql`and ${join(all, " and ")}`;
}

/** Whether a filter lets a row pass. */
function passing(filters: unknown): (row: ScannedRow) => boolean {
  const filter = compileFilter(filters);
  return (row) => {
    const { metadata } = row;
    const read = typeof metadata === "string" ? { ...row, metadata: JSON.parse(metadata) } : row;
    // The filter doesn't look at what was not read.
    return filter(read as Filterable);
  };
}
