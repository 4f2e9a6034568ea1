/** The engines of PDF and OCR: each starts with the first file that needs it. */
import { gunzipSync } from "node:zlib";
import type { Assets } from "./assets.ts";
import { PdfEngine } from "./formats/pdf/pdfium.ts";
import { OcrEngine } from "./ocr/engine.ts";

/**
 * Engines that stand once started. An engine that failed within a call is broken for good, so the
 * child of an attempt reads one file with it; only benchmarks and tests read on.
 */
export class Engines {
  readonly #assets: Assets;
  #pdf: Promise<PdfEngine> | undefined;
  #ocr: Promise<OcrEngine> | undefined;

  constructor(assets: Assets) {
    this.#assets = assets;
  }

  /** PDFium. Starting it takes about 40 ms. */
  pdf(): Promise<PdfEngine> {
    return this.#pdf ??= this.#assets.pdfium().then((wasm) => PdfEngine.start(wasm));
  }

  /** Tesseract for English. */
  ocr(): Promise<OcrEngine> {
    return this.#ocr ??= Promise.all([this.#assets.tesseract(), this.#assets.englishData()])
      .then(([wasm, packed]) => OcrEngine.start(wasm, gunzipSync(packed)));
  }
}
