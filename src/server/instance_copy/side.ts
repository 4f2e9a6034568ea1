/**
 * The two sides of a copy of an instance: a source, read at one point in time, and a target, which
 * becomes an instance only once all of it has been written and checked.
 */

import sql, { raw, type Sql } from "sql-template-tag";
import type { ReportStep } from "../../kernel/progress.ts";
import type { Reader } from "../../store/store.ts";

/** A table with records. */
export interface Table {
  readonly name: string;
  /** Its columns, by name. */
  readonly columns: readonly string[];
  /** Columns of the primary key, in its order. */
  readonly key: readonly string[];
}

/** A row's values, in the order of the table's columns. */
export type Values = readonly unknown[];

/** Where rows can be read. */
export interface Side extends Reader {
  tables(): Promise<Table[]>;
  close(): Promise<void>;
}

/** The instance to copy. */
export interface Source extends Side {
  /** Returns the last number given out by each table that numbers its rows. */
  lastNumbers(): Promise<ReadonlyMap<string, number>>;
}

/** An instance that doesn't exist yet. */
export interface Target extends Side {
  /** The data directory while it's being made. A database has none of its own. */
  readonly partial?: string;
  insert(table: Table, rows: readonly Values[]): Promise<void>;
  delete(query: Sql): Promise<void>;
  /** Sets the number after which each table continues. */
  setLastNumbers(numbers: ReadonlyMap<string, number>): Promise<void>;
  /** Makes the target an instance. Without it, `close` leaves nothing behind. */
  finish(report: ReportStep): Promise<void>;
}

/** A copy that can't be made. The message is a single line for the terminal. */
export class InstanceCopyError extends Error {
  override readonly name = "InstanceCopyError";
}

/** A column in a database's catalog. `key` is its position in the primary key, or 0. */
export interface CatalogColumn {
  readonly table: string;
  readonly name: string;
  readonly key: number;
}

/** Tables that each engine fills for itself: its search index. */
const ENGINE_TABLES: readonly string[] = ["chunk_terms"];

/** Returns the tables in a catalog. Other tables refer to projects, so these come first. */
export function tablesIn(columns: readonly CatalogColumn[]): Table[] {
  const tables = [...Map.groupBy(columns, ({ table }) => table)]
    .filter(([name]) => !ENGINE_TABLES.includes(name))
    .map(([name, ofTable]): Table => ({
      name,
      columns: ofTable.map((column) => column.name).sort(),
      key: ofTable.filter(({ key }) => key > 0).sort((a, b) => a.key - b.key).map((column) =>
        column.name
      ),
    }));
  const order = ({ name }: Table) => name === "projects" ? "" : name;
  return tables.sort((a, b) => order(a) < order(b) ? -1 : 1);
}

/** Rows are read until a batch has about this size, in bytes. */
const BATCH_BYTES = 2 * 1024 * 1024;
const MAX_BATCH_ROWS = 2_000;

/** Names in `meta` that describe an engine's own schema and index. */
const IS_OF_ENGINE = sql`name in
  ('schema_version', 'oldest_schema', 'terms_version', 'chunk_index_version')`;

/** Yields a table's rows in the order of its key, in batches of a size that fits into memory. */
export async function* batches(side: Reader, table: Table): AsyncGenerator<Values[]> {
  const [columns, key] = [raw(table.columns.join(", ")), raw(table.key.join(", "))];
  const condition = table.name === "meta" ? sql`not (${IS_OF_ENGINE})` : sql`true`;
  let limit = 4;
  let last: Record<string, unknown> | undefined;
  for (;;) {
    const after = last === undefined
      ? sql`true`
      : sql`(${key}) > (${joined(table.key.map((column) => last![column]))})`;
    const rows = await side.all<Record<string, unknown>>(sql`select ${columns}
      from ${raw(table.name)} where ${condition} and ${after} order by ${key} limit ${limit}`);
    const values = rows.map((row) => table.columns.map((column) => row[column]));
    if (values.length > 0) yield values;
    if (rows.length < limit) return;
    last = rows.at(-1);
    const bytes = values.flat().reduce<number>((sum, value) => sum + sizeOf(value), 1);
    limit = Math.max(1, Math.min(MAX_BATCH_ROWS, Math.floor(limit * BATCH_BYTES / bytes)));
  }
}

function sizeOf(value: unknown): number {
  return typeof value === "string" || value instanceof Uint8Array ? value.length : 8;
}

/** Returns values, separated by commas. */
export function joined(values: Values): Sql {
  return values.reduce<Sql>(
    (list, value, index) =>
      index === 0 ? sql`${value as string}` : sql`${list}, ${value as string}`,
    sql``,
  );
}
