/** A pool of search workers, and the interface through which services search. */

import { WorkerClient } from "../../kernel/process/worker_client.ts";
import type { ChunkSearchRequest, ChunkSearchResult } from "../query/chunk_request.ts";
import type { RecordQuery, RecordQueryResult } from "../query/record_query.ts";
import type {
  MemorySearchRequest,
  MemorySearchResult,
  QueryVector,
} from "../query/memory_request.ts";
import type { SearchGround } from "../ground.ts";
import type { SearchMemory } from "../search_memory.ts";
import type { WorkerRequest, WorkerResponse, WorkerSettings } from "./worker.ts";

/** Runs searches off the event loop. */
export interface SearchPool {
  /**
   * Searches memories.
   *
   * @param vector the query's vector, possibly still pending; the search fails if it rejects
   */
  memories(
    request: MemorySearchRequest,
    vector: Promise<QueryVector | null>,
  ): Promise<MemorySearchResult>;
  /**
   * Searches chunks.
   *
   * @param vector the query's vector, possibly still pending; the search fails if it rejects
   */
  chunks(
    request: ChunkSearchRequest,
    vector: Promise<QueryVector | null>,
  ): Promise<ChunkSearchResult>;
  /** Finds the records that match a filter exactly, in order. */
  queryRecords(query: RecordQuery): Promise<RecordQueryResult>;
  close(): void;
}

/** Creates a worker pool. Each worker starts up on its first request. */
export function openSearchPool(
  ground: SearchGround,
  memory: Pick<SearchMemory, "workers" | "workerBytes">,
): SearchPool {
  const url = new URL("./worker.ts", import.meta.url);
  let workers: readonly WorkerClient<WorkerRequest, WorkerResponse>[] | undefined;
  const openWorkers = () => {
    const settings: WorkerSettings = { memoryBytes: memory.workerBytes };
    return Array.from(
      { length: memory.workers },
      () => new WorkerClient<WorkerRequest, WorkerResponse>(url, JSON.stringify(settings)),
    );
  };
  const leastBusy = () => (workers ??= openWorkers()).reduce((a, b) => b.load < a.load ? b : a);
  let nextRequestId = 0;
  ground.onRemoved?.((removed) => workers?.forEach((worker) => worker.notify({ removed })));
  const prepare = (project: number, vector?: Promise<QueryVector | null>) => {
    const ready = ground.ready(project);
    // If the vector fails in the meantime, the search reports it once it gets there.
    if (ready !== undefined) vector?.catch(() => undefined);
    return ready;
  };
  return {
    async memories(request, vector) {
      const ready = prepare(request.project, vector);
      if (ready !== undefined) await ready;
      const worker = leastBusy();
      const requestId = nextRequestId++;
      const sendVector = (finish: QueryVector | null) => worker.notify({ finish, requestId });
      const database = ground.database(request.project);
      const response = worker.request({ database, begin: request, requestId });
      const vectorSent = vector.then(sendVector, (error) => {
        // Finish the search without a vector so that the worker doesn't hold on to the first phase.
        sendVector(null);
        throw error;
      });
      const [result] = await Promise.all([response, vectorSent]);
      return result as MemorySearchResult;
    },
    async chunks(request, vector) {
      await prepare(request.project, vector);
      const database = ground.database(request.project);
      const message = { database, chunks: request, vector: await vector };
      return await leastBusy().request(message) as ChunkSearchResult;
    },
    async queryRecords(query) {
      await prepare(query.project);
      const database = ground.database(query.project);
      return await leastBusy().request({ database, query }) as RecordQueryResult;
    },
    close() {
      for (const worker of workers ?? []) worker.close();
    },
  };
}
