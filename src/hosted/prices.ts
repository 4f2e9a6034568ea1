/**
 * Operation prices, in credits. Anything not listed here is free. See docs/variants.md for the same
 * table.
 */

/** Reserved when an inferred add is accepted, spent when it succeeds. */
export const INFERRED_ADD_CREDITS = 2;
/** Charged per request, regardless of the number of messages. */
export const VERBATIM_ADD_CREDITS = 1;
/** Charged for a memory or document search, and for each one that a context runs. */
export const SEARCH_CREDITS = 1;
/** Charged per chunk of a new document. */
export const CREDITS_PER_CHUNK = 1;

const CREDITS_PER_EXTRACTION_BLOCK = 50;
const EXTRACTION_BLOCK_BYTES = 5_000_000;

/** Returns the price of extracting a file: 50 credits per 5,000,000 bytes or part thereof. */
export function extractionPrice(bytes: number): number {
  return CREDITS_PER_EXTRACTION_BLOCK * Math.ceil(bytes / EXTRACTION_BLOCK_BYTES);
}

/** Returns an extraction's ledger identity. */
export function extractionIdentity(operationId: string): string {
  return `${operationId}/extraction`;
}

/** Returns the ledger identity for an extracted document's chunks. */
export function chunksIdentity(operationId: string): string {
  return `${operationId}/chunks`;
}
