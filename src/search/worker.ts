/** A search worker: its own read-only connection, so that no search holds up the event loop. */

import { giveBackFreedMemory } from "../kernel/memory.ts";
import { answerQuestions } from "../kernel/worker_client.ts";
import { Connection } from "../store/sqlite/connection.ts";
import type { ChunkSearch, ChunkSearchOutcome } from "./chunk_request.ts";
import { ChunkSearcher } from "./chunk_search.ts";
import { Matrices } from "./matrices.ts";
import { MemorySearcher } from "./memory_search.ts";
import { PlaceMaps } from "./place_maps.ts";
import type { MemorySearch, QueryVector, SearchOutcome } from "./request.ts";

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
export type WorkerQuestion =
  | { readonly begin: MemorySearch; readonly ticket: number }
  | { readonly finish: QueryVector | null; readonly ticket: number }
  | { readonly chunks: ChunkSearch; readonly vector: QueryVector | null };

/** What it answers; nothing to being told the vector, which only ends a search that has begun. */
export type WorkerAnswer = SearchOutcome | ChunkSearchOutcome | undefined;

const { database, memoryBytes }: WorkerSettings = JSON.parse(
  (self as unknown as { name: string }).name,
);
/** Opened by the first question, so that a database that can't be opened is that one's answer. */
let searchers: ReturnType<typeof open> | undefined;

/** The share of places; vectors take the rest. A memory of 384 dimensions needs 120 and 470 bytes. */
const PLACES = 0.2;

function open() {
  const connection = new Connection(database, { readOnly: true });
  const places = new PlaceMaps(connection, memoryBytes * PLACES);
  const matrices = new Matrices(connection, memoryBytes * (1 - PLACES));
  return {
    places,
    matrices,
    memories: new MemorySearcher(connection, matrices, places),
    chunks: new ChunkSearcher(connection, matrices),
  };
}

/** A search that waits for the vector of its query. */
interface Begun {
  readonly finish: (vector: QueryVector | null) => SearchOutcome;
  readonly answer: PromiseWithResolvers<SearchOutcome>;
}

/** Searches that have begun, by their tickets. */
const begun = new Map<number, Begun>();

let filling = false;

/** Pieces that are filled in at a time, of a millisecond or two each. */
const PIECES = 3;

/**
 * Fills memory in piece by piece, so that a search that comes meanwhile is soon answered; vectors
 * first, which save a search most.
 */
function fillUp({ places, matrices }: Pick<ReturnType<typeof open>, "places" | "matrices">): void {
  if (filling) return;
  filling = true;
  setTimeout(() => {
    filling = false;
    try {
      let more = true;
      for (let piece = 0; more && piece < PIECES; piece++) more = matrices.fill() || places.fill();
      if (more) fillUp({ places, matrices });
    } catch {
      // The next search reads the same file: if there still is something wrong, it tells.
    }
  });
}

answerQuestions((question: WorkerQuestion): WorkerAnswer | Promise<WorkerAnswer> => {
  if ("finish" in question) return finish(question.ticket, question.finish);
  const { memories, chunks, places, matrices } = searchers ??= open();
  fillUp({ places, matrices });
  giveBackFreedMemory();
  if ("chunks" in question) return chunks.search(question.chunks, question.vector);
  const { begin, ticket } = question;
  const words = memories.findByWords(begin);
  const answer = Promise.withResolvers<SearchOutcome>();
  begun.set(ticket, { finish: (vector) => memories.finish(begin, words, vector), answer });
  return answer.promise;
});

/** Goes on with a search; there is none where its beginning failed. */
function finish(ticket: number, vector: QueryVector | null): undefined {
  const search = begun.get(ticket);
  begun.delete(ticket);
  search?.answer.resolve(Promise.try(() => search.finish(vector)));
}
