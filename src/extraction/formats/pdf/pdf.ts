/**
 * Reads PDFs. PDFium provides the text, layout analysis works out the structure, and OCR handles
 * pages without text.
 */
import type { ExtractedDocument } from "../../model.ts";
import { ExtractionError } from "../../error.ts";
import { readPage } from "./content.ts";
import { layOutPages } from "../../layout/layout.ts";
import type { OcrPage } from "../../ocr/ocr.ts";
import { readOutline } from "./outline.ts";
import { NO_DRAWINGS, type PageContent } from "../../layout/page.ts";
import type { GreyImage } from "../../ocr/grey_image.ts";
import { type PdfEngine, PdfFile } from "./pdfium.ts";

/** OCR resolution. 150 dpi loses 3 % of the reading order, while 300 dpi takes twice as long. */
const OCR_DPI = 200;
const MAX_OCR_PIXELS = 25_000_000;
/** Minimum number of letters on a page with a picture. With fewer, the page counts as a scan. */
const MIN_PAGE_LETTERS = 20;
const MAX_UNMAPPED_RATIO = 0.3;
/** Recognizes the text on a page rendered at `dpi`. */
export type PageOcr = (image: GreyImage, page: number, dpi: number) => Promise<OcrPage>;

/** Options for `readPdf()`. */
export interface PdfOptions {
  readonly engine: PdfEngine;
  readonly maxPages: number;
  /** Recognizes scanned pages. By default, OCR is off and scanned pages stay empty. */
  readonly ocr?: PageOcr;
}

/**
 * Returns the blocks in a PDF.
 *
 * @throws {ExtractionError} DOCUMENT_ENCRYPTED, DOCUMENT_CORRUPT or DOCUMENT_PAGE_LIMIT_EXCEEDED if
 *   the PDF can't be read
 */
export async function readPdf(bytes: Uint8Array, options: PdfOptions): Promise<ExtractedDocument> {
  const file = PdfFile.open(bytes, options.engine);
  try {
    return await readPages(file, options);
  } finally {
    file.close();
  }
}

async function readPages(file: PdfFile, options: PdfOptions): Promise<ExtractedDocument> {
  if (file.pageCount > options.maxPages) {
    throw new ExtractionError(
      "DOCUMENT_PAGE_LIMIT_EXCEEDED",
      `The file has ${file.pageCount} pages; at most ${options.maxPages} are accepted`,
    );
  }
  const pages: PageContent[] = [];
  for (let index = 0; index < file.pageCount; index++) {
    pages.push(await readOrRecognizePage(file, index, options.ocr));
  }
  return { blocks: layOutPages(pages, readOutline(file)), pageCount: pages.length };
}

async function readOrRecognizePage(
  file: PdfFile,
  index: number,
  ocr?: PageOcr,
): Promise<PageContent> {
  const page = file.call("FPDF_LoadPage", file.document, index);
  // A page that fails to load is skipped so that the others can still be read.
  if (page === 0) return { width: 0, height: 0, lines: [], ...NO_DRAWINGS };
  const content = readPage(file, page);
  const isScanned = ocr !== undefined && needsOcr(content);
  const width = file.call("FPDF_GetPageWidthF", page);
  const height = file.call("FPDF_GetPageHeightF", page);
  const image = isScanned ? file.render(page, OCR_DPI, MAX_OCR_PIXELS) : undefined;
  file.call("FPDF_ClosePage", page);
  if (image === undefined || ocr === undefined) return content;
  const { lines, rules, sideways } = await ocr(image, index, image.width * 72 / Math.max(1, width));
  if (lines.length === 0) return content;
  const size = sideways ? { width: height, height: width } : { width, height };
  return { ...size, ...NO_DRAWINGS, lines, rules };
}

function needsOcr(content: PageContent): boolean {
  const letters = content.lines.reduce(
    (sum, line) => sum + line.filter((glyph) => glyph.text.trim() !== "").length,
    0,
  );
  const area = content.width * content.height;
  const hasPicture = content.pictures.some((box) =>
    (box.right - box.left) * (box.bottom - box.top) > 0.03 * area
  );
  return (letters < MIN_PAGE_LETTERS && hasPicture) ||
    (letters > 0 && content.unmapped > MAX_UNMAPPED_RATIO);
}
