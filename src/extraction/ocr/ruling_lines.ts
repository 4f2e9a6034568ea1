/**
 * Finds the ruling lines on a scanned page and paints over them. OCR reads them as "|" and joins
 * the words on both sides. The layout needs them to find tables.
 */
import { median } from "../layout/geometry.ts";
import type { Rule } from "../layout/page.ts";
import type { GreyImage } from "./grey_image.ts";

/** A ruling line. Positions are in pixels. */
export interface RulingLine {
  readonly horizontal: boolean;
  /** Ends of the line: x if it's horizontal, or else y. */
  readonly from: number;
  readonly to: number;
  /** Position of its middle in the other direction. */
  readonly at: number;
}

/** A page without its ruling lines. */
export interface UnruledPage {
  readonly image: GreyImage;
  readonly rules: readonly RulingLine[];
}

/** Minimum length of a dark run in a line, in inches. Letters have shorter ones. */
const MIN_RUN_INCHES = 0.2;
/** Minimum length of a line, in inches. */
const MIN_LENGTH_INCHES = 0.5;
/** Maximum thickness of a line, in inches. */
const MAX_THICKNESS_INCHES = 0.03;
/** Maximum gap in a dark run, in pixels. */
const MAX_GAP = 2;
/** Maximum slope of a line. */
const MAX_SLOPE = 0.05;
/** Minimum slope at which a page is straightened. The ends of a long line are then 1 mm apart. */
const MIN_SLOPE = 0.004;
/** The threshold goes by one in this many pixels. It's a prime, so that columns take turns. */
const THRESHOLD_STEP = 7;
/** Maximum number of runs on a page. One with more is a halftone picture. */
const MAX_RUNS = 20_000;
/** Maximum length of all lines together, in pixels. A page with more is fine graph paper. */
const MAX_TOTAL_LENGTH = 2_000_000;

/**
 * Returns a page without its ruling lines. If it's askew and has a grid, it's straightened, since
 * the lines of a grid are compared across the page. Askew lines without a grid are left alone: there
 * is no position to compare words with, and turning letters costs some of them.
 */
export function removeRulingLines(image: GreyImage, dpi: number): UnruledPage {
  const found = findLines(image, dpi);
  const slope = median(found.map((line) => line.slope));
  const isAskew = Math.abs(slope) > MIN_SLOPE;
  if (isAskew && found.every((line) => line.horizontal)) return { image, rules: [] };
  const straight = isAskew ? straighten(image, slope) : image;
  const lines = isAskew ? findLines(straight, dpi) : found;
  if (lines.length === 0) return { image, rules: [] };
  return {
    image: paintOver(straight, lines, dpi),
    rules: lines.map(({ horizontal, from, tops, bottoms }) => ({
      horizontal,
      from,
      to: from + tops.length - 1,
      at: (median(tops) + median(bottoms)) / 2,
    })),
  };
}

/** Returns a line on a page in points. */
export function ruleInPoints({ horizontal, from, to, at }: RulingLine, scale: number): Rule {
  const [start, end, middle] = [from * scale, to * scale, at * scale];
  return horizontal
    ? { horizontal, left: start, right: end, top: middle, bottom: middle }
    : { horizontal, left: middle, right: middle, top: start, bottom: end };
}

/** A line, with the range of its dark pixels at every position from `from` on. */
interface FoundLine {
  readonly horizontal: boolean;
  readonly from: number;
  readonly tops: Int32Array;
  readonly bottoms: Int32Array;
  /** Slope of a horizontal line, or of a vertical one turned by 90 degrees. */
  readonly slope: number;
}

/** A dark run in one row, or in one column. */
interface Run {
  readonly row: number;
  readonly from: number;
  readonly to: number;
}

function findLines(image: GreyImage, dpi: number): FoundLine[] {
  const threshold = darkThreshold(image);
  const minLength = MIN_RUN_INCHES * dpi;
  const lines: FoundLine[] = [];
  let totalLength = 0;
  for (const horizontal of [true, false]) {
    const runs = (horizontal ? runsInRows : runsInColumns)(image, threshold, minLength);
    if (runs.length > MAX_RUNS) continue;
    for (const group of groupRuns(runs)) {
      const line = lineOf(group, horizontal, dpi);
      if (line === undefined) continue;
      totalLength += line.tops.length;
      if (totalLength > MAX_TOTAL_LENGTH) return [];
      lines.push(line);
    }
  }
  return lines;
}

/** Returns the grey value that best separates ink from paper (Otsu's method). */
function darkThreshold({ pixels }: GreyImage): number {
  const counts = new Float64Array(256);
  let size = 0;
  for (let at = 0; at < pixels.length; at += THRESHOLD_STEP, size++) counts[pixels[at]!]!++;
  const total = counts.reduce((sum, count, value) => sum + count * value, 0);
  let [best, bestVariance, count, sum] = [0, -1, 0, 0];
  for (let value = 0; value < 255; value++) {
    count += counts[value]!;
    sum += counts[value]! * value;
    const rest = size - count;
    if (count === 0 || rest === 0) continue;
    const variance = count * rest * (sum / count - (total - sum) / rest) ** 2;
    if (variance > bestVariance) [best, bestVariance] = [value, variance];
  }
  return best;
}

/**
 * Returns the dark runs in the rows of at least `minLength` pixels, from top to bottom. Stops when
 * there are too many.
 */
function runsInRows({ width, pixels }: GreyImage, threshold: number, minLength: number): Run[] {
  const runs: Run[] = [];
  for (let start = 0, row = 0; start < pixels.length; start += width, row++) {
    if (runs.length > MAX_RUNS) return runs;
    let [from, to] = [-1, -1];
    for (let x = 0; x < width; x++) {
      if (pixels[start + x]! > threshold) continue;
      if (from < 0 || x - to > MAX_GAP + 1) {
        if (from >= 0 && to - from >= minLength) runs.push({ row, from, to });
        from = x;
      }
      to = x;
    }
    if (from >= 0 && to - from >= minLength) runs.push({ row, from, to });
  }
  return runs;
}

/**
 * Returns the dark runs in the columns of at least `minLength` pixels, from left to right. Stops
 * when there are too many.
 */
function runsInColumns({ width, pixels }: GreyImage, threshold: number, minLength: number): Run[] {
  const runs: Run[] = [];
  // The first and the last dark pixel of the current run in each column, -1 if there is none.
  const [from, to] = [new Int32Array(width).fill(-1), new Int32Array(width)];
  const finish = (column: number) => {
    if (from[column]! < 0 || to[column]! - from[column]! < minLength) return;
    runs.push({ row: column, from: from[column]!, to: to[column]! });
  };
  for (let start = 0, y = 0; start < pixels.length; start += width, y++) {
    if (runs.length > MAX_RUNS) return runs;
    for (let x = 0; x < width; x++) {
      if (pixels[start + x]! > threshold) continue;
      if (from[x]! < 0 || y - to[x]! > MAX_GAP + 1) {
        finish(x);
        from[x] = y;
      }
      to[x] = y;
    }
  }
  for (let x = 0; x < width; x++) finish(x);
  return runs.sort((a, b) => a.row - b.row || a.from - b.from);
}

/** Groups the runs that touch each other. Those of a line that's askew overlap or continue. */
function groupRuns(runs: readonly Run[]): Run[][] {
  const groups: Run[][] = [];
  let open: { group: Run[]; last: Run }[] = [];
  for (const run of runs) {
    open = open.filter(({ last }) => run.row - last.row <= MAX_GAP);
    const touching = open.filter(({ last }) =>
      run.from <= last.to + MAX_GAP + 1 && last.from <= run.to + MAX_GAP + 1
    );
    const [first, ...others] = touching;
    if (first === undefined) {
      const group = [run];
      groups.push(group);
      open.push({ group, last: run });
      continue;
    }
    first.group.push(run);
    for (const other of others) {
      if (other.group === first.group) continue;
      const { group } = other;
      first.group.push(...group.splice(0));
      for (const entry of open) if (entry.group === group) entry.group = first.group;
    }
    open.push({ group: first.group, last: run });
  }
  return groups.filter((group) => group.length > 0);
}

/** Returns the line that runs make up, or undefined if they're something else. */
function lineOf(runs: readonly Run[], horizontal: boolean, dpi: number): FoundLine | undefined {
  const from = Math.min(...runs.map((run) => run.from));
  const length = Math.max(...runs.map((run) => run.to)) - from + 1;
  if (length < MIN_LENGTH_INCHES * dpi) return undefined;
  // -1 where there is no run.
  const [tops, bottoms] = [new Int32Array(length).fill(-1), new Int32Array(length).fill(-1)];
  for (const run of runs) {
    for (let at = run.from - from; at <= run.to - from; at++) {
      tops[at] = tops[at] === -1 ? run.row : Math.min(tops[at]!, run.row);
      bottoms[at] = Math.max(bottoms[at]!, run.row);
    }
  }
  // Fill the gaps between the runs.
  for (let at = 1; at < length; at++) {
    if (tops[at] !== -1) continue;
    [tops[at], bottoms[at]] = [tops[at - 1]!, bottoms[at - 1]!];
  }
  const thickness = median(tops.map((top, at) => bottoms[at]! - top + 1));
  if (thickness > Math.max(2, MAX_THICKNESS_INCHES * dpi)) return undefined;
  const end = Math.ceil(length / 10);
  const slope = (median(tops.slice(-end)) - median(tops.slice(0, end))) / (0.9 * length);
  if (Math.abs(slope) > MAX_SLOPE) return undefined;
  return { horizontal, from, tops, bottoms, slope: horizontal ? slope : -slope };
}

/** Returns the image turned by a small slope. */
function straighten({ width, height, pixels }: GreyImage, slope: number): GreyImage {
  const result = new Uint8Array(pixels.length).fill(255);
  for (let y = 0; y < height; y++) {
    // A turn by a small angle shifts columns down and rows to the left.
    const shift = slope * (y - height / 2);
    const shiftX = Math.floor(-shift);
    const shareX = -shift - shiftX;
    for (let x = Math.max(0, -shiftX); x < width - Math.max(0, shiftX) - 1; x++) {
      const sourceY = y + slope * (x - width / 2);
      const above = Math.floor(sourceY);
      if (above < 0 || above + 1 >= height) continue;
      const at = above * width + x + shiftX;
      const top = pixels[at]! + shareX * (pixels[at + 1]! - pixels[at]!);
      const bottom = pixels[at + width]! + shareX * (pixels[at + width + 1]! - pixels[at + width]!);
      result[y * width + x] = top + (sourceY - above) * (bottom - top);
    }
  }
  return { width, height, pixels: result };
}

/**
 * Paints lines in the colour of the paper next to them. Strokes of letters that cross a line are
 * kept.
 */
function paintOver(image: GreyImage, lines: readonly FoundLine[], dpi: number): GreyImage {
  const { width, height } = image;
  const threshold = darkThreshold(image);
  const halo = Math.ceil(dpi / 100);
  const isLine = new Uint8Array(image.pixels.length);
  for (const piece of piecesOf(lines, image, halo)) {
    for (let at = piece.first; at <= piece.last; at += piece.step) isLine[at] = 1;
  }
  const pixels = image.pixels.slice();
  let paper = 255;
  for (const { first, last, step, before, after } of piecesOf(lines, image, halo)) {
    const sides = [before, after].filter((at) => at >= 0 && isLine[at] === 0)
      .map((at) => image.pixels[at]!);
    if (sides.length === 2 && sides.every((value) => value <= threshold)) continue;
    // Where lines cross, the paper is as before.
    const lightest = Math.max(...sides);
    if (lightest > threshold) paper = lightest;
    for (let at = first; at <= last; at += step) pixels[at] = paper;
  }
  return { width, height, pixels };
}

/** The pixels across a line at one position, as indices. */
interface Piece {
  readonly first: number;
  readonly last: number;
  readonly step: number;
  /** The pixels next to it, -1 at the edge of the page. */
  readonly before: number;
  readonly after: number;
}

/** Yields the pieces of all lines, with a margin of `halo` pixels on both sides. */
function* piecesOf(
  lines: readonly FoundLine[],
  { width, height }: GreyImage,
  halo: number,
): Generator<Piece> {
  for (const { horizontal, from, tops, bottoms } of lines) {
    const [along, step, limit] = horizontal ? [1, width, height] : [width, 1, width];
    for (let index = 0; index < tops.length; index++) {
      const start = (from + index) * along;
      const top = Math.max(0, tops[index]! - halo);
      const bottom = Math.min(limit - 1, bottoms[index]! + halo);
      yield {
        first: start + top * step,
        last: start + bottom * step,
        step,
        before: top === 0 ? -1 : start + (top - 1) * step,
        after: bottom === limit - 1 ? -1 : start + (bottom + 1) * step,
      };
    }
  }
}
