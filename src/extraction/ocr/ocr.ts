/** OCR of one document: the engine starts with the first page, and finished pages are kept. */
import { gunzipSync } from "node:zlib";
import { ExtractionError } from "../error.ts";
import type { RawLine } from "../formats/pdf/page.ts";
import type { GreyImage } from "../formats/pdf/pdfium.ts";
import { OcrEngine } from "./engine.ts";
import { ocrLines, type OcrWord, withStrokes } from "./words.ts";

/** Raised when the engine, its data or its settings change: kept pages are then recognized anew. */
const CHECKPOINT_VERSION = 2;

/** Where the engine and its languages come from, and where finished pages are kept. */
export interface OcrSettings {
  readonly wasm: () => Promise<Uint8Array>;
  /** The data of a language, or undefined when there is none. */
  readonly language: (name: string) => Promise<Uint8Array | undefined>;
  readonly languages: readonly string[];
  /** Absent where attempts are not repeated. */
  readonly checkpointDir?: string | undefined;
  /** Names the document, so that pages of another one are never taken for its own. */
  readonly documentKey?: string;
}

/** Recognizes the pages of one document. */
export class Ocr {
  readonly #settings: OcrSettings;
  #engine: OcrEngine | undefined;

  constructor(settings: OcrSettings) {
    this.#settings = settings;
  }

  /** Lines of a rendered page, in points. */
  async page(image: GreyImage, page: number, dpi: number): Promise<RawLine[]> {
    return await this.#recognize(
      page,
      dpi,
      (engine) => withStrokes(engine.recognize(toPgm(image), dpi), image),
    );
  }

  /** Lines of an image file, in points. */
  async file(bytes: Uint8Array, page: number, dpi: number, exif = 1): Promise<RawLine[]> {
    return await this.#recognize(page, dpi, (engine) => engine.recognize(bytes, dpi, exif));
  }

  async #recognize(
    page: number,
    dpi: number,
    recognize: (engine: OcrEngine) => OcrWord[],
  ): Promise<RawLine[]> {
    const kept = await this.#kept(page);
    if (kept !== undefined) return ocrLines(kept, dpi);
    this.#engine ??= await this.#start();
    const words = recognize(this.#engine);
    await this.#keep(page, words);
    return ocrLines(words, dpi);
  }

  async #start(): Promise<OcrEngine> {
    const data = new Map<string, Uint8Array>();
    for (const name of this.#settings.languages) {
      const packed = await this.#settings.language(name);
      if (packed === undefined) {
        throw new ExtractionError(
          "EXTRACTION_FAILED",
          `There is no OCR data for the language "${name}"; add ${name}.traineddata to the folder of OCR languages`,
        );
      }
      data.set(name, packed[0] === 0x1f && packed[1] === 0x8b ? gunzipSync(packed) : packed);
    }
    return await OcrEngine.start(await this.#settings.wasm(), data);
  }

  #path(page: number): string | undefined {
    const { checkpointDir, documentKey = "", languages } = this.#settings;
    if (checkpointDir === undefined) return undefined;
    return `${checkpointDir}/${documentKey}-${page}-${
      languages.join("+")
    }-${CHECKPOINT_VERSION}.json`;
  }

  async #kept(page: number): Promise<OcrWord[] | undefined> {
    const path = this.#path(page);
    if (path === undefined) return undefined;
    try {
      const words: unknown = JSON.parse(await Deno.readTextFile(path));
      return Array.isArray(words) ? words : undefined;
    } catch (error) {
      if (error instanceof Deno.errors.NotFound) return undefined;
      throw error;
    }
  }

  async #keep(page: number, words: readonly OcrWord[]): Promise<void> {
    const path = this.#path(page);
    if (path === undefined) return;
    await Deno.writeTextFile(`${path}.part`, JSON.stringify(words));
    await Deno.rename(`${path}.part`, path);
  }
}

/** The simplest image format there is: a header and the grey values. */
export function toPgm(image: GreyImage): Uint8Array {
  const header = new TextEncoder().encode(`P5\n${image.width} ${image.height}\n255\n`);
  const file = new Uint8Array(header.length + image.pixels.length);
  file.set(header);
  file.set(image.pixels, header.length);
  return file;
}
