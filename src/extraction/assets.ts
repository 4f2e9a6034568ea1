/**
 * Binary files that extraction needs: the WebAssembly of PDFium and Tesseract, and OCR data for
 * English.
 */
import { fileURLToPath } from "node:url";

/** Binary files, each read only when a format needs it. */
export interface Assets {
  pdfium(): Promise<Uint8Array>;
  tesseract(): Promise<Uint8Array>;
  /** Returns the OCR data for English, compressed with gzip. */
  englishData(): Promise<Uint8Array>;
}

/**
 * Paths of the binary files. They are resolved relative to the code, so a compiled executable can
 * include them.
 */
export const ASSET_PATHS = {
  pdfium: fileURLToPath(import.meta.resolve("@embedpdf/pdfium/pdfium.wasm")),
  tesseract: fileURLToPath(
    import.meta.resolve("tesseract.js-core/tesseract-core-simd-lstm.wasm"),
  ),
  englishData: fileURLToPath(new URL("../../assets/ocr/eng.traineddata.gz", import.meta.url)),
} as const;

/** URL of the worker that reports the memory usage of the child process, for `new Worker`. */
export const MEMORY_REPORTER_URL = new URL("./memory_reporter.ts", import.meta.url).href;

/** Returns assets that are read from where they are installed. */
export function loadAssets(): Assets {
  return {
    pdfium: () => Deno.readFile(ASSET_PATHS.pdfium),
    tesseract: () => Deno.readFile(ASSET_PATHS.tesseract),
    englishData: () => Deno.readFile(ASSET_PATHS.englishData),
  };
}
