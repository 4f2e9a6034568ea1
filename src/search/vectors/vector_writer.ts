/** Embeds batches of texts, stores their vectors, and measures how fast that is. */

import type { Embedder, EmbeddingModel } from "../../embedding/embedder.ts";
import type { Store } from "../../store/store.ts";
import {
  insertVectors,
  lastVectorNumber,
  type ModelRow,
  type UnembeddedText,
} from "./vector_store.ts";

/**
 * Number of journal entries and texts per batch. A batch of short texts takes about a quarter of a
 * second to embed on two cores. There can be one more text than entries, so that a batch full of
 * memories is known to be complete and isn't read a second time.
 */
export const BATCH_LIMITS = { entries: 128, texts: 129 } as const;

/**
 * Number of vectors stored per transaction. Takes 3 ms of the event loop, which requests wait for.
 */
const STORED_VECTORS = 32;

/** Weight of the latest batch in the rate. Earlier batches weigh less and less. */
const RATE_WEIGHT = 0.3;

/** A model and its row. */
export interface StoredModel {
  readonly model: EmbeddingModel;
  readonly row: ModelRow;
}

/** Embeds texts for the vectors of one process. */
export class VectorWriter {
  readonly #store: Store;
  #perSecond: number | null = null;

  constructor(store: Store) {
    this.#store = store;
  }

  /**
   * Texts that all processes have embedded per second, while this process worked on the last
   * batches. Null if it isn't embedding.
   */
  get perSecond(): number | null {
    return this.#perSecond;
  }

  /** Makes the rate unknown, because this process has nothing to embed, or can't. */
  resetRate(): void {
    this.#perSecond = null;
  }

  /**
   * Embeds texts and stores their vectors.
   *
   * @throws {EmbedderError} If a text can't be embedded.
   */
  async write(
    embedder: Embedder,
    { model, row }: StoredModel,
    texts: readonly UnembeddedText[],
  ): Promise<void> {
    if (texts.length === 0) return;
    const [start, before] = [performance.now(), await this.#store.read(lastVectorNumber)];
    const vectors = await embedder.embedPassages(texts.map(({ text }) => text));
    const embedded = texts.map((item, index) => ({ ...item, vector: vectors[index]! }));
    for (const [project, items] of Map.groupBy(embedded, ({ project }) => project)) {
      for (let at = 0; at < items.length; at += STORED_VECTORS) {
        const part = items.slice(at, at + STORED_VECTORS);
        await this.#store.write(project, (tx) => insertVectors(tx, row, part, model.center));
      }
    }
    const stored = await this.#store.read(lastVectorNumber) - before;
    this.#updateRate(Math.max(stored, texts.length), performance.now() - start);
  }

  #updateRate(texts: number, milliseconds: number): void {
    const perSecond = texts / milliseconds * 1_000;
    this.#perSecond = RATE_WEIGHT * perSecond + (1 - RATE_WEIGHT) * (this.#perSecond ?? perSecond);
  }
}
