/**
 * Identifies the extractor that created a document. Both values are stored with the document, so
 * that documents worth reprocessing can be found once there's a better extractor.
 */

/** Names of the extractor and the engines its output is based on. */
export const EXTRACTOR = "commonplace/pdfium-2.15.1+tesseract-7.0.0+sheetjs-0.20.3";

/**
 * Extractor version. Bump it with every change that can affect a document; `deno task versions`
 * reports changes.
 */
export const EXTRACTOR_VERSION = "5";
