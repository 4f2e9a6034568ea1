/** Prepares documents without holding up requests: small ones at once, large ones in a thread. */

import { WorkerClient } from "../kernel/worker_client.ts";
import { type ChunkBatch, type ChunkInput, prepareChunks, type PreparedChunk } from "./prepare.ts";
import type { PrepareRequest } from "./prepare_worker.ts";

/** Up to here (UTF-16 units) preparing takes less than about 5 ms. */
const MAX_SYNC_CHARACTERS = 32 * 1024;

/** Prepares the documents of a server. */
export class Preparer {
  readonly #worker = new WorkerClient<PrepareRequest, ChunkBatch>(
    new URL("./prepare_worker.ts", import.meta.url),
  );
  #nextRequestId = 0;

  async prepare(document: ChunkInput): Promise<PreparedChunk[]> {
    if (document.content.length <= MAX_SYNC_CHARACTERS) return prepareChunks(document);
    const chunks: PreparedChunk[] = [];
    for await (const slice of this.batches(document)) chunks.push(...slice);
    return chunks;
  }

  /** The chunks in slices. The thread is one slice ahead of who uses them. */
  async *batches(document: ChunkInput): AsyncGenerator<readonly PreparedChunk[], void> {
    const requestId = this.#nextRequestId++;
    let next = this.#request({ requestId, begin: document });
    for (;;) {
      const { chunks, last } = await next;
      if (!last) next = this.#request({ requestId, goOn: true });
      let isLeft = !last;
      try {
        yield chunks;
        isLeft = false;
      } finally {
        if (isLeft) void this.#request({ requestId, goOn: false });
      }
      if (last) return;
    }
  }

  close(): void {
    this.#worker.close();
  }

  /** The answer is awaited later, or never: a failure must not count as unhandled until then. */
  #request(request: PrepareRequest): Promise<ChunkBatch> {
    const answer = this.#worker.request(request);
    answer.catch(() => undefined);
    return answer;
  }
}
