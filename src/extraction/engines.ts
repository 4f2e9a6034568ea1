/** The engines of PDF and OCR: each starts with the first file that needs it. */
import { gunzipSync } from "node:zlib";
import type { Assets } from "./assets.ts";
import { ExtractionError } from "./error.ts";
import { PdfEngine } from "./formats/pdf/pdfium.ts";
import { OcrEngine } from "./ocr/engine.ts";

/**
 * Engines that stand once started. An engine that failed within a call is broken for good, so the
 * child of an attempt reads one file with it; only benchmarks and tests read on.
 */
export class Engines {
  readonly #assets: Assets;
  #pdf: Promise<PdfEngine> | undefined;
  readonly #ocr = new Map<string, Promise<OcrEngine>>();

  constructor(assets: Assets) {
    this.#assets = assets;
  }

  /** PDFium. Starting it takes about 40 ms. */
  pdf(): Promise<PdfEngine> {
    return this.#pdf ??= this.#assets.pdfium().then((wasm) => PdfEngine.start(wasm));
  }

  /** Tesseract for these languages. Throws EXTRACTION_FAILED when one of them has no data. */
  ocr(languages: readonly string[]): Promise<OcrEngine> {
    const key = languages.join("+");
    const engine = this.#ocr.get(key) ?? this.#startOcr(languages);
    this.#ocr.set(key, engine);
    return engine;
  }

  async #startOcr(languages: readonly string[]): Promise<OcrEngine> {
    const data = new Map<string, Uint8Array>();
    for (const name of languages) {
      const packed = await this.#assets.language(name);
      if (packed === undefined) {
        throw new ExtractionError(
          "EXTRACTION_FAILED",
          `There is no OCR data for the language "${name}"; add ${name}.traineddata to the folder of OCR languages`,
        );
      }
      data.set(name, packed[0] === 0x1f && packed[1] === 0x8b ? gunzipSync(packed) : packed);
    }
    return await OcrEngine.start(await this.#assets.tesseract(), data);
  }
}
