/** Remembers when records were last used, so that a request costs no write. */

/** Resolution of a stored time, in milliseconds. Anything finer would cost a write per request. */
const RESOLUTION_MS = 60_000;

/**
 * Times of last use, in memory until they're written.
 *
 * @example
 * ```ts
 * import { LastUsed } from "./last_used.ts";
 * import { deepStrictEqual } from "node:assert/strict";
 *
 * const lastUsed = new LastUsed();
 * lastUsed.record("key_1", 120_000);
 * await lastUsed.flush((due) => {
 *   deepStrictEqual(due, [["key_1", 120_000]]);
 *   return Promise.resolve();
 * });
 * ```
 */
export class LastUsed {
  readonly #usedAt = new Map<string, number>();
  readonly #writtenAt = new Map<string, number>();

  record(id: string, at: number): void {
    this.#usedAt.set(id, at);
  }

  /** Passes on the times that have changed since they were last written. Calls nothing if none. */
  async flush(write: (due: readonly (readonly [id: string, at: number])[]) => Promise<void>) {
    // Always in the same order, so that two flushes never wait for each other.
    const due = [...this.#usedAt].filter(([id, at]) =>
      at - (this.#writtenAt.get(id) ?? 0) >= RESOLUTION_MS
    ).sort(([a], [b]) => a < b ? -1 : 1);
    if (due.length === 0) return;
    await write(due);
    for (const [id, at] of due) this.#writtenAt.set(id, at);
  }
}
