/** Prepares documents without holding up requests: small ones at once, large ones in a thread. */

import { WorkerClient } from "../kernel/worker_client.ts";
import {
  prepareChunks,
  type PreparedChunk,
  type PreparedSlice,
  type Unprepared,
} from "./prepare.ts";
import type { PrepareQuestion } from "./prepare_worker.ts";

/** Up to here (UTF-16 units) preparing takes less than about 5 ms. */
const SMALL = 32 * 1024;

/** Prepares the documents of a server. */
export class Preparer {
  readonly #worker = new WorkerClient<PrepareQuestion, PreparedSlice>(
    new URL("./prepare_worker.ts", import.meta.url),
  );
  #tickets = 0;

  async prepare(document: Unprepared): Promise<PreparedChunk[]> {
    if (document.content.length <= SMALL) return prepareChunks(document);
    const chunks: PreparedChunk[] = [];
    for await (const slice of this.slices(document)) chunks.push(...slice);
    return chunks;
  }

  /** The chunks in slices. The thread is one slice ahead of who uses them. */
  async *slices(document: Unprepared): AsyncGenerator<readonly PreparedChunk[], void> {
    const ticket = this.#tickets++;
    let next = this.#ask({ ticket, begin: document });
    for (;;) {
      const { chunks, last } = await next;
      if (!last) next = this.#ask({ ticket, goOn: true });
      let isLeft = !last;
      try {
        yield chunks;
        isLeft = false;
      } finally {
        if (isLeft) void this.#ask({ ticket, goOn: false });
      }
      if (last) return;
    }
  }

  close(): void {
    this.#worker.close();
  }

  /** The answer is awaited later, or never: a failure must not count as unhandled until then. */
  #ask(question: PrepareQuestion): Promise<PreparedSlice> {
    const answer = this.#worker.ask(question);
    answer.catch(() => undefined);
    return answer;
  }
}
