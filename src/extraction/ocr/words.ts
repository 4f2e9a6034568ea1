/** Reads recognized words and converts them to the lines layout works with. */
import type { Glyph, RawLine } from "../layout/page.ts";
import { median } from "../layout/geometry.ts";
import type { GreyImage } from "./grey_image.ts";

/** A recognized word with its box in pixels. */
export interface OcrWord {
  /** Line key, shared by all words on a line. */
  readonly line: string;
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
  /** The engine's confidence, 0 to 100. */
  readonly confidence: number;
  readonly text: string;
  /** Stroke thickness as a fraction of the height; absent if there were no pixels to measure. */
  readonly stroke?: number;
}

/** Minimum word confidence. Anything below that is texture rather than text. */
const MIN_WORD_CONFIDENCE = 20;
/** A line gets the usual size if its letter height is within this fraction of the usual one. */
const SIZE_TOLERANCE = 0.14;
/** Cap height as a fraction of the font size, in most text fonts. */
const CAP_HEIGHT_RATIO = 0.71;
/** Minimum thickness of bold strokes, relative to regular ones. */
const BOLD_STROKE_RATIO = 1.3;
/** What Tesseract reads round and square bullets as. */
const MISREAD_BULLET = /^(?:[e@©®°*+o¢»«·¤■□▪◦●○]|-)$/;

/** Returns the words in Tesseract's TSV output. */
export function parseTsv(tsv: string): OcrWord[] {
  const words: OcrWord[] = [];
  for (const row of tsv.split("\n")) {
    const fields = row.split("\t");
    const text = fields[11]?.trim() ?? "";
    if (fields[0] !== "5" || text === "") continue;
    const [left = 0, top = 0, width = 0, height = 0, confidence = 0] = fields.slice(6, 11).map(
      Number,
    );
    if (confidence < MIN_WORD_CONFIDENCE) continue;
    words.push({ line: fields.slice(1, 5).join("."), left, top, width, height, confidence, text });
  }
  return words;
}

/**
 * Converts words to lines.
 *
 * @param dpi resolution used for recognition
 * @returns lines positioned in points
 */
export function ocrLines(words: readonly OcrWord[], dpi: number): RawLine[] {
  const lines = [...Map.groupBy(words, (word) => word.line).values()].map(measureLine);
  const capHeights = lines.map((line) => line.capHeight).filter((height) => height !== undefined);
  const usualHeight = median(capHeights.length > 0 ? capHeights : words.map((word) => word.height));
  const stroke = median(words.flatMap((word) => word.stroke ?? []));
  return lines.map((line) => {
    const height = line.capHeight ?? usualHeight;
    const capHeight = Math.abs(height - usualHeight) < SIZE_TOLERANCE * usualHeight
      ? usualHeight
      : height;
    return lineGlyphs(line, capHeight / CAP_HEIGHT_RATIO, stroke, 72 / dpi);
  });
}

interface MeasuredLine {
  readonly words: readonly OcrWord[];
  /** Vertical position of the baseline, in pixels. */
  readonly baseline: number;
  /** Cap height in pixels; undefined if the line has no tall letters. */
  readonly capHeight: number | undefined;
}

function measureLine(words: readonly OcrWord[]): MeasuredLine {
  const bottoms = (list: readonly OcrWord[]) => list.map((word) => word.top + word.height);
  const withoutDescenders = words.filter((word) => !/[gjpqyQ,;()[\]{}|]/.test(word.text));
  const baseline = median(bottoms(withoutDescenders.length > 0 ? withoutDescenders : words));
  const tall = words.filter((word) => /[A-Z\dbdfhkl]/.test(word.text));
  return {
    words,
    baseline,
    capHeight: tall.length === 0 ? undefined : median(tall.map((word) => baseline - word.top)),
  };
}

function lineGlyphs(line: MeasuredLine, fontSize: number, stroke: number, scale: number): Glyph[] {
  const baseline = line.baseline * scale;
  const size = Math.max(1, fontSize * scale);
  const bold = stroke > 0 &&
    median(line.words.map((word) => word.stroke ?? stroke)) > BOLD_STROKE_RATIO * stroke;
  return line.words.flatMap((word, index): Glyph[] => {
    const box = {
      left: word.left * scale,
      right: (word.left + word.width) * scale,
      top: baseline - 0.8 * size,
      bottom: baseline + 0.22 * size,
      baseline,
      size,
      face: { font: "", bold, italic: false, mono: false },
    };
    const glyph = { ...box, text: isBullet(line.words, index, fontSize) ? "•" : word.text };
    return index === 0 ? [glyph] : [{ ...box, right: box.left, text: " " }, glyph];
  });
}

/**
 * Checks whether a word is a bullet: a single sign at the start of a line, with a wider gap to the
 * text than there is between words.
 */
function isBullet(words: readonly OcrWord[], index: number, fontSize: number): boolean {
  const [first, second] = words;
  if (index > 0 || first === undefined || second === undefined) return false;
  return MISREAD_BULLET.test(first.text) && first.width < 0.8 * fontSize &&
    second.left - first.left - first.width > 0.6 * fontSize;
}

/**
 * Returns the words with their stroke thickness, measured in the same grey image they were
 * recognized in.
 */
export function measureStrokes(words: readonly OcrWord[], image: GreyImage): OcrWord[] {
  return words.map((word) => {
    const runs = darkRuns(word, image);
    return runs.length < 8 ? word : { ...word, stroke: median(runs) / Math.max(1, word.height) };
  });
}

/** Returns the lengths of the dark runs in a word's box, row by row. */
function darkRuns(word: OcrWord, image: GreyImage): number[] {
  const runs: number[] = [];
  const right = Math.min(image.width, word.left + word.width);
  const bottom = Math.min(image.height, word.top + word.height);
  for (let y = Math.max(0, word.top); y < bottom; y++) {
    let run = 0;
    for (let x = Math.max(0, word.left); x < right; x++) {
      if ((image.pixels[y * image.width + x] ?? 255) < 128) run++;
      else if (run > 0) {
        runs.push(run);
        run = 0;
      }
    }
  }
  return runs;
}
