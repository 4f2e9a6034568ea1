/**
 * Turns text that's drawn out of line into ordinary lines: letters drawn twice, for a shadow or a
 * bolder look, accents on top of letters, and text that runs upwards.
 */
import { boundingBox } from "../../layout/geometry.ts";
import { RTL_LETTER } from "../../layout/lines/bidi_clusters.ts";
import type { Glyph, RawLine } from "../../layout/page.ts";

/** Maximum distance between two copies of a letter, in font sizes. */
const MAX_COPY_DISTANCE_EM = 0.15;
/** Minimum number of lines of text on a page, and letters in each, that leave stamps to the side. */
const MIN_TEXT_LINES = 10;
const MIN_LINE_LETTERS = 20;

/**
 * Returns the lines without letters that are on top of the same letter. PDFium already leaves out some
 * of the letters, and lists the rest of the second copy after the first one.
 */
export function withoutCopies(lines: readonly RawLine[]): RawLine[] {
  const seen = new Map<string, Glyph[]>();
  const isCopy = (glyph: Glyph): boolean => {
    const row = Math.round(glyph.baseline / glyph.size);
    const near = [row - 1, row, row + 1].flatMap((at) => seen.get(`${glyph.text}/${at}`) ?? []);
    const maxDistance = MAX_COPY_DISTANCE_EM * glyph.size;
    if (
      near.some((other) =>
        Math.abs(other.left - glyph.left) < maxDistance &&
        Math.abs(other.right - glyph.right) < maxDistance &&
        Math.abs(other.baseline - glyph.baseline) < maxDistance &&
        Math.abs(other.size - glyph.size) < maxDistance
      )
    ) return true;
    const key = `${glyph.text}/${row}`;
    const letters = seen.get(key);
    if (letters === undefined) seen.set(key, [glyph]);
    else letters.push(glyph);
    return false;
  };
  return lines.map((line) => {
    // Letters of calligraphic fonts are drawn close to each other.
    if (line.some((glyph) => RTL_LETTER.test(glyph.text))) return line;
    let isKept = true;
    const kept = line.filter((glyph, index) => {
      if (glyph.text.trim() === "") return true;
      if (!isInLigature(glyph, line[index - 1])) isKept = !isCopy(glyph);
      return isKept;
    });
    const isMixed = kept.length < line.length || jumpsBack(line);
    return withAccents(isMixed ? fromLeftToRight(kept) : line);
  }).filter((line) => line.some((glyph) => glyph.text.trim() !== ""));
}

/** Checks whether a letter is the second one of "ff", which has the box of the ligature. */
function isInLigature(glyph: Glyph, last: Glyph | undefined): boolean {
  return last?.text === glyph.text && last.left === glyph.left && last.right === glyph.right;
}

/** The accents that TeX draws on letters, and the characters that combine with a letter. */
const ACCENTS: Readonly<Record<string, string>> = {
  "`": "\u0300",
  "´": "\u0301",
  "ˆ": "\u0302",
  "˜": "\u0303",
  "˘": "\u0306",
  "˙": "\u0307",
  "¨": "\u0308",
  "˚": "\u030a",
  "˝": "\u030b",
  "ˇ": "\u030c",
  "¸": "\u0327",
};

/** Joins accents with the letter that they're drawn on. */
function withAccents(line: RawLine): RawLine {
  if (!line.some((glyph) => glyph.text in ACCENTS)) return line;
  const glyphs = [...line];
  line.forEach((accent, index) => {
    const mark = ACCENTS[accent.text];
    const middle = (accent.left + accent.right) / 2;
    const nearby = line.slice(Math.max(0, index - 2), index + 3);
    const letter = nearby.find(({ text, left, right }) =>
      /\p{L}/u.test(text) && middle > left && middle < right
    );
    const text = mark === undefined ? "" : ((letter?.text ?? "") + mark).normalize("NFC");
    if (letter === undefined || text.length !== 1) return;
    glyphs[glyphs.indexOf(letter)] = { ...letter, text };
    glyphs.splice(glyphs.indexOf(accent), 1);
  });
  return glyphs;
}

/** Checks whether a letter is to the left of the one before, which isn't an index or an accent. */
function jumpsBack(line: RawLine): boolean {
  const solid = line.filter((glyph) => glyph.text.trim() !== "");
  return solid.some((glyph, index) => {
    const last = solid[index - 1];
    const tolerance = MAX_COPY_DISTANCE_EM * glyph.size;
    return last !== undefined && glyph.left < last.left - tolerance &&
      Math.abs(glyph.baseline - last.baseline) < tolerance &&
      Math.abs(glyph.size - last.size) < tolerance;
  });
}

/** Returns a line without the spaces that PDFium added, in the order of its letters on the page. */
function fromLeftToRight(line: RawLine): RawLine {
  return line.filter((glyph) => glyph.text !== " " || glyph.right > glyph.left)
    .toSorted((a, b) => a.left - b.left);
}

/** A letter's place in a line that runs upwards or downwards, as if the line was level. */
export interface Turned {
  readonly turned?: Readonly<Record<"left" | "right" | "baseline", number>>;
}

/**
 * Returns `sideways` lines as ordinary ones in the middle of where they are, so that their height
 * doesn't divide the lines next to them. Those at the side of a page of text are returned as `sides`,
 * in a place of their own.
 */
export function levelLines(
  sideways: readonly RawLine[],
  upright: readonly RawLine[],
): { level: RawLine[]; sides: RawLine[] } {
  const texts = upright.filter((line) => line.length >= MIN_LINE_LETTERS);
  const text = boundingBox(texts.flat());
  const isAtSide = (line: RawLine) => {
    const { left, right } = boundingBox(line);
    return texts.length >= MIN_TEXT_LINES && (right <= text.left || left >= text.right);
  };
  const level = sideways.filter((line) => !isAtSide(line)).map((line) => {
    const { top, bottom } = boundingBox(line);
    return line.map((glyph) => atBaseline(glyph, (top + bottom) / 2 + 0.3 * glyph.size));
  });
  const sides = sideways.filter(isAtSide).map((line) =>
    line.map((glyph: Glyph & Turned) => {
      const { baseline, ...place } = glyph.turned ?? glyph;
      return atBaseline({ ...glyph, ...place }, baseline);
    })
  );
  return { level, sides };
}

function atBaseline(glyph: Glyph, baseline: number): Glyph {
  return {
    ...glyph,
    baseline,
    top: baseline - 0.8 * glyph.size,
    bottom: baseline + 0.22 * glyph.size,
  };
}
