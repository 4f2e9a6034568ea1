/** Prepares documents where it holds nobody up: small ones at once, large ones in a thread. */

import { WorkerClient } from "../kernel/worker_client.ts";
import { prepareChunks, type PreparedChunk, type Unprepared } from "./prepare.ts";

/** Up to here (UTF-16 units) preparing takes less than about 5 ms. */
const SMALL = 32 * 1024;

/** Prepares the documents of a server. */
export class Preparer {
  readonly #worker = new WorkerClient<Unprepared, PreparedChunk[]>(
    new URL("./prepare_worker.ts", import.meta.url),
  );

  async prepare(document: Unprepared): Promise<PreparedChunk[]> {
    if (document.content.length <= SMALL) return prepareChunks(document);
    return await this.#worker.ask(document);
  }

  close(): void {
    this.#worker.close();
  }
}
