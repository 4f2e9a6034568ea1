/**
 * A mark in a shared store: which instance its files belong to. Without it, a process that sees
 * another bucket, or a folder that isn't mounted, would write files where no one finds them, and
 * delete those of another instance.
 */

import sql, { type Sql } from "sql-template-tag";
import { ApiError } from "../../kernel/errors.ts";
import { sha256 } from "../../kernel/hash.ts";
import type { Reader, Store } from "../store.ts";

/** Name of the file with the mark. */
export const MARK_NAME = "commonplace-instance";

/** Reads and writes the mark. */
export interface MarkedStore {
  /** Where the files are, for messages. Without credentials. */
  readonly description: string;
  /** Returns the mark, or null if there's none. Throws if the store can't be used. */
  readMark(): Promise<string | null>;
  writeMark(text: string): Promise<void>;
  /** Checks whether there's a file, in a store with or without a mark. */
  has(name: string): Promise<boolean>;
}

/** The records of an instance. Reads must not be of one point in time, since files are deleted. */
export type Records = Pick<Store, "queryOne">;

/** A store that can't be used. The message is a single line for the terminal. */
export class BlobStoreError extends Error {
  override readonly name = "BlobStoreError";
}

/** Returns the mark of the instance in a database. A copy of the database has the same one. */
export async function markOf(db: Reader): Promise<string> {
  const row = await db.first<{ value: string }>(sql`select value from meta where name = 'secret'`);
  if (row === undefined) throw new BlobStoreError("The database has no records of Commonplace");
  return sha256(`files of ${row.value}`).slice(0, 32);
}

/**
 * Checks that a store has the files of an instance, and marks a new one.
 *
 * @param records those of the instance, or undefined if the files will be copied into the store
 * @throws BlobStoreError
 */
export async function claimStore(
  store: MarkedStore,
  mark: string,
  records: Records | undefined,
): Promise<void> {
  const found = await store.readMark();
  if (found === mark) return;
  if (found !== null) {
    throw new BlobStoreError(
      `${store.description} has the files of another instance; specify another folder or prefix`,
    );
  }
  const missing = records && await missingFile(store, records);
  if (missing !== undefined) {
    throw new BlobStoreError(
      `${store.description} doesn't have the files of the database, e.g. ${missing}; ` +
        "check that it's the right place, or copy them there first",
    );
  }
  await store.writeMark(mark);
}

/** @throws ApiError STORAGE_UNAVAILABLE unless the store has the instance's mark */
export async function requireMark(store: MarkedStore, mark: string): Promise<void> {
  if (await store.readMark() === mark) return;
  throw new ApiError(
    "STORAGE_UNAVAILABLE",
    "The storage of the files isn't that of this instance; nothing was changed",
    { retryAfter: 5 },
  );
}

/** Condition on `blob_names`: the file was put into a shared store. */
export const IS_FROM_SHARED_STORE = sql`substr(hash, 65, 1) = '-'`;

/**
 * Returns a file that a row references and the store doesn't have. Checks the first one only.
 *
 * @param condition on `blob_names`
 */
export async function missingFile(
  store: Pick<MarkedStore, "has">,
  records: Records,
  condition: Sql = sql`true`,
): Promise<string | undefined> {
  const any = () =>
    records.queryOne<{ hash: string }>(
      sql`select hash from blob_names where ${condition} order by hash limit 1`,
    );
  const row = await any();
  if (row === undefined || await store.has(row.hash)) return undefined;
  // It may have been deleted in the meantime.
  return (await any())?.hash === row.hash ? row.hash : undefined;
}
