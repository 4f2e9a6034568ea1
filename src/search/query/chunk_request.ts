/**
 * The request and result of a chunk search. Both are plain data, since they cross a worker
 * boundary.
 */

/** A search over the chunks of a project's current document versions. */
export interface ChunkSearchRequest {
  readonly project: number;
  readonly query: string;
  /** Attributes required of every result, named as in the text index, e.g. `source_key=guide`. */
  readonly tags: readonly string[];
  /** A filter over documents that compiles, or undefined for none. */
  readonly filters: unknown;
  readonly limit: number;
}

/** A matching chunk. */
export interface FoundChunk {
  readonly seq: number;
  /** Score in [0, 1], only comparable within a single result. */
  readonly score: number;
}

/** The matching chunks, best first. */
export interface ChunkSearchResult {
  readonly found: readonly FoundChunk[];
}
