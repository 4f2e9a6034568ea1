/**
 * Finds boxes drawn around text. The text inside is read as a unit, before the text next to the
 * box.
 */
import { type Box, containsCentre } from "./geometry.ts";
import type { LinePiece } from "./lines/lines.ts";
import type { Rule } from "./page.ts";

/** Maximum distance, in points, between edges that count as one. */
const EDGE_TOLERANCE_POINTS = 3;
/** Maximum area of a frame, as a fraction of the page. Anything larger frames the page itself. */
const MAX_PAGE_AREA_SHARE = 0.4;
/** Maximum number of boxes on a page. A page with more is a form or a plan. */
const MAX_FRAMES = 100;

/** A box with the text and rules inside it. */
export interface TextFrame {
  readonly box: Box;
  readonly pieces: readonly LinePiece[];
  readonly rules: readonly Rule[];
}

/**
 * Returns the boxes that contain text and aren't table cells. Cells share entire edges with their
 * neighbours, and tables have rules from edge to edge.
 */
export function findTextFrames(
  boxes: readonly Box[],
  pieces: readonly LinePiece[],
  rules: readonly Rule[],
  pageArea: number,
): TextFrame[] {
  if (boxes.length > MAX_FRAMES) return [];
  const distinct = boxes.filter((box, index) =>
    !boxes.slice(0, index).some((other) => isSameBox(box, other))
  );
  const candidates = distinct.filter((box) =>
    areaOf(box) < MAX_PAGE_AREA_SHARE * pageArea &&
    !distinct.some((other) => other !== box && sharesEdge(box, other)) &&
    !rules.some((rule) => divides(rule, box))
  );
  const owner = new Map(pieces.map((piece) => [
    piece,
    candidates.filter((box) => containsPiece(box, piece)).sort((a, b) => areaOf(a) - areaOf(b))[0],
  ]));
  return candidates.flatMap((box) => {
    const ownPieces = pieces.filter((piece) => owner.get(piece) === box);
    return ownPieces.length === 0 ? [] : [{
      box,
      pieces: ownPieces,
      rules: rules.filter((rule) => isInside(rule, box)),
    }];
  });
}

/** Returns the rules on a page, except those belonging to frames or connecting them. */
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
  const isHorizontal = isNear(a.top, b.top) && isNear(a.bottom, b.bottom) &&
    (isNear(a.left, b.right) || isNear(a.right, b.left));
  const isVertical = isNear(a.left, b.left) && isNear(a.right, b.right) &&
    (isNear(a.top, b.bottom) || isNear(a.bottom, b.top));
  return isHorizontal || isVertical;
}

/** Checks whether a rule divides a box from edge to edge. */
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

/** Checks whether one end of a rule touches an edge of a box, between its corners. */
function endsOnEdge(rule: Rule, box: Box): boolean {
  const [x, y] = [(rule.left + rule.right) / 2, (rule.top + rule.bottom) / 2];
  return rule.horizontal
    ? y > box.top + EDGE_TOLERANCE_POINTS && y < box.bottom - EDGE_TOLERANCE_POINTS &&
      (isNear(rule.left, box.right) || isNear(rule.right, box.left))
    : x > box.left + EDGE_TOLERANCE_POINTS && x < box.right - EDGE_TOLERANCE_POINTS &&
      (isNear(rule.top, box.bottom) || isNear(rule.bottom, box.top));
}
