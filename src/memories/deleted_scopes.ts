/** Keeps track of scopes that clients delete while their memories are still being imported. */

import { type Scope, SCOPE_KEYS } from "../contract/fields.ts";
import { deletedDuringImport } from "../store/import_guard.ts";
import type { Reader } from "../store/store.ts";
import type { MemoryRow } from "./row.ts";

type Owned = Pick<MemoryRow, "id" | "user_id" | "agent_id" | "run_id">;

/** Returns the name under which a scope's deletion is recorded. */
export function scopeName(scope: Scope): string {
  return JSON.stringify(SCOPE_KEYS.map((key) => scope[key] ?? null));
}

/** Returns the ids of records whose scope has been deleted since the import began. */
export async function findInDeletedScopes(
  db: Reader,
  project: number,
  records: readonly Owned[],
): Promise<ReadonlySet<string>> {
  const candidates = records.map((record) => ({
    id: record.id,
    names: enclosingScopeNames(record),
  }));
  const names = new Set(candidates.flatMap(({ names }) => names));
  const deleted = await deletedDuringImport(db, project, "scope", names);
  return new Set(
    candidates.filter(({ names }) => names.some((name) => deleted.has(name)))
      .map(({ id }) => id),
  );
}

/**
 * Returns the names of all scopes that contain a memory, one per combination of its owners.
 * Deleting any of them deletes the memory.
 */
function enclosingScopeNames({ user_id, agent_id, run_id }: Owned): string[] {
  const withAny = (id: string | null) => id === null ? [undefined] : [undefined, id];
  return withAny(user_id).flatMap((user_id) =>
    withAny(agent_id).flatMap((agent_id) =>
      withAny(run_id).map((run_id) => scopeName({ user_id, agent_id, run_id }))
    )
  );
}
