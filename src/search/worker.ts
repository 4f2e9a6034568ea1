/** A search worker: its own read-only connection, so that no search holds up the event loop. */

import { answerQuestions } from "../kernel/worker_client.ts";
import { Connection } from "../store/sqlite/connection.ts";
import type { ChunkSearch, ChunkSearchOutcome } from "./chunk_request.ts";
import { ChunkSearcher } from "./chunk_search.ts";
import { MemorySearcher } from "./memory_search.ts";
import type { MemorySearch, SearchOutcome } from "./request.ts";

/** What a worker can be asked for. */
export type SearchQuestion =
  | { readonly memories: MemorySearch }
  | { readonly chunks: ChunkSearch };

export type SearchAnswer = SearchOutcome | ChunkSearchOutcome;

/** The worker is named after its database. */
const connection = new Connection((self as unknown as { name: string }).name, { readOnly: true });
const memories = new MemorySearcher(connection);
const chunks = new ChunkSearcher(connection);

answerQuestions((question: SearchQuestion): SearchAnswer =>
  "memories" in question ? memories.search(question.memories) : chunks.search(question.chunks)
);
