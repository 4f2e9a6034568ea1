/**
 * Request and result of a chunk search. Both are plain data, since they cross a worker boundary.
 */

/** A search of the chunks in the current document versions of a project. */
export interface ChunkSearchRequest {
  readonly project: number;
  readonly query: string;
  /**
   * Attributes that every result must have, as the text index names them, such as
   * `source_key=guide`.
   */
  readonly tags: readonly string[];
  readonly limit: number;
}

/** A chunk that was found. */
export interface FoundChunk {
  readonly seq: number;
  /** Score in [0, 1]. Scores are comparable within one result only. */
  readonly score: number;
}

/** The chunks that were found, best first. */
export interface ChunkSearchResult {
  readonly found: readonly FoundChunk[];
}
