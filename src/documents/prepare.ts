/** Everything about a document that can be worked out before it is written. */

import { type Chunk, chunk } from "./chunking/chunk.ts";
import { type ChunkTerms, chunkTerms } from "./row.ts";

/** A document as far as its chunks depend on it. */
export interface ChunkInput {
  readonly project: number;
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
export interface ChunkBatch {
  readonly chunks: readonly PreparedChunk[];
  readonly last: boolean;
}

/**
 * Chunks of a slice at most, which are written in one unit of work: about 17 ms and a commit. Each
 * unit costs an fsync and leaves a segment in the index that has to be merged: of 24 chunks, those
 * cost more than the writing.
 */
const MAX_BATCH_CHUNKS = 200;

/** Of the first slice at most: with it the writing begins. */
const MAX_FIRST_BATCH_CHUNKS = 64;

/** Cuts and tokenizes a document: about 50 ms for a megabyte. A pure function. */
export function prepareChunks(document: ChunkInput): PreparedChunk[] {
  return chunk(document.content, document.chunkedAs).map((piece) => prepareChunk(document, piece));
}

/** The same in slices: cuts it when the first is asked for, and tokenizes each by itself. */
export function* prepareBatches(document: ChunkInput): Generator<ChunkBatch, void> {
  const pieces = chunk(document.content, document.chunkedAs);
  const others = Math.max(0, pieces.length - MAX_FIRST_BATCH_CHUNKS);
  // Equal ones: a last one of a few chunks would cost a commit all the same.
  const size = Math.ceil(others / Math.ceil(others / MAX_BATCH_CHUNKS));
  let [from, to] = [0, MAX_FIRST_BATCH_CHUNKS];
  do {
    const batch = pieces.slice(from, to);
    yield {
      chunks: batch.map((piece) => prepareChunk(document, piece)),
      last: to >= pieces.length,
    };
    [from, to] = [to, to + size];
  } while (from < pieces.length);
}

function prepareChunk({ project, title }: ChunkInput, piece: Chunk): PreparedChunk {
  const { impactTerms, terms } = chunkTerms(project, title, piece.heading_path, piece.content);
  return {
    start_byte: piece.start_byte,
    end_byte: piece.end_byte,
    heading_path: JSON.stringify(piece.heading_path),
    content: piece.content,
    impactTerms,
    terms,
  };
}
