/** Works out a page's orientation from what the OCR engine recognizes on it. */
import type { GreyImage } from "./grey_image.ts";
import { median } from "../layout/geometry.ts";
import type { RulingLine } from "./ruling_lines.ts";
import type { OcrWord } from "./words.ts";

/** Number of clockwise quarter turns to make a page upright. */
export type QuarterTurns = 0 | 1 | 2 | 3;

/** What's on a page at some rotation. */
export interface Reading {
  readonly words: readonly OcrWord[];
  readonly rules: readonly RulingLine[];
}

/** What's on a page that was turned upright, and the rotation that took. */
export interface Recognition extends Reading {
  readonly turn: QuarterTurns;
}

/**
 * Minimum mean confidence for readable text. Upright English scores 85–97, upside-down text 37–48.
 */
const MIN_READABLE_CONFIDENCE = 65;
/**
 * EXIF orientations, each a clockwise quarter turn from the previous one: first the unmirrored
 * ones, then the mirrored ones.
 */
const EXIF_ROTATIONS = [[1, 6, 3, 8], [2, 7, 4, 5]] as const;

/**
 * Recognizes a page in its upright orientation. The engine recognizes vertical lines but not
 * upside-down text, and returns the boxes of vertical lines unrotated. So an upright page is
 * recognized once, any other page up to three times.
 */
export function recognizeUpright(read: (turn: QuarterTurns) => Reading): Recognition {
  const first = { turn: 0, ...read(0) } as const;
  if (isReadable(first.words)) return correctSideways(first, read);
  if (first.words.length === 0) return first;
  const flipped = { turn: 2, ...read(2) } as const;
  return isReadable(flipped.words) ? correctSideways(flipped, read) : first;
}

/** Returns the clockwise quarter turns of an EXIF orientation, or undefined if it is mirrored. */
export function quarterTurnsOf(exif: number): QuarterTurns | undefined {
  const turn = EXIF_ROTATIONS[0].findIndex((orientation) => orientation === exif);
  return turn < 0 ? undefined : turn as QuarterTurns;
}

/** Returns an image's EXIF orientation after further clockwise quarter turns. */
export function rotateExif(exif: number, turn: QuarterTurns): number {
  for (const cycle of EXIF_ROTATIONS) {
    const index = cycle.findIndex((orientation) => orientation === exif);
    if (index >= 0) return cycle[(index + turn) % 4]!;
  }
  return EXIF_ROTATIONS[0][turn];
}

/** Checks whether a rotation swaps width and height. */
export function swapsWidthAndHeight(turn: QuarterTurns): boolean {
  return turn % 2 === 1;
}

/** Returns the image, rotated clockwise. */
export function rotateImage(image: GreyImage, turn: QuarterTurns): GreyImage {
  if (turn === 0) return image;
  const { width, height, pixels } = image;
  const rotated = new Uint8Array(pixels.length);
  const size = swapsWidthAndHeight(turn) ? { width: height, height: width } : { width, height };
  for (let y = 0, source = 0; y < height; y++) {
    for (let x = 0; x < width; x++, source++) {
      const [column, row] = turn === 1
        ? [height - 1 - y, x]
        : turn === 2
        ? [width - 1 - x, height - 1 - y]
        : [y, width - 1 - x];
      rotated[row * size.width + column] = pixels[source]!;
    }
  }
  return { ...size, pixels: rotated };
}

function correctSideways(
  recognition: Recognition,
  read: (turn: QuarterTurns) => Reading,
): Recognition {
  const correction = turnToLevel(recognition.words);
  if (correction === 0) return recognition;
  const turn = (recognition.turn + correction + 4) % 4 as QuarterTurns;
  const reading = read(turn);
  return isReadable(reading.words) ? { turn, ...reading } : recognition;
}

function isReadable(words: readonly OcrWord[]): boolean {
  const letters = words.reduce((sum, { text }) => sum + text.length, 0);
  const confidence = words.reduce((sum, word) => sum + word.confidence * word.text.length, 0);
  return letters > 0 && confidence / letters >= MIN_READABLE_CONFIDENCE;
}

/**
 * Returns the quarter turn that makes vertical words horizontal (1 or -1), or 0 if they already
 * are.
 */
function turnToLevel(words: readonly OcrWord[]): -1 | 0 | 1 {
  const longWords = words.filter((word) => word.text.length >= 4);
  const vertical = longWords.filter((word) => word.height > word.width);
  if (vertical.length * 2 <= longWords.length) return 0;
  const steps = words.flatMap((word, index) => {
    const next = words[index + 1];
    return next?.line === word.line ? [next.top - word.top] : [];
  });
  // Lines running upwards have been rotated to the left, so they need rotating to the right.
  return median(steps) <= 0 ? 1 : -1;
}
