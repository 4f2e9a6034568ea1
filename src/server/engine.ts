/** Opens the storage engine. The only place that decides which one it is. */

import { randomBytes } from "node:crypto";
import { statSync } from "node:fs";
import { join } from "node:path";
import type { CopyOptions, SearchCopies } from "../copies/copies.ts";
import {
  type BatchRunner,
  inlineBatches,
  threadedBatches,
} from "../documents/chunk_batch_queue.ts";
import { reindexChunksIfOutdated } from "../documents/reindex.ts";
import { systemClock } from "../kernel/clock.ts";
import { NO_REPORT, type ReportStep } from "../kernel/progress.ts";
import { reindexIfOutdated } from "../memories/reindex.ts";
import type { SearchGround } from "../search/ground.ts";
import type { Membership } from "../store/membership.ts";
import type { PgAddress } from "../store/postgres/connection.ts";
import { SqliteStore } from "../store/sqlite/store.ts";
import { CheckpointWorker } from "../store/sqlite/wal.ts";
import type { Store } from "../store/store.ts";
import { VERSION } from "../version.ts";
import { withIndexLock } from "./lock.ts";

/** A storage engine: the records, and what depends on how they are stored. */
export interface Engine {
  readonly store: Store;
  /** The databases that searches read. */
  readonly ground: SearchGround;
  /** Those databases, if they are copies. Otherwise null. */
  readonly copies: SearchCopies | null;
  /** The processes that use the records. Null if no other server can. */
  readonly membership: Membership | null;
  /** Writes large documents. */
  readonly batches: BatchRunner;
  /** Returns the size of the records on disk, in bytes. */
  bytes(): Promise<number>;
  /** Closes the store and ends the engine's threads. */
  close(): Promise<void>;
}

/**
 * Opens the engine of a data directory, or of a database if there is an address, and migrates its
 * schema and text indexes.
 *
 * @param report called with each step of a migration
 * @param copyOptions limits of the search copies, which only PostgreSQL has
 */
export function openEngine(
  directory: string,
  address?: PgAddress,
  report: ReportStep = NO_REPORT,
  copyOptions: CopyOptions = {},
): Promise<Engine> {
  return address === undefined
    ? openSqlite(directory, report)
    : openPostgres(directory, address, copyOptions);
}

/** Records in PostgreSQL. The data directory has the files, and the copy for searches. */
async function openPostgres(
  directory: string,
  address: PgAddress,
  copyOptions: CopyOptions,
): Promise<Engine> {
  // Only loaded when it's needed: the client takes as long to load as the rest of a start.
  const { PgStore } = await import("../store/postgres/store.ts");
  const { PgMembership } = await import("../store/postgres/membership.ts");
  const { schemaBytes } = await import("../store/postgres/size.ts");
  const { COPY_FOLDER, SearchCopies } = await import("../copies/copies.ts");
  const store = await PgStore.open(address);
  const clock = systemClock();
  const copies = new SearchCopies(store, join(directory, COPY_FOLDER), clock, copyOptions);
  const boot = randomBytes(16).toString("hex");
  const identity = { boot, version: VERSION, startedAt: clock.now() };
  const membership = new PgMembership(address, identity);
  store.onNotify = (channels, owner) => membership.notify(channels, owner);
  membership.onNotice = ({ channels, projects }) => {
    store.notify(channels);
    copies.follow(projects);
  };
  membership.copyStatus = () => copies.status;
  return {
    store,
    membership,
    ground: copies,
    copies,
    batches: inlineBatches(store),
    bytes: () => schemaBytes(store),
    async close() {
      await copies.close();
      await store.close();
      await membership.leave();
    },
  };
}

async function openSqlite(directory: string, report: ReportStep): Promise<Engine> {
  const store = new SqliteStore(directory, report);
  // A second process would clear what the first one has indexed.
  await withIndexLock(directory, async () => {
    await reindexIfOutdated(store, report);
    await reindexChunksIfOutdated(store, report);
  }, report);
  const checkpoints = new CheckpointWorker(store.path);
  store.delegateCheckpoints(() => checkpoints.run());
  return {
    store,
    membership: null,
    ground: { database: () => store.path, ready: () => undefined },
    copies: null,
    batches: threadedBatches(store),
    bytes: () => Promise.resolve(sizeOf(store.path) + sizeOf(`${store.path}-wal`)),
    async close() {
      await store.close();
      checkpoints.close();
    },
  };
}

/** Returns a file's size in bytes, or 0 if it doesn't exist. */
function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
