/** Canonical rows as search reads them, and whether a request may be shown them. */

import sql from "sql-template-tag";
import type { Connection } from "../store/sqlite/connection.ts";
import { compileFilter, type Filterable } from "./filter.ts";
import type { MemorySearch } from "./request.ts";
import { demandsOf } from "./vector_source.ts";

/** Canonical rows read at a time while candidates are checked. */
const READ_AT_ONCE = 70;

/** A canonical row; `metadata` is JSON text. */
export interface Row extends Omit<Filterable, "metadata"> {
  readonly seq: number;
  readonly metadata: string | null;
}

/** The rows of one search. */
export class MemoryRows {
  readonly #connection: Connection;
  readonly #project: number;
  readonly #passes: (row: Row) => boolean;

  constructor(connection: Connection, request: MemorySearch) {
    this.#connection = connection;
    this.#project = request.project;
    this.#passes = predicateOf(request);
  }

  /** Rows by their numbers, whether or not they may be shown. */
  read(seqs: readonly number[]): Map<number, Row> {
    // The cross join keeps the rows wanted on the outside: left to choose, SQLite reads the project.
    const rows = this.#connection.all<Row>(sql`select seq, memories.id, memory, memory_type,
        importance, user_id, agent_id, run_id, created_at, updated_at, event_date, valid_from,
        valid_to, metadata
      from json_each(${JSON.stringify(seqs)}) as wanted
      cross join memories on seq = wanted.value and project = ${this.#project}`);
    return new Map(rows.map((row) => [row.seq, row]));
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
