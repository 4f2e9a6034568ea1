/** Limits how much text and how many elements a reader collects from a file. */
import { ExtractionError } from "./error.ts";
import { MAX_ELEMENTS } from "./limits.ts";

/**
 * The amount of text and the number of elements that a reader may still collect. The count is a
 * lower bound on the final size (except in rare cases, such as text between list items). A file
 * that is far too large therefore fails early, with a specific error. For sizes close to the limit,
 * the writer checks the exact byte count.
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
   * Counts text that will be written.
   *
   * @param markupBytes bytes of Markdown syntax around the text
   * @throws {ExtractionError} EXTRACTED_DOCUMENT_TOO_LARGE if the text can't fit
   */
  addText(text: string, markupBytes = 0): void {
    // Whitespace isn't counted because it may be collapsed later. Any other character takes at
    // least one byte.
    this.#bytes += markupBytes + text.replace(/[\s\u200b\ufeff]+/g, "").length;
    if (this.#bytes > this.#maxBytes) throw outputTooLarge(this.#maxBytes);
  }

  /**
   * Counts elements, cells or lines, which take up memory even without text.
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

/** Returns the error for extracted text that exceeds `maxBytes` bytes. */
export function outputTooLarge(maxBytes: number): ExtractionError {
  return new ExtractionError(
    "EXTRACTED_DOCUMENT_TOO_LARGE",
    `The extracted text exceeds ${maxBytes} bytes; split the file and upload the parts`,
  );
}
