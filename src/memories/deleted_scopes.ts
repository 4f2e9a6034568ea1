/** Scopes that clients delete while memories of theirs are still being restored. */

import { type Scope, SCOPE_KEYS } from "../contract/fields.ts";
import { deletedDuringImport } from "../store/import_guard.ts";
import type { Reader } from "../store/store.ts";
import type { MemoryRow } from "./row.ts";

type Owned = Pick<MemoryRow, "id" | "user_id" | "agent_id" | "run_id">;

/** The name under which the deletion of a scope is noted. */
export function scopeName(scope: Scope): string {
  return JSON.stringify(SCOPE_KEYS.map((key) => scope[key] ?? null));
}

/** The ids of those memories that belong to a scope which was deleted meanwhile. */
export async function findInDeletedScopes(
  db: Reader,
  project: number,
  records: readonly Owned[],
): Promise<ReadonlySet<string>> {
  const named = records.map((record) => ({ id: record.id, names: enclosingScopeNames(record) }));
  const names = new Set(named.flatMap(({ names }) => names));
  const deleted = await deletedDuringImport(db, project, "scope", names);
  return new Set(
    named.filter(({ names }) => names.some((name) => deleted.has(name)))
      .map(({ id }) => id),
  );
}

/** The names of the scopes whose deletion takes a memory along: each that its owners make up. */
function enclosingScopeNames({ user_id, agent_id, run_id }: Owned): string[] {
  const either = (id: string | null) => id === null ? [undefined] : [undefined, id];
  return either(user_id).flatMap((user_id) =>
    either(agent_id).flatMap((agent_id) =>
      either(run_id).map((run_id) => scopeName({ user_id, agent_id, run_id }))
    )
  );
}
