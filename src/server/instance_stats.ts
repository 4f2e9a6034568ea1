/** Process and disk stats shown in the dashboard. */

import { statSync } from "node:fs";
import type { Health, Instance } from "../dashboard/schema.ts";
import { type Clock, timestamp } from "../kernel/clock.ts";
import type { Membership } from "../store/membership.ts";
import { SCHEMA_VERSION } from "../store/sqlite/migrations.ts";
import { databasePath } from "../store/sqlite/store.ts";
import { VERSION } from "../version.ts";

/**
 * Returns a function that reads the current stats.
 *
 * @param directory the data directory
 * @param membership the processes on one database, or null on SQLite
 */
export function instanceStats(
  clock: Clock,
  directory: string,
  membership: Membership | null,
): () => Promise<Instance> {
  const started_at = timestamp(clock.now());
  const path = databasePath(directory);
  return async () => ({
    version: VERSION,
    schema: SCHEMA_VERSION,
    started_at,
    checked_at: timestamp(clock.now()),
    database_bytes: sizeOf(path) + sizeOf(`${path}-wal`),
    resident_bytes: Deno.memoryUsage().rss,
    processes: await serversOf(membership),
  });
}

/** Returns the servers on one database. Empty on SQLite, where there's only one. */
export async function serversOf(membership: Membership | null): Promise<Health["processes"]> {
  const members = await membership?.members() ?? [];
  return members.filter(({ kind }) => kind === "server").map(({ kind: _, ...server }) => server);
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
