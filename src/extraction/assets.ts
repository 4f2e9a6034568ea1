/** The binary parts the extractor needs: PDFium's code, and OCR's code and language data. */
import { fileURLToPath } from "node:url";

/** Binary parts, loaded only when a format needs them. */
export interface Assets {
  pdfium(): Promise<Uint8Array>;
  tesseract(): Promise<Uint8Array>;
  /** OCR data of a language, or undefined when there is none. */
  language(name: string): Promise<Uint8Array | undefined>;
}

/** Where each part lies: beside the code, so that a packed executable carries them along. */
export const ASSET_PATHS = {
  pdfium: fileURLToPath(import.meta.resolve("@embedpdf/pdfium/pdfium.wasm")),
  tesseract: fileURLToPath(
    import.meta.resolve("tesseract.js-core/tesseract-core-simd-lstm.wasm"),
  ),
  english: fileURLToPath(new URL("../../assets/ocr/eng.traineddata.gz", import.meta.url)),
} as const;

/** The worker that tells the child's memory; its URL, for `new Worker`. */
export const MEMORY_REPORTER = new URL("./memory_reporter.ts", import.meta.url).href;

/** Assets read from where they are installed; more languages may come from `languageDir`. */
export function loadAssets(languageDir?: string): Assets {
  return {
    pdfium: () => Deno.readFile(ASSET_PATHS.pdfium),
    tesseract: () => Deno.readFile(ASSET_PATHS.tesseract),
    language: (name) => readLanguage(name, languageDir),
  };
}

async function readLanguage(name: string, folder?: string): Promise<Uint8Array | undefined> {
  // Names go into paths, so only what tesseract calls its languages is let through.
  if (!/^[A-Za-z][\w-]{1,31}$/.test(name)) return undefined;
  const extra = folder === undefined ? [] : [
    `${folder}/${name}.traineddata`,
    `${folder}/${name}.traineddata.gz`,
  ];
  for (const path of [...extra, ...name === "eng" ? [ASSET_PATHS.english] : []]) {
    try {
      return await Deno.readFile(path);
    } catch (error) {
      if (!(error instanceof Deno.errors.NotFound)) throw error;
    }
  }
  return undefined;
}
