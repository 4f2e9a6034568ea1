/**
 * References from rows to files, in the table `blob_names`. Its column `hash` is the file's name.
 *
 * Files that can be made again are referenced by a value in `meta` instead, which has their name. So
 * nothing depends on them: copies of an instance leave them out, and checks don't miss them.
 */

import sql from "sql-template-tag";
import { texts } from "../sql.ts";
import type { Reader, Store, Tx } from "../store.ts";
import type { StoredBlob } from "./blobs.ts";

/**
 * Records that a row references a file. Call this in the same unit of work that creates the row.
 */
export async function linkBlob(
  tx: Tx,
  project: number,
  owner: string,
  blob: Pick<StoredBlob, "name" | "size">,
): Promise<void> {
  await tx.run(sql`insert into blob_names (project, owner, hash, size)
    values (${project}, ${owner}, ${blob.name}, ${blob.size}) on conflict do nothing`);
}

/**
 * Removes a deleted row's references. Returns the names of its files; pass these to
 * `Blobs.deleteUnreferenced` after the commit.
 */
export async function unlinkBlobs(tx: Tx, project: number, owner: string): Promise<string[]> {
  const rows = await tx.all<{ hash: string }>(sql`delete from blob_names
    where project = ${project} and owner = ${owner} returning hash`);
  return rows.map((row) => row.hash);
}

/** Returns the name of a row's file, if it references one. */
export async function blobNameOf(
  db: Reader,
  project: number,
  owner: string,
): Promise<string | undefined> {
  const row = await db.first<{ hash: string }>(
    sql`select hash from blob_names where project = ${project} and owner = ${owner}`,
  );
  return row?.hash;
}

/** What the names of values in `meta` begin with that reference files which can be made again. */
export const CACHED_FILE_PREFIX = "cached_file.";

/** Returns those of the given files that a row references. */
export async function referencedNames(
  store: Store,
  names: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await store.read((db) =>
    db.all<{ name: string }>(
      sql`select distinct hash as name from blob_names where hash in ${texts(names)}
        union all select replace(name, ${CACHED_FILE_PREFIX}, '') from meta
          where name in ${texts(names.map((name) => CACHED_FILE_PREFIX + name))}`,
    )
  );
  return new Set(rows.map(({ name }) => name));
}
