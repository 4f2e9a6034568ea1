/** Boxes drawn around text: what stands in one is read as a whole, before what stands beside it. */
import { type Box, holdsCentre } from "./geometry.ts";
import type { Piece } from "./lines.ts";
import type { Rule } from "./page.ts";

/** Edges this close, in points, are one edge. */
const NEAR = 3;
/** A box over more of the page frames the page. */
const LARGEST_PART = 0.4;
/** A page of more boxes is a form or a plan. */
const MOST_FRAMES = 100;

/** A box with the text in it, and the lines drawn in it. */
export interface TextFrame {
  readonly box: Box;
  readonly pieces: readonly Piece[];
  readonly rules: readonly Rule[];
}

/**
 * The boxes that hold text and are no cells: cells share whole edges with their neighbours, and
 * tables have lines from edge to edge.
 */
export function textFrames(
  boxes: readonly Box[],
  pieces: readonly Piece[],
  rules: readonly Rule[],
  pageArea: number,
): TextFrame[] {
  if (boxes.length > MOST_FRAMES) return [];
  const unlike = boxes.filter((box, at) => !boxes.slice(0, at).some((other) => isSame(box, other)));
  const single = unlike.filter((box) =>
    areaOf(box) < LARGEST_PART * pageArea &&
    !unlike.some((other) => other !== box && sharesEdge(box, other)) &&
    !rules.some((rule) => divides(rule, box))
  );
  const owner = new Map(pieces.map((piece) => [
    piece,
    single.filter((box) => holds(box, piece)).sort((a, b) => areaOf(a) - areaOf(b))[0],
  ]));
  return single.flatMap((box) => {
    const own = pieces.filter((piece) => owner.get(piece) === box);
    return own.length === 0 ? [] : [{
      box,
      pieces: own,
      rules: rules.filter((rule) => isInside(rule, box)),
    }];
  });
}

/** The rules of a page without those of the frames, and without what leads from one to another. */
export function withoutFrames(rules: readonly Rule[], frames: readonly TextFrame[]): Rule[] {
  return rules.filter((rule) =>
    !frames.some(({ box }) => isEdge(rule, box) || isInside(rule, box) || leadsTo(rule, box))
  );
}

function areaOf({ left, top, right, bottom }: Box): number {
  return (right - left) * (bottom - top);
}

function holds(box: Box, piece: Piece): boolean {
  return holdsCentre(box, piece) && piece.left > box.left - NEAR && piece.right < box.right + NEAR;
}

function isNear(a: number, b: number): boolean {
  return Math.abs(a - b) <= NEAR;
}

function isSame(a: Box, b: Box): boolean {
  return isNear(a.left, b.left) && isNear(a.right, b.right) && isNear(a.top, b.top) &&
    isNear(a.bottom, b.bottom);
}

function sharesEdge(a: Box, b: Box): boolean {
  const beside = isNear(a.top, b.top) && isNear(a.bottom, b.bottom) &&
    (isNear(a.left, b.right) || isNear(a.right, b.left));
  const above = isNear(a.left, b.left) && isNear(a.right, b.right) &&
    (isNear(a.top, b.bottom) || isNear(a.bottom, b.top));
  return beside || above;
}

/** Whether a line parts a box from edge to edge. */
function divides(rule: Rule, box: Box): boolean {
  return rule.horizontal
    ? rule.top > box.top + NEAR && rule.top < box.bottom - NEAR && rule.left <= box.left + NEAR &&
      rule.right >= box.right - NEAR
    : rule.left > box.left + NEAR && rule.left < box.right - NEAR && rule.top <= box.top + NEAR &&
      rule.bottom >= box.bottom - NEAR;
}

function isEdge(rule: Rule, box: Box): boolean {
  return rule.horizontal
    ? (isNear(rule.top, box.top) || isNear(rule.top, box.bottom)) && isNear(rule.left, box.left) &&
      isNear(rule.right, box.right)
    : (isNear(rule.left, box.left) || isNear(rule.left, box.right)) && isNear(rule.top, box.top) &&
      isNear(rule.bottom, box.bottom);
}

function isInside(rule: Rule, box: Box): boolean {
  return rule.left > box.left - NEAR && rule.right < box.right + NEAR &&
    rule.top > box.top - NEAR && rule.bottom < box.bottom + NEAR && !isEdge(rule, box);
}

/** Whether an end of a line lies on an edge of a box, between its corners. */
function leadsTo(rule: Rule, box: Box): boolean {
  const [x, y] = [(rule.left + rule.right) / 2, (rule.top + rule.bottom) / 2];
  return rule.horizontal
    ? y > box.top + NEAR && y < box.bottom - NEAR &&
      (isNear(rule.left, box.right) || isNear(rule.right, box.left))
    : x > box.left + NEAR && x < box.right - NEAR &&
      (isNear(rule.top, box.bottom) || isNear(rule.bottom, box.top));
}
