/** The part of a PDF's page that's displayed, and the direction of its text. */
import type { PdfFile } from "./pdfium.ts";

/** Minimum number of letters on a page of vertical text. */
const MIN_VERTICAL_LETTERS = 12;

/**
 * Maps points on the page to coordinates in which text runs from left to right and y increases
 * downwards.
 */
export type PointTransform = (x: number, y: number) => readonly [number, number];

/**
 * The part of a page that is displayed, in PDF coordinates: y increases upwards, and the origin can
 * be anywhere.
 */
export type PageBox = Readonly<Record<"left" | "bottom" | "right" | "top", number>>;

/** Returns the intersection of the media box and the crop box. */
export function readPageBox(file: PdfFile, page: number): PageBox {
  file.call("FPDF_GetPageBoundingBox", page, file.scratch);
  return {
    left: file.readFloat(0),
    top: file.readFloat(1),
    right: file.readFloat(2),
    bottom: file.readFloat(3),
  };
}

/**
 * Checks whether most Chinese, Japanese and Korean letters are below the one before. The columns of
 * such a page are read like lines that are turned by 90 degrees.
 */
export function isVerticalWriting(file: PdfFile, text: number, count: number): boolean {
  let [down, across] = [0, 0];
  let last: { x: number; y: number } | undefined;
  for (let index = 0; index < count; index++) {
    const code = file.call("FPDFText_GetUnicode", text, index);
    if (code < 0x20) continue;
    if (code < 0x3000 || code > 0xffef) {
      last = undefined;
      continue;
    }
    file.call("FPDFText_GetCharOrigin", text, index, file.scratch, file.scratch + 8);
    const [x, y] = [file.readDouble(0), file.readDouble(1)];
    if (last !== undefined) {
      const [dx, dy] = [x - last.x, last.y - y];
      if (dy > 2 * Math.abs(dx)) down++;
      else if (dx > 2 * Math.abs(dy)) across++;
    }
    last = { x, y };
  }
  return down >= MIN_VERTICAL_LETTERS && down > across;
}

/** Returns the transform for a page with text in a direction, in counter-clockwise quarter turns. */
export function pageTransform(
  quarterTurns: number,
  { left, bottom, right, top }: PageBox,
): PointTransform {
  switch (quarterTurns) {
    case 1:
      return (x, y) => [y - bottom, x - left];
    case 2:
      return (x, y) => [right - x, y - bottom];
    case 3:
      return (x, y) => [top - y, right - x];
    default:
      return (x, y) => [x - left, top - y];
  }
}
