/** Limits for a single extraction attempt. Anything a file can blow up has one. */

/** Limits for an attempt. The server passes its own values if an operator has changed them. */
export interface ExtractionLimits {
  /** Maximum number of pages, slides or sheets. */
  readonly maxPages: number;
  /** Maximum size of the Markdown, in UTF-8 bytes. */
  readonly maxOutputBytes: number;
  /** Timeout for an attempt, in milliseconds. */
  readonly timeoutMs: number;
  /** Maximum resident memory of the child process, in bytes. */
  readonly maxMemoryBytes: number;
  /** Maximum V8 heap of the child process, in megabytes. */
  readonly maxHeapMegabytes: number;
}

/**
 * Default limits: the documented API limits (300 pages, 1,000,000 bytes, 10 minutes), and memory
 * limits that suit a small server.
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
/** Maximum total decompressed size of the zip entries read, in bytes. */
export const MAX_ZIP_TOTAL_BYTES = 200_000_000;
/** Maximum number of elements, cells and lines collected from a single text-format file. */
export const MAX_ELEMENTS = 1_000_000;
/**
 * Maximum number of columns in a table or sheet. A gap between filled columns of a sheet counts as
 * one. Merged cells multiply its size.
 */
export const MAX_TABLE_COLUMNS = 1_000;
/** Maximum number of cells in a table. Each takes three bytes, so a document couldn't fit more. */
export const MAX_TABLE_CELLS = 400_000;
/** Maximum number of elements in a single XML part, at about 150 bytes of heap each. */
export const MAX_XML_ELEMENTS = 2_000_000;
/**
 * Maximum nesting depth of XML and HTML elements. Readers are recursive, so this bounds the stack
 * too.
 */
export const MAX_NESTING_DEPTH = 256;
/** Number of characters after which an HTML attribute is cut. Pages embed images in attributes. */
export const MAX_ATTRIBUTE_LENGTH = 10_000;
/** Maximum number of pixels in an image, going by its header. */
export const MAX_IMAGE_PIXELS = 40_000_000;
/** Maximum number of filled rows per sheet. */
export const MAX_SHEET_ROWS = 20_000;
/** Maximum number of parts in an e-mail, and their maximum nesting depth. */
export const MAX_MAIL_PARTS = 100;
export const MAX_MAIL_DEPTH = 20;
