/**
 * Compacts the chunk text index, i.e. merges all segments so that the terms of deleted chunks
 * disappear from disk. FTS5 itself only marks them as deleted.
 *
 * Deleting a source raises a mark in the database. A pass that finds the mark unchanged when it
 * finishes drops it. If the process ends mid-pass, the mark is still there, so the next start
 * begins another pass. Superseded and abandoned versions don't raise the mark. Their terms are
 * dropped whenever their segments happen to be merged.
 */

import sql from "sql-template-tag";
import type { Reader, Store, Tx } from "../store/store.ts";
import type { ChunkBatchQueue } from "./chunk_batch_queue.ts";

/**
 * Merge steps per turn, at 10 ms each. A deletion waits for one turn, enough to compact half a
 * megabyte of index.
 */
export const STEPS_PER_TURN = 2;

/**
 * After a pass, we skip one round per this many steps, to limit compaction to a tenth of the time.
 */
const STEPS_PER_SKIPPED_ROUND = 50;

/** One pass of merging. */
interface CompactionPass {
  /** The mark's value when the pass began. */
  readonly mark: string;
  /** Number of completed steps. */
  steps: number;
}

/** Compacts the index, a few steps at a time. Only one call may be active at once. */
export class IndexCompaction {
  readonly #store: Store;
  readonly #batches: ChunkBatchQueue;
  #pass: CompactionPass | undefined;
  /** Number of steps in the last completed pass. */
  #lastSteps = 0;
  #roundsToSkip = 0;

  constructor(store: Store, batches: ChunkBatchQueue) {
    this.#store = store;
    this.#batches = batches;
  }

  /** Whether a pass is in progress. */
  get isActive(): boolean {
    return this.#pass !== undefined;
  }

  /**
   * Whether a pass is likely to take more than one turn. If so, deletions shouldn't wait for it.
   */
  get isLong(): boolean {
    return this.isActive || this.#lastSteps > STEPS_PER_TURN;
  }

  /** Returns whether to skip this round, and counts it. */
  skipRound(): boolean {
    if (this.#roundsToSkip === 0) return false;
    this.#roundsToSkip--;
    return true;
  }

  /**
   * Runs one turn of merge steps.
   *
   * @param collect called before a pass's first step, to collect what has been deleted so far
   * @returns false if there was nothing to compact
   */
  async advance(collect: () => Promise<void>): Promise<boolean> {
    const pass = this.#pass ?? await this.#store.read(findPendingCompaction);
    if (pass === undefined) return false;
    // Read the mark first, so that the deletions behind it are collected before the first merge.
    // Otherwise, the pass would drop the mark with their terms still in the index.
    if (pass.steps === 0) await collect();
    this.#pass = pass;
    for (let step = 0; step < STEPS_PER_TURN; step++) {
      const hasMore = await this.#batches.merge(pass.steps === 0);
      pass.steps++;
      if (hasMore) continue;
      this.#pass = undefined;
      this.#lastSteps = pass.steps;
      this.#roundsToSkip = Math.floor(pass.steps / STEPS_PER_SKIPPED_ROUND);
      await this.#store.write("maintenance", (tx) => dropMark(tx, pass.mark));
      break;
    }
    return true;
  }
}

/** Raises the mark to get the index compacted. Must run in the unit of work that deletes. */
export async function raiseMark(tx: Tx): Promise<void> {
  await tx.run(sql`insert into meta (name, value) values ('unpurged_chunks', '1')
      on conflict (name) do update set value = cast(cast(meta.value as bigint) + 1 as text)`);
}

/** Drops the mark unless a later deletion raised it. Those terms have to wait for the next pass. */
async function dropMark(tx: Tx, mark: string): Promise<void> {
  await tx.run(sql`delete from meta where name = 'unpurged_chunks' and value = ${mark}`);
}

async function findPendingCompaction(db: Reader): Promise<CompactionPass | undefined> {
  const row = await db.first<{ mark: string }>(
    sql`select value as mark from meta where name = 'unpurged_chunks'`,
  );
  return row === undefined ? undefined : { mark: row.mark, steps: 0 };
}
