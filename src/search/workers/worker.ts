/** A search worker. Has read-only connections of its own, so it never blocks the event loop. */

import { trimHeap } from "../../kernel/process/heap.ts";
import { serveRequests, workerName } from "../../kernel/process/worker_client.ts";
import type { ChunkSearchRequest, ChunkSearchResult } from "../query/chunk_request.ts";
import { SearchDatabases } from "./databases.ts";
import { queryRecords } from "./record_query.ts";
import type { RecordQuery, RecordQueryResult } from "../query/record_query.ts";
import type {
  MemorySearchRequest,
  MemorySearchResult,
  QueryVector,
} from "../query/memory_request.ts";

/** Worker settings, passed as the worker's name. */
export interface WorkerSettings {
  /** Memory limit for the worker's caches, in bytes. */
  readonly memoryBytes: number;
}

/** A search in a database file. */
type Search =
  | { readonly begin: MemorySearchRequest; readonly requestId: number }
  | { readonly chunks: ChunkSearchRequest; readonly vector: QueryVector | null }
  | { readonly query: RecordQuery };

/**
 * Requests to a worker. A memory search starts with the words while the query is still being
 * embedded. The worker responds once the vector has arrived.
 */
export type WorkerRequest =
  | Search & { /** Path of the file. */ readonly database: string }
  | { readonly finish: QueryVector | null; readonly requestId: number }
  | { readonly removed: string };

/**
 * Responses from a worker. A vector and a removed file get no response of their own; the former
 * just completes a pending search.
 */
export type WorkerResponse =
  | MemorySearchResult
  | ChunkSearchResult
  | RecordQueryResult
  | undefined;

const { memoryBytes }: WorkerSettings = JSON.parse(workerName());
/**
 * Opened by requests. If a database can't be opened, that request fails rather than the worker.
 */
const databases = new SearchDatabases(memoryBytes);

/** A search waiting for its query's vector. */
interface PendingSearch {
  readonly finish: (vector: QueryVector | null) => MemorySearchResult;
  readonly result: PromiseWithResolvers<MemorySearchResult>;
}

/** Pending searches, keyed by request id. */
const pendingSearches = new Map<number, PendingSearch>();

let filling = false;

/** Number of batches to fill in per turn, at a millisecond or two each. */
const FILL_BATCHES = 3;

/** Fills the caches in small batches so that an incoming search doesn't have to wait long. */
function fillCaches(): void {
  if (filling) return;
  filling = true;
  setTimeout(() => {
    filling = false;
    try {
      let more = true;
      for (let batch = 0; more && batch < FILL_BATCHES; batch++) more = databases.fill();
      if (more) fillCaches();
    } catch {
      // Safe to ignore: the next search reads the same file and reports the error if it persists.
    }
  });
}

serveRequests((request: WorkerRequest): WorkerResponse | Promise<WorkerResponse> => {
  if ("finish" in request) return finish(request.requestId, request.finish);
  if ("removed" in request) return void databases.close(request.removed);
  const database = databases.get(request.database);
  if ("query" in request) return queryRecords(database.connection, request.query);
  fillCaches();
  trimHeap();
  if ("chunks" in request) return database.chunks.search(request.chunks, request.vector);
  const { begin, requestId } = request;
  const lexicalPhase = database.memories.begin(begin);
  const endUse = databases.use(database);
  const result = Promise.withResolvers<MemorySearchResult>();
  pendingSearches.set(requestId, {
    finish(vector) {
      try {
        return database.memories.finish(begin, lexicalPhase, vector);
      } finally {
        endUse();
      }
    },
    result,
  });
  return result.promise;
});

/** Finishes a pending search. There isn't one if the first phase failed. */
function finish(requestId: number, vector: QueryVector | null): undefined {
  const search = pendingSearches.get(requestId);
  pendingSearches.delete(requestId);
  search?.result.resolve(Promise.try(() => search.finish(vector)));
}
