/** The binary parts the extractor needs: PDFium's code, and OCR's code and its English data. */
import { fileURLToPath } from "node:url";

/** Binary parts, loaded only when a format needs them. */
export interface Assets {
  pdfium(): Promise<Uint8Array>;
  tesseract(): Promise<Uint8Array>;
  /** OCR's data for English, packed by gzip. */
  englishData(): Promise<Uint8Array>;
}

/** Where each part lies: beside the code, so that a packed executable carries them along. */
export const ASSET_PATHS = {
  pdfium: fileURLToPath(import.meta.resolve("@embedpdf/pdfium/pdfium.wasm")),
  tesseract: fileURLToPath(
    import.meta.resolve("tesseract.js-core/tesseract-core-simd-lstm.wasm"),
  ),
  englishData: fileURLToPath(new URL("../../assets/ocr/eng.traineddata.gz", import.meta.url)),
} as const;

/** The worker that tells the child's memory; its URL, for `new Worker`. */
export const MEMORY_REPORTER_URL = new URL("./memory_reporter.ts", import.meta.url).href;

/** Assets read from where they are installed. */
export function loadAssets(): Assets {
  return {
    pdfium: () => Deno.readFile(ASSET_PATHS.pdfium),
    tesseract: () => Deno.readFile(ASSET_PATHS.tesseract),
    englishData: () => Deno.readFile(ASSET_PATHS.englishData),
  };
}
