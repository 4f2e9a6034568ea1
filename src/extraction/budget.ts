/** Limits how much text and how many elements a reader collects from a file. */
import { ExtractionError } from "./error.ts";
import { MAX_ELEMENTS, MAX_TABLE_CELLS, MAX_TABLE_COLUMNS } from "./limits.ts";

/**
 * The amount of text and the number of elements a reader may still collect. Counts a lower bound on
 * the final size (except in rare cases, e.g. text between list items), so files that are far too
 * large fail early, with a specific error. Close to the limit, the writer checks the exact byte
 * count.
 */
export class Budget {
  readonly #maxBytes: number;
  #bytes = 0;
  #elements = 0;

  /** @param maxBytes maximum size of the Markdown, in bytes */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /**
   * Counts text to be written.
   *
   * @param markupBytes bytes of Markdown syntax around the text
   * @throws {ExtractionError} EXTRACTED_DOCUMENT_TOO_LARGE if the text can't fit
   */
  addText(text: string, markupBytes = 0): void {
    // Don't count whitespace, since it may be collapsed later. Any other character takes at least
    // one byte.
    this.#bytes += markupBytes + text.replace(/[\s\u200b\ufeff]+/g, "").length;
    if (this.#bytes > this.#maxBytes) throw outputTooLarge(this.#maxBytes);
  }

  /**
   * Counts elements, cells or lines, which take up memory even when empty.
   *
   * @throws {ExtractionError} EXTRACTED_DOCUMENT_TOO_LARGE if there are too many
   */
  addElements(count = 1): void {
    if ((this.#elements += count) > MAX_ELEMENTS) {
      throw new ExtractionError(
        "EXTRACTED_DOCUMENT_TOO_LARGE",
        `The file has more than ${MAX_ELEMENTS} elements, cells or lines; split it and upload the parts`,
      );
    }
  }
}

/** Returns the error for extracted text larger than `maxBytes` bytes. */
export function outputTooLarge(maxBytes: number): ExtractionError {
  return new ExtractionError(
    "EXTRACTED_DOCUMENT_TOO_LARGE",
    `The extracted text exceeds ${maxBytes} bytes; split the file and upload the parts`,
  );
}

/** Returns the error for a table with too many columns. */
export function tooManyColumns(): ExtractionError {
  return new ExtractionError(
    "EXTRACTED_DOCUMENT_TOO_LARGE",
    `A table has more than ${MAX_TABLE_COLUMNS} columns; split the file and upload the parts`,
  );
}

/** Returns the error for a table with too many cells. */
export function tooManyCells(): ExtractionError {
  return new ExtractionError(
    "EXTRACTED_DOCUMENT_TOO_LARGE",
    `A table has more than ${MAX_TABLE_CELLS} cells; split the file and upload the parts`,
  );
}
