/** TIFF: its pages as grey images, as fine as recognition needs them. */
import utif, { type IFD } from "utif2";
import { corrupt } from "../error.ts";
import { reduced } from "../ocr/reduce.ts";
import { refuseHuge } from "./image_size.ts";
import type { GreyImage } from "./pdf/pdfium.ts";

/**
 * Pages scanned more finely than `FINE_DPI` are reduced. Of 3,900 words in seven fonts at 300 dpi,
 * 50 were misread as they were, and 43 when reduced to 200, in six sevenths of the time.
 */
const FINE_DPI = 250;
const MAX_DPI = 5_000;

const [WIDTH, HEIGHT, BITS, COMPRESSION, COLOURS, SAMPLES, RESOLUTION, UNIT] = [
  "t256",
  "t257",
  "t258",
  "t259",
  "t262",
  "t277",
  "t282",
  "t296",
];
const JPEG = 7;
const GREY = 1;
const CMYK = 5;
const YCBCR = 6;
const CENTIMETRES = 3;

/** The pages of a TIFF, none of them decoded yet. Throws DOCUMENT_CORRUPT. */
export function tiffDirectories(buffer: ArrayBuffer): IFD[] {
  try {
    return utif.decode(buffer).filter((one) => one[WIDTH] !== undefined);
  } catch (error) {
    throw corrupt("The TIFF directory is damaged", error);
  }
}

/** One page, at `dpi` or less finely. Throws DOCUMENT_CORRUPT, or that it has too many pixels. */
export function tiffPage(buffer: ArrayBuffer, directory: IFD, dpi: number): GreyImage {
  refuseHuge(declared(directory, WIDTH), declared(directory, HEIGHT));
  // The library writes every JPEG as RGB, and believes what the tags say of it.
  if (declared(directory, COMPRESSION) === JPEG && declared(directory, COLOURS) === GREY) {
    Object.assign(directory, { [COLOURS]: [YCBCR], [SAMPLES]: [3], [BITS]: [8, 8, 8] });
  }
  let pixels: Uint8Array;
  try {
    utif.decodeImage(buffer, directory);
    pixels = declared(directory, COLOURS) === CMYK
      ? greyOfInks(directory)
      : greyOfLight(utif.toRGBA8(directory));
  } catch (error) {
    throw corrupt("A page of the TIFF cannot be decoded", error);
  }
  const image = { width: directory.width, height: directory.height, pixels };
  const scanned = declared(directory, RESOLUTION) *
    (declared(directory, UNIT) === CENTIMETRES ? 2.54 : 1);
  return scanned > FINE_DPI && scanned < MAX_DPI ? reduced(image, dpi / scanned) : image;
}

/** The first value of a tag, or 0. */
function declared(directory: IFD, tag: string): number {
  const value: unknown = directory[tag];
  return Array.isArray(value) || ArrayBuffer.isView(value) ? Number(Reflect.get(value, 0)) : 0;
}

function greyOfLight(rgba: Uint8Array): Uint8Array {
  const pixels = new Uint8Array(rgba.length / 4);
  for (let at = 0, from = 0; at < pixels.length; at++, from += 4) {
    pixels[at] = (rgba[from]! * 77 + rgba[from + 1]! * 150 + rgba[from + 2]! * 29) >> 8;
  }
  return pixels;
}

/** Print colours, which the library only converts within a browser. */
function greyOfInks(directory: IFD): Uint8Array {
  const { data, width, height } = directory;
  const samples = Math.max(4, declared(directory, SAMPLES));
  const pixels = new Uint8Array(width * height);
  for (let at = 0, from = 0; at < pixels.length; at++, from += samples) {
    const ink = (data[from]! * 77 + data[from + 1]! * 150 + data[from + 2]! * 29) >> 8;
    pixels[at] = (255 - ink) * (255 - data[from + 3]!) / 255;
  }
  return pixels;
}
