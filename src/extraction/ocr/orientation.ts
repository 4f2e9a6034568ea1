/** Which way up a page lies, judged by what the engine reads of it. */
import type { GreyImage } from "../formats/pdf/pdfium.ts";
import { median } from "../formats/pdf/geometry.ts";
import type { OcrWord } from "./words.ts";

/** Quarter turns clockwise that set a page upright. */
export type QuarterTurns = 0 | 1 | 2 | 3;

/** What was read of a page, and how it had to be turned for that. */
export interface Recognition {
  readonly turn: QuarterTurns;
  /** Boxes are those of the upright page. */
  readonly words: readonly OcrWord[];
}

/** Upright English reads with 85 to 97, upside down with 37 to 48. */
const MIN_READABLE_CONFIDENCE = 65;
/** EXIF orientations, each a quarter turn clockwise from the one before: plain, and mirrored. */
const EXIF_ROTATIONS = [[1, 6, 3, 8], [2, 7, 4, 5]] as const;

/**
 * Reads a page the right way up. The engine by itself reads lines that stand on end, but not
 * upside down, and tells their boxes as they stand; so a page is read once if it lies upright, and
 * at most three times.
 */
export function recognizeUpright(recognize: (turn: QuarterTurns) => OcrWord[]): Recognition {
  const first = { turn: 0, words: recognize(0) } as const;
  if (isReadable(first.words)) return correctSideways(first, recognize);
  if (first.words.length === 0) return first;
  const flipped = { turn: 2, words: recognize(2) } as const;
  return isReadable(flipped.words) ? correctSideways(flipped, recognize) : first;
}

/** The EXIF orientation of a picture that has to be turned further. */
export function rotateExif(exif: number, turn: QuarterTurns): number {
  for (const cycle of EXIF_ROTATIONS) {
    const at = cycle.findIndex((each) => each === exif);
    if (at >= 0) return cycle[(at + turn) % 4]!;
  }
  return EXIF_ROTATIONS[0][turn];
}

/** Whether a turn exchanges width and height. */
export function swapsWidthAndHeight(turn: QuarterTurns): boolean {
  return turn % 2 === 1;
}

/** The image, turned clockwise. */
export function rotateImage(image: GreyImage, turn: QuarterTurns): GreyImage {
  if (turn === 0) return image;
  const { width, height, pixels } = image;
  const turned = new Uint8Array(pixels.length);
  const size = swapsWidthAndHeight(turn) ? { width: height, height: width } : { width, height };
  for (let y = 0, from = 0; y < height; y++) {
    for (let x = 0; x < width; x++, from++) {
      const [column, row] = turn === 1
        ? [height - 1 - y, x]
        : turn === 2
        ? [width - 1 - x, height - 1 - y]
        : [y, width - 1 - x];
      turned[row * size.width + column] = pixels[from]!;
    }
  }
  return { ...size, pixels: turned };
}

function correctSideways(
  reading: Recognition,
  recognize: (turn: QuarterTurns) => OcrWord[],
): Recognition {
  const side = turnToLevel(reading.words);
  if (side === 0) return reading;
  const turn = (reading.turn + side + 4) % 4 as QuarterTurns;
  const words = recognize(turn);
  return isReadable(words) ? { turn, words } : reading;
}

function isReadable(words: readonly OcrWord[]): boolean {
  const letters = words.reduce((sum, { text }) => sum + text.length, 0);
  const confidence = words.reduce((sum, word) => sum + word.confidence * word.text.length, 0);
  return letters > 0 && confidence / letters >= MIN_READABLE_CONFIDENCE;
}

/** The quarter turn that levels words standing on end: 1, -1, or 0 when they lie. */
function turnToLevel(words: readonly OcrWord[]): -1 | 0 | 1 {
  const long = words.filter((word) => word.text.length >= 4);
  const standing = long.filter((word) => word.height > word.width);
  if (standing.length * 2 <= long.length) return 0;
  const steps = words.flatMap((word, index) => {
    const next = words[index + 1];
    return next?.line === word.line ? [next.top - word.top] : [];
  });
  // Lines that run upwards were turned to the left, and are turned back to the right.
  return median(steps) <= 0 ? 1 : -1;
}
