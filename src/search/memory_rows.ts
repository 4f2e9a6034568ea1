/** Canonical rows as search reads them, and whether a request may be shown them. */

import sql, { empty, join, raw, type Sql } from "sql-template-tag";
import type { Connection } from "../store/sqlite/connection.ts";
import { compileFilter, type Filterable } from "./filter.ts";
import type { MemorySearch } from "./request.ts";
import type { Signalled } from "./signals.ts";
import { demandsOf } from "./vector_source.ts";

/** Canonical rows read at a time while candidates are checked. */
const READ_AT_ONCE = 70;

/** The same while a whole scope is read. */
const SCANNED_AT_ONCE = 2_000;

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

/** The rows of one search; each is read once. */
export class MemoryRows {
  readonly #connection: Connection;
  readonly #project: number;
  /** What the scope and the type demand of a row. */
  readonly #demanded: Sql;
  readonly #columns: Sql;
  /** The filter; null without one. */
  readonly #passes: ((row: FilteredRow) => boolean) | null;
  /** By number, the rows that were looked for; null for those that may not be shown. */
  readonly #known = new Map<number, Row | null>();

  constructor(connection: Connection, request: MemorySearch) {
    this.#connection = connection;
    this.#project = request.project;
    const demands = demandsOf(request.tags)
      .map(({ column, value }) => sql`and ${raw(column)} = ${value}`);
    this.#demanded = demands.length === 0 ? empty : join(demands, " ");
    this.#passes = request.filters === undefined ? null : passing(request.filters);
    this.#columns = this.#passes === null ? COLUMNS : sql`${COLUMNS}, ${FILTERED_COLUMNS}`;
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

  /**
   * The numbers of all rows that may be shown; undefined when there are more than `most`. Reads the
   * whole scope, row by row (3 to 5 µs each): for filters of which looking at the best finds too few.
   */
  rare(most: number): number[] | undefined {
    const found: number[] = [];
    for (let after = 0;;) {
      const rows = this.#connection.all<FilteredRow>(sql`select ${this.#columns} from memories
        where project = ${this.#project} and seq > ${after} ${this.#demanded}
        order by seq limit ${SCANNED_AT_ONCE}`);
      for (const row of rows) if (this.#passes?.(row) ?? true) found.push(row.seq);
      if (found.length > most) return undefined;
      if (rows.length < SCANNED_AT_ONCE) return found;
      after = rows.at(-1)!.seq;
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

/** Whether a filter lets a row pass. */
function passing(filters: unknown): (row: FilteredRow) => boolean {
  const filter = compileFilter(filters);
  return (row) =>
    filter({ ...row, metadata: row.metadata === null ? null : JSON.parse(row.metadata) });
}
