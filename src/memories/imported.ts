/**
 * Writes memories that come from another system, with the ids and times they have there. One that
 * was imported before is left as it is, even if it has been changed or deleted since.
 */

import sql from "sql-template-tag";
import type { Actor } from "../contract/endpoint.ts";
import type { AppContext } from "../contract/app_context.ts";
import { timestamp } from "../kernel/clock.ts";
import { texts } from "../store/sql.ts";
import type { Reader, Tx } from "../store/store.ts";
import { nextPosition } from "./repository.ts";
import { type MemoryRow, threadNumber } from "./row.ts";
import { countAddedRows } from "./scope_counters.ts";
import { MemoryWriter } from "./writer.ts";

/** A memory to import. Its id is derived from its source. `metadata` is JSON text. */
export type ImportedMemory = Omit<MemoryRow, "seq">;

/** Writes imported memories. */
export class ImportedMemories {
  readonly #appContext: AppContext;
  readonly #writer: MemoryWriter;

  constructor(appContext: AppContext) {
    this.#appContext = appContext;
    this.#writer = new MemoryWriter(appContext);
  }

  /** Returns which of the given ids the project has, or had before they were deleted. */
  async known(db: Reader, project: number, ids: readonly string[]): Promise<ReadonlySet<string>> {
    const rows = await db.all<{ memory_id: string }>(sql`select distinct memory_id
      from memory_history where project = ${project}
        and memory_id in ${texts(ids)}`);
    return new Set(rows.map(({ memory_id }) => memory_id));
  }

  /**
   * Stores those that the project never had, in order. Their history begins now, not at their own
   * times.
   *
   * @param operation id of the import
   * @returns how many were stored
   */
  async add(
    tx: Tx,
    actor: Actor,
    memories: readonly ImportedMemory[],
    operation: string,
  ): Promise<number> {
    const known = await this.known(tx, actor.project, memories.map(({ id }) => id));
    const rows = await this.#withThreads(tx, actor, memories.filter(({ id }) => !known.has(id)));
    if (rows.length === 0) return 0;
    const at = timestamp(this.#appContext.clock.now());
    await this.#writer.insert(tx, actor, rows, { kind: "import", operation_id: operation }, at);
    countAddedRows(tx, actor.project, rows);
    return rows.length;
  }

  /** Appends the memories of a run to its thread, as adds to the run would be. */
  async #withThreads(tx: Tx, { project }: Actor, memories: readonly ImportedMemory[]) {
    const next = new Map<number, number>();
    const rows = [];
    for (const memory of memories) {
      const { user_id, agent_id, run_id } = memory;
      if (run_id === null) {
        rows.push({ ...memory, thread: null, position: null });
        continue;
      }
      const thread = threadNumber("run", user_id, agent_id, run_id);
      const position = next.get(thread) ?? await nextPosition(tx, project, thread);
      next.set(thread, position + 1);
      rows.push({ ...memory, thread, position });
    }
    return rows;
  }
}
