/**
 * How much goes on in each hour. Changes are counted out of the journal, a few seconds behind it
 * and exactly once; searches leave no record and are counted in memory: a crash may cost the last
 * seconds of them, nothing else.
 */

import sql from "sql-template-tag";
import type { Foundation } from "../contract/foundation.ts";
import { timestamp } from "../kernel/clock.ts";
import type { Reader, Tx } from "../store/store.ts";
import type { ActivityHour } from "./schema.ts";

/** Journal entries counted in one unit of work. */
const ENTRIES = 5_000;

/** Hours that are kept: what the dashboard shows at most, and some. */
const KEPT_DAYS = 92;
const DAY_MS = 24 * 60 * 60_000;

/** The service of activity. */
export class ActivityService {
  readonly #foundation: Foundation;
  /** Searches by project and hour that aren't written yet. */
  #held = new Map<string, { readonly project: number; readonly hour: string; count: number }>();
  #counted = -1;

  constructor(foundation: Foundation) {
    this.#foundation = foundation;
  }

  /** Notes that a project was searched now. */
  noteSearch(project: number): void {
    const hour = timestamp(this.#foundation.clock.now()).slice(0, 13);
    const held = this.#held.get(`${project} ${hour}`);
    if (held !== undefined) held.count++;
    else this.#held.set(`${project} ${hour}`, { project, hour, count: 1 });
  }

  /** Writes what is held, and counts what the journal has had since the last time. */
  async flush(): Promise<void> {
    const { store } = this.#foundation;
    const held = [...this.#held.values()];
    this.#held = new Map();
    if (held.length > 0) {
      await store.write(async (tx) => {
        for (const { project, hour, count } of held) await addSearches(tx, project, hour, count);
      });
    }
    for (;;) {
      const newest = await store.lookUp<{ seq: number }>(
        sql`select max(seq) as seq from journal`,
      );
      if ((newest?.seq ?? 0) <= this.#counted) return;
      this.#counted = await store.write(countJournal);
    }
  }

  /** The hours of a project since an instant, oldest first. */
  since(db: Reader, project: number, milliseconds: number): Promise<ActivityHour[]> {
    return db.all<ActivityHour>(sql`select hour || ':00:00.000Z' as hour, kind, count from activity
      where project = ${project} and hour >= ${timestamp(milliseconds).slice(0, 13)}
      order by hour, kind`);
  }

  /** Forgets a few hours that are older than any that is shown; answers how many. */
  forgetOld(tx: Tx, count: number): Promise<number> {
    const before = timestamp(this.#foundation.clock.now() - KEPT_DAYS * DAY_MS).slice(0, 13);
    return tx.run(sql`delete from activity where (project, hour, kind) in
      (select project, hour, kind from activity where hour < ${before} limit ${count})`);
  }
}

async function addSearches(tx: Tx, project: number, hour: string, count: number): Promise<void> {
  await tx.run(sql`insert into activity (project, hour, kind, count)
    select number, ${hour}, 'searches', ${count} from projects
      where number = ${project} and deleted_at is null
    on conflict (project, hour, kind) do update set count = count + excluded.count`);
}

/** Counts the next entries of the journal; answers the number of the last one. */
async function countJournal(tx: Tx): Promise<number> {
  const from = (await tx.first<{ seq: number }>(sql`select seq from activity_position`))!.seq;
  const last = await tx.first<{ seq: number | null }>(sql`select max(seq) as seq from
    (select seq from journal where seq > ${from} order by seq limit ${ENTRIES})`);
  const to = last?.seq ?? from;
  if (to === from) return from;
  await tx.run(sql`insert into activity (project, hour, kind, count)
    select project, substr(at, 1, 13), what, count(*) from
      (select project, at, case when journal.kind = 'document' then 'documents'
          when change = 'ADD' then 'memories_added' else 'memories_changed' end as what
        from journal join projects on number = project and deleted_at is null
        where seq > ${from} and seq <= ${to} and kind in ('memory', 'document')) as entries
    where true group by project, substr(at, 1, 13), what
    on conflict (project, hour, kind) do update set count = count + excluded.count`);
  await tx.run(sql`update activity_position set seq = ${to}`);
  return to;
}
