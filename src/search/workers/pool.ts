/** The search workers, as the one thing that services call. */

import { WorkerClient } from "../../kernel/worker_client.ts";
import type { ChunkSearchRequest, ChunkSearchResult } from "../query/chunk_request.ts";
import type {
  MemorySearchRequest,
  MemorySearchResult,
  QueryVector,
} from "../query/memory_request.ts";
import type { WorkerRequest, WorkerResponse, WorkerSettings } from "./worker.ts";

/** Searches somewhere else than on the event loop. */
export interface SearchPool {
  /** @param vector of the query; it may still be on its way, and when it fails, so does the search */
  memories(
    request: MemorySearchRequest,
    vector: Promise<QueryVector | null>,
  ): Promise<MemorySearchResult>;
  /** @param vector as above */
  chunks(
    request: ChunkSearchRequest,
    vector: Promise<QueryVector | null>,
  ): Promise<ChunkSearchResult>;
  close(): void;
}

/** How many workers there are, and what they may take. */
export interface SearchPoolOptions {
  readonly workers: number;
  /** Bytes that what all workers together hold in memory may take. */
  readonly memoryBytes: number;
}

/** Workers on a database; they start and open it when they are asked for the first time. */
export function openSearchPool(database: string, options: SearchPoolOptions): SearchPool {
  const url = new URL("./worker.ts", import.meta.url);
  const settings: WorkerSettings = {
    database,
    memoryBytes: Math.floor(options.memoryBytes / options.workers),
  };
  const workers = Array.from(
    { length: options.workers },
    () => new WorkerClient<WorkerRequest, WorkerResponse>(url, JSON.stringify(settings)),
  );
  const leastBusy = () => workers.reduce((a, b) => b.load < a.load ? b : a);
  let nextRequestId = 0;
  return {
    async memories(request, vector) {
      const worker = leastBusy();
      const requestId = nextRequestId++;
      const sendVector = (finish: QueryVector | null) => worker.notify({ finish, requestId });
      const response = worker.request({ begin: request, requestId });
      const vectorSent = vector.then(sendVector, (error) => {
        // The worker goes on without, so that it doesn't keep what has begun.
        sendVector(null);
        throw error;
      });
      const [outcome] = await Promise.all([response, vectorSent]);
      return outcome as MemorySearchResult;
    },
    async chunks(request, vector) {
      const question = { chunks: request, vector: await vector };
      return await leastBusy().request(question) as ChunkSearchResult;
    },
    close() {
      for (const worker of workers) worker.close();
    },
  };
}
