/** The search workers, as the one thing that services call. */

import { WorkerClient } from "../kernel/worker_client.ts";
import type { ChunkSearch, ChunkSearchOutcome } from "./chunk_request.ts";
import type { MemorySearch, QueryVector, SearchOutcome } from "./request.ts";
import type { WorkerAnswer, WorkerQuestion, WorkerSettings } from "./worker.ts";

/** Searches somewhere else than on the event loop. */
export interface SearchPool {
  /** @param vector of the query; it may still be on its way, and when it fails, so does the search */
  memories(request: MemorySearch, vector: Promise<QueryVector | null>): Promise<SearchOutcome>;
  /** @param vector as above */
  chunks(request: ChunkSearch, vector: Promise<QueryVector | null>): Promise<ChunkSearchOutcome>;
  close(): void;
}

/** How many workers there are, and what they may take. */
export interface PoolSize {
  readonly workers: number;
  /** Bytes that what all workers together hold in memory may take. */
  readonly memoryBytes: number;
}

/** Workers on a database; they start and open it when they are asked for the first time. */
export function openSearchPool(database: string, size: PoolSize): SearchPool {
  const url = new URL("./worker.ts", import.meta.url);
  const settings: WorkerSettings = {
    database,
    memoryBytes: Math.floor(size.memoryBytes / size.workers),
  };
  const workers = Array.from(
    { length: size.workers },
    () => new WorkerClient<WorkerQuestion, WorkerAnswer>(url, JSON.stringify(settings)),
  );
  const idlest = () => workers.reduce((a, b) => b.load < a.load ? b : a);
  let tickets = 0;
  return {
    async memories(request, vector) {
      const worker = idlest();
      const ticket = tickets++;
      const tell = (finish: QueryVector | null) => worker.tell({ finish, ticket });
      const asked = worker.ask({ begin: request, ticket });
      const told = vector.then(tell, (error) => {
        // The worker goes on without, so that it doesn't keep what has begun.
        tell(null);
        throw error;
      });
      const [outcome] = await Promise.all([asked, told]);
      return outcome as SearchOutcome;
    },
    async chunks(request, vector) {
      const question = { chunks: request, vector: await vector };
      return await idlest().ask(question) as ChunkSearchOutcome;
    },
    close() {
      for (const worker of workers) worker.close();
    },
  };
}
