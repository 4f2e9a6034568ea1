/** The database files that a search worker has open. */

import { LruCache } from "../../kernel/caches/lru_cache.ts";
import { Connection } from "../../store/sqlite/connection.ts";
import { THREAD_INDEX_SHARE } from "../search_memory.ts";
import { ThreadIndexCache } from "../threads/thread_index_cache.ts";
import { VectorCache } from "../vectors/vector_cache.ts";
import { ChunkSearcher } from "./chunk_search.ts";
import { MemorySearcher } from "./memory_search.ts";

/**
 * Maximum number of files to keep open. Each can take up to 32 MB of memory for its pages. Beyond
 * that, the least recently used one is closed, and its caches are dropped.
 */
const MAX_OPEN_DATABASES = 16;

/** An open file. */
export interface SearchDatabase {
  readonly connection: Connection;
  readonly memories: MemorySearcher;
  readonly chunks: ChunkSearcher;
}

/** Opens files on first use, and keeps the caches of all of them within a limit. */
export class SearchDatabases {
  readonly #vectorCache: VectorCache;
  readonly #threadIndexes: ThreadIndexCache;
  readonly #open = new LruCache<string, SearchDatabase>(Infinity);
  /** Number of searches that wait for their vector, by file. */
  readonly #uses = new Map<SearchDatabase, number>();

  /** @param memoryBytes memory limit for the caches */
  constructor(memoryBytes: number) {
    this.#threadIndexes = new ThreadIndexCache(memoryBytes * THREAD_INDEX_SHARE);
    this.#vectorCache = new VectorCache(memoryBytes * (1 - THREAD_INDEX_SHARE));
  }

  /** Returns the file at a path. Throws if it can't be opened, and tries again the next time. */
  get(path: string): SearchDatabase {
    const known = this.#open.get(path);
    if (known !== undefined) return known;
    const connection = new Connection(path, { readOnly: true });
    const database = {
      connection,
      memories: new MemorySearcher(connection, this.#vectorCache, this.#threadIndexes),
      chunks: new ChunkSearcher(connection, this.#vectorCache),
    };
    this.#open.set(path, database);
    if (this.#open.size > MAX_OPEN_DATABASES) this.close(this.#open.keys().next().value!);
    return database;
  }

  /** Keeps a file open until the returned function is called. */
  use(database: SearchDatabase): () => void {
    this.#uses.set(database, (this.#uses.get(database) ?? 0) + 1);
    return () => {
      const left = this.#uses.get(database)! - 1;
      if (left > 0) return void this.#uses.set(database, left);
      this.#uses.delete(database);
      if (![...this.#open.values()].includes(database)) this.#close(database);
    };
  }

  /** Closes the file at a path, if it's open, once no search uses it. */
  close(path: string): void {
    const database = this.#open.get(path);
    this.#open.delete(path);
    if (database !== undefined && !this.#uses.has(database)) this.#close(database);
  }

  /**
   * Fills a batch of the caches. Vectors come first because they save the most time. Returns false
   * if nothing is missing.
   */
  fill(): boolean {
    return this.#vectorCache.fill() || this.#threadIndexes.fill();
  }

  #close(database: SearchDatabase): void {
    this.#vectorCache.forget(database.connection);
    this.#threadIndexes.forget(database.connection);
    database.connection.close();
  }
}
