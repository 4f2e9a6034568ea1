/** Everything about a document that can be worked out before it is written. */

import { chunk } from "./chunking/chunk.ts";
import { type ChunkTerms, chunkTerms } from "./row.ts";

/** A document as far as its chunks depend on it. */
export interface Unprepared {
  readonly content: string;
  /** The media type by whose structure it is cut. */
  readonly chunkedAs: string;
  readonly title: string;
}

/** A chunk, ready to be written and indexed. */
export interface PreparedChunk extends ChunkTerms {
  readonly start_byte: number;
  readonly end_byte: number;
  /** JSON text. */
  readonly heading_path: string;
  readonly content: string;
}

/** Cuts and tokenizes a document: about 80 ms for a megabyte. A pure function. */
export function prepareChunks({ content, chunkedAs, title }: Unprepared): PreparedChunk[] {
  return chunk(content, chunkedAs).map((piece) => ({
    start_byte: piece.start_byte,
    end_byte: piece.end_byte,
    heading_path: JSON.stringify(piece.heading_path),
    content: piece.content,
    ...chunkTerms(title, piece.heading_path, piece.content),
  }));
}
