/** A search worker. Has its own read-only connection, so searches don't block the event loop. */

import { trimHeap } from "../../kernel/process/heap.ts";
import { serveRequests } from "../../kernel/process/worker_client.ts";
import { Connection } from "../../store/sqlite/connection.ts";
import type { ChunkSearchRequest, ChunkSearchResult } from "../query/chunk_request.ts";
import { ChunkSearcher } from "./chunk_search.ts";
import { VectorCache } from "../vectors/vector_cache.ts";
import { queryRecords } from "./record_query.ts";
import { MemorySearcher } from "./memory_search.ts";
import { ThreadIndexCache } from "../threads/thread_index_cache.ts";
import type { RecordQuery, RecordQueryResult } from "../query/record_query.ts";
import type {
  MemorySearchRequest,
  MemorySearchResult,
  QueryVector,
} from "../query/memory_request.ts";

/** Worker settings, passed as the worker's name. */
export interface WorkerSettings {
  readonly database: string;
  /** Memory limit for the worker's caches, in bytes. */
  readonly memoryBytes: number;
}

/**
 * Requests to a worker. A memory search starts with the words while the query is still being
 * embedded. The worker responds once the vector has arrived.
 */
export type WorkerRequest =
  | { readonly begin: MemorySearchRequest; readonly requestId: number }
  | { readonly finish: QueryVector | null; readonly requestId: number }
  | { readonly chunks: ChunkSearchRequest; readonly vector: QueryVector | null }
  | { readonly query: RecordQuery };

/**
 * Responses from a worker. A vector gets no response of its own; it just completes a pending
 * search.
 */
export type WorkerResponse =
  | MemorySearchResult
  | ChunkSearchResult
  | RecordQueryResult
  | undefined;

const { database, memoryBytes }: WorkerSettings = JSON.parse(
  (self as unknown as { name: string }).name,
);
/**
 * Opened by the first request. If the database can't be opened, that request fails rather than the
 * worker.
 */
let searchers: ReturnType<typeof open> | undefined;

/**
 * Share of the memory limit that goes to thread indexes. The rest is for vectors. With 384
 * dimensions, a memory takes 120 bytes in the former and 470 bytes in the latter.
 */
const THREAD_INDEX_SHARE = 0.2;

function open() {
  const connection = new Connection(database, { readOnly: true });
  const threadIndexes = new ThreadIndexCache(connection, memoryBytes * THREAD_INDEX_SHARE);
  const vectorCache = new VectorCache(connection, memoryBytes * (1 - THREAD_INDEX_SHARE));
  return {
    connection,
    threadIndexes,
    vectorCache,
    memories: new MemorySearcher(connection, vectorCache, threadIndexes),
    chunks: new ChunkSearcher(connection, vectorCache),
  };
}

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

/**
 * Fills the caches in small batches so that an incoming search doesn't have to wait long. Vectors
 * come first because they save the most time.
 */
function fillCaches(
  { threadIndexes, vectorCache }: Pick<ReturnType<typeof open>, "threadIndexes" | "vectorCache">,
): void {
  if (filling) return;
  filling = true;
  setTimeout(() => {
    filling = false;
    try {
      let more = true;
      for (let batch = 0; more && batch < FILL_BATCHES; batch++) {
        more = vectorCache.fill() || threadIndexes.fill();
      }
      if (more) fillCaches({ threadIndexes, vectorCache });
    } catch {
      // Safe to ignore: the next search reads the same file and reports the error if it persists.
    }
  });
}

serveRequests((request: WorkerRequest): WorkerResponse | Promise<WorkerResponse> => {
  if ("finish" in request) return finish(request.requestId, request.finish);
  const { connection, memories, chunks, threadIndexes, vectorCache } = searchers ??= open();
  if ("query" in request) return queryRecords(connection, request.query);
  fillCaches({ threadIndexes, vectorCache });
  trimHeap();
  if ("chunks" in request) return chunks.search(request.chunks, request.vector);
  const { begin, requestId } = request;
  const lexicalPhase = memories.begin(begin);
  const result = Promise.withResolvers<MemorySearchResult>();
  pendingSearches.set(requestId, {
    finish: (vector) => memories.finish(begin, lexicalPhase, vector),
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
