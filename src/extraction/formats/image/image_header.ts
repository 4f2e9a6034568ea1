/** Reads an image's size from its header, to check the pixel count before decoding anything. */
import { corrupt, ExtractionError } from "../../error.ts";
import type { FileKind } from "../../kinds.ts";
import { MAX_IMAGE_PIXELS } from "../../limits.ts";
import { jpegSegments } from "./jpeg_segments.ts";

const PNG_IDAT = 0x49444154;
const PNG_PHYS = 0x70485973;
const JFIF = 0x4a464946;

/** Size and orientation of an image. */
export interface ImageHeader {
  readonly width: number;
  readonly height: number;
  /** EXIF orientation. 1 is upright. */
  readonly orientation: number;
  /** Declared resolution in dpi; absent if there is none. */
  readonly resolution?: number;
}

/**
 * Reads an image's header. Throws DOCUMENT_CORRUPT if it's damaged, and
 * EXTRACTED_DOCUMENT_TOO_LARGE if it declares too many pixels.
 */
export function readImageHeader(bytes: Uint8Array, kind: FileKind): ImageHeader {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const header = parseHeader(view, kind);
  if (header === undefined || header.width < 1 || header.height < 1) {
    throw corrupt("The image header is damaged");
  }
  checkPixelCount(header.width, header.height);
  return header;
}

/**
 * Throws EXTRACTED_DOCUMENT_TOO_LARGE if an image has more than {@link MAX_IMAGE_PIXELS} pixels.
 */
export function checkPixelCount(width: number, height: number): void {
  if (width * height <= MAX_IMAGE_PIXELS) return;
  throw new ExtractionError(
    "EXTRACTED_DOCUMENT_TOO_LARGE",
    `The image has ${width} × ${height} pixels; at most ${MAX_IMAGE_PIXELS} are read`,
  );
}

function parseHeader(view: DataView, kind: FileKind): ImageHeader | undefined {
  try {
    switch (kind) {
      case "png":
        return png(view);
      case "bmp":
        return bmp(view);
      case "webp":
        return webp(view);
      case "jpeg":
        return jpeg(view);
      default:
        return undefined;
    }
  } catch (error) {
    // The header is truncated.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function uprightHeader(width: number, height: number): ImageHeader {
  return { width, height, orientation: 1 };
}

function png(view: DataView): ImageHeader {
  const header = uprightHeader(view.getUint32(16), view.getUint32(20));
  for (let at = 33; at + 21 <= view.byteLength; at += 12 + view.getUint32(at)) {
    const type = view.getUint32(at + 4);
    if (type === PNG_IDAT) break;
    const isInMetres = type === PNG_PHYS && view.getUint8(at + 16) === 1;
    if (isInMetres) return { ...header, resolution: view.getUint32(at + 8) * 0.0254 };
  }
  return header;
}

function bmp(view: DataView): ImageHeader {
  if (view.getUint32(14, true) === 12) {
    return uprightHeader(view.getUint16(18, true), view.getUint16(20, true));
  }
  return uprightHeader(Math.abs(view.getInt32(18, true)), Math.abs(view.getInt32(22, true)));
}

function webp(view: DataView): ImageHeader | undefined {
  const chunk = view.getUint32(12);
  if (chunk === 0x56503858) {
    const u24 = (at: number) => view.getUint16(at, true) + (view.getUint8(at + 2) << 16);
    return uprightHeader(u24(24) + 1, u24(27) + 1);
  }
  if (chunk === 0x5650384c) {
    const bits = view.getUint32(21, true);
    return uprightHeader((bits & 0x3fff) + 1, ((bits >> 14) & 0x3fff) + 1);
  }
  if (chunk !== 0x56503820) return undefined;
  return uprightHeader(view.getUint16(26, true) & 0x3fff, view.getUint16(28, true) & 0x3fff);
}

function jpeg(view: DataView): ImageHeader | undefined {
  let orientation = 1;
  let resolution: number | undefined;
  for (const { marker, start, isFrame } of jpegSegments(view)) {
    if (isFrame) {
      const size = { width: view.getUint16(start + 3), height: view.getUint16(start + 1) };
      return { ...size, orientation, ...resolution === undefined ? {} : { resolution } };
    }
    if (marker === 0xe0) resolution = jfifResolution(view, start) ?? resolution;
    if (marker === 0xe1) orientation = exifOrientation(view, start) ?? orientation;
  }
  return undefined;
}

function jfifResolution(view: DataView, start: number): number | undefined {
  if (view.getUint32(start) !== JFIF) return undefined;
  const [unit, density] = [view.getUint8(start + 7), view.getUint16(start + 8)];
  return unit === 1 ? density : unit === 2 ? density * 2.54 : undefined;
}

function exifOrientation(view: DataView, start: number): number | undefined {
  if (view.getUint32(start) !== 0x45786966) return undefined;
  const tiff = start + 6;
  const little = view.getUint16(tiff) === 0x4949;
  const directory = tiff + view.getUint32(tiff + 4, little);
  const count = Math.min(64, view.getUint16(directory, little));
  for (let index = 0; index < count; index++) {
    const entry = directory + 2 + index * 12;
    if (view.getUint16(entry, little) !== 0x0112) continue;
    const value = view.getUint16(entry + 8, little);
    return value >= 1 && value <= 8 ? value : undefined;
  }
  return undefined;
}
