/** Prepares documents without blocking requests: small ones in place, large ones in a thread. */

import { WorkerClient } from "../kernel/process/worker_client.ts";
import { type ChunkBatch, type ChunkInput, prepareChunks, type PreparedChunk } from "./prepare.ts";
import type { PrepareRequest } from "./prepare_worker.ts";

/** Maximum length of a document prepared in place, in UTF-16 code units. Takes less than 5 ms. */
const MAX_SYNC_CHARACTERS = 32 * 1024;

/** Prepares documents. Owns the thread for large ones. */
export class Preparer {
  readonly #worker = new WorkerClient<PrepareRequest, ChunkBatch>(
    new URL("./prepare_worker.ts", import.meta.url),
  );
  #nextRequestId = 0;

  /** Returns all chunks of a document. */
  async prepare(document: ChunkInput): Promise<PreparedChunk[]> {
    if (document.content.length <= MAX_SYNC_CHARACTERS) return prepareChunks(document);
    const chunks: PreparedChunk[] = [];
    for await (const batch of this.batches(document)) chunks.push(...batch);
    return chunks;
  }

  /** Yields the chunks in batches. The thread stays one batch ahead. */
  async *batches(document: ChunkInput): AsyncGenerator<readonly PreparedChunk[], void> {
    const requestId = this.#nextRequestId++;
    let next = this.#request({ requestId, start: document });
    for (;;) {
      const { chunks, last } = await next;
      if (!last) next = this.#request({ requestId, wantsMore: true });
      let isAbandoned = !last;
      try {
        yield chunks;
        isAbandoned = false;
      } finally {
        if (isAbandoned) void this.#request({ requestId, wantsMore: false });
      }
      if (last) return;
    }
  }

  close(): void {
    this.#worker.close();
  }

  /**
   * Sends a request. The response may be awaited later or never, so failures are marked as handled.
   */
  #request(request: PrepareRequest): Promise<ChunkBatch> {
    const response = this.#worker.request(request);
    response.catch(() => undefined);
    return response;
  }
}
