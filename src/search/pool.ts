/** The search workers, as the one thing that services call. */

import type { MemorySearch, SearchOutcome } from "./request.ts";
import type { FromWorker, ToWorker } from "./worker.ts";

interface Waiting {
  readonly resolve: (outcome: SearchOutcome) => void;
  readonly reject: (error: Error) => void;
}

/** Searches memories somewhere else than on the event loop. */
export interface SearchPool {
  memories(request: MemorySearch): Promise<SearchOutcome>;
  close(): void;
}

/** Starts `size` workers on a database; they open it when they are asked for the first time. */
export function openSearchPool(databasePath: string, size: number): SearchPool {
  const workers = Array.from({ length: size }, () => new SearchWorker(databasePath));
  return {
    memories(request) {
      const idlest = workers.reduce((a, b) => b.load < a.load ? b : a);
      return idlest.search(request);
    },
    close() {
      for (const worker of workers) worker.close();
    },
  };
}

/** One worker and the searches that it owes. A worker that dies is replaced at the next search. */
class SearchWorker {
  readonly #databasePath: string;
  readonly #waiting = new Map<number, Waiting>();
  #worker: Worker | undefined;
  #next = 0;

  constructor(databasePath: string) {
    this.#databasePath = databasePath;
  }

  get load(): number {
    return this.#waiting.size;
  }

  search(request: MemorySearch): Promise<SearchOutcome> {
    const worker = this.#worker ??= this.#start();
    const id = this.#next++;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      worker.postMessage({ id, memories: request } satisfies ToWorker);
    });
  }

  close(): void {
    this.#worker?.terminate();
    this.#fail(new Error("The search worker was stopped"));
  }

  #start(): Worker {
    const worker = new Worker(new URL("./worker.ts", import.meta.url), { type: "module" });
    worker.onmessage = ({ data }: MessageEvent<FromWorker>) => {
      const waiting = this.#waiting.get(data.id);
      this.#waiting.delete(data.id);
      if ("outcome" in data) waiting?.resolve(data.outcome);
      else waiting?.reject(new Error(data.error));
    };
    worker.onerror = (event) => {
      event.preventDefault();
      this.#fail(new Error(`The search worker died: ${event.message}`));
    };
    worker.postMessage({ open: this.#databasePath } satisfies ToWorker);
    return worker;
  }

  #fail(error: Error): void {
    this.#worker = undefined;
    for (const waiting of this.#waiting.values()) waiting.reject(error);
    this.#waiting.clear();
  }
}
