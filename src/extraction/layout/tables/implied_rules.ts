/**
 * Finds the lines of a ruled table that aren't drawn: columns that only the ends of horizontal lines
 * mark, and rows of numbers without a line in between.
 */
import { type Box, containsCentre } from "../geometry.ts";
import { createPiece, type LinePiece } from "../lines/lines.ts";
import type { Rule } from "../page.ts";

/** Maximum distance, in points, between ends that count as one. */
const TOLERANCE_POINTS = 3;
/** Minimum number of lines that end at the same position. */
const MIN_JOINTS = 3;
/** Minimum number of columns with a number in each row. */
const MIN_NUMBER_COLUMNS = 2;
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
 * cells have a number on each line of text, while the lines of a wrapped text differ from cell to
 * cell. One column, such as a title for all these rows, may be left out.
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
    const full = cells.filter(({ lines }) =>
      lines.length === count &&
      lines.every((line, at) => Math.abs(line.baseline - first.lines[at]!.baseline) < 2)
    );
    const numeric = full.filter((cell) => isNumeric(cell.lines, count));
    if (numeric.length < MIN_NUMBER_COLUMNS || full.length < cells.length - 1) return [];
    return first.lines.slice(1).flatMap((line, at) => {
      const y = (first.lines[at]!.bottom + line.top) / 2;
      return full.map(({ left, right }): Rule => (
        { left, right, top: y, bottom: y, horizontal: true }
      ));
    });
  });
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
