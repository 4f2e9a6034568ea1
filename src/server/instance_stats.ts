/** Process and disk stats shown in the dashboard. */

import type { Instance } from "../dashboard/schema.ts";
import type { Health } from "../health/schema.ts";
import { type Clock, timestamp } from "../kernel/clock.ts";
import type { Membership } from "../store/membership.ts";
import { SCHEMA_VERSION } from "../store/sqlite/migrations.ts";
import { VERSION } from "../version.ts";
import type { Engine } from "./engine.ts";

/** Returns a function that reads the current stats. */
export function instanceStats(
  clock: Clock,
  engine: Pick<Engine, "bytes" | "membership">,
): () => Promise<Instance> {
  const started_at = timestamp(clock.now());
  return async () => ({
    version: VERSION,
    schema: SCHEMA_VERSION,
    started_at,
    checked_at: timestamp(clock.now()),
    database_bytes: await engine.bytes(),
    resident_bytes: Deno.memoryUsage().rss,
    processes: await serversOf(engine.membership),
  });
}

/** Returns the servers on one database. Empty on SQLite, where there's only one. */
async function serversOf(membership: Membership | null): Promise<Instance["processes"]> {
  const members = await membership?.members() ?? [];
  return members.filter(({ kind }) => kind === "server").map(({ kind: _, ...server }) => server);
}

/** Returns what a project's key can see of the servers: nothing about other projects. */
export async function visibleServersOf(
  membership: Membership | null,
): Promise<Health["processes"]> {
  return (await serversOf(membership)).map(({ copies, ...server }) => ({
    ...server,
    copies: copies && { filling: copies.filling, current_at: copies.current_at },
  }));
}
