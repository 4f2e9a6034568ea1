/** Divides the memory for searches between the search workers, and checks what fits into it. */

import sql from "sql-template-tag";
import { signByteLength } from "../embedding/quantize.ts";
import type { Reader } from "../store/store.ts";

/**
 * Share of a worker's memory that goes to thread indexes. The rest is for vectors. With 384
 * dimensions, a memory takes 120 to 170 bytes in the former and 470 bytes in the latter.
 */
export const THREAD_INDEX_SHARE = 0.2;

/**
 * Limits of the number of workers. Each has its own copy of what it caches, so on a machine with
 * many cores, a worker for each of them would leave too little for a project.
 */
const MAX_WORKERS = 7;
const MIN_WORKER_BYTES = 80 * 2 ** 20;

/** The memory of the search workers. */
export interface SearchMemory {
  readonly workers: number;
  /** Number of workers that there would be with more memory. */
  readonly maxWorkers: number;
  /** Memory limit of each worker's caches, in bytes. */
  readonly workerBytes: number;
}

/**
 * Returns how many workers there are, and how much memory each of them has. Leaves one core to the
 * event loop and the writer.
 *
 * @param bytes memory limit for all workers together
 *
 * @example
 * ```ts
 * import { divideSearchMemory } from "./search_memory.ts";
 * import { deepStrictEqual } from "node:assert/strict";
 *
 * const bytes = 270 * 2 ** 20;
 * const memory = { workers: 3, maxWorkers: 7, workerBytes: bytes / 3 };
 * deepStrictEqual(divideSearchMemory(bytes, 64), memory);
 * ```
 */
export function divideSearchMemory(bytes: number, cores: number): SearchMemory {
  const maxWorkers = Math.max(1, Math.min(cores - 1, MAX_WORKERS));
  const workers = Math.max(1, Math.min(maxWorkers, Math.floor(bytes / MIN_WORKER_BYTES)));
  return { workers, maxWorkers, workerBytes: Math.floor(bytes / workers) };
}

/** Returns the minimum size of the vectors of some records in memory: that of their sign bits. */
export function minVectorBytes(records: number, dims: number): number {
  return records * (1.5 * signByteLength(dims) + 4);
}

/**
 * Returns the memory limit for all workers together that suffices for searches by meaning among
 * some records, in bytes, or null if the current one does.
 */
export function missingMemory(
  records: number,
  dims: number,
  { maxWorkers, workerBytes }: SearchMemory,
): number | null {
  const bytes = minVectorBytes(records, dims) / (1 - THREAD_INDEX_SHARE);
  return bytes > workerBytes ? Math.ceil(bytes * maxWorkers) : null;
}

/** Returns the same for the memories and chunks of a project. */
export async function missingProjectMemory(
  db: Reader,
  project: number,
  memory: SearchMemory,
): Promise<number | null> {
  const row = await db.first<{ dims: number; memories: number; chunks: number }>(sql`
    select dims,
      coalesce((select total_memories from scope_totals
        where project = ${project} and type = 'project' and id = ''), 0) as memories,
      coalesce((select chunks from document_totals where project = ${project}), 0) as chunks
    from embedding_models order by serving desc, number desc limit 1`);
  return row === undefined
    ? null
    : missingMemory(Math.max(row.memories, row.chunks), row.dims, memory);
}
