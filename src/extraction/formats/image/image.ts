/** Reads images with OCR and lays them out like PDF pages. TIFF files can have several pages. */
import type { FileKind } from "../../kinds.ts";
import type { ExtractedDocument } from "../../model.ts";
import type { Ocr, OcrPage } from "../../ocr/ocr.ts";
import { decodeBmp32 } from "./bmp.ts";
import { readImageHeader } from "./image_header.ts";
import { layOutPages } from "../../layout/layout.ts";
import { NO_DRAWINGS, type PageContent } from "../../layout/page.ts";
import { decodeTiffPage } from "../tiff/tiff.ts";
import { readTiffDirectories } from "../tiff/directory.ts";

/**
 * Resolution assumed for all images, since the declared one is rarely correct. A 200 dpi scan keeps
 * its original page size.
 */
const ASSUMED_DPI = 200;

/** Reads the text in an image. A TIFF can have at most `maxPages` pages. */
export async function readImage(
  bytes: Uint8Array,
  kind: FileKind,
  maxPages: number,
  ocr: Ocr,
): Promise<ExtractedDocument> {
  if (kind === "tiff") return await readTiff(bytes, maxPages, ocr);
  const { width, height, orientation } = readImageHeader(bytes, kind);
  const bitmap = kind === "bmp" ? decodeBmp32(bytes) : undefined;
  const page = bitmap === undefined
    ? await ocr.recognizeFile(bytes, 0, ASSUMED_DPI, orientation)
    : await ocr.recognizePage(bitmap, 0, ASSUMED_DPI);
  // EXIF orientations from 5 up are rotated by 90°, which swaps width and height.
  const upright = orientation < 5 ? pageOf(page, width, height) : pageOf(page, height, width);
  return { blocks: layOutPages([upright]), pageCount: 1 };
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

function pageOf({ lines, sideways }: OcrPage, width: number, height: number): PageContent {
  const scale = 72 / ASSUMED_DPI;
  return {
    width: (sideways ? height : width) * scale,
    height: (sideways ? width : height) * scale,
    lines,
    ...NO_DRAWINGS,
  };
}
