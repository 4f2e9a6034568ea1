/** Bounds what is gathered from one file while it is read: the text, and what it is kept in. */
import { ExtractionError } from "./error.ts";
import { MAX_ELEMENTS } from "./limits.ts";

/**
 * What a reader may still gather. It counts no more than the document would need (but for oddities
 * as text between the items of a list), so that a file far too large ends early and by its own
 * error; what comes close is judged by the writer, to the byte.
 */
export class Budget {
  readonly #maxBytes: number;
  #bytes = 0;
  #pieces = 0;

  /** `maxBytes` is what the Markdown may have. */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /**
   * Counts text that will be written, with `marks` bytes of Markdown around it. Throws
   * EXTRACTED_DOCUMENT_TOO_LARGE when it can't fit.
   */
  addText(text: string, markupBytes = 0): void {
    // Blanks may be joined on the way, and a character has a byte at least.
    this.#bytes += markupBytes + text.replace(/[\s\u200b\ufeff]+/g, "").length;
    if (this.#bytes > this.#maxBytes) throw outputTooLarge(this.#maxBytes);
  }

  /** Counts elements, cells, lines: what takes memory with and without text. Throws as `text`. */
  addElements(count = 1): void {
    if ((this.#pieces += count) > MAX_ELEMENTS) {
      throw new ExtractionError(
        "EXTRACTED_DOCUMENT_TOO_LARGE",
        "The file has too many elements, cells or lines; split it and upload its parts",
      );
    }
  }
}

/** The error for text that exceeds the limit of `maxBytes`. */
export function outputTooLarge(maxBytes: number): ExtractionError {
  return new ExtractionError(
    "EXTRACTED_DOCUMENT_TOO_LARGE",
    `The extracted text exceeds ${maxBytes} bytes; split the file and upload its parts`,
  );
}
