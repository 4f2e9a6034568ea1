/**
 * Every limit in the API. Sizes are in UTF-8 bytes. See docs/reference/limits.md for what each one
 * applies to.
 */

/** Limits by name. */
export const LIMITS = {
  addMemoryBodyBytes: 250_000,
  updateMemoryBodyBytes: 250_000,
  batchBodyBytes: 750_000,
  jsonBodyBytes: 1024 * 1024,
  importBodyBytes: 128 * 1024 * 1024,
  /** A file of another product to import. It's read as a stream. */
  importFileBytes: 2 * 1024 * 1024 * 1024,
  /** What the files of an archive to import may decompress to, together. */
  importArchiveBytes: 4 * 1024 * 1024 * 1024,
  importArchiveFiles: 100_000,
  importRecords: 1_000_000,
  /** A file in an archive, such as a note, that is read as a whole. */
  importTextFileBytes: 16 * 1024 * 1024,
  memoryTextBytes: 100_000,
  messages: 500,
  batchItems: 1_000,
  queryCharacters: 8_000,
  topK: 50,
  topKDefault: 10,
  pageSize: 100,
  pageSizeDefault: 50,
  /** Results that a search of the mem0-compatible API can request. It returns at most `topK`. */
  mem0Results: 1_000,
  mem0PageSize: 200,
  mem0Entities: 10_000,
  /** How long a request of the mem0-compatible API waits for a task before it returns. */
  mem0WaitSeconds: 60,
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
  /** JSON body with a document. Clients may write every byte of the document as `\u00xx`. */
  documentBodyBytes: 6 * 1_000_000 + 256 * 1024,
  /** Form with a document, including the boundaries. */
  documentFormBytes: 1_000_000 + 256 * 1024,
  titleCharacters: 512,
  sourceUriCharacters: 2_048,
  documentSearchResults: 20,
  documentSearchResultsDefault: 10,
  filteredDocumentSearchResults: 50,
  neighborChunks: 2,
  /** Budget of a context, by an estimate of its tokens. */
  contextTokens: 32_000,
  contextTokensDefault: 1_500,
  contextCharacters: 200_000,
  sourceKeyCharacters: 512,
  uploadFileBytes: 25_000_000,
  filenameCharacters: 512,
  contentTypeCharacters: 256,
  /** An upload or import fails if no bytes arrive for this long. */
  uploadStallSeconds: 30,
  /** Maximum duration of an upload, however steadily its bytes arrive. */
  uploadMinutes: 15,
  /** Maximum duration of an import. Its body can be five times as large as an upload's. */
  importMinutes: 60,
  staleUploadHours: 24,
  failedUploadDays: 30,
  exportFileDays: 7,
  failedImportDays: 30,
  extractionMs: 600_000,
  /** How long it can take for an extracted document to become searchable. */
  retrievalVisibilityMs: 120_000,
  taskAttempts: 5,
  /**
   * Maximum nesting depth of any JSON body. Deeper than any field allows, and far below any
   * recursion limit.
   */
  jsonDepth: 64,
  /** Bodies that take longer to arrive are rejected, so they can't tie up a connection. */
  bodySeconds: 30,
  signInBodyBytes: 4_096,
  /** The parameters of an authorization request, which the decision repeats. */
  authorizationBodyBytes: 64 * 1024,
  clientRegistrationBodyBytes: 64 * 1024,
  tokenFormBytes: 16 * 1024,
  /** Number of wrong API keys an address may send per minute before it has to wait. */
  failedKeysPerMinute: 600,
  signInFailures: 10,
  signInFailureMinutes: 15,
  clientNameCharacters: 100,
  /** Clients an address may register per hour, and malformed requests for tokens per minute. */
  clientRegistrationsPerHour: 60,
  failedTokensPerMinute: 60,
  /** Documents of clients that can't be fetched, per host. */
  failedDocumentsPerMinute: 10,
  /** Registrations that no owner has approved yet. Beyond that, new ones replace old ones. */
  unusedClients: 1_000,
  unusedClientHours: 24,
  endedConnectionDays: 90,
  auditDays: 365,
} as const;
