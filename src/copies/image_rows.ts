/** Which images there are, stored in the `meta` table of the records. */

import sql from "sql-template-tag";
import { writeMeta } from "../store/meta.ts";
import { CACHED_FILE_PREFIX } from "../store/blobs/references.ts";
import type { Reader, Tx } from "../store/store.ts";
import { VERSION } from "../version.ts";
import type { CopyPosition } from "./feed.ts";

/** An image of a project's copy. */
export interface CopyImage {
  /** Name of the file. */
  readonly file: string;
  readonly project: number;
  /** Version of the program that made it. Others can't use it. */
  readonly version: string;
  /** How far the copy was. See {@linkcode CopyPosition}. */
  readonly journal: number;
  readonly vectors: number;
  /** When it was made, in milliseconds since 1970. */
  readonly at: number;
}

/** Checks whether this version of the program made an image, so that it can use it. */
export function isUsable({ version }: CopyImage): boolean {
  return version === VERSION;
}

/** Returns all images. */
export async function readImages(db: Reader): Promise<readonly CopyImage[]> {
  const rows = await db.all<{ name: string; value: string }>(sql`select name, value from meta
    where name >= ${CACHED_FILE_PREFIX} and name < ${`${CACHED_FILE_PREFIX}~`}`);
  return rows.map(({ name, value }) => ({
    ...JSON.parse(value),
    file: name.slice(CACHED_FILE_PREFIX.length),
  }));
}

/** Records an image. */
export async function writeImage(tx: Tx, { file, ...image }: CopyImage): Promise<void> {
  await writeMeta(tx, CACHED_FILE_PREFIX + file, JSON.stringify(image));
}

/** Removes an image. Delete its file after the commit. */
export async function deleteImage(tx: Tx, { file }: CopyImage): Promise<void> {
  await tx.run(sql`delete from meta where name = ${CACHED_FILE_PREFIX + file}`);
}

/** Returns whether a project exists and isn't being deleted. */
export async function isProject(db: Reader, project: number): Promise<boolean> {
  const query = sql`select 1 from projects where number = ${project} and deleted_at is null`;
  return await db.first(query) !== undefined;
}

/**
 * Returns how many journal entries and vectors a project has after a position in total, counting at
 * most `max` of each.
 */
export async function countAfter(
  db: Reader,
  project: number,
  { journal, vectors }: Pick<CopyPosition, "journal" | "vectors">,
  max: number,
): Promise<number> {
  const row = await db.first<{ count: number }>(sql`select
    (select count(*) from (select 1 from journal
      where project = ${project} and seq > ${journal} limit ${max}) as entries) +
    (select count(*) from (select 1 from vector_signs
      where project = ${project} and number > ${vectors} limit ${max}) as added) as count`);
  return row!.count;
}
