/**
 * Binary files needed for extraction: the PDFium and Tesseract WebAssembly code and the OCR data of
 * each language.
 */
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { OcrLanguage } from "./ocr/languages.ts";

/** Binary files. Each one is only read once a format needs it. */
export interface Assets {
  pdfium(): Promise<Uint8Array>;
  tesseract(): Promise<Uint8Array>;
  /** Returns a language's OCR data, gzipped. */
  ocrData(language: OcrLanguage): Promise<Uint8Array>;
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
  /** One of the files with OCR data. The others are next to it. */
  ocrData: fileURLToPath(new URL("../../assets/ocr/eng.traineddata.gz", import.meta.url)),
} as const;

/** `new Worker` URL for the worker that reports the child process's memory usage. */
export const MEMORY_REPORTER_URL = new URL("./memory_reporter.ts", import.meta.url).href;

/** Returns the assets, read from where they're installed. */
export function loadAssets(): Assets {
  return {
    pdfium: () => Deno.readFile(ASSET_PATHS.pdfium),
    tesseract: () => Deno.readFile(ASSET_PATHS.tesseract),
    ocrData: (language) =>
      Deno.readFile(join(dirname(ASSET_PATHS.ocrData), `${language}.traineddata.gz`)),
  };
}
