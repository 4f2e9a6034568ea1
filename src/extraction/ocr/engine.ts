/** Runs Tesseract in WebAssembly. Takes an image file and returns words with their boxes. */
import createCore from "tesseract.js-core/tesseract-core-simd-lstm.js";
import { corrupt } from "../error.ts";
import type { OcrLanguage } from "./languages.ts";
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

/** Returns a language's Tesseract data, decompressed. */
export type LoadOcrData = (language: OcrLanguage) => Promise<Uint8Array>;

/** A running OCR engine, shared by all pages in a document. Takes about 200 MB of memory. */
export class OcrEngine {
  readonly #core: TesseractCore;
  readonly #api: TesseractApi;
  readonly #loadData: LoadOcrData;
  readonly #loaded = new Set<OcrLanguage>();
  #language: OcrLanguage = "eng";

  private constructor(core: TesseractCore, loadData: LoadOcrData) {
    this.#core = core;
    this.#api = new core.TessBaseAPI();
    this.#loadData = loadData;
  }

  /** Starts an engine. It reads English until `use()` is called. */
  static async start(wasm: Uint8Array, loadData: LoadOcrData): Promise<OcrEngine> {
    const silent = () => undefined;
    // The package has no types, and those that TypeScript infers from its code are empty.
    const core = await createCore({
      wasmBinary: wasm,
      print: silent,
      printErr: silent,
    }) as TesseractCore;
    const engine = new OcrEngine(core, loadData);
    await engine.use("eng");
    return engine;
  }

  /** The language that the engine reads. */
  get language(): OcrLanguage {
    return this.#language;
  }

  /** Changes the language. Takes about 50 ms. */
  async use(language: OcrLanguage): Promise<void> {
    if (!this.#loaded.has(language)) {
      this.#core.FS.writeFile(`${language}.traineddata`, await this.#loadData(language));
      this.#loaded.add(language);
    }
    if (this.#api.Init(null, language, LSTM_ONLY) !== 0) {
      throw new Error(`Failed to start OCR in "${language}"`);
    }
    this.#api.SetVariable("tessedit_pageseg_mode", PAGE_SEGMENTATION);
    this.#language = language;
  }

  /**
   * Returns the words in an image file (PNG, JPEG, WebP, BMP, SPIX).
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
