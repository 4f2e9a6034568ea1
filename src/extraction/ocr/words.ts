/** Recognized words, and how they become the lines that layout works with. */
import type { Glyph, RawLine } from "../formats/pdf/page.ts";
import { median } from "../formats/pdf/geometry.ts";

/** A word at its place, in pixels. */
export interface OcrWord {
  /** Words with the same key stand on one line. */
  readonly line: string;
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
  /** 0 to 100. */
  readonly confidence: number;
  readonly text: string;
}

/** Below this confidence a word is texture, not text. */
const MIN_CONFIDENCE = 20;
/** Lines whose height differs less than this part from the usual have the usual size. */
const SAME_SIZE = 0.3;

/** Words of Tesseract's tab separated output. */
export function parseTsv(tsv: string): OcrWord[] {
  const words: OcrWord[] = [];
  for (const row of tsv.split("\n")) {
    const fields = row.split("\t");
    const text = fields[11]?.trim() ?? "";
    if (fields[0] !== "5" || text === "") continue;
    const [left = 0, top = 0, width = 0, height = 0, confidence = 0] = fields.slice(6, 11).map(
      Number,
    );
    if (confidence < MIN_CONFIDENCE) continue;
    words.push({ line: fields.slice(1, 5).join("."), left, top, width, height, confidence, text });
  }
  return words;
}

/** Lines in points of a page that was recognized at `dpi`. */
export function ocrLines(words: readonly OcrWord[], dpi: number): RawLine[] {
  const lines = new Map<string, OcrWord[]>();
  for (const word of words) {
    const line = lines.get(word.line);
    if (line === undefined) lines.set(word.line, [word]);
    else line.push(word);
  }
  const heights = [...lines.values()].map(lineHeight);
  const usual = median(heights);
  return [...lines.values()].map((line, index) => {
    const own = heights[index] ?? usual;
    const height = Math.abs(own - usual) < SAME_SIZE * usual ? usual : own;
    return lineGlyphs(line, height, 72 / dpi);
  });
}

/** Letters with and without ascenders: the tallest quarter tells the size of the font. */
function lineHeight(line: readonly OcrWord[]): number {
  const heights = line.map((word) => word.height).sort((a, b) => a - b);
  return heights[Math.floor(heights.length * 0.75)] ?? 0;
}

function lineGlyphs(line: readonly OcrWord[], height: number, scale: number): Glyph[] {
  const bottom = median(line.map((word) => word.top + word.height)) * scale;
  const size = Math.max(1, height * scale);
  return line.flatMap((word, index): Glyph[] => {
    const box = {
      left: word.left * scale,
      right: (word.left + word.width) * scale,
      top: bottom - size,
      bottom,
      baseline: bottom,
      size,
      face: { font: "", bold: false, italic: false, mono: false },
    };
    const glyph = { ...box, text: word.text };
    return index === 0 ? [glyph] : [{ ...box, right: box.left, text: " " }, glyph];
  });
}
