/** Bounds of one extraction attempt. Everything a file can make large has a number here. */

/** Bounds of one attempt; the server passes its own where an operator changed them. */
export interface ExtractionLimits {
  /** Pages, slides or sheets of a file. */
  readonly maxPages: number;
  /** UTF-8 bytes of the Markdown. */
  readonly maxOutputBytes: number;
  /** Milliseconds an attempt may take. */
  readonly timeoutMs: number;
  /** Resident bytes of the child process. */
  readonly maxMemoryBytes: number;
  /** Megabytes of the child's V8 heap. */
  readonly maxHeapMegabytes: number;
}

/** The interface's limits (300 pages, 1,000,000 bytes, 10 minutes) and what a small server has. */
export const DEFAULT_LIMITS: ExtractionLimits = {
  maxPages: 300,
  maxOutputBytes: 1_000_000,
  timeoutMs: 600_000,
  maxMemoryBytes: 1_300_000_000,
  maxHeapMegabytes: 768,
};

/** Entries of a zip container. */
export const MAX_ZIP_ENTRIES = 10_000;
/** Inflated bytes of one zip entry. */
export const MAX_ZIP_ENTRY_BYTES = 100_000_000;
/** Inflated bytes of all zip entries that are read. */
export const MAX_ZIP_TOTAL_BYTES = 200_000_000;
/** Elements, cells, lines and the like that are gathered from one file of a text format. */
export const MAX_ELEMENTS = 1_000_000;
/** Widest table written; columns beyond it carry no reading and blow up merged cells. */
export const MAX_TABLE_COLUMNS = 256;
/** Elements of one XML part: about 150 bytes of heap each. */
export const MAX_XML_ELEMENTS = 2_000_000;
/** Nesting of XML and HTML elements; readers recurse, so this also bounds the stack. */
export const MAX_NESTING_DEPTH = 256;
/** Pixels of one image, as its header declares them. */
export const MAX_IMAGE_PIXELS = 40_000_000;
/** Rows of one sheet, and columns of one row. */
export const MAX_SHEET_ROWS = 20_000;
export const MAX_SHEET_COLUMNS = 256;
/** Parts of one e-mail, and how deep they nest. */
export const MAX_MAIL_PARTS = 100;
export const MAX_MAIL_DEPTH = 20;
