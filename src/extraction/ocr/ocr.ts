/** OCR of one document: the engine starts with the first page, finished pages are kept. */
import type { RawLine } from "../formats/pdf/page.ts";
import type { GreyImage } from "../formats/pdf/pdfium.ts";
import type { OcrEngine } from "./engine.ts";
import {
  isQuarter,
  type Reading,
  readUpright,
  type Turn,
  turnedExif,
  turnedImage,
} from "./orientation.ts";
import { ocrLines, type OcrWord, withStrokes } from "./words.ts";

/** Raised when the engine, its data or its settings change: kept pages are then recognized anew. */
const CHECKPOINT_VERSION = 3;

/** Where the engine comes from, and where finished pages are kept. */
export interface OcrSettings {
  /** The engine, started when a page needs it. */
  readonly engine: () => Promise<OcrEngine>;
  /** Absent where attempts are not repeated. */
  readonly checkpointDir?: string | undefined;
  /** Names the document, so that pages of another one are never taken for its own. */
  readonly documentKey?: string;
}

/** A page as it was read. */
export interface OcrPage {
  /** In points of the upright page. */
  readonly lines: RawLine[];
  /** Whether the upright page is as wide as the given one is high. */
  readonly sideways: boolean;
}

/** Recognizes the pages of one document, whichever way up they lie. */
export class Ocr {
  readonly #settings: OcrSettings;

  constructor(settings: OcrSettings) {
    this.#settings = settings;
  }

  /** Reads a rendered page. */
  async page(image: GreyImage, page: number, dpi: number): Promise<OcrPage> {
    return await this.#recognize(page, dpi, (engine, turn) => {
      const upright = turnedImage(image, turn);
      return withStrokes(engine.recognize(toPgm(upright), dpi), upright);
    });
  }

  /** Reads an image file. */
  async file(bytes: Uint8Array, page: number, dpi: number, exif = 1): Promise<OcrPage> {
    return await this.#recognize(
      page,
      dpi,
      (engine, turn) => engine.recognize(bytes, dpi, turnedExif(exif, turn)),
    );
  }

  async #recognize(
    page: number,
    dpi: number,
    recognize: (engine: OcrEngine, turn: Turn) => OcrWord[],
  ): Promise<OcrPage> {
    const kept = await this.#kept(page);
    if (kept !== undefined) return pageOf(kept, dpi);
    const engine = await this.#settings.engine();
    const reading = readUpright((turn) => recognize(engine, turn));
    await this.#keep(page, reading);
    return pageOf(reading, dpi);
  }

  #path(page: number): string | undefined {
    const { checkpointDir, documentKey = "" } = this.#settings;
    if (checkpointDir === undefined) return undefined;
    return `${checkpointDir}/${documentKey}-${page}-${CHECKPOINT_VERSION}.json`;
  }

  async #kept(page: number): Promise<Reading | undefined> {
    const path = this.#path(page);
    if (path === undefined) return undefined;
    try {
      return JSON.parse(await Deno.readTextFile(path));
    } catch (error) {
      if (error instanceof Deno.errors.NotFound) return undefined;
      throw error;
    }
  }

  async #keep(page: number, reading: Reading): Promise<void> {
    const path = this.#path(page);
    if (path === undefined) return;
    await Deno.writeTextFile(`${path}.part`, JSON.stringify(reading));
    await Deno.rename(`${path}.part`, path);
  }
}

function pageOf({ words, turn }: Reading, dpi: number): OcrPage {
  return { lines: ocrLines(words, dpi), sideways: isQuarter(turn) };
}

/** The simplest image format there is: a header and the grey values. */
function toPgm(image: GreyImage): Uint8Array {
  const header = new TextEncoder().encode(`P5\n${image.width} ${image.height}\n255\n`);
  const file = new Uint8Array(header.length + image.pixels.length);
  file.set(header);
  file.set(image.pixels, header.length);
  return file;
}
