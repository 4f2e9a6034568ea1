/** The binary parts the extractor needs: PDFium's code, and OCR's code and language data. */
import { fileURLToPath } from "node:url";

/** Binary parts, loaded only when a format needs them. */
export interface Assets {
  pdfium(): Promise<Uint8Array>;
}

/** Where each part lies: beside the code, so that a packed executable carries them along. */
export const ASSET_PATHS = {
  pdfium: fileURLToPath(import.meta.resolve("@embedpdf/pdfium/pdfium.wasm")),
} as const;

/** Assets read from where they are installed. */
export function loadAssets(): Promise<Assets> {
  return Promise.resolve({ pdfium: () => Deno.readFile(ASSET_PATHS.pdfium) });
}
