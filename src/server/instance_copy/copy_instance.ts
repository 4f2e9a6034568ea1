/**
 * Copies a whole instance from one engine to the other, or between two of the same kind: records,
 * history, keys, tasks, journal and files. The search index isn't copied; a data directory gets a
 * new one.
 *
 * The copy is complete or doesn't exist: a database gets it in one transaction, and a data directory
 * gets its name at the end. Before that, all rows are read again and compared with the source.
 */

import { createHash, type Hash } from "node:crypto";
import sql from "sql-template-tag";
import { systemRandom } from "../../kernel/ids.ts";
import { NO_REPORT, type ReportStep } from "../../kernel/progress.ts";
import type { BlobAddress } from "../../store/blobs/address.ts";
import { type Blobs, DamagedBlobError } from "../../store/blobs/blobs.ts";
import { markOf } from "../../store/blobs/mark.ts";
import { openBlobs } from "../../store/blobs/open.ts";
import { CACHED_FILE_PREFIX } from "../../store/blobs/references.ts";
import type { PgAddress } from "../../store/postgres/connection.ts";
import type { Reader } from "../../store/store.ts";
import {
  batches,
  InstanceCopyError,
  type Source,
  type Table,
  type Target,
  type Values,
} from "./side.ts";
import { createSqliteTarget, openSqliteSource } from "./sqlite_side.ts";

/** Where an instance is. */
export interface InstanceLocation {
  /** The data directory. */
  readonly data: string;
  /** Where the files are. If undefined, they are in the data directory. */
  readonly blobs?: BlobAddress | undefined;
  /** The database with the records. If undefined, they are in the data directory. */
  readonly database?: PgAddress | undefined;
}

/** Summary of a copy. */
export interface InstanceCopyReport {
  readonly tables: number;
  readonly rows: number;
  /** Number of files that the target didn't have yet. */
  readonly files: number;
}

/**
 * Copies an instance.
 *
 * @param report called with each step
 * @throws InstanceCopyError or CopyError if the source isn't an instance, the target isn't empty, or
 *   what was written differs from the source
 */
export async function copyInstance(
  from: InstanceLocation,
  to: InstanceLocation,
  report: ReportStep = NO_REPORT,
): Promise<InstanceCopyReport> {
  const source = await openSource(from);
  try {
    const target = await openTarget(to, from);
    try {
      const tables = await commonTables(source, target);
      const [files, copies] = [
        await filesOf(from, source),
        await filesOf({ ...to, data: target.partial ?? to.data }, source),
      ];
      await copies.claim(undefined);
      await target.delete(sql`delete from activity_position`);
      await target.delete(sql`delete from meta where name = 'secret'`);
      const written = new Map<string, TableDigest>();
      for (const table of tables) {
        written.set(table.name, await copyTable(source, target, table, report));
      }
      await target.setLastNumbers(await source.lastNumbers());
      for (const table of tables) await compare(target, table, written.get(table.name)!, report);
      // Their files aren't copied.
      await target.delete(sql`delete from meta where name like ${`${CACHED_FILE_PREFIX}%`}`);
      const names = await target.all<{ hash: string }>(
        sql`select distinct hash from blob_names order by hash`,
      );
      let copied = 0;
      for (const [index, { hash: name }] of names.entries()) {
        report(`Copying file ${index + 1} of ${names.length}`);
        if (await copyFile(files, copies, name)) copied++;
      }
      await target.finish(report);
      const rows = [...written.values()].reduce((sum, digest) => sum + digest.rows, 0);
      return { tables: tables.length, rows, files: copied };
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
}

/** Opens an instance's files. Those of a copy belong to the same instance. */
function filesOf({ data, blobs }: InstanceLocation, source: Reader): Promise<Blobs> {
  const mark = () => markOf(source);
  return openBlobs({ directory: data, address: blobs, mark, random: systemRandom() });
}

/**
 * Copies a file, unless the target has it already.
 *
 * @throws InstanceCopyError if it's missing or damaged
 */
async function copyFile(source: Blobs, target: Blobs, name: string): Promise<boolean> {
  if (await target.size(name) !== null) return false;
  if (await source.size(name) === null) throw unusableFile(name, "missing");
  const writer = await target.writer(name);
  try {
    for await (const bytes of source.stream(name)) await writer.write(bytes);
    (await writer.finish()).release();
  } catch (error) {
    throw error instanceof DamagedBlobError ? unusableFile(name, "damaged") : error;
  } finally {
    await writer.discard();
  }
  return true;
}

/** Files that were copied before this one stay in the target. The next attempt uses them. */
function unusableFile(name: string, problem: "missing" | "damaged"): InstanceCopyError {
  return new InstanceCopyError(`File ${name} is ${problem} in the source; no records were copied`);
}

// The client for PostgreSQL is only loaded when it's needed.

async function openSource({ data, database }: InstanceLocation): Promise<Source> {
  if (database === undefined) return openSqliteSource(data);
  return await (await import("./postgres_side.ts")).openPostgresSource(database);
}

async function openTarget(
  { data, database }: InstanceLocation,
  from: InstanceLocation,
): Promise<Target> {
  if (database === undefined) {
    return await createSqliteTarget(data, from.database === undefined ? from.data : undefined);
  }
  return await (await import("./postgres_side.ts")).openPostgresTarget(database);
}

/** Returns the tables of both sides. They differ only if a migration was forgotten. */
async function commonTables(source: Source, target: Target): Promise<Table[]> {
  const [tables, others] = [await source.tables(), await target.tables()];
  const difference = tables.find((table, index) =>
    JSON.stringify(table) !== JSON.stringify(others[index])
  );
  if (difference !== undefined || tables.length !== others.length) {
    throw new InstanceCopyError(`The two sides have different tables: ${difference?.name}`);
  }
  return tables;
}

/** The number of a table's rows, and a hash over all of their values. */
interface TableDigest {
  readonly rows: number;
  readonly hash: string;
}

function copyTable(
  source: Source,
  target: Target,
  table: Table,
  report: ReportStep,
): Promise<TableDigest> {
  return digestRows(source, table, async (rows, done) => {
    report(`Copying ${table.name}, ${done} rows done`);
    await target.insert(table, rows);
  });
}

/** @throws InstanceCopyError if a table differs from what was read from the source */
async function compare(
  target: Target,
  table: Table,
  expected: TableDigest,
  report: ReportStep,
): Promise<void> {
  const copied = await digestRows(target, table, (_, done) => {
    report(`Checking ${table.name}, ${done} of ${expected.rows} rows done`);
  });
  if (copied.rows !== expected.rows) {
    throw new InstanceCopyError(
      `${table.name} has ${copied.rows} rows in the copy, expected ${expected.rows}; ` +
        "nothing was copied",
    );
  }
  if (copied.hash !== expected.hash) {
    throw new InstanceCopyError(`${table.name} differs in the copy; nothing was copied`);
  }
}

/** @param onBatch called with each batch of rows, and the number of those before it */
async function digestRows(
  side: Reader,
  table: Table,
  onBatch: (rows: readonly Values[], done: number) => Promise<void> | void,
): Promise<TableDigest> {
  const hash = createHash("sha256");
  let count = 0;
  for await (const rows of batches(side, table)) {
    await onBatch(rows, count);
    addTo(hash, rows);
    count += rows.length;
  }
  return { rows: count, hash: hash.digest("hex") };
}

function addTo(hash: Hash, rows: readonly Values[]): void {
  for (const row of rows) {
    const values = row.map((value) =>
      value instanceof Uint8Array ? { bytes: Buffer.from(value).toString("hex") } : value
    );
    hash.update(`${JSON.stringify(values)}\n`);
  }
}
