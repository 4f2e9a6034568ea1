/** Follows the pages of a list. */

/** One page of a list. */
export interface Page<T> {
  readonly results: readonly T[];
  /** Continues the list; null on the last page. */
  readonly next_cursor: string | null;
  /** Number of all records, if it was requested. */
  readonly count?: number;
}

/**
 * A list that is read page by page, while it is iterated over.
 *
 * ```ts
 * for await (const memory of client.memories.list()) console.log(memory.memory);
 * ```
 */
export class Pages<T, P extends Page<T> = Page<T>> implements AsyncIterable<T> {
  readonly #read: (cursor: string | undefined) => Promise<P>;
  readonly #cursor: string | undefined;

  /** @param cursor where to start; undefined for the beginning */
  constructor(read: (cursor: string | undefined) => Promise<P>, cursor: string | undefined) {
    this.#read = read;
    this.#cursor = cursor;
  }

  /** Returns the first page, without following its cursor. */
  page(): Promise<P> {
    return this.#read(this.#cursor);
  }

  /** Iterates over the pages instead of over their records. */
  async *pages(): AsyncGenerator<P, void, undefined> {
    let cursor = this.#cursor;
    do {
      const page = await this.#read(cursor);
      yield page;
      cursor = page.next_cursor ?? undefined;
    } while (cursor !== undefined);
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    for await (const page of this.pages()) yield* page.results;
  }
}
