/** TIFF: its pages as grey images, as fine as recognition needs them. */
import utif, { type IFD } from "utif2";
import { corrupt, ExtractionError } from "../../error.ts";
import { MAX_IMAGE_PIXELS } from "../../limits.ts";
import { downscale } from "../../ocr/downscale.ts";
import { checkPixelCount } from "../image/image_header.ts";
import type { GreyImage } from "../pdf/pdfium.ts";
import type { TiffDirectory } from "./directory.ts";
import { unpackStrips } from "./unpack.ts";

/**
 * Pages scanned more finely than this are reduced. Of 3,900 words in seven fonts at 300 dpi, 50
 * were misread as they were, and 43 when reduced to 200, in six sevenths of the time.
 */
const REDUCE_ABOVE_DPI = 250;
const MAX_DPI = 5_000;
/** Samples of a pixel: colours, and what says how dense they are. */
const MAX_SAMPLES_PER_PIXEL = 8;
const MAX_BITS_PER_SAMPLE = 64;
/** Strips or tiles of a page: some 60,000 where each row of each colour is one. */
const MAX_STRIPS = 100_000;
/** Bytes of a page as it is decoded. */
const MAX_PAGE_BYTES = 200_000_000;

const JPEG = 7;
const GREY = 1;
const CMYK = 5;
const YCBCR = 6;
const CENTIMETRES = 3;
const PLANAR_SEPARATE = 2;

/** One page, at `dpi` or less finely. Throws DOCUMENT_CORRUPT, or that it has too many pixels. */
export function decodeTiffPage(file: Uint8Array, page: TiffDirectory, dpi: number): GreyImage {
  checkPageLimits(page);
  // The library writes every JPEG as RGB, and believes what the tags say of it.
  const isGreyJpeg = firstValue(page, "t259") === JPEG && firstValue(page, "t262") === GREY;
  const asRgb = { t262: [YCBCR], t277: [3], t258: [8, 8, 8] };
  const image = decodePage(file, {
    ...page,
    ...checkedStrips(file, page),
    ...isGreyJpeg ? asRgb : {},
  });
  const resolution = firstValue(page, "t282") *
    (firstValue(page, "t296") === CENTIMETRES ? 2.54 : 1);
  return resolution > REDUCE_ABOVE_DPI && resolution < MAX_DPI
    ? downscale(image, dpi / resolution)
    : image;
}

/** Refuses what would take memory or time without end. */
function checkPageLimits(page: TiffDirectory): void {
  const [width, height] = [firstValue(page, "t256"), firstValue(page, "t257")];
  checkPixelCount(width, height);
  const offsets = page["t324"] ?? page["t273"];
  const isSound = width > 0 && height > 0 && offsets !== undefined &&
    firstValue(page, "t277") <= MAX_SAMPLES_PER_PIXEL &&
    firstValue(page, "t258") <= MAX_BITS_PER_SAMPLE;
  if (
    width * height * Math.max(1, firstValue(page, "t277")) * firstValue(page, "t258") / 8 >
      MAX_PAGE_BYTES
  ) {
    throw new ExtractionError(
      "EXTRACTED_DOCUMENT_TOO_LARGE",
      `A page of the TIFF has more than ${MAX_PAGE_BYTES} bytes`,
    );
  }
  if (!isSound) throw corrupt("A page of the TIFF is damaged");
}

/**
 * Where the strips or tiles of a page lie: as many as it needs, none beyond the end of the file. The
 * library reads as many as the tags claim, however often these name the same bytes.
 */
function checkedStrips(file: Uint8Array, page: TiffDirectory): TiffDirectory {
  const isTiled = page["t322"] !== undefined;
  const [offsetTag, sizeTag] = isTiled ? ["t324", "t325"] : ["t273", "t279"];
  const count = isTiled ? tileCount(page) : stripCount(page);
  const offsets = Array.from(page[offsetTag] ?? []).slice(0, count);
  const claimed = page[sizeTag];
  const sizes = offsets.map((at, index) =>
    Math.max(0, Math.min(claimed?.[index] ?? 0, file.length - at))
  );
  const isSound = count <= MAX_STRIPS && (!isTiled || offsets.length === count) &&
    sizes.reduce((sum, size) => sum + size, 0) <= file.length;
  if (!isSound) throw corrupt("The strips of the TIFF are damaged");
  return { [offsetTag]: offsets, ...claimed === undefined ? {} : { [sizeTag]: sizes } };
}

/** Infinity where they have no size. */
function tileCount(page: TiffDirectory): number {
  const [wide, high] = [firstValue(page, "t322"), firstValue(page, "t323")];
  if (wide < 1 || high < 1 || wide * high > MAX_IMAGE_PIXELS) return Infinity;
  return Math.ceil(firstValue(page, "t256") / wide) * Math.ceil(firstValue(page, "t257") / high);
}

/** Each colour has its own where the planes are apart. Infinity where they have no rows. */
function stripCount(page: TiffDirectory): number {
  const [height, rows] = [firstValue(page, "t257"), page["t278"]?.[0] ?? Infinity];
  const planes = firstValue(page, "t284") === PLANAR_SEPARATE
    ? Math.max(1, firstValue(page, "t277"))
    : 1;
  return rows < 1 ? Infinity : Math.ceil(height / Math.min(rows, height)) * planes;
}

/** The first value of a tag, or 0. */
function firstValue(page: TiffDirectory, tag: string): number {
  return page[tag]?.[0] ?? 0;
}

function decodePage(packedFile: Uint8Array, packedPage: TiffDirectory): GreyImage {
  const { file, page } = unpackStrips(packedFile, packedPage);
  const directory = { ...page } as unknown as IFD;
  try {
    utif.decodeImage(file.slice().buffer, directory);
    const { data, width, height } = directory;
    const pixels = firstValue(page, "t262") === CMYK
      ? greyFromCmyk(data, width * height, Math.max(4, firstValue(page, "t277")))
      : greyFromRgba(utif.toRGBA8(directory));
    return { width, height, pixels };
  } catch (error) {
    throw corrupt("A page of the TIFF cannot be decoded", error);
  }
}

function greyFromRgba(rgba: Uint8Array): Uint8Array {
  const pixels = new Uint8Array(rgba.length / 4);
  for (let at = 0, from = 0; at < pixels.length; at++, from += 4) {
    pixels[at] = (rgba[from]! * 77 + rgba[from + 1]! * 150 + rgba[from + 2]! * 29) >> 8;
  }
  return pixels;
}

/** Print colours, which the library converts within a browser alone. */
function greyFromCmyk(data: Uint8Array, count: number, samples: number): Uint8Array {
  const pixels = new Uint8Array(count);
  for (let at = 0, from = 0; at < count; at++, from += samples) {
    const ink = (data[from]! * 77 + data[from + 1]! * 150 + data[from + 2]! * 29) >> 8;
    pixels[at] = (255 - ink) * (255 - data[from + 3]!) / 255;
  }
  return pixels;
}
