/**
 * Binary files needed for extraction: the PDFium and Tesseract WebAssembly code and the English OCR
 * data.
 */
import { fileURLToPath } from "node:url";

/** Binary files. Each one is only read once a format needs it. */
export interface Assets {
  pdfium(): Promise<Uint8Array>;
  tesseract(): Promise<Uint8Array>;
  /** Returns the English OCR data, gzipped. */
  englishData(): Promise<Uint8Array>;
}

/**
 * Paths to the binary files, resolved relative to the code so that a compiled executable can
 * include the files.
 */
export const ASSET_PATHS = {
  pdfium: fileURLToPath(import.meta.resolve("@embedpdf/pdfium/pdfium.wasm")),
  tesseract: fileURLToPath(
    import.meta.resolve("tesseract.js-core/tesseract-core-simd-lstm.wasm"),
  ),
  englishData: fileURLToPath(new URL("../../assets/ocr/eng.traineddata.gz", import.meta.url)),
} as const;

/** `new Worker` URL for the worker that reports the child process's memory usage. */
export const MEMORY_REPORTER_URL = new URL("./memory_reporter.ts", import.meta.url).href;

/** Returns the assets, read from where they're installed. */
export function loadAssets(): Assets {
  return {
    pdfium: () => Deno.readFile(ASSET_PATHS.pdfium),
    tesseract: () => Deno.readFile(ASSET_PATHS.tesseract),
    englishData: () => Deno.readFile(ASSET_PATHS.englishData),
  };
}
