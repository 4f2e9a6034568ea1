/** What operations cost, in credits (interface, "Hosted credits"); all others are free. */

/** Set aside when an inferred add is accepted, spent when it succeeds. */
export const INFERRED_ADD = 2;
export const VERBATIM_ADD = 1;
export const SEARCH = 1;
/** For every chunk of a document that was made. */
export const CHUNK = 1;

const EXTRACTION_BLOCK = 50;
const BLOCK_BYTES = 5_000_000;

/** The extraction of a file of so many bytes. */
export function extractionPrice(bytes: number): number {
  return EXTRACTION_BLOCK * Math.ceil(bytes / BLOCK_BYTES);
}

/** Whom a request for an extraction, and for the chunks that come of it, is charged under. */
export function extractionOf(operationId: string): string {
  return `${operationId}/extraction`;
}

export function chunksOf(operationId: string): string {
  return `${operationId}/chunks`;
}
