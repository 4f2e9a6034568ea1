/**
 * Prices of operations, in credits. All other operations are free. docs/variants.md has the same
 * table.
 */

/** Reserved when an inferred add is accepted, spent when it succeeds. */
export const INFERRED_ADD_CREDITS = 2;
/** Per request, for any number of messages. */
export const VERBATIM_ADD_CREDITS = 1;
/** For a search of memories or documents. */
export const SEARCH_CREDITS = 1;
/** Per chunk of a new document. */
export const CREDITS_PER_CHUNK = 1;

const CREDITS_PER_EXTRACTION_BLOCK = 50;
const EXTRACTION_BLOCK_BYTES = 5_000_000;

/** Returns the price of extracting a file: 50 credits per 5,000,000 bytes or part of them. */
export function extractionPrice(bytes: number): number {
  return CREDITS_PER_EXTRACTION_BLOCK * Math.ceil(bytes / EXTRACTION_BLOCK_BYTES);
}

/** Returns the identity of an extraction in the ledger. */
export function extractionIdentity(operationId: string): string {
  return `${operationId}/extraction`;
}

/** Returns the identity in the ledger for the chunks of an extracted document. */
export function chunksIdentity(operationId: string): string {
  return `${operationId}/chunks`;
}
