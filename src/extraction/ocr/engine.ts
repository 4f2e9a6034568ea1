/** Runs Tesseract in WebAssembly. Takes an image file and returns words with their boxes. */
import createCore from "tesseract.js-core/tesseract-core-simd-lstm.js";
import { corrupt } from "../error.ts";
import { type OcrWord, parseTsv } from "./words.ts";

/** The part of the engine's API we use. */
interface TesseractApi {
  Init(dataPath: string | null, language: string, engineMode: number): number;
  SetVariable(name: string, value: string): boolean;
  SetImageFile(exif: number, angle: number): number;
  Recognize(monitor: null): number;
  GetTSVText(page: number): string;
  Clear(): void;
}

interface TesseractCore {
  readonly FS: { writeFile(path: string, data: Uint8Array): void; unlink(path: string): void };
  readonly TessBaseAPI: new () => TesseractApi;
}

const LSTM_ONLY = 1;
/** Full page segmentation. By default, the API treats a page as a single column. */
const PAGE_SEGMENTATION = "3";

/** A running OCR engine, shared by all pages in a document. Takes about 200 MB of memory. */
export class OcrEngine {
  readonly #core: TesseractCore;
  readonly #api: TesseractApi;

  private constructor(core: TesseractCore, api: TesseractApi) {
    this.#core = core;
    this.#api = api;
  }

  /**
   * Starts an engine.
   *
   * @param englishData decompressed Tesseract data for English
   */
  static async start(wasm: Uint8Array, englishData: Uint8Array): Promise<OcrEngine> {
    const silent = () => undefined;
    // The package has no types, and those that TypeScript infers from its code are empty.
    const core = await createCore({
      wasmBinary: wasm,
      print: silent,
      printErr: silent,
    }) as TesseractCore;
    core.FS.writeFile("eng.traineddata", englishData);
    const api = new core.TessBaseAPI();
    if (api.Init(null, "eng", LSTM_ONLY) !== 0) throw new Error("Failed to start OCR");
    api.SetVariable("tessedit_pageseg_mode", PAGE_SEGMENTATION);
    return new OcrEngine(core, api);
  }

  /**
   * Returns the words in an image file (PNG, JPEG, WebP, BMP, PGM).
   *
   * @param exif EXIF orientation of the image. Defaults to 1, i.e. upright
   * @throws {ExtractionError} DOCUMENT_CORRUPT if the image can't be decoded
   */
  recognize(image: Uint8Array, dpi: number, exif = 1): OcrWord[] {
    this.#core.FS.writeFile("/input", image);
    try {
      this.#api.SetVariable("user_defined_dpi", String(Math.round(dpi)));
      if (this.#api.SetImageFile(exif, 0) === 1) throw corrupt("Failed to decode the image");
      this.#api.Recognize(null);
      return parseTsv(this.#api.GetTSVText(0));
    } finally {
      this.#api.Clear();
      this.#core.FS.unlink("/input");
    }
  }
}
