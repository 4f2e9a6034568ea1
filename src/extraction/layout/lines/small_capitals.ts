/**
 * Recognizes small capitals, which many programs draw as capitals in a smaller size, and turns them
 * back into small letters. Whether a file declares them as capitals or small letters varies.
 */
import type { Glyph, RawLine } from "../page.ts";

/** Range of the size of small capitals, relative to the capital they follow. */
const [MIN_RATIO, MAX_RATIO] = [0.62, 0.92];
/** Minimum number of small capitals after the capital of a word. */
const MIN_LETTERS = 2;

/** Returns a line with its small capitals as small letters in the size of the capitals. */
export function withSmallCapitals(line: RawLine): RawLine {
  const words = splitIntoWords(line);
  const size = words.map(smallCapitalsIn).find((size) => size !== undefined);
  if (size === undefined) return line;
  return words.flatMap((word) => {
    const isAllSmall = word.every((glyph) => isLetter(glyph) && isNear(glyph.size, size.small));
    if (!isAllSmall && smallCapitalsIn(word) === undefined) return word;
    return word.map((glyph) => {
      if (!isNear(glyph.size, size.small)) return { ...glyph, text: glyph.text.toUpperCase() };
      const face = { ...glyph.face, smallCapitals: true };
      return { ...glyph, text: glyph.text.toLowerCase(), size: size.capital, face };
    });
  });
}

/** Returns the two sizes in a word of a capital and small capitals, or undefined. */
function smallCapitalsIn(word: RawLine): { capital: number; small: number } | undefined {
  const [first, ...rest] = word.filter(isLetter);
  if (first === undefined || rest.length < MIN_LETTERS) return undefined;
  const small = rest[0]!.size;
  const ratio = small / first.size;
  const isSmall = ratio >= MIN_RATIO && ratio <= MAX_RATIO &&
    rest.every((glyph) => isNear(glyph.size, small) && isNear(glyph.baseline, first.baseline));
  return isSmall ? { capital: first.size, small } : undefined;
}

function splitIntoWords(line: RawLine): Glyph[][] {
  const words: Glyph[][] = [[]];
  for (const glyph of line) {
    if (glyph.text.trim() === "") words.push([glyph], []);
    else words.at(-1)!.push(glyph);
  }
  return words;
}

function isLetter({ text }: Glyph): boolean {
  return /^\p{L}+$/u.test(text);
}

function isNear(a: number, b: number): boolean {
  return Math.abs(a - b) < 0.05;
}
