/** Process and disk stats shown in the dashboard. */

import { statSync } from "node:fs";
import type { Instance } from "../dashboard/schema.ts";
import { type Clock, timestamp } from "../kernel/clock.ts";
import { SCHEMA_VERSION } from "../store/sqlite/migrations.ts";
import { databasePath } from "../store/sqlite/store.ts";
import { VERSION } from "../version.ts";

/**
 * Returns a function that reads the current stats.
 *
 * @param directory the data directory
 */
export function instanceStats(clock: Clock, directory: string): () => Instance {
  const started_at = timestamp(clock.now());
  const path = databasePath(directory);
  return () => ({
    version: VERSION,
    schema: SCHEMA_VERSION,
    started_at,
    checked_at: timestamp(clock.now()),
    database_bytes: sizeOf(path) + sizeOf(`${path}-wal`),
    resident_bytes: Deno.memoryUsage().rss,
  });
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
