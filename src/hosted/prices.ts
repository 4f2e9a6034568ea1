/** What operations cost, in credits; all others are free. The table in docs/variants.md says the same. */

/** Set aside when an inferred add is accepted, spent when it succeeds. */
export const INFERRED_ADD_CREDITS = 2;
/** For one request, whatever number of messages it has. */
export const VERBATIM_ADD_CREDITS = 1;
/** Of memories or of documents. */
export const SEARCH_CREDITS = 1;
/** For every chunk of a document that was made. */
export const CREDITS_PER_CHUNK = 1;

const CREDITS_PER_EXTRACTION_BLOCK = 50;
const EXTRACTION_BLOCK_BYTES = 5_000_000;

/** The extraction of a file of so many bytes: 50 for each started 5,000,000. */
export function extractionPrice(bytes: number): number {
  return CREDITS_PER_EXTRACTION_BLOCK * Math.ceil(bytes / EXTRACTION_BLOCK_BYTES);
}

/** The identity in the ledger under which an extraction is charged. */
export function extractionIdentity(operationId: string): string {
  return `${operationId}/extraction`;
}

/** The identity under which the chunks that come of it are charged. */
export function chunksIdentity(operationId: string): string {
  return `${operationId}/chunks`;
}
