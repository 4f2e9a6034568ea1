/** Checkboxes that are drawn, or are fields of a form: in the text they stand as ☐ and ☒. */
import { type Box, containsCentre, verticalOverlap } from "./geometry.ts";
import type { Glyph, RawLine, Rule } from "./page.ts";

/** A small path of a page. */
export interface Figure extends Box {
  readonly stroked: boolean;
  /** What it is filled with, as far as that can tell a tick from the key of a chart. */
  readonly fill: "none" | "light" | "dark" | "colour";
  /** Whether it is a rectangle that stands upright. */
  readonly upright: boolean;
}

/** A box to tick. */
export interface Checkbox extends Box {
  readonly checked: boolean;
}

/** Side of a checkbox, in points. */
const MIN_SIDE_POINTS = 5;
const MAX_SIDE_POINTS = 20;
/** A page of more squares is a plot, or a grid to write letters into. */
const MAX_CHECKBOXES = 200;
/** Letters and signs that boxes are ticked with. */
const TICK = /^[xX×√✓✔✕✖✗✘☓]$/;

/** Squares among the small paths of a page that stand alone, ticked when something is drawn in. */
export function findDrawnCheckboxes(figures: readonly Figure[]): Checkbox[] {
  const squares = figures.filter((one) =>
    one.stroked && one.upright && isSquare(one) && !isColoured(one, figures)
  );
  if (squares.length > MAX_CHECKBOXES) return [];
  const outer = squares.filter((one, index) =>
    !squares.some((other, at) =>
      at !== index && contains(other, one) && (!contains(one, other) || at < index)
    )
  );
  // Dark squares alone are the bullets of a list.
  if (outer.every((one) => one.fill === "dark")) return [];
  const alone = outer.filter((one) => !outer.some((other) => other !== one && touches(one, other)));
  return alone.map((square) => ({
    ...toBox(square),
    checked: square.fill === "dark" ||
      figures.some((one) => one !== square && contains(square, one) && isTick(one, square)),
  }));
}

/** Whether a square, or one just as large below it, has a colour: the key of a chart has. */
function isColoured(square: Figure, figures: readonly Figure[]): boolean {
  return figures.some((one) =>
    one.fill === "colour" && one.upright && contains(square, one) &&
    one.right - one.left > 0.6 * (square.right - square.left)
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

/** A tick or a cross is no upright rectangle; a square may also be filled to tick it. */
function isTick(figure: Figure, square: Box): boolean {
  const part = (figure.right - figure.left) / (square.right - square.left);
  if (part <= 0.3) return false;
  return figure.upright ? figure.fill === "dark" : figure.stroked || figure.fill !== "light";
}

function toBox({ left, top, right, bottom }: Box): Box {
  return { left, top, right, bottom };
}

/**
 * The lines with a sign for each checkbox that stands beside their text, and the rules without
 * those of their edges: they would be taken for lines of a table.
 */
export function withCheckboxes(
  lines: readonly RawLine[],
  boxes: readonly Checkbox[],
  rules: readonly Rule[],
): { lines: readonly RawLine[]; rules: readonly Rule[] } {
  const marked = [...lines];
  const read = boxes.slice(0, MAX_CHECKBOXES).filter((one) => {
    const at = nearestLineIndex(marked, one);
    const line = marked[at];
    if (line === undefined) return false;
    const inside = line.filter((glyph) => glyph.text.trim() !== "" && containsCentre(one, glyph));
    // A box with a letter in it is one of a row to write into.
    if (inside.length > 1 || inside.some((glyph) => !TICK.test(glyph.text))) return false;
    marked[at] = withCheckbox(line.filter((glyph) => !inside.includes(glyph)), {
      ...one,
      checked: one.checked || inside.length > 0,
    });
    return true;
  });
  const isEdge = (rule: Rule) =>
    read.some((one) =>
      rule.left >= one.left - 1 && rule.right <= one.right + 1 && rule.top >= one.top - 1 &&
      rule.bottom <= one.bottom + 1
    );
  return { lines: marked, rules: read.length === 0 ? rules : rules.filter((one) => !isEdge(one)) };
}

/** The line whose text stands closest beside a box, by not more than two of its letters. */
function nearestLineIndex(lines: readonly RawLine[], checkbox: Box): number {
  let [best, least] = [-1, Infinity];
  lines.forEach((line, index) => {
    for (const glyph of line) {
      if (glyph.text.trim() === "" || verticalOverlap(glyph, checkbox) < 0.6) continue;
      const gap = Math.max(glyph.left - checkbox.right, checkbox.left - glyph.right, 0);
      if (gap < least && gap < 2 * glyph.size) [best, least] = [index, gap];
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
  const at = line.findIndex((glyph) => rightToLeft ? glyph.right < middle : glyph.left > middle);
  const { href: _, ...look } = first;
  const sign: Glyph = {
    ...look,
    left: checkbox.left,
    right: checkbox.right,
    text: checkbox.checked ? "☒" : "☐",
  };
  const space = { ...sign, text: " ", left: sign.right };
  return at < 0
    ? [...line, space, sign]
    : [...line.slice(0, at), space, sign, space, ...line.slice(at)];
}
