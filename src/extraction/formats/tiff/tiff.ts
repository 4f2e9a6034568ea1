/** Decodes a TIFF's pages as grayscale images, at a resolution suitable for OCR. */
import utif, { type IFD } from "utif2";
import { corrupt, ExtractionError } from "../../error.ts";
import { MAX_IMAGE_PIXELS } from "../../limits.ts";
import { downscale } from "../../ocr/downscale.ts";
import { checkPixelCount } from "../image/image_header.ts";
import { type GreyImage, greyOf } from "../../ocr/grey_image.ts";
import type { TiffDirectory } from "./directory.ts";
import { unpackStrips } from "./unpack.ts";

/**
 * Pages above this resolution are scaled down. Out of 3,900 words in seven fonts at 300 dpi, 50
 * were misread at full size but only 43 when reduced to 200 dpi, in six sevenths of the time.
 */
export const REDUCE_ABOVE_DPI = 250;
/** Maximum plausible resolution. */
export const MAX_DPI = 5_000;
/** Maximum number of samples per pixel, i.e. colors and opacity. */
const MAX_SAMPLES_PER_PIXEL = 8;
const MAX_BITS_PER_SAMPLE = 64;
/**
 * Maximum number of strips or tiles on a page. If every row in every color is a separate strip, a
 * page has some 60,000.
 */
const MAX_STRIPS = 100_000;
/** Maximum size of a decoded page. */
const MAX_PAGE_BYTES = 200_000_000;

const JPEG = 7;
const GREY = 1;
const CMYK = 5;
const YCBCR = 6;
const CENTIMETRES = 3;
const PLANAR_SEPARATE = 2;

/**
 * Decodes a page, scaling it down to `dpi` if its resolution is above 250 dpi.
 *
 * Throws DOCUMENT_CORRUPT if it's damaged, and EXTRACTED_DOCUMENT_TOO_LARGE if it has too many
 * pixels or bytes.
 */
export function decodeTiffPage(file: Uint8Array, page: TiffDirectory, dpi: number): GreyImage {
  checkPageLimits(page);
  // utif2 decodes every JPEG to RGB but trusts the tags for the layout of the result.
  const isGreyJpeg = firstValue(page, "t259") === JPEG && firstValue(page, "t262") === GREY;
  const rgbTags = { t262: [YCBCR], t277: [3], t258: [8, 8, 8] };
  const image = decodePage(file, {
    ...page,
    ...checkedStrips(file, page),
    ...isGreyJpeg ? rgbTags : {},
  });
  const resolution = firstValue(page, "t282") *
    (firstValue(page, "t296") === CENTIMETRES ? 2.54 : 1);
  return resolution > REDUCE_ABOVE_DPI && resolution < MAX_DPI
    ? downscale(image, dpi / resolution)
    : image;
}

/** Throws if decoding the page would take too much memory or time. */
function checkPageLimits(page: TiffDirectory): void {
  const [width, height] = [firstValue(page, "t256"), firstValue(page, "t257")];
  checkPixelCount(width, height);
  const offsets = page["t324"] ?? page["t273"];
  const isValid = width > 0 && height > 0 && offsets !== undefined &&
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
  if (!isValid) throw corrupt("A page of the TIFF is damaged");
}

/**
 * Returns the tags of a page's strips or tiles, limited to what the page needs and to the end of
 * the file. utif2 reads as many as the tags declare, even if they all refer to the same bytes.
 */
function checkedStrips(file: Uint8Array, page: TiffDirectory): TiffDirectory {
  const isTiled = page["t322"] !== undefined;
  const [offsetTag, sizeTag] = isTiled ? ["t324", "t325"] : ["t273", "t279"];
  const count = isTiled ? tileCount(page) : stripCount(page);
  const offsets = Array.from(page[offsetTag] ?? []).slice(0, count);
  const declaredSizes = page[sizeTag];
  const sizes = offsets.map((at, index) =>
    Math.max(0, Math.min(declaredSizes?.[index] ?? 0, file.length - at))
  );
  const isValid = count <= MAX_STRIPS && (!isTiled || offsets.length === count) &&
    sizes.reduce((sum, size) => sum + size, 0) <= file.length;
  if (!isValid) throw corrupt("The strips of the TIFF are damaged");
  return { [offsetTag]: offsets, ...declaredSizes === undefined ? {} : { [sizeTag]: sizes } };
}

/** Returns the number of tiles, or `Infinity` if their size is invalid. */
function tileCount(page: TiffDirectory): number {
  const [tileWidth, tileHeight] = [firstValue(page, "t322"), firstValue(page, "t323")];
  if (tileWidth < 1 || tileHeight < 1 || tileWidth * tileHeight > MAX_IMAGE_PIXELS) return Infinity;
  return Math.ceil(firstValue(page, "t256") / tileWidth) *
    Math.ceil(firstValue(page, "t257") / tileHeight);
}

/**
 * Returns the number of strips, or `Infinity` if they have no rows. Separate color planes each have
 * their own strips.
 */
function stripCount(page: TiffDirectory): number {
  const [height, rows] = [firstValue(page, "t257"), page["t278"]?.[0] ?? Infinity];
  const planes = firstValue(page, "t284") === PLANAR_SEPARATE
    ? Math.max(1, firstValue(page, "t277"))
    : 1;
  return rows < 1 ? Infinity : Math.ceil(height / Math.min(rows, height)) * planes;
}

/** Returns a tag's first value, or 0 if missing. */
function firstValue(page: TiffDirectory, tag: string): number {
  return page[tag]?.[0] ?? 0;
}

function decodePage(packedFile: Uint8Array, packedPage: TiffDirectory): GreyImage {
  const { file, page } = unpackStrips(packedFile, packedPage);
  const directory = { ...page } as IFD;
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
    pixels[at] = greyOf(rgba[from]!, rgba[from + 1]!, rgba[from + 2]!);
  }
  return pixels;
}

/** Converts CMYK to grayscale, since utif2 can only do that in a browser. */
function greyFromCmyk(data: Uint8Array, count: number, samples: number): Uint8Array {
  const pixels = new Uint8Array(count);
  for (let at = 0, from = 0; at < count; at++, from += samples) {
    const ink = greyOf(data[from]!, data[from + 1]!, data[from + 2]!);
    pixels[at] = (255 - ink) * (255 - data[from + 3]!) / 255;
  }
  return pixels;
}
