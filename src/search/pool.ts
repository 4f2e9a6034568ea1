/** The search workers, as the one thing that services call. */

import { WorkerClient } from "../kernel/worker_client.ts";
import type { ChunkSearch, ChunkSearchOutcome } from "./chunk_request.ts";
import type { MemorySearch, SearchOutcome } from "./request.ts";
import type { SearchAnswer, SearchQuestion } from "./worker.ts";

/** Searches somewhere else than on the event loop. */
export interface SearchPool {
  memories(request: MemorySearch): Promise<SearchOutcome>;
  chunks(request: ChunkSearch): Promise<ChunkSearchOutcome>;
  close(): void;
}

/** Starts `size` workers on a database; they open it when they are asked for the first time. */
export function openSearchPool(databasePath: string, size: number): SearchPool {
  const url = new URL("./worker.ts", import.meta.url);
  const workers = Array.from(
    { length: size },
    () => new WorkerClient<SearchQuestion, SearchAnswer>(url, databasePath),
  );
  const ask = (question: SearchQuestion) =>
    workers.reduce((a, b) => b.load < a.load ? b : a).ask(question);
  return {
    memories: async (request) => await ask({ memories: request }) as SearchOutcome,
    chunks: async (request) => await ask({ chunks: request }) as ChunkSearchOutcome,
    close() {
      for (const worker of workers) worker.close();
    },
  };
}
