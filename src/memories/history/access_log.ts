/**
 * Counts memory reads and records when each memory was last read. Reads are buffered in memory and
 * written later.
 */

import sql from "sql-template-tag";
import type { AppContext } from "../../contract/app_context.ts";
import { timestamp } from "../../kernel/clock.ts";
import { yieldToEventLoop } from "../../kernel/timers.ts";
import { recordRows } from "../../store/sql.ts";
import { writeByProject } from "../../store/write_by_project.ts";

/**
 * Maximum number of buffered memories. Any more trigger an immediate flush. The more there are, the
 * more of them share a page of the table: flushing 20,000 of 100,000 memories writes a fifth of
 * the pages per memory that flushing 2,000 does.
 */
const MAX_BUFFERED_MEMORIES = 20_000;

/** Number of memories written per unit of work, so that requests don't wait for a whole flush. */
const BATCH_MEMORIES = 250;

interface Access {
  readonly project: number;
  readonly memoryId: string;
  readonly count: number;
  readonly lastAt: string;
}

/** Counts reads by search and get. A crash only loses the reads since the last flush. */
export class AccessLog {
  readonly #appContext: Pick<AppContext, "store" | "clock">;
  #buffer = new Map<string, Access>();
  /** The latest flush. Flushes take turns, so that each ends with everything before it written. */
  #flushed: Promise<void> = Promise.resolve();

  constructor(appContext: Pick<AppContext, "store" | "clock">) {
    this.#appContext = appContext;
  }

  /** Counts one read per memory, at the current time. */
  record(project: number, memoryIds: readonly string[]): void {
    const lastAt = timestamp(this.#appContext.clock.now());
    for (const memoryId of memoryIds) this.#add({ project, memoryId, count: 1, lastAt });
    if (this.#buffer.size > MAX_BUFFERED_MEMORIES) {
      void this.flush().catch(() => this.#buffer.clear());
    }
  }

  /**
   * Flushes the buffer, skipping memories deleted in the meantime. Reads that can't be written stay
   * in the buffer and the error is thrown.
   */
  flush(): Promise<void> {
    return this.#flushed = this.#flushed.catch(() => undefined).then(() => this.#writeBuffer());
  }

  async #writeBuffer(): Promise<void> {
    // In the order of the table's key, so that each batch changes few pages.
    const accesses = [...this.#buffer].sort(([a], [b]) => a < b ? -1 : 1).map(([, it]) => it);
    this.#buffer = new Map();
    const restore = (unwritten: readonly Access[]) => unwritten.forEach((it) => this.#add(it));
    for (let from = 0; from < accesses.length; from += BATCH_MEMORIES) {
      const end = from + BATCH_MEMORIES;
      try {
        await writeByProject(
          accesses.slice(from, end),
          (project, ofProject) => this.#write(project, ofProject),
          restore,
        );
      } catch (error) {
        restore(accesses.slice(end));
        throw error;
      }
      await yieldToEventLoop();
    }
  }

  #add(access: Access): void {
    const key = `${access.project} ${access.memoryId}`;
    const { count = 0, lastAt = "" } = this.#buffer.get(key) ?? {};
    this.#buffer.set(key, {
      ...access,
      count: count + access.count,
      lastAt: lastAt > access.lastAt ? lastAt : access.lastAt,
    });
  }

  #write(project: number, accesses: readonly Access[]): Promise<void> {
    return this.#appContext.store.write(project, async (tx) => {
      await tx.run(sql`insert into memory_access (project, memory_id, count, last_at)
        select memories.project, memories.id, cast(value ->> 'count' as bigint), value ->> 'lastAt'
        from ${recordRows(accesses)} as accesses
        cross join memories on memories.project = ${project}
          and memories.id = value ->> 'memoryId'
        where true
        on conflict (project, memory_id) do update set
          count = memory_access.count + excluded.count, last_at = excluded.last_at`);
    });
  }
}
