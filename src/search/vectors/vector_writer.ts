/** Embeds batches of texts, stores their vectors, and measures how fast that is. */

import type { Embedder, EmbeddingModel } from "../../embedding/embedder.ts";
import type { Store } from "../../store/store.ts";
import { sha256 } from "../../kernel/hash.ts";
import {
  type BatchLimits,
  type EmbeddedText,
  insertVectors,
  type JournalBatch,
  type JournalPart,
  lastVectorNumber,
  type ModelRow,
  readJournalBatch,
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

/**
 * Embeds texts for the vectors of one process. Texts that the model can't embed are set aside, so
 * that the ones behind them are embedded.
 */
export class VectorWriter {
  readonly #store: Store;
  #perSecond: number | null = null;
  /** Keys of the texts that were set aside, and the model that they're about. */
  readonly #setAside = new Set<string>();
  #model: number | undefined;

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

  /** Reads texts without a vector, except those that were set aside. */
  async read(
    row: Pick<ModelRow, "number">,
    part: JournalPart,
    limits: BatchLimits,
  ): Promise<JournalBatch> {
    const { read, missing } = await this.#store.read((db) =>
      readJournalBatch(db, row, part, limits, this.#setAside.size)
    );
    const others = missing.filter((text) => !this.#isSetAside(row, text));
    return { read, missing: others.slice(0, limits.texts) };
  }

  /**
   * Embeds texts and stores their vectors. Returns the number of texts that were set aside.
   *
   * @throws {EmbedderError} If no text can be embedded.
   */
  async write(
    embedder: Embedder,
    { model, row }: StoredModel,
    texts: readonly UnembeddedText[],
  ): Promise<number> {
    if (texts.length === 0) return 0;
    const [start, before] = [performance.now(), await this.#store.read(lastVectorNumber)];
    const vectors = await embedder.embedPassages(texts.map(({ text }) => text));
    const embedded: EmbeddedText[] = [];
    for (const [index, text] of texts.entries()) {
      const vector = vectors[index]!;
      if (vector === null) this.#putAside(row, text);
      else embedded.push({ ...text, vector });
    }
    for (const [project, items] of Map.groupBy(embedded, ({ project }) => project)) {
      for (let at = 0; at < items.length; at += STORED_VECTORS) {
        const part = items.slice(at, at + STORED_VECTORS);
        await this.#store.write(project, (tx) => insertVectors(tx, row, part, model.center));
      }
    }
    const stored = await this.#store.read(lastVectorNumber) - before;
    this.#updateRate(Math.max(stored, texts.length), performance.now() - start);
    return texts.length - embedded.length;
  }

  /**
   * Forgets the texts that were set aside. Call this once their part of the journal won't be read
   * again, since each of them makes reading slower.
   */
  forgetSetAside(): void {
    this.#setAside.clear();
  }

  #isSetAside({ number }: Pick<ModelRow, "number">, text: UnembeddedText): boolean {
    return this.#setAside.size > 0 && number === this.#model && this.#setAside.has(keyOf(text));
  }

  #putAside({ number }: Pick<ModelRow, "number">, text: UnembeddedText): void {
    if (number !== this.#model) this.#setAside.clear();
    this.#model = number;
    this.#setAside.add(keyOf(text));
  }

  #updateRate(texts: number, milliseconds: number): void {
    const perSecond = texts / milliseconds * 1_000;
    this.#perSecond = RATE_WEIGHT * perSecond + (1 - RATE_WEIGHT) * (this.#perSecond ?? perSecond);
  }
}

/** Returns a key that changes with the text. */
function keyOf({ kind, seq, text }: UnembeddedText): string {
  return `${kind} ${seq} ${sha256(text)}`;
}
