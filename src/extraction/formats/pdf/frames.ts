/** Boxes drawn around text: what stands in one is read as a whole, before what stands beside it. */
import { type Box, containsCentre } from "./geometry.ts";
import type { LinePiece } from "./lines.ts";
import type { Rule } from "./page.ts";

/** Edges this close, in points, are one edge. */
const EDGE_TOLERANCE_POINTS = 3;
/** A box over more of the page frames the page. */
const MAX_PAGE_AREA_SHARE = 0.4;
/** A page of more boxes is a form or a plan. */
const MAX_FRAMES = 100;

/** A box with the text in it, and the lines drawn in it. */
export interface TextFrame {
  readonly box: Box;
  readonly pieces: readonly LinePiece[];
  readonly rules: readonly Rule[];
}

/**
 * The boxes that hold text and are no cells: cells share whole edges with their neighbours, and
 * tables have lines from edge to edge.
 */
export function findTextFrames(
  boxes: readonly Box[],
  pieces: readonly LinePiece[],
  rules: readonly Rule[],
  pageArea: number,
): TextFrame[] {
  if (boxes.length > MAX_FRAMES) return [];
  const unlike = boxes.filter((box, at) =>
    !boxes.slice(0, at).some((other) => isSameBox(box, other))
  );
  const single = unlike.filter((box) =>
    areaOf(box) < MAX_PAGE_AREA_SHARE * pageArea &&
    !unlike.some((other) => other !== box && sharesEdge(box, other)) &&
    !rules.some((rule) => divides(rule, box))
  );
  const owner = new Map(pieces.map((piece) => [
    piece,
    single.filter((box) => containsPiece(box, piece)).sort((a, b) => areaOf(a) - areaOf(b))[0],
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
    !frames.some(({ box }) => isEdge(rule, box) || isInside(rule, box) || endsOnEdge(rule, box))
  );
}

function areaOf({ left, top, right, bottom }: Box): number {
  return (right - left) * (bottom - top);
}

function containsPiece(box: Box, piece: LinePiece): boolean {
  return containsCentre(box, piece) && piece.left > box.left - EDGE_TOLERANCE_POINTS &&
    piece.right < box.right + EDGE_TOLERANCE_POINTS;
}

function isNear(a: number, b: number): boolean {
  return Math.abs(a - b) <= EDGE_TOLERANCE_POINTS;
}

function isSameBox(a: Box, b: Box): boolean {
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
    ? rule.top > box.top + EDGE_TOLERANCE_POINTS && rule.top < box.bottom - EDGE_TOLERANCE_POINTS &&
      rule.left <= box.left + EDGE_TOLERANCE_POINTS &&
      rule.right >= box.right - EDGE_TOLERANCE_POINTS
    : rule.left > box.left + EDGE_TOLERANCE_POINTS &&
      rule.left < box.right - EDGE_TOLERANCE_POINTS &&
      rule.top <= box.top + EDGE_TOLERANCE_POINTS &&
      rule.bottom >= box.bottom - EDGE_TOLERANCE_POINTS;
}

function isEdge(rule: Rule, box: Box): boolean {
  return rule.horizontal
    ? (isNear(rule.top, box.top) || isNear(rule.top, box.bottom)) && isNear(rule.left, box.left) &&
      isNear(rule.right, box.right)
    : (isNear(rule.left, box.left) || isNear(rule.left, box.right)) && isNear(rule.top, box.top) &&
      isNear(rule.bottom, box.bottom);
}

function isInside(rule: Rule, box: Box): boolean {
  return rule.left > box.left - EDGE_TOLERANCE_POINTS &&
    rule.right < box.right + EDGE_TOLERANCE_POINTS &&
    rule.top > box.top - EDGE_TOLERANCE_POINTS &&
    rule.bottom < box.bottom + EDGE_TOLERANCE_POINTS && !isEdge(rule, box);
}

/** Whether an end of a line lies on an edge of a box, between its corners. */
function endsOnEdge(rule: Rule, box: Box): boolean {
  const [x, y] = [(rule.left + rule.right) / 2, (rule.top + rule.bottom) / 2];
  return rule.horizontal
    ? y > box.top + EDGE_TOLERANCE_POINTS && y < box.bottom - EDGE_TOLERANCE_POINTS &&
      (isNear(rule.left, box.right) || isNear(rule.right, box.left))
    : x > box.left + EDGE_TOLERANCE_POINTS && x < box.right - EDGE_TOLERANCE_POINTS &&
      (isNear(rule.top, box.bottom) || isNear(rule.bottom, box.top));
}
