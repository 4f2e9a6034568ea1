/**
 * Counts memory reads and records when each memory was last read. Reads are buffered in memory and
 * written later.
 */

import sql from "sql-template-tag";
import type { AppContext } from "../contract/app_context.ts";
import { timestamp } from "../kernel/clock.ts";
import { writeByProject } from "../store/write_by_project.ts";

/** Maximum number of buffered memories. Any more trigger an immediate flush. */
const MAX_BUFFERED_MEMORIES = 2_000;

interface Access {
  readonly project: number;
  readonly memoryId: string;
  readonly count: number;
  readonly lastAt: string;
}

/** Counts reads by search and get. A crash only loses the reads since the last flush. */
export class AccessLog {
  readonly #appContext: AppContext;
  #buffer = new Map<string, Access>();

  constructor(appContext: AppContext) {
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
   * Flushes the buffer, skipping memories deleted in the meantime. If the write fails, the reads
   * stay in the buffer and the error is thrown.
   */
  async flush(): Promise<void> {
    const accesses = [...this.#buffer.values()];
    this.#buffer = new Map();
    if (accesses.length === 0) return;
    await writeByProject(
      accesses,
      (project, ofProject) => this.#write(project, ofProject),
      (ofProject) => ofProject.forEach((access) => this.#add(access)),
    );
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
      for (const { memoryId, count, lastAt } of accesses) {
        await tx.run(sql`insert into memory_access (project, memory_id, count, last_at)
          select project, id, ${count}, ${lastAt} from memories
            where project = ${project} and id = ${memoryId}
          on conflict (project, memory_id) do update set
            count = memory_access.count + excluded.count, last_at = excluded.last_at`);
      }
    });
  }
}
