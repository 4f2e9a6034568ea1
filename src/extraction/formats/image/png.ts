/** Decodes the kinds of PNG files that scans are stored as. */
import { inflateSync } from "node:zlib";
import { concatBytes } from "../../../kernel/bytes/bytes.ts";
import { type GreyImage, greyOf } from "../../ocr/grey_image.ts";
import type { ImageHeader } from "./image_header.ts";

const GREY = 0;
const RGB = 2;
const PALETTE = 3;
const SIGNATURE_BYTES = 8;

/** Bits per sample of each color type that is read. */
const DEPTHS: Readonly<Record<number, readonly number[]>> = {
  [GREY]: [1, 2, 4, 8],
  [RGB]: [8],
  [PALETTE]: [1, 2, 4, 8],
};

/** A PNG as it's stored. */
interface PngContent {
  readonly depth: number;
  readonly colorType: number;
  /** Red, green and blue of each color. Empty if there is no palette. */
  readonly palette: Uint8Array;
  /** Compressed rows. */
  readonly data: Uint8Array;
}

/**
 * Returns a PNG's grey values, or undefined if it's damaged or of a rarer kind: with transparent
 * parts, with 16 bits per sample, or interlaced.
 */
export function decodePng(
  bytes: Uint8Array,
  { width, height }: ImageHeader,
): GreyImage | undefined {
  const content = readContent(bytes);
  if (content === undefined) return undefined;
  const { depth, colorType, palette, data } = content;
  const samples = colorType === RGB ? 3 : 1;
  const rowBytes = Math.ceil(width * samples * depth / 8);
  const rows = inflateRows(data, height * (1 + rowBytes));
  if (rows === undefined || !removeFilters(rows, rowBytes, samples)) return undefined;
  const pixels = new Uint8Array(width * height);
  const greys = colorType === PALETTE ? paletteGreys(palette) : evenGreys(depth);
  for (let y = 0; y < height; y++) {
    const row = rows.subarray(y * (1 + rowBytes) + 1, (y + 1) * (1 + rowBytes));
    const target = pixels.subarray(y * width, (y + 1) * width);
    if (colorType === RGB) copyRgb(row, target);
    else copySamples(row, depth, greys, target);
  }
  return { width, height, pixels };
}

function readContent(bytes: Uint8Array): PngContent | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const [depth = 0, colorType = -1, , , interlace] = bytes.subarray(24, 29);
  if (!DEPTHS[colorType]?.includes(depth) || interlace !== 0) return undefined;
  const data: Uint8Array[] = [];
  let palette = new Uint8Array(0);
  for (let at = SIGNATURE_BYTES; at + 12 <= bytes.length;) {
    const length = view.getUint32(at);
    const type = String.fromCharCode(...bytes.subarray(at + 4, at + 8));
    const chunk = bytes.subarray(at + 8, at + 8 + length);
    if (type === "tRNS") return undefined;
    if (type === "PLTE") palette = chunk.slice();
    if (type === "IDAT") data.push(chunk);
    at += 12 + length;
  }
  if (colorType === PALETTE && palette.length < 3) return undefined;
  return { depth, colorType, palette, data: concatBytes(data) };
}

/** Returns decompressed rows, or undefined if there aren't exactly `size` bytes. */
function inflateRows(data: Uint8Array, size: number): Uint8Array | undefined {
  try {
    const rows = inflateSync(data, { maxOutputLength: size });
    return rows.length === size ? rows : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Reverses the filters of all rows, in place. The first byte of each row is its filter. Returns
 * whether all of them are known.
 *
 * @param pixelBytes bytes per pixel, at least 1
 */
function removeFilters(rows: Uint8Array, rowBytes: number, pixelBytes: number): boolean {
  let previous: Uint8Array = new Uint8Array(rowBytes);
  for (let start = 0; start < rows.length; start += 1 + rowBytes) {
    const row = rows.subarray(start + 1, start + 1 + rowBytes);
    if (!removeFilter(rows[start]!, row, previous, pixelBytes)) return false;
    previous = row;
  }
  return true;
}

function removeFilter(
  filter: number,
  row: Uint8Array,
  above: Uint8Array,
  pixelBytes: number,
): boolean {
  switch (filter) {
    case 0:
      return true;
    case 1:
      for (let at = pixelBytes; at < row.length; at++) row[at]! += row[at - pixelBytes]!;
      return true;
    case 2:
      for (let at = 0; at < row.length; at++) row[at]! += above[at]!;
      return true;
    case 3:
      for (let at = 0; at < row.length; at++) {
        row[at]! += ((at < pixelBytes ? 0 : row[at - pixelBytes]!) + above[at]!) >> 1;
      }
      return true;
    case 4:
      for (let at = 0; at < row.length; at++) {
        row[at]! += at < pixelBytes
          ? above[at]!
          : closest(row[at - pixelBytes]!, above[at]!, above[at - pixelBytes]!);
      }
      return true;
    default:
      return false;
  }
}

/** Returns the neighbour that is closest to a linear guess (the Paeth predictor). */
function closest(left: number, above: number, corner: number): number {
  const fromLeft = Math.abs(above - corner);
  const fromAbove = Math.abs(left - corner);
  const fromCorner = Math.abs(left + above - 2 * corner);
  if (fromLeft <= fromAbove && fromLeft <= fromCorner) return left;
  return fromAbove <= fromCorner ? above : corner;
}

/** Returns the grey value of each color in a palette. */
function paletteGreys(palette: Uint8Array): Uint8Array {
  const greys = new Uint8Array(256);
  for (let at = 0; 3 * at + 2 < palette.length; at++) {
    greys[at] = greyOf(palette[3 * at]!, palette[3 * at + 1]!, palette[3 * at + 2]!);
  }
  return greys;
}

/** Returns the grey value of each sample without a palette. */
function evenGreys(depth: number): Uint8Array {
  const max = 2 ** depth - 1;
  return Uint8Array.from({ length: max + 1 }, (_, value) => Math.round(value * 255 / max));
}

function copyRgb(row: Uint8Array, target: Uint8Array): void {
  for (let x = 0, at = 0; x < target.length; x++, at += 3) {
    target[x] = greyOf(row[at]!, row[at + 1]!, row[at + 2]!);
  }
}

function copySamples(row: Uint8Array, depth: number, greys: Uint8Array, target: Uint8Array): void {
  const mask = 2 ** depth - 1;
  for (let x = 0; x < target.length; x++) {
    const bit = x * depth;
    target[x] = greys[row[bit >> 3]! >> (8 - depth - (bit & 7)) & mask]!;
  }
}
