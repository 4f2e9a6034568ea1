/** Journal entries for tests of units of work on PostgreSQL, and what those tests expect. */

import sql from "sql-template-tag";
import { ApiError } from "../../src/kernel/errors.ts";
import type { Store, Tx } from "../../src/store/store.ts";

/** Programs that start a server. */
export const TOOLS = ["initdb", "setpriv"] as const;

/** Adds an entry about a memory. */
export function add(tx: Tx, id: string): Promise<number> {
  return tx.run(sql`insert into journal (project, kind, record_id, change, at)
    values (1, 'memory', ${id}, 'ADD', '')`);
}

/** Returns the ids of all memories with an entry, in order. */
export async function ids(store: Store): Promise<string[]> {
  const rows = await store.read((db) =>
    db.all<{ record_id: string }>(sql`select record_id from journal order by seq`)
  );
  return rows.map(({ record_id }) => record_id);
}

/** Checks whether an error says that the records can't be reached. */
export function isUnavailable(error: unknown): boolean {
  return error instanceof ApiError && error.code === "STORAGE_UNAVAILABLE";
}
