/** How often and when last memories were read: counted in memory, written behind the reads. */

import sql from "sql-template-tag";
import type { Foundation } from "../contract/foundation.ts";
import { timestamp } from "../kernel/clock.ts";

/** Reads held back between two writes; past it, a write comes early. */
const HELD_READS = 2_000;

interface Access {
  readonly project: number;
  readonly memoryId: string;
  count: number;
  lastAt: string;
}

/** Counts reads by search and get. A crash may cost the reads since the last flush, nothing else. */
export class AccessLog {
  readonly #foundation: Foundation;
  #held = new Map<string, Access>();

  constructor(foundation: Foundation) {
    this.#foundation = foundation;
  }

  /** Notes that these memories were read now. */
  note(project: number, memoryIds: readonly string[]): void {
    const lastAt = timestamp(this.#foundation.clock.now());
    for (const memoryId of memoryIds) {
      const key = `${project} ${memoryId}`;
      const held = this.#held.get(key);
      if (held) Object.assign(held, { count: held.count + 1, lastAt });
      else this.#held.set(key, { project, memoryId, count: 1, lastAt });
    }
    if (this.#held.size > HELD_READS) void this.flush().catch(() => this.#held.clear());
  }

  /** Writes what is held. Memories deleted meanwhile are left out. */
  async flush(): Promise<void> {
    const accesses = [...this.#held.values()];
    this.#held = new Map();
    if (accesses.length === 0) return;
    await this.#foundation.store.write(async (tx) => {
      for (const { project, memoryId, count, lastAt } of accesses) {
        await tx.run(sql`insert into memory_access (project, memory_id, count, last_at)
          select project, id, ${count}, ${lastAt} from memories
            where project = ${project} and id = ${memoryId}
          on conflict (project, memory_id) do update set
            count = count + excluded.count, last_at = excluded.last_at`);
      }
    });
  }
}
