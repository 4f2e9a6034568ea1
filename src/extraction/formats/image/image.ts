/** Reads images with OCR and lays them out like PDF pages. TIFF files can have several pages. */
import type { FileKind } from "../../kinds.ts";
import type { ExtractedDocument } from "../../model.ts";
import type { Ocr, OcrPage } from "../../ocr/ocr.ts";
import { decodeBmp32 } from "./bmp.ts";
import { type ImageHeader, readImageHeader } from "./image_header.ts";
import { decodeJpeg } from "./jpeg.ts";
import { decodePng } from "./png.ts";
import { downscale } from "../../ocr/downscale.ts";
import type { GreyImage } from "../../ocr/grey_image.ts";
import { quarterTurnsOf, rotateImage, swapsWidthAndHeight } from "../../ocr/orientation.ts";
import type { PdfEngine } from "../pdf/pdfium.ts";
import { layOutPages } from "../../layout/layout.ts";
import { NO_DRAWINGS, type PageContent } from "../../layout/page.ts";
import { decodeTiffPage, MAX_DPI, REDUCE_ABOVE_DPI } from "../tiff/tiff.ts";
import { readTiffDirectories } from "../tiff/directory.ts";

/**
 * Resolution assumed for all images, since the declared one is rarely correct. A 200 dpi scan keeps
 * its original page size.
 */
const ASSUMED_DPI = 200;

/** Minimum length of a scan that is scaled down. At 250 dpi, a letter has 2,750 pixels. */
const MIN_SCAN_PIXELS = 2_700;
/** Sizes of paper, in inches: A4, letter and legal. */
const PAPER_INCHES = [[8.27, 11.69], [8.5, 11], [8.5, 14]] as const;
const MAX_PROPORTION_ERROR = 0.01;

/** Reads the text in an image. A TIFF can have at most `maxPages` pages. */
export async function readImage(
  bytes: Uint8Array,
  kind: FileKind,
  maxPages: number,
  ocr: Ocr,
  pdfEngine: () => Promise<PdfEngine>,
): Promise<ExtractedDocument> {
  if (kind === "tiff") return await readTiff(bytes, maxPages, ocr);
  const header = readImageHeader(bytes, kind);
  const picture = await decode(bytes, kind, header, pdfEngine);
  const page = picture === undefined
    ? await readUndecoded(bytes, header, ocr)
    : pageOf(await ocr.recognizePage(picture, 0, ASSUMED_DPI), picture.width, picture.height);
  return { blocks: layOutPages([page]), pageCount: 1 };
}

/** Returns an image in its upright orientation, or undefined if only the OCR engine reads it. */
async function decode(
  bytes: Uint8Array,
  kind: FileKind,
  header: ImageHeader,
  pdfEngine: () => Promise<PdfEngine>,
): Promise<GreyImage | undefined> {
  const turn = quarterTurnsOf(header.orientation);
  if (kind === "bmp") return decodeBmp32(bytes);
  if (kind === "png") return scaled(decodePng(bytes, header), scaleOf(header));
  if (turn === undefined || kind !== "jpeg") return undefined;
  const image = decodeJpeg(bytes, header, scaleOf(header), await pdfEngine());
  return image === undefined ? undefined : rotateImage(image, turn);
}

function scaled(image: GreyImage | undefined, scale: number): GreyImage | undefined {
  return image === undefined || scale === 1 ? image : downscale(image, scale);
}

async function readUndecoded(
  bytes: Uint8Array,
  { width, height, orientation }: ImageHeader,
  ocr: Ocr,
): Promise<PageContent> {
  const page = await ocr.recognizeFile(bytes, 0, ASSUMED_DPI, orientation);
  // EXIF orientations from 5 up are rotated by 90°, which swaps width and height.
  return orientation < 5 ? pageOf(page, width, height) : pageOf(page, height, width);
}

/**
 * Returns how much to scale an image down. That's only done with scans: large images with the
 * proportions of a sheet of paper, whose size shows their resolution, and others that declare it.
 */
function scaleOf({ width, height, resolution = 0 }: ImageHeader): number {
  const [short, long] = [Math.min(width, height), Math.max(width, height)];
  if (long < MIN_SCAN_PIXELS) return 1;
  const paper = PAPER_INCHES.find(([shortSide, longSide]) =>
    Math.abs(long / short * shortSide / longSide - 1) < MAX_PROPORTION_ERROR
  );
  const dpi = paper === undefined ? resolution : long / paper[1];
  return dpi > REDUCE_ABOVE_DPI && dpi < MAX_DPI ? ASSUMED_DPI / dpi : 1;
}

async function readTiff(bytes: Uint8Array, maxPages: number, ocr: Ocr): Promise<ExtractedDocument> {
  const pages: PageContent[] = [];
  for (const [index, directory] of readTiffDirectories(bytes, maxPages).entries()) {
    const image = decodeTiffPage(bytes, directory, ASSUMED_DPI);
    const page = await ocr.recognizePage(image, index, ASSUMED_DPI);
    pages.push(pageOf(page, image.width, image.height));
  }
  return { blocks: layOutPages(pages), pageCount: pages.length };
}

function pageOf({ lines, rules, turn }: OcrPage, width: number, height: number): PageContent {
  const scale = 72 / ASSUMED_DPI;
  const isSideways = swapsWidthAndHeight(turn);
  return {
    width: (isSideways ? height : width) * scale,
    height: (isSideways ? width : height) * scale,
    ...NO_DRAWINGS,
    lines,
    rules,
  };
}
