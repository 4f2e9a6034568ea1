/** Prepares documents: computes everything possible ahead of the unit of work that writes them. */

import { type Chunk, chunk } from "./chunking/chunk.ts";
import type { ChunkTerms } from "../store/store.ts";
import { chunkTerms } from "./row.ts";

/** Everything a document's chunks depend on. */
export interface ChunkInput {
  readonly project: number;
  readonly content: string;
  /** The media type whose structure determines where to cut the content. */
  readonly chunkedAs: string;
  readonly title: string;
}

/** A chunk ready to be written and indexed. */
export interface PreparedChunk extends ChunkTerms {
  readonly start_byte: number;
  readonly end_byte: number;
  /** JSON text. */
  readonly heading_path: string;
  readonly content: string;
}

/** Consecutive chunks of a document. */
export interface ChunkBatch {
  readonly chunks: readonly PreparedChunk[];
  readonly last: boolean;
}

/**
 * Maximum number of chunks in a batch. A batch is written in one unit of work, which takes about 17
 * ms plus a commit. Each unit costs an fsync and leaves an index segment to be merged. With 24
 * chunks per batch, that overhead exceeds the cost of the writing itself.
 */
const MAX_BATCH_CHUNKS = 200;

/** Maximum number of chunks in the first batch. Kept small so that writing can begin early. */
const MAX_FIRST_BATCH_CHUNKS = 64;

/** Cuts and tokenizes a document. Takes about 50 ms per megabyte. This is a pure function. */
export function prepareChunks(document: ChunkInput): PreparedChunk[] {
  return chunk(document.content, document.chunkedAs).map((piece) => prepareChunk(document, piece));
}

/**
 * Does the same in batches: cuts the document for the first batch, and tokenizes each batch on
 * request.
 */
export function* prepareBatches(document: ChunkInput): Generator<ChunkBatch, void> {
  const pieces = chunk(document.content, document.chunkedAs);
  const remaining = Math.max(0, pieces.length - MAX_FIRST_BATCH_CHUNKS);
  // Batches are of equal size, since even a last batch of a few chunks would cost a commit.
  const size = Math.ceil(remaining / Math.ceil(remaining / MAX_BATCH_CHUNKS));
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
