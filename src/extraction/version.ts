/**
 * Identifies the extractor that created a document. Both values are stored with the document, so a
 * better extractor can find documents to process again.
 */

/** Name of the extractor and of the engines whose output it is based on. */
export const EXTRACTOR = "commonplace/pdfium-2.15.1+tesseract-7.0.0+sheetjs-0.20.3";

/** Version of the extractor. Increase it with every change that can change a document. */
export const EXTRACTOR_VERSION = "1";
