/** Finds the letters of a right-to-left line, with their marks, from left to right. */
import type { Glyph } from "../page.ts";

/** Right-to-left letters, along with their marks and signs. */
export const RTL_LETTER = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;
const DIGIT = /^[\d\u0660-\u0669\u06f0-\u06f9]/;

/** Maximum distance between a letter and a mark after it, in font sizes. */
export const MARK_TOLERANCE_EM = 0.1;
/** Minimum overlap of letters that are above each other, relative to the narrower one. */
const MIN_OVERLAP_SHARE = 0.4;
/** Minimum gap between two words, in font sizes. */
const MIN_SPACE_EM = 0.2;
/** Minimum gap between two words in a line that the file has spaces in. Fonts have smaller gaps. */
const MIN_EXTRA_SPACE_EM = 0.4;

/** A glyph with its marks, or the letters in a single ligature. */
export interface Cluster {
  readonly glyphs: Glyph[];
  readonly left: number;
  readonly right: number;
  readonly kind: "rtl" | "ltr" | "digit" | "space" | "other";
  /** Whether PDFium found a space in front of it that the file doesn't have. */
  readonly followsSpace?: boolean;
}

/** Returns the clusters in a line from left to right, with the spaces between words. */
export function findClusters(glyphs: readonly Glyph[]): Cluster[] {
  return insertSpaceClusters(buildClusters(glyphs));
}

/** Checks whether a space was inserted by PDFium. Those have no width and no position. */
function isGeneratedSpace(glyph: Glyph): boolean {
  return glyph.text.trim() === "" && glyph.right - glyph.left < 0.01;
}

/** Returns the clusters in a line from left to right, with the spaces that the file has. */
function buildClusters(glyphs: readonly Glyph[]): Cluster[] {
  const clusters: Cluster[] = [];
  const marks: Glyph[] = [];
  // The letter in front of each mark.
  const letters = new Map<Glyph, Cluster>();
  let followsSpace = false;
  for (const glyph of glyphs) {
    if (isGeneratedSpace(glyph)) {
      followsSpace = true;
      continue;
    }
    const last = clusters.at(-1);
    const isSameForm = last !== undefined && isSameEdge(last.left, glyph.left) &&
      isSameEdge(last.right, glyph.right);
    if (/^\p{M}/u.test(glyph.text)) {
      if (isSameForm) last.glyphs.push(glyph);
      else marks.push(glyph);
      if (last !== undefined) letters.set(glyph, last);
    } else if (isSameForm && RTL_LETTER.test(glyph.text)) last.glyphs.unshift(glyph);
    else {
      clusters.push({ ...createCluster(glyph, marks), followsSpace });
      followsSpace = false;
    }
  }
  const isLogical = isInLogicalOrder(clusters);
  const visual = sortFromLeftToRight(clusters, isLogical);
  for (const mark of marks) {
    const middle = (mark.left + mark.right) / 2;
    const letter = letters.get(mark);
    const owner = isLogical && letter !== undefined && isAbove(letter, middle, mark.size)
      ? letter
      : nearestCluster(visual, middle);
    if (owner === undefined) {
      visual.push({ glyphs: [mark], left: mark.left, right: mark.right, kind: "other" });
    } else owner.glyphs.push(mark);
  }
  return visual;
}

/** Checks whether a mark belongs to the letter in front of it. Some stick out a little. */
function isAbove(letter: Cluster, middle: number, size: number): boolean {
  return distanceTo(letter, middle) <= MARK_TOLERANCE_EM * size;
}

/** Checks whether most right-to-left letters are to the left of the one in front. */
function isInLogicalOrder(clusters: readonly Cluster[]): boolean {
  let balance = 0;
  clusters.forEach((cluster, index) => {
    const previous = clusters[index - 1];
    if (previous?.kind !== "rtl" || cluster.kind !== "rtl" || overlap(previous, cluster)) return;
    balance += cluster.left < previous.left ? 1 : -1;
  });
  return balance > 0;
}

/**
 * Sorts clusters by their position. In calligraphic fonts, the shapes of letters are above each
 * other, so their position doesn't show their order. If the file has the line in logical order,
 * that decides between such letters.
 */
function sortFromLeftToRight(clusters: readonly Cluster[], isLogical: boolean): Cluster[] {
  const order = new Map(clusters.map((cluster, index) => [cluster, index]));
  const sorted = clusters.toSorted((a, b) => a.left + a.right - b.left - b.right);
  if (!isLogical) return sorted;
  for (let at = 1; at < sorted.length; at++) {
    const [left, right] = [sorted[at - 1]!, sorted[at]!];
    const isSwapped = order.get(right) === order.get(left)! + 1;
    if (isSwapped && left.kind === "rtl" && right.kind === "rtl" && overlap(left, right)) {
      [sorted[at - 1], sorted[at]] = [right, left];
    }
  }
  return sorted;
}

/** Checks whether the shapes of two letters are above each other rather than side by side. */
function overlap(a: Cluster, b: Cluster): boolean {
  const shared = Math.min(a.right, b.right) - Math.max(a.left, b.left);
  return shared > MIN_OVERLAP_SHARE * Math.min(a.right - a.left, b.right - b.left);
}

/** Checks whether two edges, in points, are the same. */
function isSameEdge(a: number, b: number): boolean {
  return Math.abs(a - b) < 0.05;
}

/**
 * Creates a glyph's cluster, including any marks that form a single shape with it, which are
 * removed from `marks`. Browsers write a letter and its marks as one shape. PDFium puts the marks
 * first and divides the shape's width among them.
 */
function createCluster(glyph: Glyph, marks: Glyph[]): Cluster {
  const kind = clusterKind(glyph);
  const glyphs = [glyph];
  let { left, right } = glyph;
  const isNext = (mark: Glyph) => isSameEdge(mark.left, right) || isSameEdge(mark.right, left);
  for (let at = 0; kind === "rtl" && (at = marks.findLastIndex(isNext)) >= 0;) {
    for (const mark of marks.splice(at, 1)) {
      glyphs.push(mark);
      [left, right] = [Math.min(left, mark.left), Math.max(right, mark.right)];
    }
  }
  return { glyphs: glyphs.map((glyph) => ({ ...glyph, left, right })), left, right, kind };
}

/** Returns the cluster at a horizontal position, or else the nearest one. */
function nearestCluster(clusters: readonly Cluster[], position: number): Cluster | undefined {
  let [best, minDistance]: [Cluster | undefined, number] = [undefined, Infinity];
  for (const cluster of clusters) {
    const distance = distanceTo(cluster, position);
    if (distance < minDistance) [best, minDistance] = [cluster, distance];
  }
  return best;
}

function distanceTo({ left, right }: Cluster, position: number): number {
  return Math.max(left - position, position - right, 0);
}

function clusterKind({ text }: Glyph): Cluster["kind"] {
  if (text.trim() === "") return "space";
  if (DIGIT.test(text)) return "digit";
  if (!/\p{L}/u.test(text)) return "other";
  return RTL_LETTER.test(text) ? "rtl" : "ltr";
}

/** Inserts a space between neighbouring clusters with a gap between them. */
function insertSpaceClusters(visual: readonly Cluster[]): Cluster[] {
  const hasAllSpaces = visual.some(({ kind }) => kind === "space") &&
    !visual.some(({ followsSpace }) => followsSpace);
  const minGap = hasAllSpaces ? MIN_EXTRA_SPACE_EM : MIN_SPACE_EM;
  return visual.flatMap((cluster, at) => {
    const previous = visual[at - 1];
    const [glyph] = cluster.glyphs;
    const isApart = previous !== undefined && glyph !== undefined && previous.kind !== "space" &&
      cluster.kind !== "space" && cluster.left - previous.right > minGap * glyph.size;
    if (!isApart) return [cluster];
    const position = { left: previous.right, right: cluster.left };
    return [
      { ...position, glyphs: [{ ...glyph, ...position, text: " " }], kind: "space" },
      cluster,
    ];
  });
}
