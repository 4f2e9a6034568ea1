/** A search worker: its own read-only connection, so that no search holds up the event loop. */

import { Connection } from "../store/sqlite/connection.ts";
import { MemorySearcher } from "./memory_search.ts";
import type { MemorySearch, SearchOutcome } from "./request.ts";

/** To a worker: first the database, then searches. */
export type ToWorker =
  | { readonly open: string }
  | { readonly id: number; readonly memories: MemorySearch };

/** From a worker. */
export type FromWorker =
  | { readonly id: number; readonly outcome: SearchOutcome }
  | { readonly id: number; readonly error: string };

const scope = self as unknown as {
  onmessage: (event: MessageEvent<ToWorker>) => void;
  postMessage(message: FromWorker): void;
};

let searcher: MemorySearcher | undefined;

scope.onmessage = ({ data }) => {
  if ("open" in data) {
    searcher = new MemorySearcher(new Connection(data.open, { readOnly: true }));
    return;
  }
  try {
    scope.postMessage({ id: data.id, outcome: searcher!.search(data.memories) });
  } catch (error) {
    scope.postMessage({ id: data.id, error: (error as Error).stack ?? String(error) });
  }
};
