/** Canonical rows as search reads them, and whether a request may be shown them. */

import sql, { empty, join, raw, type Sql } from "sql-template-tag";
import type { Connection } from "../store/sqlite/connection.ts";
import { compileFilter, type Filterable } from "./filter.ts";
import type { MemorySearch } from "./request.ts";
import { demandsOf } from "./vector_source.ts";

/** Canonical rows read at a time while candidates are checked. */
const READ_AT_ONCE = 70;

/** The same while a whole scope is read. */
const SCANNED_AT_ONCE = 2_000;

const COLUMNS = raw(`seq, memories.id, memory, memory_type, importance, user_id, agent_id, run_id,
  created_at, updated_at, event_date, valid_from, valid_to, metadata`);

/** A canonical row; `metadata` is JSON text. */
export interface Row extends Omit<Filterable, "metadata"> {
  readonly seq: number;
  readonly metadata: string | null;
}

/** The rows of one search. */
export class MemoryRows {
  readonly #connection: Connection;
  readonly #project: number;
  /** What the scope and the type demand of a row. */
  readonly #demanded: Sql;
  readonly #filtered: boolean;
  readonly #passes: (row: Row) => boolean;

  constructor(connection: Connection, request: MemorySearch) {
    this.#connection = connection;
    this.#project = request.project;
    const demands = demandsOf(request.tags)
      .map(({ column, value }) => sql`and ${raw(column)} = ${value}`);
    this.#demanded = demands.length === 0 ? empty : join(demands, " ");
    this.#filtered = request.filters !== undefined;
    this.#passes = predicateOf(request);
  }

  /** Rows by their numbers, whether or not they may be shown. */
  read(seqs: readonly number[]): Map<number, Row> {
    // The cross join keeps the rows wanted on the outside: left to choose, SQLite reads the project.
    const rows = this.#connection.all<Row>(sql`select ${COLUMNS}
      from json_each(${JSON.stringify(seqs)}) as wanted
      cross join memories on seq = wanted.value and project = ${this.#project}`);
    return new Map(rows.map((row) => [row.seq, row]));
  }

  /** Of these numbers, in their order, those of rows that may be shown. */
  numbersShown(seqs: readonly number[]): readonly number[] {
    if (this.#filtered) return this.shown(seqs, seqs.length).map(({ seq }) => seq);
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
      const rows = this.#connection.all<Row>(sql`select ${COLUMNS} from memories
        where project = ${this.#project} and seq > ${after} ${this.#demanded}
        order by seq limit ${SCANNED_AT_ONCE}`);
      for (const row of rows) if (this.#passes(row)) found.push(row.seq);
      if (found.length > most) return undefined;
      if (rows.length < SCANNED_AT_ONCE) return found;
      after = rows.at(-1)!.seq;
    }
  }

  /** The first `limit` rows, in the order given, that may be shown. */
  shown(seqs: readonly number[], limit: number): Row[] {
    const shown: Row[] = [];
    for (let start = 0; start < seqs.length && shown.length < limit; start += READ_AT_ONCE) {
      const chunk = seqs.slice(start, start + READ_AT_ONCE);
      const rows = this.read(chunk);
      for (const seq of chunk) {
        const row = rows.get(seq);
        if (row !== undefined && this.#passes(row)) shown.push(row);
      }
    }
    return shown.slice(0, limit);
  }
}

/** Whether a row may be shown at all: its scope, its type, the filter. */
function predicateOf({ tags, filters }: MemorySearch): (row: Row) => boolean {
  const demands = demandsOf(tags);
  const inScope = (row: Row) =>
    demands.every(({ column, value }) => row[column as keyof Row] === value);
  if (filters === undefined) return inScope;
  const filter = compileFilter(filters);
  return (row) =>
    inScope(row) &&
    filter({ ...row, metadata: row.metadata === null ? null : JSON.parse(row.metadata) });
}
