/**
 * Counts activity per hour. Changes are counted exactly once, from the journal. Searches aren't
 * recorded anywhere, so we count them in memory; a crash can lose up to a minute of them.
 */

import sql, { empty, type Sql } from "sql-template-tag";
import type { AppContext } from "../contract/app_context.ts";
import { DAY_MS, timestamp } from "../kernel/clock.ts";
import type { Reader, Tx } from "../store/store.ts";
import { writeByProject } from "../store/write_by_project.ts";
import type { ActivityHour } from "./schema.ts";

/** Maximum number of journal entries counted per unit of work. */
const MAX_BATCH_ENTRIES = 5_000;

/** How often counters are written, in milliseconds. Reads include counts not written yet. */
const FLUSH_INTERVAL_MS = 60_000;

/** How long counters are kept, in days: slightly longer than the dashboard can show. */
const RETENTION_DAYS = 92;

/** A project's searches during one hour, not written yet. */
interface PendingSearches {
  readonly project: number;
  /** Date and hour in UTC, e.g. `2026-03-04T05`. */
  readonly hour: string;
  readonly count: number;
}

/** Service of the activity module. */
export class ActivityService {
  readonly #appContext: AppContext;
  #pending = new Map<string, PendingSearches>();
  #flushedAt: number;

  constructor(appContext: AppContext) {
    this.#appContext = appContext;
    this.#flushedAt = appContext.clock.now();
  }

  /** Counts one search. */
  recordSearch(project: number): void {
    const hour = timestamp(this.#appContext.clock.now()).slice(0, 13);
    this.#addPending({ project, hour, count: 1 });
  }

  /** Writes the counters if due. */
  async flushIfDue(): Promise<void> {
    const now = this.#appContext.clock.now();
    if (now - this.#flushedAt < FLUSH_INTERVAL_MS) return;
    this.#flushedAt = now;
    await this.flush();
  }

  /** Writes all counters up to now. On failure, searches are kept for the next attempt. */
  async flush(): Promise<void> {
    await this.#writeSearches();
    const { store } = this.#appContext;
    for (;;) {
      const last = await store.journalEnd();
      const uncounted = await store.queryOne(
        sql`select seq from activity_position where seq < ${last}`,
      );
      if (uncounted === undefined) return;
      await store.write("maintenance", (tx) => countJournal(tx, last));
    }
  }

  /** Returns a project's counters since an instant, oldest first, including unwritten ones. */
  async hoursSince(db: Reader, project: number, milliseconds: number): Promise<ActivityHour[]> {
    const first = timestamp(milliseconds).slice(0, 13);
    const from = await journalPosition(db);
    const counted = await db.all<ActivityHour>(sql`select hour, kind, sum(count) as count from
      (select hour, kind, count from activity where project = ${project} and hour >= ${first}
        union all
        select hour, kind, count from (${entriesAfter(from, MAX_BATCH_ENTRIES)}) as fresh
          where project = ${project} and hour >= ${first}) as hours
      group by hour, kind`);
    const searched = [...this.#pending.values()]
      .filter((pending) => pending.project === project && pending.hour >= first)
      .map(({ hour, count }): ActivityHour => ({ hour, kind: "searches", count }));
    return mergeHours([...counted, ...searched]);
  }

  /** Deletes up to `count` counters past the retention period and returns how many were deleted. */
  deleteExpired(tx: Tx, count: number): Promise<number> {
    const before = timestamp(this.#appContext.clock.now() - RETENTION_DAYS * DAY_MS).slice(0, 13);
    return tx.run(sql`delete from activity where (project, hour, kind) in
      (select project, hour, kind from activity where hour < ${before} limit ${count})`);
  }

  async #writeSearches(): Promise<void> {
    const pending = [...this.#pending.values()];
    this.#pending = new Map();
    if (pending.length === 0) return;
    await writeByProject(
      pending,
      (project, searches) =>
        this.#appContext.store.write(project, async (tx) => {
          for (const entry of searches) await addSearches(tx, entry);
        }),
      (searches) => searches.forEach((entry) => this.#addPending(entry)),
    );
  }

  #addPending({ project, hour, count }: PendingSearches): void {
    const key = `${project} ${hour}`;
    this.#pending.set(key, { project, hour, count: count + (this.#pending.get(key)?.count ?? 0) });
  }
}

async function addSearches(tx: Tx, { project, hour, count }: PendingSearches): Promise<void> {
  await tx.run(sql`insert into activity (project, hour, kind, count)
    select number, ${hour}, 'searches', ${count} from projects
      where number = ${project} and deleted_at is null
    on conflict (project, hour, kind) do update set count = activity.count + excluded.count`);
}

/** Counts the next journal entries, up to the entry `last`. */
async function countJournal(tx: Tx, last: number): Promise<void> {
  const from = await journalPosition(tx);
  await tx.run(sql`insert into activity (project, hour, kind, count)
    select project, hour, kind, count from (${
    entriesAfter(from, MAX_BATCH_ENTRIES, sql`and seq <= ${last}`)
  }) as fresh where true
    on conflict (project, hour, kind) do update set count = activity.count + excluded.count`);
  await tx.run(sql`update activity_position set seq = coalesce((select max(seq) from
    (select seq from journal where seq > ${from} and seq <= ${last} order by seq limit ${MAX_BATCH_ENTRIES}) as counted), seq)`);
}

/** Returns the sequence number of the last journal entry counted. */
async function journalPosition(db: Reader): Promise<number> {
  return (await db.first<{ seq: number }>(sql`select seq from activity_position`))!.seq;
}

/** Returns a query that counts journal entries after `seq` by project, hour and kind. */
function entriesAfter(seq: number, count: number, condition: Sql = empty): Sql {
  return sql`select project, hour, what as kind, count(*) as count from
    (select project, substr(at, 1, 13) as hour,
        case when journal.kind = 'document' then 'documents'
          when change = 'ADD' then 'memories_added' else 'memories_changed' end as what
      from (select project, kind, change, at from journal
          where seq > ${seq} ${condition} order by seq limit ${count}) as journal
        join projects on number = project and deleted_at is null
      where journal.kind in ('memory', 'document')) as entries
    group by project, hour, what`;
}

function mergeHours(hours: readonly ActivityHour[]): ActivityHour[] {
  const sums = new Map<string, ActivityHour>();
  for (const { hour, kind, count } of hours) {
    const sum = (sums.get(`${hour} ${kind}`)?.count ?? 0) + count;
    sums.set(`${hour} ${kind}`, { hour, kind, count: sum });
  }
  return [...sums.values()]
    .sort((a, b) => a.hour < b.hour ? -1 : a.hour > b.hour ? 1 : 0)
    .map((hour) => ({ ...hour, hour: `${hour.hour}:00:00.000Z` }));
}
