/**
 * Identifies the extractor that created a document. Both values are stored with the document, so
 * that a better extractor can find the documents that should be processed again.
 */

/** Name of the extractor and of the engines that its output is based on. */
export const EXTRACTOR = "commonplace/pdfium-2.15.1+tesseract-7.0.0+sheetjs-0.20.3";

/** Extractor version. Increase it with every change that can affect a document. */
export const EXTRACTOR_VERSION = "1";
