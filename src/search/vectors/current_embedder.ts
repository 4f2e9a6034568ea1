/** Holds the embedder in use, which can be replaced while the service runs. */

import type { Embedder, EmbedderStatus } from "../../embedding/embedder.ts";

/** The embedder for new texts, and for queries once its vectors are complete. */
export class CurrentEmbedder {
  #embedder: Embedder;

  constructor(embedder: Embedder) {
    this.#embedder = embedder;
  }

  get(): Embedder {
    return this.#embedder;
  }

  get status(): EmbedderStatus {
    return this.#embedder.status;
  }

  /** Replaces the embedder. Returns the previous one, which isn't closed. */
  replace(next: Embedder): Embedder {
    const previous = this.#embedder;
    this.#embedder = next;
    return previous;
  }

  close(): void {
    this.#embedder.close();
  }
}
