/** What a search of documents is asked, and what it finds. Plain data, for the worker and back. */

/** A search of the chunks of one project's current versions. */
export interface ChunkSearchRequest {
  readonly project: number;
  readonly query: string;
  /** Attributes that every result must have, as the text index names them: `source_key=guide`. */
  readonly tags: readonly string[];
  readonly limit: number;
}

/** One chunk found, by its row. */
export interface FoundChunk {
  readonly seq: number;
  /** In [0, 1], comparable within one answer. */
  readonly score: number;
}

/** Best first. */
export interface ChunkSearchResult {
  readonly found: readonly FoundChunk[];
}
