/** Where the copies of projects are, stored in the database with the copies. */

import sql from "sql-template-tag";
import { readMeta, writeMeta } from "../store/meta.ts";
import type { Reader, Tx } from "../store/store.ts";
import type { CopyPosition, ProjectEnd } from "./feed.ts";

/** How far a project has been copied. */
export interface CopyState extends CopyPosition {
  /** Models as of then. See `ProjectEnd.models`. */
  readonly models: string;
  /** When the copy was last used, in milliseconds since 1970. */
  readonly usedAt: number;
}

/** A project's copy. */
export type NumberedState = readonly [project: number, state: CopyState];

const PREFIX = "copy.";

/** Returns the states of all copies. */
export async function readStates(db: Reader): Promise<readonly NumberedState[]> {
  const rows = await db.all<{ name: string; value: string }>(
    sql`select name, value from meta where name like ${`${PREFIX}%`}`,
  );
  return rows.map(({ name, value }) => [Number(name.slice(PREFIX.length)), JSON.parse(value)]);
}

/** Returns a copy's state. Undefined if nothing has been copied. */
export async function readState(db: Reader, project: number): Promise<CopyState | undefined> {
  const value = await readMeta(db, PREFIX + project);
  return value === undefined ? undefined : JSON.parse(value);
}

/** Stores a copy's state. To be called in the unit of work that changes the copy. */
export async function writeState(tx: Tx, project: number, state: CopyState): Promise<void> {
  await writeMeta(tx, PREFIX + project, JSON.stringify(state));
}

/** Removes a copy's state. */
export async function deleteState(tx: Tx, project: number): Promise<void> {
  await tx.run(sql`delete from meta where name = ${PREFIX + project}`);
}

/** Checks whether a copy has everything. Numbers of vectors that were deleted count as copied. */
export function isCurrent(state: CopyState, end: ProjectEnd): boolean {
  return state.journal === end.journal && state.vectors >= end.vectors &&
    state.accessed >= end.accessed && state.models === end.models;
}
