/** Reads a PDF page's drawings from its objects: rules, boxes, pictures and small shapes. */
import type { Figure } from "./checkboxes.ts";
import type { Box } from "../../layout/geometry.ts";
import type { Rule } from "../../layout/page.ts";
import type { PdfFile } from "./pdfium.ts";

const PATH = 2;
const IMAGE = 3;
const FORM = 5;
const LINE_TO = 0;
const BEZIER_TO = 1;
const MOVE_TO = 2;
/** Maximum thickness, in points, of a filled box that counts as a line. */
const MAX_RULE_THICKNESS_POINTS = 3;
/** Maximum number of objects read from a page. Maps and plots contain hundreds of thousands. */
const MAX_PAGE_OBJECTS = 20_000;
const MAX_PATH_SEGMENTS = 400;
const MAX_RULES = 6_000;
/** Maximum number of filled boxes, and of outlined boxes, read from a page. */
const MAX_BOXES = 500;
/** Maximum number of dots on a page. Any more and it's a plot. */
const MAX_DOTS = 500;
/** Maximum number of segments in a small shape. Chromium draws a disc with 49. */
const MAX_FIGURE_SEGMENTS = 100;
/** Maximum width and height, in points, of a path that may be a checkbox or its check mark. */
const MAX_FIGURE_POINTS = 22;
/** Maximum number of small paths on a page. Any more and it's a plot. */
const MAX_FIGURES = 1_000;

type PointTransform = (x: number, y: number) => readonly [number, number];
type Matrix = readonly [number, number, number, number, number, number];
const IDENTITY: Matrix = [1, 0, 0, 1, 0, 0];

/**
 * Returns the rules, filled and outlined boxes, pictures, dots and other small paths on page
 * `page`.
 */
export function readDrawing(file: PdfFile, page: number, transform: PointTransform) {
  const rules: Rule[] = [];
  const pictures: Box[] = [];
  const fills: Box[] = [];
  const frames: Box[] = [];
  const dots: Box[] = [];
  const figures: Figure[] = [];
  let budget = MAX_PAGE_OBJECTS;
  const visit = (object: number, matrix: Matrix, depth: number) => {
    if (budget-- <= 0 || rules.length > MAX_RULES) return;
    const type = file.call("FPDFPageObj_GetType", object);
    if (type === PATH) {
      const path = readPath(file, object, matrix, transform);
      rules.push(...path.rules);
      if (fills.length < MAX_BOXES) fills.push(...path.fills);
      if (frames.length < MAX_BOXES) frames.push(...path.frames);
      if (dots.length <= MAX_DOTS) dots.push(...readDot(file, object, matrix, transform));
      if (figures.length <= MAX_FIGURES) {
        figures.push(...readFigure(file, object, matrix, transform));
      }
    } else if (type === IMAGE) pictures.push(...readBounds(file, object, matrix, transform));
    else if (type === FORM && depth < 4) {
      const inner = multiplyMatrices(readMatrix(file, object), matrix);
      const count = file.call("FPDFFormObj_CountObjects", object);
      for (let index = 0; index < count; index++) {
        visit(file.call("FPDFFormObj_GetObject", object, index), inner, depth + 1);
      }
    }
  };
  const count = file.call("FPDFPage_CountObjects", page);
  for (let index = 0; index < count && budget > 0; index++) {
    visit(file.call("FPDFPage_GetObject", page, index), IDENTITY, 0);
  }
  return {
    rules,
    fills,
    frames,
    pictures,
    dots: dots.length > MAX_DOTS ? [] : dots,
    figures: figures.length > MAX_FIGURES ? [] : figures,
  };
}

/**
 * Returns the box of a small shape that's as high as it is wide, which is how browsers draw list
 * bullets.
 */
function readDot(file: PdfFile, object: number, matrix: Matrix, transform: PointTransform): Box[] {
  const segments = file.call("FPDFPath_CountSegments", object);
  if (segments < 4 || segments > MAX_FIGURE_SEGMENTS || !isVisible(file, object)) return [];
  return readBounds(file, object, matrix, transform).filter((box) => {
    const [width, height] = [box.right - box.left, box.bottom - box.top];
    return width > 1 && width < 9 && Math.abs(width - height) < 0.2 * width;
  });
}

/** Returns a small path and how it's drawn. */
function readFigure(
  file: PdfFile,
  object: number,
  outer: Matrix,
  transform: PointTransform,
): Figure[] {
  const count = file.call("FPDFPath_CountSegments", object);
  if (count < 2 || count > MAX_FIGURE_SEGMENTS) return [];
  const [box] = readBounds(file, object, outer, transform);
  if (
    box === undefined || box.right - box.left > MAX_FIGURE_POINTS ||
    box.bottom - box.top > MAX_FIGURE_POINTS
  ) return [];
  const { stroked, filled } = readDrawMode(file, object);
  if (!stroked && !filled) return [];
  const matrix = multiplyMatrices(readMatrix(file, object), outer);
  const subpaths = readSubpaths(file, object, count, matrix, transform);
  const upright = subpaths.length === 1 && subpaths[0] !== undefined && isRectangle(subpaths[0]);
  return [{ ...box, stroked, fill: filled ? readFill(file, object) : "none", upright }];
}

function readFill(file: PdfFile, object: number): Figure["fill"] {
  const pointer = file.scratch;
  if (
    file.call(
      "FPDFPageObj_GetFillColor",
      object,
      pointer,
      pointer + 4,
      pointer + 8,
      pointer + 12,
    ) === 0
  ) {
    return "none";
  }
  const [red = 0, green = 0, blue = 0, alpha = 0] = [0, 4, 8, 12].map((offset) =>
    file.view.getUint32(pointer + offset, true)
  );
  if (alpha < 128) return "none";
  if (Math.max(red, green, blue) - Math.min(red, green, blue) > 48) return "colour";
  const light = (red + green + blue) / 3;
  // Medium greys are legend keys in charts designed for print.
  return light < 100 ? "dark" : light > 224 ? "light" : "colour";
}

function isVisible(file: PdfFile, object: number): boolean {
  const { stroked, filled } = readDrawMode(file, object);
  return stroked || filled;
}

function readDrawMode(file: PdfFile, object: number): { stroked: boolean; filled: boolean } {
  file.call("FPDFPath_GetDrawMode", object, file.scratch, file.scratch + 4);
  return {
    filled: file.view.getInt32(file.scratch, true) !== 0,
    stroked: file.view.getInt32(file.scratch + 4, true) !== 0,
  };
}

function readMatrix(file: PdfFile, object: number): Matrix {
  if (file.call("FPDFPageObj_GetMatrix", object, file.scratch) === 0) return IDENTITY;
  return [
    file.readFloat(0),
    file.readFloat(1),
    file.readFloat(2),
    file.readFloat(3),
    file.readFloat(4),
    file.readFloat(5),
  ];
}

function multiplyMatrices(inner: Matrix, outer: Matrix): Matrix {
  const [a, b, c, d, e, f] = inner;
  const [A, B, C, D, E, F] = outer;
  return [
    a * A + b * C,
    a * B + b * D,
    c * A + d * C,
    c * B + d * D,
    e * A + f * C + E,
    e * B + f * D + F,
  ];
}

function applyMatrix([a, b, c, d, e, f]: Matrix, x: number, y: number): readonly [number, number] {
  return [a * x + c * y + e, b * x + d * y + f];
}

function readBounds(
  file: PdfFile,
  object: number,
  matrix: Matrix,
  transform: PointTransform,
): Box[] {
  const pointer = file.scratch;
  if (
    file.call("FPDFPageObj_GetBounds", object, pointer, pointer + 4, pointer + 8, pointer + 12) ===
      0
  ) return [];
  const corners = [[file.readFloat(0), file.readFloat(1)], [
    file.readFloat(2),
    file.readFloat(3),
  ]] as const;
  const [[x0, y0], [x1, y1]] = corners.map(([x, y]) => transform(...applyMatrix(matrix, x, y))) as [
    readonly [number, number],
    readonly [number, number],
  ];
  return [{
    left: Math.min(x0, x1),
    top: Math.min(y0, y1),
    right: Math.max(x0, x1),
    bottom: Math.max(y0, y1),
  }];
}

/** Returns the lines in a path, and the boxes it fills and outlines. */
function readPath(file: PdfFile, object: number, outer: Matrix, transform: PointTransform) {
  const count = file.call("FPDFPath_CountSegments", object);
  if (count < 2 || count > MAX_PATH_SEGMENTS) return { rules: [], fills: [], frames: [] };
  const { stroked, filled } = readDrawMode(file, object);
  if (!filled && !stroked) return { rules: [], fills: [], frames: [] };
  const matrix = multiplyMatrices(readMatrix(file, object), outer);
  const subpaths = readSubpaths(file, object, count, matrix, transform);
  return {
    rules: subpaths.flatMap((points) => stroked ? edgeRules(points) : thinBoxRules(points)),
    fills: filled ? subpaths.flatMap(wideBoxes) : [],
    frames: stroked ? subpaths.flatMap(wideBoxes) : [],
  };
}

/**
 * Returns a path's box unless it's as thin as a line. Wide boxes are frames, or the shading behind
 * a cell, row or page.
 */
function wideBoxes(points: readonly Point[]): Box[] {
  const [left, right] = extent(points.map(([x]) => x));
  const [top, bottom] = extent(points.map(([, y]) => y));
  return Math.min(right - left, bottom - top) > MAX_RULE_THICKNESS_POINTS && isRectangle(points)
    ? [{ left, top, right, bottom }]
    : [];
}

/** Checks whether a path is an upright rectangle. The path can start anywhere on the edges. */
function isRectangle(points: readonly Point[]): boolean {
  if (points.length < 4 || points.length > 8) return false;
  const [left, right] = extent(points.map(([x]) => x));
  const [top, bottom] = extent(points.map(([, y]) => y));
  const near = (a: number, b: number) => Math.abs(a - b) < 0.5;
  const corners = [[left, top], [right, top], [right, bottom], [left, bottom]] as const;
  return corners.every(([x, y]) =>
    points.some((point) => near(point[0], x) && near(point[1], y))
  ) &&
    points.every(([x, y], index) => {
      const [lastX, lastY] = points[index - 1] ?? [x, y];
      const isOnEdge = near(x, left) || near(x, right) || near(y, top) || near(y, bottom);
      return isOnEdge && (near(x, lastX) || near(y, lastY));
    });
}

function extent(values: readonly number[]): readonly [number, number] {
  return [Math.min(...values), Math.max(...values)];
}

type Point = readonly [number, number];

function readSubpaths(
  file: PdfFile,
  object: number,
  count: number,
  matrix: Matrix,
  transform: PointTransform,
) {
  const subpaths: Point[][] = [];
  let points: Point[] = [];
  let isCurved = false;
  const flush = () => {
    if (points.length > 1 && !isCurved) subpaths.push(points);
    [points, isCurved] = [[], false];
  };
  for (let index = 0; index < count; index++) {
    const segment = file.call("FPDFPath_GetPathSegment", object, index);
    const type = file.call("FPDFPathSegment_GetType", segment);
    file.call("FPDFPathSegment_GetPoint", segment, file.scratch, file.scratch + 4);
    const point = transform(...applyMatrix(matrix, file.readFloat(0), file.readFloat(1)));
    const closes = file.call("FPDFPathSegment_GetClose", segment) !== 0;
    if (type === MOVE_TO) flush();
    if (type === BEZIER_TO) isCurved = true;
    else if (type === MOVE_TO || type === LINE_TO) points.push(point);
    if (closes && points[0] !== undefined) points.push(points[0]);
  }
  flush();
  return subpaths;
}

function edgeRules(points: readonly Point[]): Rule[] {
  const rules: Rule[] = [];
  for (let index = 1; index < points.length; index++) {
    const rule = ruleBetween(points[index - 1], points[index]);
    if (rule !== undefined) rules.push(rule);
  }
  return rules;
}

function thinBoxRules(points: readonly Point[]): Rule[] {
  const [left, right] = extent(points.map(([x]) => x));
  const [top, bottom] = extent(points.map(([, y]) => y));
  const thickness = Math.min(right - left, bottom - top);
  if (thickness > MAX_RULE_THICKNESS_POINTS || Math.max(right - left, bottom - top) < 4) return [];
  const horizontal = right - left > bottom - top;
  const [x, y] = [(left + right) / 2, (top + bottom) / 2];
  return [
    horizontal
      ? { left, right, top: y, bottom: y, horizontal }
      : { left: x, right: x, top, bottom, horizontal },
  ];
}

function ruleBetween(from: Point | undefined, to: Point | undefined): Rule | undefined {
  if (from === undefined || to === undefined) return undefined;
  const box = {
    left: Math.min(from[0], to[0]),
    right: Math.max(from[0], to[0]),
    top: Math.min(from[1], to[1]),
    bottom: Math.max(from[1], to[1]),
  };
  const [width, height] = [box.right - box.left, box.bottom - box.top];
  if (height < 1 && width >= 4) return { ...box, horizontal: true };
  if (width < 1 && height >= 4) return { ...box, horizontal: false };
  return undefined;
}
