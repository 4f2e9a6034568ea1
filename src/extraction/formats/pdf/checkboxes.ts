/**
 * Finds checkboxes, whether drawn on the page or form fields, and inserts them into the text as ☐
 * and ☒.
 */
import { type Box, containsCentre, verticalOverlap } from "../../layout/geometry.ts";
import type { Glyph, RawLine, Rule } from "../../layout/page.ts";

/** A small path on a page. */
export interface Figure extends Box {
  readonly stroked: boolean;
  /** Fill colour, reduced to what distinguishes a check mark from a chart's legend key. */
  readonly fill: "none" | "light" | "dark" | "colour";
  /** Whether the path is an upright rectangle. */
  readonly upright: boolean;
}

/** A checkbox. */
export interface Checkbox extends Box {
  readonly checked: boolean;
}

/** Side length of a checkbox, in points. */
const MIN_SIDE_POINTS = 5;
const MAX_SIDE_POINTS = 20;
/**
 * Maximum number of squares on a page. A page with more is a plot or has boxes for handwritten
 * letters.
 */
const MAX_CHECKBOXES = 200;
/** Letters and symbols used as check marks. */
const TICK = /^[xX×√✓✔✕✖✗✘☓]$/;

/**
 * Returns the isolated squares among a page's small paths. A square is checked if there's something
 * drawn inside it.
 */
export function findDrawnCheckboxes(figures: readonly Figure[]): Checkbox[] {
  const squares = figures.filter((figure) =>
    figure.stroked && figure.upright && isSquare(figure) && !isColoured(figure, figures)
  );
  if (squares.length > MAX_CHECKBOXES) return [];
  const outer = squares.filter((figure, index) =>
    !squares.some((other, at) =>
      at !== index && contains(other, figure) && (!contains(figure, other) || at < index)
    )
  );
  // If all squares are dark, they're list bullets.
  if (outer.every((figure) => figure.fill === "dark")) return [];
  const isolated = outer.filter((figure) =>
    !outer.some((other) => other !== figure && touches(figure, other))
  );
  return isolated.map((square) => ({
    ...toBox(square),
    checked: square.fill === "dark" ||
      figures.some((figure) =>
        figure !== square && contains(square, figure) && isTick(figure, square)
      ),
  }));
}

/**
 * Checks whether a square, or a similarly sized shape inside it, is coloured like a chart's legend
 * keys.
 */
function isColoured(square: Figure, figures: readonly Figure[]): boolean {
  return figures.some((figure) =>
    figure.fill === "colour" && figure.upright && contains(square, figure) &&
    figure.right - figure.left > 0.6 * (square.right - square.left)
  );
}

function isSquare({ left, top, right, bottom }: Box): boolean {
  const [width, height] = [right - left, bottom - top];
  return Math.min(width, height) >= MIN_SIDE_POINTS && Math.max(width, height) <= MAX_SIDE_POINTS &&
    Math.abs(width - height) < 0.15 * width;
}

function contains(outer: Box, inner: Box): boolean {
  return containsCentre(outer, inner) && inner.right - inner.left <= outer.right - outer.left + 1 &&
    inner.bottom - inner.top <= outer.bottom - outer.top + 1;
}

function touches(a: Box, b: Box): boolean {
  return a.left < b.right + 1 && b.left < a.right + 1 && a.top < b.bottom + 1 &&
    b.top < a.bottom + 1;
}

/**
 * Checks whether a figure is a check mark, i.e. a path that isn't an upright rectangle, or a dark
 * square.
 */
function isTick(figure: Figure, square: Box): boolean {
  const widthRatio = (figure.right - figure.left) / (square.right - square.left);
  if (widthRatio <= 0.3) return false;
  return figure.upright ? figure.fill === "dark" : figure.stroked || figure.fill !== "light";
}

function toBox({ left, top, right, bottom }: Box): Box {
  return { left, top, right, bottom };
}

/**
 * Inserts a character for each checkbox next to a line.
 *
 * @returns the lines with the characters inserted, and the rules minus these checkboxes' edges,
 *   which would otherwise be mistaken for table lines
 */
export function withCheckboxes(
  lines: readonly RawLine[],
  boxes: readonly Checkbox[],
  rules: readonly Rule[],
): { lines: readonly RawLine[]; rules: readonly Rule[] } {
  const marked = [...lines];
  const inserted = boxes.slice(0, MAX_CHECKBOXES).filter((checkbox) => {
    const index = nearestLineIndex(marked, checkbox);
    const line = marked[index];
    if (line === undefined) return false;
    const inside = line.filter((glyph) =>
      glyph.text.trim() !== "" && containsCentre(checkbox, glyph)
    );
    // A box containing other characters is one in a row of boxes to write in.
    if (inside.length > 1 || inside.some((glyph) => !TICK.test(glyph.text))) return false;
    marked[index] = withCheckbox(line.filter((glyph) => !inside.includes(glyph)), {
      ...checkbox,
      checked: checkbox.checked || inside.length > 0,
    });
    return true;
  });
  const isEdge = (rule: Rule) =>
    inserted.some((checkbox) =>
      rule.left >= checkbox.left - 1 && rule.right <= checkbox.right + 1 &&
      rule.top >= checkbox.top - 1 &&
      rule.bottom <= checkbox.bottom + 1
    );
  return {
    lines: marked,
    rules: inserted.length === 0 ? rules : rules.filter((rule) => !isEdge(rule)),
  };
}

/**
 * Returns the index of the line nearest to a checkbox, or -1 if there's none within two font sizes.
 */
function nearestLineIndex(lines: readonly RawLine[], checkbox: Box): number {
  let [best, minGap] = [-1, Infinity];
  lines.forEach((line, index) => {
    for (const glyph of line) {
      if (glyph.text.trim() === "" || verticalOverlap(glyph, checkbox) < 0.6) continue;
      const gap = Math.max(glyph.left - checkbox.right, checkbox.left - glyph.right, 0);
      if (gap < minGap && gap < 2 * glyph.size) [best, minGap] = [index, gap];
    }
  });
  return best;
}

function withCheckbox(line: RawLine, checkbox: Checkbox): RawLine {
  const solid = line.filter((glyph) => glyph.text.trim() !== "");
  const [first, last] = [solid[0], solid.at(-1)];
  if (first === undefined || last === undefined) return line;
  const rightToLeft = first.left > last.left;
  const middle = (checkbox.left + checkbox.right) / 2;
  const index = line.findIndex((glyph) => rightToLeft ? glyph.right < middle : glyph.left > middle);
  const { href: _, ...style } = first;
  const sign: Glyph = {
    ...style,
    left: checkbox.left,
    right: checkbox.right,
    text: checkbox.checked ? "☒" : "☐",
  };
  const space = { ...sign, text: " ", left: sign.right };
  return index < 0
    ? [...line, space, sign]
    : [...line.slice(0, index), space, sign, space, ...line.slice(index)];
}
