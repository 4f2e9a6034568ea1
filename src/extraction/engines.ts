/** Starts the PDF and OCR engines on demand, when the first file needs them. */
import { gunzipSync } from "node:zlib";
import type { Assets } from "./assets.ts";
import { PdfEngine } from "./formats/pdf/pdfium.ts";
import { withFasterLoops } from "./ocr/core/faster_core.ts";
import { OcrEngine } from "./ocr/engine.ts";

/**
 * Engines, started on first use and then shared. An engine that failed during a call can't be used
 * again, so a child process only reads one file. Only benchmarks and tests read several files with
 * the same engines.
 */
export class Engines {
  readonly #assets: Assets;
  #pdf: Promise<PdfEngine> | undefined;
  #ocr: Promise<OcrEngine> | undefined;

  constructor(assets: Assets) {
    this.#assets = assets;
  }

  /** Returns PDFium. Takes about 40 ms to start. */
  pdf(): Promise<PdfEngine> {
    return this.#pdf ??= this.#assets.pdfium().then((wasm) => PdfEngine.start(wasm));
  }

  /** Returns Tesseract, which starts in English. */
  ocr(): Promise<OcrEngine> {
    return this.#ocr ??= this.#assets.tesseract().then(async (wasm) =>
      OcrEngine.start(
        await withFasterLoops(wasm),
        async (language) => gunzipSync(await this.#assets.ocrData(language)),
      )
    );
  }
}
