/**
 * Finds the lines of a ruled table that aren't drawn: columns that only the ends of horizontal lines
 * mark, and rows of numbers without a line in between.
 */
import { type Box, containsCentre } from "../geometry.ts";
import { createPiece, type LinePiece, splitAtGaps } from "../lines/lines.ts";
import type { Rule } from "../page.ts";

/** Maximum distance, in points, between ends that count as one. */
const TOLERANCE_POINTS = 3;
/** Minimum number of lines that end at the same position. */
const MIN_JOINTS = 3;
/** Minimum number of columns with a number in each row. */
const MIN_NUMBER_COLUMNS = 2;
/** Minimum gap between columns without a line in between, in font sizes. */
const MIN_COLUMN_GAP_EM = 0.8;
/** Minimum number and share of the lines of text that such a gap divides. */
const MIN_DIVIDED_LINES = 3;
const MIN_DIVIDED_SHARE = 0.6;
const NUMBER = /^[^\p{L}]*\d[^\p{L}]*$/u;

/**
 * Returns the vertical lines that a table doesn't show. Programs draw the borders cell by cell, so
 * horizontal lines end at the edges of columns. Only counts where no vertical line is drawn between
 * the two outer ones, and no word is cut.
 */
export function columnJoints(rules: readonly Rule[], pieces: readonly LinePiece[]): Rule[] {
  const horizontal = rules.filter((rule) => rule.horizontal);
  const vertical = rules.filter((rule) => !rule.horizontal);
  if (horizontal.length === 0 || vertical.length === 0) return [];
  const [left, right] = [
    Math.min(...rules.map((rule) => rule.left)),
    Math.max(...rules.map((rule) => rule.right)),
  ];
  const isInner = (x: number) => x > left + TOLERANCE_POINTS && x < right - TOLERANCE_POINTS;
  const inner = vertical.filter((rule) => isInner(rule.left));
  const ends = positions(horizontal.flatMap((rule) => [rule.left, rule.right]).filter(isInner));
  return ends.flatMap((x) => {
    const across = horizontal.filter((rule) =>
      rule.left < x + TOLERANCE_POINTS && rule.right > x - TOLERANCE_POINTS
    );
    const ys = positions(across.map((rule) => rule.top));
    const joints = new Set(
      ys.filter((y) =>
        across.filter((rule) => Math.abs(rule.top - y) <= TOLERANCE_POINTS)
          .some((rule) => isNear(rule.left, x) || isNear(rule.right, x))
      ),
    );
    if (joints.size < MIN_JOINTS) return [];
    return ys.slice(1).flatMap((bottom, index): Rule[] => {
      const top = ys[index]!;
      const line = { left: x, right: x, top, bottom, horizontal: false };
      const isDrawn = inner.some((rule) => rule.top < bottom - 1 && rule.bottom > top + 1);
      const isJoint = joints.has(top) && joints.has(bottom);
      return isJoint && !isDrawn && !pieces.some((piece) => isCut(piece, line)) ? [line] : [];
    });
  });
}

function isNear(a: number, b: number): boolean {
  return Math.abs(a - b) <= TOLERANCE_POINTS;
}

/** Checks whether a vertical line goes through a letter, or between two letters of a word. */
function isCut({ glyphs, baseline, size }: LinePiece, { left: x, top, bottom }: Box): boolean {
  const middle = baseline - 0.3 * size;
  if (middle < top || middle > bottom) return false;
  const solid = glyphs.filter((glyph) => glyph.text.trim() !== "");
  const before = solid.findLast((glyph) => (glyph.left + glyph.right) / 2 < x);
  const after = solid.find((glyph) => (glyph.left + glyph.right) / 2 >= x);
  return before !== undefined && after !== undefined && after.left - before.right < 0.15 * size;
}

/**
 * Returns the lines between rows of numbers that share the area between two lines of a table. Their
 * cells have a number on each line of text, or nothing, while the lines of a wrapped text differ from
 * cell to cell. One column, such as a title for all these rows, may be left out.
 */
export function rowEdges(
  xs: readonly number[],
  ys: readonly number[],
  pieces: readonly LinePiece[],
): Rule[] {
  return ys.slice(1).flatMap((bottom, index) => {
    const top = ys[index]!;
    const cells = xs.slice(1).map((right, column) => ({
      left: xs[column]!,
      right,
      lines: linesIn({ left: xs[column]!, right, top, bottom }, pieces),
    }));
    const count = Math.max(...cells.map((cell) => cell.lines.length));
    const first = cells.find((cell) => isNumeric(cell.lines, count));
    if (count < 2 || first === undefined) return [];
    const aligned = cells.filter(({ lines }) =>
      lines.every((line) => first.lines.some((other) => areLevel(line, other)))
    );
    const numeric = aligned.filter((cell) => isNumeric(cell.lines, count));
    if (numeric.length < MIN_NUMBER_COLUMNS || aligned.length < cells.length - 1) return [];
    return first.lines.slice(1).flatMap((line, at) => {
      const y = (first.lines[at]!.bottom + line.top) / 2;
      return aligned.map(({ left, right }): Rule => (
        { left, right, top: y, bottom: y, horizontal: true }
      ));
    });
  });
}

function areLevel(a: LinePiece, b: LinePiece): boolean {
  return Math.abs(a.baseline - b.baseline) < 2;
}

/**
 * Returns the lines between columns of numbers that share the area between two vertical lines. In most
 * of its lines of text, the last number is apart from what's in front of it, and so are all others.
 */
export function columnEdges(
  xs: readonly number[],
  ys: readonly number[],
  pieces: readonly LinePiece[],
): Rule[] {
  return xs.slice(1).flatMap((right, index) => {
    const left = xs[index]!;
    const bands = ys.slice(1).map((bottom, at) => {
      const top = ys[at]!;
      return { top, bottom, lines: linesIn({ left, right, top, bottom }, pieces) };
    });
    const lines = bands.flatMap((band) => band.lines);
    const cells = lines.map((line) => splitAtGaps(line.glyphs, MIN_COLUMN_GAP_EM));
    const divided = cells.filter((line) => line.length > 1);
    const numbers = divided.filter((line) => NUMBER.test(line.at(-1)!.text));
    if (
      divided.length < MIN_DIVIDED_LINES || divided.length < MIN_DIVIDED_SHARE * lines.length ||
      numbers.length < MIN_DIVIDED_SHARE * divided.length
    ) return [];
    return gapsBetween(divided).flatMap((x) =>
      bands.flatMap(({ top, bottom, lines }): Rule[] => {
        const rule = { left: x, right: x, top, bottom, horizontal: false };
        return lines.length === 0 || lines.some((line) => isCut(line, rule)) ? [] : [rule];
      })
    );
  });
}

/** Returns the middle of the gaps that all lines have in common. */
function gapsBetween(lines: readonly (readonly LinePiece[])[]): number[] {
  const gaps: number[] = [];
  let right = Infinity;
  for (const piece of lines.flat().sort((a, b) => a.left - b.left)) {
    if (piece.left > right) gaps.push((right + piece.left) / 2);
    right = Math.max(right === Infinity ? -Infinity : right, piece.right);
  }
  return gaps;
}

/**
 * Returns the lines between the rows of a column that has none, if there's a line of text in each of
 * the rows. `box` is the merged cell, and `ys` are the edges of its rows.
 */
export function labelEdges(
  { left, right, top, bottom }: Box,
  ys: readonly number[],
  pieces: readonly LinePiece[],
): Rule[] {
  const lines = linesIn({ left, right, top, bottom }, pieces);
  const isOneEach = lines.length === ys.length - 1 && lines.every((line, index) => {
    const middle = (line.top + line.bottom) / 2;
    return middle > ys[index]! && middle < ys[index + 1]!;
  });
  return !isOneEach
    ? []
    : ys.slice(1, -1).map((y) => ({ left, right, top: y, bottom: y, horizontal: true }));
}

function isNumeric(lines: readonly LinePiece[], count: number): boolean {
  return lines.length === count && lines.every((line) => NUMBER.test(line.text));
}

/** Returns the lines of text in a box, from top to bottom. */
function linesIn(box: Box, pieces: readonly LinePiece[]): LinePiece[] {
  const lines: LinePiece[] = [];
  const inside = pieces.flatMap((piece) =>
    createPiece(piece.glyphs.filter((glyph) => containsCentre(box, glyph))) ?? []
  );
  for (const piece of inside.sort((a, b) => a.baseline - b.baseline)) {
    const last = lines.at(-1);
    if (last === undefined || piece.baseline - last.baseline > 0.5 * piece.size) lines.push(piece);
    else lines[lines.length - 1] = createPiece([...last.glyphs, ...piece.glyphs])!;
  }
  return lines;
}

function positions(values: readonly number[]): number[] {
  const distinct: number[] = [];
  for (const value of [...values].sort((a, b) => a - b)) {
    if (value - (distinct.at(-1) ?? -Infinity) > TOLERANCE_POINTS) distinct.push(value);
  }
  return distinct;
}
