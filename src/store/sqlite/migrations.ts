/**
 * Runs forward-only schema migrations in one transaction, numbered with SQLite's `user_version`.
 */

import { copyFileSync, existsSync, renameSync, rmSync, statSync } from "node:fs";
import { dirname } from "node:path";
import sql from "sql-template-tag";
import { ApiError } from "../../kernel/errors.ts";
import { NO_REPORT, type ReportStep } from "../../kernel/progress.ts";
import foundation from "../../../migrations/sqlite/0001_foundation.sql" with { type: "text" };
import documents from "../../../migrations/sqlite/0002_documents.sql" with { type: "text" };
import vectors from "../../../migrations/sqlite/0003_vectors.sql" with { type: "text" };
import claims from "../../../migrations/sqlite/0004_claims.sql" with { type: "text" };
import derived from "../../../migrations/sqlite/0005_derived.sql" with { type: "text" };
import uploads from "../../../migrations/sqlite/0006_uploads.sql" with { type: "text" };
import hosted from "../../../migrations/sqlite/0007_hosted.sql" with { type: "text" };
import chunkIndex from "../../../migrations/sqlite/0008_chunk_index.sql" with { type: "text" };
import dashboard from "../../../migrations/sqlite/0009_dashboard.sql" with { type: "text" };
import threadIndex from "../../../migrations/sqlite/0010_thread_index.sql" with { type: "text" };
import documentOrder from "../../../migrations/sqlite/0011_document_order.sql" with {
  type: "text",
};
import taskLists from "../../../migrations/sqlite/0012_task_lists.sql" with { type: "text" };
import importDeletions from "../../../migrations/sqlite/0013_import_deletions.sql" with {
  type: "text",
};
import tellings from "../../../migrations/sqlite/0014_tellings.sql" with { type: "text" };
import unreadTexts from "../../../migrations/sqlite/0015_unread_texts.sql" with { type: "text" };
import connections from "../../../migrations/sqlite/0016_connections.sql" with { type: "text" };
import memoryOrder from "../../../migrations/sqlite/0017_memory_order.sql" with { type: "text" };
import taskTurns from "../../../migrations/sqlite/0018_task_turns.sql" with { type: "text" };
import { syncPath } from "../folders.ts";
import { IncompatibleStoreError } from "../incompatible.ts";
import type { Store } from "../store.ts";
import type { Connection } from "./connection.ts";

/** Migrations in order. The first one creates schema version 1. */
const MIGRATIONS: readonly string[] = [
  foundation,
  documents,
  vectors,
  claims,
  derived,
  uploads,
  hosted,
  chunkIndex,
  dashboard,
  threadIndex,
  documentOrder,
  taskLists,
  importDeletions,
  tellings,
  unreadTexts,
  connections,
  memoryOrder,
  taskTurns,
];

/**
 * Schema version written by this program. A change of the text indexes (`TERMS_VERSION`,
 * `IMPACTS_VERSION`) raises it too, by a migration without statements if need be: processes of older
 * versions stop writing because of it.
 */
export const SCHEMA_VERSION = MIGRATIONS.length;

/**
 * Minimum SQLite version. Older ones can corrupt a database in WAL mode (sqlite.org/wal.html, the
 * WAL-reset bug).
 */
const MIN_SQLITE_VERSION = [3, 51, 3] as const;

/** Returns the version of the SQLite library in use. */
export function sqliteVersion(connection: Connection): string {
  return connection.first<{ version: string }>(sql`select sqlite_version() as version`)!.version;
}

/**
 * Checks the SQLite version.
 *
 * @throws IncompatibleStoreError if this SQLite version has the WAL-reset bug
 */
export function requireSqliteVersion(version: string): void {
  const parts = version.split(".").map(Number);
  const older = MIN_SQLITE_VERSION.findIndex((part, index) => (parts[index] ?? 0) !== part);
  if (older >= 0 && (parts[older] ?? 0) < MIN_SQLITE_VERSION[older]!) {
    throw new IncompatibleStoreError(
      `SQLite ${version} is too old; Commonplace requires ${MIN_SQLITE_VERSION.join(".")} or later`,
    );
  }
}

interface SchemaRow {
  readonly user_version: number;
}

const SCHEMA_QUERY = sql`pragma user_version`;

/** Returns the schema version of an open database, or 0 for a new one. */
export function schemaVersion(connection: Connection): number {
  return connection.first<SchemaRow>(SCHEMA_QUERY)!.user_version;
}

/** Checks whether a newer program has migrated a database that this one has open. */
export async function isOutdated(store: Pick<Store, "queryOne">): Promise<boolean> {
  return (await store.queryOne<SchemaRow>(SCHEMA_QUERY))!.user_version > SCHEMA_VERSION;
}

/**
 * Checks that no newer program has migrated the schema. Call this once the write lock is held.
 *
 * @throws ApiError STORAGE_UNAVAILABLE if one has
 */
export function requireCurrentProgram(connection: Connection): void {
  if (schemaVersion(connection) <= SCHEMA_VERSION) return;
  throw new ApiError(
    "STORAGE_UNAVAILABLE",
    "A newer version of Commonplace has updated the database; restart with that version",
    { retryAfter: 60 },
  );
}

/**
 * Migrates the schema to this program's version. An existing database is backed up to a file next
 * to it first.
 *
 * @param report called before each step
 * @throws IncompatibleStoreError if the schema is newer than the program
 */
export function migrate(
  connection: Connection,
  path: string,
  report: ReportStep = NO_REPORT,
): void {
  const current = schemaVersion(connection);
  if (current > SCHEMA_VERSION) {
    throw new IncompatibleStoreError(
      `${path} has schema ${current}, but this version of Commonplace supports up to ${SCHEMA_VERSION}; install a newer version`,
    );
  }
  if (current === SCHEMA_VERSION) return;
  connection.exec("pragma wal_checkpoint(truncate)");
  connection.exec("begin immediate");
  try {
    // Another process may have migrated the schema while we waited for the lock. All steps run in a
    // single transaction, so no process ever sees a schema between two versions.
    const from = schemaVersion(connection);
    if (from > 0 && from < SCHEMA_VERSION) {
      report("Copying the database before its update");
      backUp(path, `${path}.schema-${from}.bak`);
    }
    for (const [index, migration] of MIGRATIONS.slice(from).entries()) {
      if (from > 0) report(`Updating the database, step ${from + index + 1} of ${SCHEMA_VERSION}`);
      connection.exec(migration);
    }
    connection.exec(`pragma user_version = ${Math.max(from, SCHEMA_VERSION)}`);
    connection.exec("commit");
  } catch (error) {
    if (connection.inTransaction) connection.exec("rollback");
    throw error;
  }
}

/**
 * Copies a database while its write lock is held. The copy is renamed once it's complete and on
 * disk. That way, if the process is killed earlier, the next start doesn't mistake a partial copy
 * for a backup. VACUUM INTO would do this in one statement, but Deno doesn't allow SQLite to open a
 * second database unless all permissions are granted (measured with 2.9.6).
 */
function backUp(path: string, copy: string): void {
  if (existsSync(copy)) return;
  const partial = `${copy}.partial`;
  // Pages the checkpoint couldn't copy due to a reader.
  rmSync(`${copy}-wal`, { force: true });
  if ((statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0) {
    copyFileSync(`${path}-wal`, `${copy}-wal`);
    syncPath(`${copy}-wal`);
  }
  copyFileSync(path, partial);
  syncPath(partial);
  renameSync(partial, copy);
  syncPath(dirname(copy));
}
