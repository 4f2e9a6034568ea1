/** Images: OCR, then the same layout as for PDF pages. TIFF may hold many pages. */
import type { FileKind } from "../kinds.ts";
import type { ExtractedDocument } from "../model.ts";
import type { Ocr, OcrPage } from "../ocr/ocr.ts";
import { wideBitmap } from "./bmp.ts";
import { imageHeader } from "./image_size.ts";
import { layOut } from "./pdf/layout.ts";
import { NOTHING_DRAWN, type PageContent } from "./pdf/page.ts";
import { tiffPage } from "./tiff.ts";
import { tiffDirectories } from "./tiff_directory.ts";

/** Images seldom say their resolution truly; this one makes a page of a scan at 200 dpi. */
const ASSUMED_DPI = 200;

/** Reads an image. */
export async function readImage(
  bytes: Uint8Array,
  kind: FileKind,
  maxPages: number,
  ocr: Ocr,
): Promise<ExtractedDocument> {
  if (kind === "tiff") return await readTiff(bytes, maxPages, ocr);
  const { width, height, orientation } = imageHeader(bytes, kind);
  const bitmap = kind === "bmp" ? wideBitmap(bytes) : undefined;
  const page = bitmap === undefined
    ? await ocr.file(bytes, 0, ASSUMED_DPI, orientation)
    : await ocr.page(bitmap, 0, ASSUMED_DPI);
  // Orientations from 5 on say themselves that the picture lies on its side.
  const upright = orientation < 5 ? pageOf(page, width, height) : pageOf(page, height, width);
  return { blocks: layOut([upright]), pageCount: 1 };
}

async function readTiff(bytes: Uint8Array, maxPages: number, ocr: Ocr): Promise<ExtractedDocument> {
  const pages: PageContent[] = [];
  for (const [index, directory] of tiffDirectories(bytes, maxPages).entries()) {
    const image = tiffPage(bytes, directory, ASSUMED_DPI);
    const page = await ocr.page(image, index, ASSUMED_DPI);
    pages.push(pageOf(page, image.width, image.height));
  }
  return { blocks: layOut(pages), pageCount: pages.length };
}

function pageOf({ lines, sideways }: OcrPage, width: number, height: number): PageContent {
  const scale = 72 / ASSUMED_DPI;
  return {
    width: (sideways ? height : width) * scale,
    height: (sideways ? width : height) * scale,
    lines,
    ...NOTHING_DRAWN,
  };
}
