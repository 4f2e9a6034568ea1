/** What made a document: kept with it, so that a better extractor can find what to redo. */

/** Name of the extractor and of the engines whose output it builds on. */
export const EXTRACTOR = "commonplace/pdfium-2.15.1+tesseract-7.0.0+sheetjs-0.20.3";

/** Raised with every change that can change a document. */
export const EXTRACTOR_VERSION = "1";
