/** A search worker: its own read-only connection, so that no search holds up the event loop. */

import { trimHeap } from "../../kernel/heap.ts";
import { serveRequests } from "../../kernel/worker_client.ts";
import { Connection } from "../../store/sqlite/connection.ts";
import type { ChunkSearchRequest, ChunkSearchResult } from "../query/chunk_request.ts";
import { ChunkSearcher } from "./chunk_search.ts";
import { VectorCache } from "../vectors/vector_cache.ts";
import { MemorySearcher } from "./memory_search.ts";
import { ThreadIndexCache } from "../threads/thread_index_cache.ts";
import type {
  MemorySearchRequest,
  MemorySearchResult,
  QueryVector,
} from "../query/memory_request.ts";

/** What a worker is told by its name. */
export interface WorkerSettings {
  readonly database: string;
  /** Bytes that what it holds in memory may take. */
  readonly memoryBytes: number;
}

/**
 * What a worker can be asked for. A search of memories begins with the words while the vector of the
 * query is still being made; it is answered when the worker is told that too.
 */
export type WorkerRequest =
  | { readonly begin: MemorySearchRequest; readonly requestId: number }
  | { readonly finish: QueryVector | null; readonly requestId: number }
  | { readonly chunks: ChunkSearchRequest; readonly vector: QueryVector | null };

/** What it answers; nothing to being told the vector, which only ends a search that has begun. */
export type WorkerResponse = MemorySearchResult | ChunkSearchResult | undefined;

const { database, memoryBytes }: WorkerSettings = JSON.parse(
  (self as unknown as { name: string }).name,
);
/** Opened by the first question, so that a database that can't be opened is that one's answer. */
let searchers: ReturnType<typeof open> | undefined;

/** The share of places; vectors take the rest. A memory of 384 dimensions needs 120 and 470 bytes. */
const THREAD_INDEX_SHARE = 0.2;

function open() {
  const connection = new Connection(database, { readOnly: true });
  const places = new ThreadIndexCache(connection, memoryBytes * THREAD_INDEX_SHARE);
  const matrices = new VectorCache(connection, memoryBytes * (1 - THREAD_INDEX_SHARE));
  return {
    places,
    matrices,
    memories: new MemorySearcher(connection, matrices, places),
    chunks: new ChunkSearcher(connection, matrices),
  };
}

/** A search that waits for the vector of its query. */
interface PendingSearch {
  readonly finish: (vector: QueryVector | null) => MemorySearchResult;
  readonly answer: PromiseWithResolvers<MemorySearchResult>;
}

/** Searches that have begun, by their tickets. */
const pendingSearches = new Map<number, PendingSearch>();

let filling = false;

/** Pieces that are filled in at a time, of a millisecond or two each. */
const FILL_BATCHES = 3;

/**
 * Fills memory in piece by piece, so that a search that comes meanwhile is soon answered; vectors
 * first, which save a search most.
 */
function fillCaches(
  { places, matrices }: Pick<ReturnType<typeof open>, "places" | "matrices">,
): void {
  if (filling) return;
  filling = true;
  setTimeout(() => {
    filling = false;
    try {
      let more = true;
      for (let batch = 0; more && batch < FILL_BATCHES; batch++) {
        more = matrices.fill() || places.fill();
      }
      if (more) fillCaches({ places, matrices });
    } catch {
      // The next search reads the same file: if there still is something wrong, it tells.
    }
  });
}

serveRequests((question: WorkerRequest): WorkerResponse | Promise<WorkerResponse> => {
  if ("finish" in question) return finish(question.requestId, question.finish);
  const { memories, chunks, places, matrices } = searchers ??= open();
  fillCaches({ places, matrices });
  trimHeap();
  if ("chunks" in question) return chunks.search(question.chunks, question.vector);
  const { begin, requestId } = question;
  const words = memories.begin(begin);
  const answer = Promise.withResolvers<MemorySearchResult>();
  pendingSearches.set(requestId, {
    finish: (vector) => memories.finish(begin, words, vector),
    answer,
  });
  return answer.promise;
});

/** Goes on with a search; there is none where its beginning failed. */
function finish(requestId: number, vector: QueryVector | null): undefined {
  const search = pendingSearches.get(requestId);
  pendingSearches.delete(requestId);
  search?.answer.resolve(Promise.try(() => search.finish(vector)));
}
