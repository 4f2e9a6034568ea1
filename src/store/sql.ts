/**
 * SQL for lists and records that are passed as a single parameter. Modules write their SQL in the
 * subset that SQLite and PostgreSQL share; docs/adr/0006-one-sql.md has the rules. Lists are the
 * one construct for which there's no common form. Here they get SQLite's, and an engine that needs
 * another one recognizes them by their parameter.
 */

import sql, { type Sql } from "sql-template-tag";

/** A list bound as one parameter. */
export class ListParameter {
  readonly type: "text" | "integer" | "record";
  readonly values: readonly unknown[];

  constructor(type: ListParameter["type"], values: readonly unknown[]) {
    this.type = type;
    this.values = values;
  }

  /** The list as a JSON array. */
  get json(): string {
    return JSON.stringify(this.values);
  }
}

/** Returns a list of texts for `in`, e.g. `` id in ${texts(ids)} ``. */
export function texts(values: Iterable<string>): Sql {
  return sql`(select value from ${textRows(values)})`;
}

/** Returns a list of integers for `in`, e.g. `` seq in ${integers(seqs)} ``. */
export function integers(values: Iterable<number>): Sql {
  return sql`(select value from ${integerRows(values)})`;
}

/** Returns texts as rows with the columns `value` and `key`, the index. Give it a name with `as`. */
export function textRows(values: Iterable<string>): Sql {
  return sql`json_each(${new ListParameter("text", [...values])})`;
}

/** Returns integers as rows with the columns `value` and `key`, the index. */
export function integerRows(values: Iterable<number>): Sql {
  return sql`json_each(${new ListParameter("integer", [...values])})`;
}

/**
 * Returns records as rows with the column `value`. Its fields are texts: `value ->> 'id'`. Cast
 * those that aren't: `cast(value ->> 'position' as bigint)`.
 */
export function recordRows(records: readonly unknown[]): Sql {
  return sql`json_each(${new ListParameter("record", records)})`;
}

/**
 * Ends a query for rows that the unit of work is going to change. Rows that another process is
 * changing are left out. SQLite has a single writer, so it needs none of this.
 */
export const SKIP_LOCKED = sql`/* for update skip locked */`;

/** Ends a query for a row that no one can delete until the unit of work has ended. */
export const FOR_KEY_SHARE = sql`/* for key share */`;

/** Ends a query for a row. Waits until no one relies on it or is changing it. */
export const FOR_UPDATE = sql`/* for update */`;

/** The next row number of a table, as a value to insert. */
export const NEXT_NUMBER = Symbol("the next row number");

/** Returns a value for the column with a row's number: a reserved number, or the next one. */
export function rowNumber(reserved: number | null): number | typeof NEXT_NUMBER {
  return reserved ?? NEXT_NUMBER;
}
