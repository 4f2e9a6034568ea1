/** A project's counts and activity, read from totals kept up to date. */

import sql from "sql-template-tag";
import type { ActivityService } from "../activity/service.ts";
import type { AppContext } from "../contract/app_context.ts";
import { DAY_MS, timestamp } from "../kernel/clock.ts";
import type { Overview } from "./schema.ts";

/** Returns a project's counts, and its activity over the last `days` days. */
export function readOverview(
  { appContext, activity }: { appContext: AppContext; activity: ActivityService },
  project: number,
  days: number,
  now: number,
): Promise<Overview> {
  return appContext.store.read(async (db) => {
    const counts = await db.first<Overview["counts"]>(sql`select
        coalesce((select total_memories from scope_totals
          where project = ${project} and type = 'project' and id = ''), 0) as memories,
        coalesce((select sources from document_totals where project = ${project}), 0) as documents,
        coalesce((select chunks from document_totals where project = ${project}), 0) as chunks,
        (select count(*) from scope_totals
          where project = ${project} and type <> 'project') as entities`);
    const since = now - days * DAY_MS;
    return {
      counts: counts!,
      since: timestamp(since),
      until: timestamp(now),
      activity: await activity.hoursSince(db, project, since),
    };
  });
}
