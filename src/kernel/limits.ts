/**
 * Every limit of the interface, in one place. Sizes are UTF-8 bytes; what each bounds stands in
 * docs/reference/limits.md.
 */

/** The limits by their names. */
export const LIMITS = {
  addMemoryBodyBytes: 250_000,
  updateMemoryBodyBytes: 250_000,
  batchBodyBytes: 750_000,
  jsonBodyBytes: 1024 * 1024,
  importBodyBytes: 128 * 1024 * 1024,
  memoryTextBytes: 100_000,
  messages: 500,
  batchItems: 1_000,
  queryCharacters: 8_000,
  topK: 50,
  topKDefault: 10,
  pageSize: 100,
  pageSizeDefault: 50,
  feedbackReasonCharacters: 2_000,
  requestIdCharacters: 256,
  scopeCharacters: 256,
  metadataBytes: 16 * 1024,
  metadataDepth: 8,
  filterDepth: 8,
  filterConditions: 200,
  filterListItems: 500,
  filterPathSegmentCharacters: 64,
  idempotencyKeyCharacters: 200,
  idempotencyRetentionDays: 30,
  scopeDeletionMemories: 25_000,
  documentBytes: 1_000_000,
  /** A JSON body around a document: every byte of it may be written as `\u00xx`. */
  documentBodyBytes: 6 * 1_000_000 + 256 * 1024,
  /** A form around a document, its boundaries included. */
  documentFormBytes: 1_000_000 + 256 * 1024,
  titleCharacters: 512,
  sourceUriCharacters: 2_048,
  documentSearchResults: 20,
  documentSearchResultsDefault: 10,
  neighborChunks: 2,
  sourceKeyCharacters: 512,
  uploadFileBytes: 25_000_000,
  filenameCharacters: 512,
  contentTypeCharacters: 256,
  /** An upload or import of which nothing arrives for this long is given up. */
  uploadStallSeconds: 30,
  /** The longest that the bytes of an upload may take, however steadily they drip in. */
  uploadMinutes: 15,
  /** The same for the body of an import, which may be five times as large. */
  importMinutes: 60,
  staleUploadHours: 24,
  failedUploadDays: 30,
  extractionMs: 600_000,
  /** An extracted document can be found after this many milliseconds. */
  retrievalVisibilityMs: 120_000,
  taskAttempts: 5,
  /** How deep any JSON body may nest: past what any field allows, short of any recursion limit. */
  jsonDepth: 64,
  /** A body that takes longer than this to arrive is given up, so that it can't hold a place. */
  bodySeconds: 30,
  /** Wrong API keys that one address may send in a minute before it has to wait. */
  failedKeysPerMinute: 600,
  signInFailures: 10,
  signInFailureMinutes: 15,
} as const;
