/** What operations cost, in credits; all others are free. The table in docs/variants.md says the same. */

/** Set aside when an inferred add is accepted, spent when it succeeds. */
export const INFERRED_ADD = 2;
/** For one request, whatever number of messages it has. */
export const VERBATIM_ADD = 1;
/** Of memories or of documents. */
export const SEARCH = 1;
/** For every chunk of a document that was made. */
export const CHUNK = 1;

const EXTRACTION_BLOCK = 50;
const BLOCK_BYTES = 5_000_000;

/** The extraction of a file of so many bytes: 50 for each started 5,000,000. */
export function extractionPrice(bytes: number): number {
  return EXTRACTION_BLOCK * Math.ceil(bytes / BLOCK_BYTES);
}

/** The identity in the ledger under which an extraction is charged. */
export function extractionOf(operationId: string): string {
  return `${operationId}/extraction`;
}

/** The identity under which the chunks that come of it are charged. */
export function chunksOf(operationId: string): string {
  return `${operationId}/chunks`;
}
