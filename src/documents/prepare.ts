/** Everything about a document that can be worked out before it is written. */

import { type Chunk, chunk } from "./chunking/chunk.ts";
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

/** Some chunks of a document, in order. */
export interface PreparedSlice {
  readonly chunks: readonly PreparedChunk[];
  readonly last: boolean;
}

/**
 * Chunks of a slice, which are written in one unit of work: about 9 ms and a commit. Each unit costs
 * an fsync and leaves a segment in the index that has to be merged: of 24 chunks, those cost more
 * than the writing.
 */
const CHUNKS_A_SLICE = 200;

/** Cuts and tokenizes a document: about 50 ms for a megabyte. A pure function. */
export function prepareChunks({ content, chunkedAs, title }: Unprepared): PreparedChunk[] {
  return chunk(content, chunkedAs).map((piece) => prepared(title, piece));
}

/** The same in slices: cuts it when the first is asked for, and tokenizes each by itself. */
export function* prepareSlices(
  { content, chunkedAs, title }: Unprepared,
): Generator<PreparedSlice, void> {
  const pieces = chunk(content, chunkedAs);
  let from = 0;
  do {
    const slice = pieces.slice(from, from += CHUNKS_A_SLICE);
    yield { chunks: slice.map((piece) => prepared(title, piece)), last: from >= pieces.length };
  } while (from < pieces.length);
}

function prepared(title: string, piece: Chunk): PreparedChunk {
  const { levelled, terms } = chunkTerms(title, piece.heading_path, piece.content);
  return {
    start_byte: piece.start_byte,
    end_byte: piece.end_byte,
    heading_path: JSON.stringify(piece.heading_path),
    content: piece.content,
    levelled,
    terms,
  };
}
