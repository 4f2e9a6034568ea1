/**
 * The request and result of a chunk search. Both are plain data because they cross a worker
 * boundary.
 */

/** A search over the chunks in a project's current document versions. */
export interface ChunkSearchRequest {
  readonly project: number;
  readonly query: string;
  /**
   * Attributes that every result must have, named as in the text index, such as `source_key=guide`.
   */
  readonly tags: readonly string[];
  readonly limit: number;
}

/** A matching chunk. */
export interface FoundChunk {
  readonly seq: number;
  /** Score in [0, 1]. Scores can only be compared within a single result. */
  readonly score: number;
}

/** The matching chunks, best first. */
export interface ChunkSearchResult {
  readonly found: readonly FoundChunk[];
}
