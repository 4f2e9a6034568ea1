/** Images: OCR, then the same layout as for PDF pages. TIFF may hold many pages. */
import * as utif from "utif2";
import { corrupt, ExtractionError } from "../error.ts";
import type { FileKind } from "../kinds.ts";
import type { ExtractedDocument } from "../model.ts";
import type { Ocr, OcrPage } from "../ocr/ocr.ts";
import { imageHeader, refuseHuge } from "./image_size.ts";
import { layOut } from "./pdf/layout.ts";
import type { PageContent } from "./pdf/page.ts";
import type { GreyImage } from "./pdf/pdfium.ts";

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
  const page = await ocr.file(bytes, 0, ASSUMED_DPI, orientation);
  // Orientations from 5 on say themselves that the picture lies on its side.
  const upright = orientation < 5 ? pageOf(page, width, height) : pageOf(page, height, width);
  return { blocks: layOut([upright]), pageCount: 1 };
}

async function readTiff(bytes: Uint8Array, maxPages: number, ocr: Ocr): Promise<ExtractedDocument> {
  const buffer = bytes.slice().buffer;
  const directories = decodeDirectories(buffer);
  if (directories.length > maxPages) {
    throw new ExtractionError(
      "DOCUMENT_PAGE_LIMIT_EXCEEDED",
      `The file has ${directories.length} pages; at most ${maxPages} are accepted`,
    );
  }
  const pages: PageContent[] = [];
  for (const [index, directory] of directories.entries()) {
    const image = tiffPage(buffer, directory);
    const page = await ocr.page(image, index, ASSUMED_DPI);
    pages.push(pageOf(page, image.width, image.height));
  }
  return { blocks: layOut(pages), pageCount: pages.length };
}

function decodeDirectories(buffer: ArrayBuffer): utif.IFD[] {
  try {
    return utif.decode(buffer).filter((one) => one["t256"] !== undefined);
  } catch (error) {
    throw corrupt("The TIFF directory is damaged", error);
  }
}

function tiffPage(buffer: ArrayBuffer, directory: utif.IFD): GreyImage {
  const declared = (tag: string) => {
    const value: unknown = directory[tag];
    return Array.isArray(value) || ArrayBuffer.isView(value) ? Number(Reflect.get(value, 0)) : 0;
  };
  refuseHuge(declared("t256"), declared("t257"));
  let rgba: Uint8Array;
  try {
    utif.decodeImage(buffer, directory);
    rgba = utif.toRGBA8(directory);
  } catch (error) {
    throw corrupt("A page of the TIFF cannot be decoded", error);
  }
  const { width, height } = directory;
  const pixels = new Uint8Array(width * height);
  for (let at = 0, from = 0; at < pixels.length; at++, from += 4) {
    pixels[at] =
      ((rgba[from] ?? 0) * 77 + (rgba[from + 1] ?? 0) * 150 + (rgba[from + 2] ?? 0) * 29) >> 8;
  }
  return { width, height, pixels };
}

function pageOf({ lines, sideways }: OcrPage, width: number, height: number): PageContent {
  const scale = 72 / ASSUMED_DPI;
  return {
    width: (sideways ? height : width) * scale,
    height: (sideways ? width : height) * scale,
    lines,
    rules: [],
    pictures: [],
    unmapped: 0,
  };
}
