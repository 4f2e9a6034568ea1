/** Limits of one extraction attempt. There is one for everything that a file can make large. */

/** Limits of an attempt. The server passes its own values if an operator changed them. */
export interface ExtractionLimits {
  /** Maximum number of pages, slides or sheets. */
  readonly maxPages: number;
  /** Maximum size of the Markdown, in bytes of UTF-8. */
  readonly maxOutputBytes: number;
  /** Timeout of an attempt, in milliseconds. */
  readonly timeoutMs: number;
  /** Maximum resident memory of the child process, in bytes. */
  readonly maxMemoryBytes: number;
  /** Maximum V8 heap of the child process, in megabytes. */
  readonly maxHeapMegabytes: number;
}

/**
 * Default limits: those that the API documents (300 pages, 1,000,000 bytes, 10 minutes), and the
 * memory of a small server.
 */
export const DEFAULT_LIMITS: ExtractionLimits = {
  maxPages: 300,
  maxOutputBytes: 1_000_000,
  timeoutMs: 600_000,
  maxMemoryBytes: 1_300_000_000,
  maxHeapMegabytes: 768,
};

/** Maximum number of entries in a zip container. */
export const MAX_ZIP_ENTRIES = 10_000;
/** Maximum decompressed size of one zip entry, in bytes. */
export const MAX_ZIP_ENTRY_BYTES = 100_000_000;
/** Maximum decompressed size of all zip entries that are read, in bytes. */
export const MAX_ZIP_TOTAL_BYTES = 200_000_000;
/** Maximum number of elements, cells and lines collected from one file of a text format. */
export const MAX_ELEMENTS = 1_000_000;
/**
 * Maximum number of columns of a written table. Wider tables aren't useful to readers, and merged
 * cells multiply their size.
 */
export const MAX_TABLE_COLUMNS = 256;
/** Maximum number of elements in one XML part. Each takes about 150 bytes of heap. */
export const MAX_XML_ELEMENTS = 2_000_000;
/** Maximum nesting of XML and HTML elements. Readers recurse, so this also bounds the stack. */
export const MAX_NESTING_DEPTH = 256;
/** Maximum number of pixels of one image, according to its header. */
export const MAX_IMAGE_PIXELS = 40_000_000;
/** Maximum number of rows of a sheet, and of columns of a row. */
export const MAX_SHEET_ROWS = 20_000;
export const MAX_SHEET_COLUMNS = 256;
/** Maximum number of parts of an e-mail, and how deep they can be nested. */
export const MAX_MAIL_PARTS = 100;
export const MAX_MAIL_DEPTH = 20;
