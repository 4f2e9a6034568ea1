/** OCR of one document: the engine starts with the first page, finished pages are kept. */
import type { RawLine } from "../formats/pdf/page.ts";
import type { GreyImage } from "../formats/pdf/pdfium.ts";
import type { OcrEngine } from "./engine.ts";
import {
  type QuarterTurns,
  type Recognition,
  recognizeUpright,
  rotateExif,
  rotateImage,
  swapsWidthAndHeight,
} from "./orientation.ts";
import { measureStrokes, ocrLines, type OcrWord } from "./words.ts";

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
  async recognizePage(image: GreyImage, page: number, dpi: number): Promise<OcrPage> {
    return await this.#recognize(page, dpi, (engine, turn) => {
      const upright = rotateImage(image, turn);
      return measureStrokes(engine.recognize(toPgm(upright), dpi), upright);
    });
  }

  /** Reads an image file. */
  async recognizeFile(bytes: Uint8Array, page: number, dpi: number, exif = 1): Promise<OcrPage> {
    return await this.#recognize(
      page,
      dpi,
      (engine, turn) => engine.recognize(bytes, dpi, rotateExif(exif, turn)),
    );
  }

  async #recognize(
    page: number,
    dpi: number,
    recognize: (engine: OcrEngine, turn: QuarterTurns) => OcrWord[],
  ): Promise<OcrPage> {
    const kept = await this.#readCheckpoint(page);
    if (kept !== undefined) return toOcrPage(kept, dpi);
    const engine = await this.#settings.engine();
    const reading = recognizeUpright((turn) => recognize(engine, turn));
    await this.#writeCheckpoint(page, reading);
    return toOcrPage(reading, dpi);
  }

  #checkpointPath(page: number): string | undefined {
    const { checkpointDir, documentKey = "" } = this.#settings;
    if (checkpointDir === undefined) return undefined;
    return `${checkpointDir}/${documentKey}-${page}-${CHECKPOINT_VERSION}.json`;
  }

  async #readCheckpoint(page: number): Promise<Recognition | undefined> {
    const path = this.#checkpointPath(page);
    if (path === undefined) return undefined;
    try {
      return JSON.parse(await Deno.readTextFile(path));
    } catch (error) {
      if (error instanceof Deno.errors.NotFound) return undefined;
      throw error;
    }
  }

  async #writeCheckpoint(page: number, reading: Recognition): Promise<void> {
    const path = this.#checkpointPath(page);
    if (path === undefined) return;
    await Deno.writeTextFile(`${path}.part`, JSON.stringify(reading));
    await Deno.rename(`${path}.part`, path);
  }
}

function toOcrPage({ words, turn }: Recognition, dpi: number): OcrPage {
  return { lines: ocrLines(words, dpi), sideways: swapsWidthAndHeight(turn) };
}

/** The simplest image format there is: a header and the grey values. */
function toPgm(image: GreyImage): Uint8Array {
  const header = new TextEncoder().encode(`P5\n${image.width} ${image.height}\n255\n`);
  const file = new Uint8Array(header.length + image.pixels.length);
  file.set(header);
  file.set(image.pixels, header.length);
  return file;
}
