/**
 * OCR for a single document. The engine starts on the first page that needs it. Finished pages are
 * stored so that a retry can skip them.
 */
import type { RawLine, Rule } from "../layout/page.ts";
import type { GreyImage } from "./grey_image.ts";
import type { OcrEngine } from "./engine.ts";
import { detectLanguage } from "./languages.ts";
import {
  type QuarterTurns,
  type Reading,
  type Recognition,
  recognizeUpright,
  rotateExif,
  rotateImage,
} from "./orientation.ts";
import { removeRulingLines, ruleInPoints } from "./ruling_lines.ts";
import { measureStrokes, ocrLines } from "./words.ts";

/**
 * Version of the stored pages. Bump it if the engine, its data or its settings change, so that
 * pages are recognized again.
 */
const CHECKPOINT_VERSION = 5;

/** The name of the format, width, height, depth, words per row, number of colors, and data size. */
const SPIX_HEADER_BYTES = 28;

/** Where to get the engine, and where to store finished pages. */
export interface OcrSettings {
  /** Returns the engine. Called when a page needs OCR. */
  readonly engine: () => Promise<OcrEngine>;
  /** Folder for finished pages; absent if attempts aren't retried. */
  readonly checkpointDir?: string | undefined;
  /** Identifies the document, so that pages from a different one are never used. */
  readonly documentKey?: string;
}

/** Result of recognizing a page. */
export interface OcrPage {
  /** Lines, positioned in points on the upright page. */
  readonly lines: RawLine[];
  readonly rules: Rule[];
  /** Rotation that made the page upright. */
  readonly turn: QuarterTurns;
}

/** Recognizes a document's pages in any of the four orientations and of the known languages. */
export class Ocr {
  readonly #settings: OcrSettings;

  constructor(settings: OcrSettings) {
    this.#settings = settings;
  }

  /** Returns the text on a rendered page. */
  async recognizePage(image: GreyImage, page: number, dpi: number): Promise<OcrPage> {
    return await this.#recognize(page, dpi, (engine, turn) => {
      const { image: upright, rules } = removeRulingLines(rotateImage(image, turn), dpi);
      const words = measureStrokes(engine.recognize(toSpix(upright), dpi), upright);
      return { words, rules };
    });
  }

  /**
   * Returns the text in an image file.
   *
   * @param exif EXIF orientation of the image. Defaults to 1, i.e. upright
   */
  async recognizeFile(bytes: Uint8Array, page: number, dpi: number, exif = 1): Promise<OcrPage> {
    return await this.#recognize(
      page,
      dpi,
      (engine, turn) => ({
        words: engine.recognize(bytes, dpi, rotateExif(exif, turn)),
        rules: [],
      }),
    );
  }

  async #recognize(
    page: number,
    dpi: number,
    read: (engine: OcrEngine, turn: QuarterTurns) => Reading,
  ): Promise<OcrPage> {
    const checkpoint = await this.#readCheckpoint(page);
    if (checkpoint !== undefined) return toOcrPage(checkpoint, dpi);
    const engine = await this.#settings.engine();
    const recognition = await recognizeInItsLanguage(engine, read);
    await this.#writeCheckpoint(page, recognition);
    return toOcrPage(recognition, dpi);
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

  async #writeCheckpoint(page: number, recognition: Recognition): Promise<void> {
    const path = this.#checkpointPath(page);
    if (path === undefined) return;
    await Deno.writeTextFile(`${path}.part`, JSON.stringify(recognition));
    await Deno.rename(`${path}.part`, path);
  }
}

/**
 * Recognizes a page in the language of the page before, and again if it turns out to be in another
 * one. All pages after a change cost a single pass.
 */
async function recognizeInItsLanguage(
  engine: OcrEngine,
  read: (engine: OcrEngine, turn: QuarterTurns) => Reading,
): Promise<Recognition> {
  const recognition = recognizeUpright((turn) => read(engine, turn));
  const language = detectLanguage(recognition.words.map((word) => word.text));
  if (language === undefined || language === engine.language) return recognition;
  await engine.use(language);
  const { turn } = recognition;
  return { turn, ...read(engine, turn) };
}

function toOcrPage({ words, rules, turn }: Recognition, dpi: number): OcrPage {
  return {
    lines: ocrLines(words, dpi),
    rules: rules.map((rule) => ruleInPoints(rule, 72 / dpi)),
    turn,
  };
}

/**
 * Encodes an image as SPIX, which is what Leptonica has in memory, so nothing needs decoding: a
 * header, then rows of whole 32-bit words. The first pixel is in the highest byte of a word.
 */
function toSpix({ width, height, pixels }: GreyImage): Uint8Array {
  const rowBytes = Math.ceil(width / 4) * 4;
  const file = new Uint8Array(SPIX_HEADER_BYTES + rowBytes * height);
  file.set(new TextEncoder().encode("spix"));
  new Uint32Array(file.buffer, 4, 6).set([width, height, 8, rowBytes / 4, 0, rowBytes * height]);
  for (let y = 0, source = 0; y < height; y++) {
    const start = SPIX_HEADER_BYTES + y * rowBytes;
    for (let x = 0; x < width; x++) file[start + (x ^ 3)] = pixels[source++]!;
  }
  return file;
}
