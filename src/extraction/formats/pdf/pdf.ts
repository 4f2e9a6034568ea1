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
import { type Box, containsCentre } from "../../layout/geometry.ts";
import { NO_DRAWINGS, type PageContent, type RawLine } from "../../layout/page.ts";
import { swapsWidthAndHeight } from "../../ocr/orientation.ts";
import type { GreyImage } from "../../ocr/grey_image.ts";
import { type PdfEngine, PdfFile } from "./pdfium.ts";

/** OCR resolution. 150 dpi loses 3 % of the reading order, while 300 dpi takes twice as long. */
const OCR_DPI = 200;
const MAX_OCR_PIXELS = 25_000_000;
/** Minimum number of letters on a page with a picture. With fewer, the page counts as a scan. */
const MIN_PAGE_LETTERS = 20;
/** The picture's size, as a fraction of the page, for a page with fewer letters than that. */
const MIN_PICTURE_SHARE = 0.03;
/**
 * Number of letters that programs stamp on a scan, such as the line of a court or a fax machine,
 * and the size of the picture below them.
 */
const MAX_STAMP_LETTERS = 200;
const MIN_STAMPED_SHARE = 0.6;
/** Minimum fraction of light pixels on a stamped scan. Other pictures are photos behind a text. */
const MIN_PAPER_SHARE = 0.5;
const MIN_PAPER_GREY = 160;
const MAX_UNMAPPED_RATIO = 0.3;
/** Maximum height of a recognized word relative to the same word in the text, and vice versa. */
const MAX_HEIGHT_RATIO = 3;
/** Minimum number of recognized words under a watermark. */
const MIN_WATERMARKED_WORDS = 3;
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
  try {
    const content = readPage(file, page);
    const kind = ocr === undefined ? "text" : kindOf(content);
    if (ocr === undefined || kind === "text") return content;
    return await recognizePage(file, { page, index, kind }, ocr) ?? content;
  } finally {
    file.call("FPDF_ClosePage", page);
  }
}

/** A page to recognize, or one that may be a scan with a stamp. */
interface ScannedPage {
  readonly page: number;
  readonly index: number;
  readonly kind: "scan" | "stamped" | "unmapped";
}

/**
 * Returns a page as recognized, with its text in place of what was recognized of it. Returns
 * undefined if there isn't anything else on it.
 */
async function recognizePage(
  file: PdfFile,
  { page, index, kind }: ScannedPage,
  ocr: PageOcr,
): Promise<PageContent | undefined> {
  const [width, height] = [
    file.call("FPDF_GetPageWidthF", page),
    file.call("FPDF_GetPageHeightF", page),
  ];
  const image = file.render(page, OCR_DPI, MAX_OCR_PIXELS);
  if (kind === "stamped" && !isPaper(image)) return undefined;
  const { lines, rules, turn } = await ocr(image, index, image.width * 72 / Math.max(1, width));
  // Text whose font maps nothing to Unicode can only be read in the picture.
  const text = kind === "unmapped" || lines.length === 0 ? [] : readPage(file, page, turn).lines;
  const recognized = withoutWordsAt(text, lines);
  const letters = recognized.flat().reduce((sum, word) => sum + word.text.trim().length, 0);
  if (letters < (kind === "stamped" ? MIN_PAGE_LETTERS : 1)) return undefined;
  const size = swapsWidthAndHeight(turn) ? { width: height, height: width } : { width, height };
  const placed = text.map((line) => isWatermark(line, recognized) ? aboveThePage(line) : line);
  return { ...size, ...NO_DRAWINGS, lines: [...placed, ...recognized], rules };
}

function kindOf(content: PageContent): "text" | ScannedPage["kind"] {
  const letters = content.lines.flat().filter((glyph) => glyph.text.trim() !== "").length;
  if (letters > 0 && content.unmapped > MAX_UNMAPPED_RATIO) return "unmapped";
  const area = content.width * content.height;
  const hasPicture = (minShare: number) =>
    content.pictures.some((box) =>
      (box.right - box.left) * (box.bottom - box.top) > minShare * area
    );
  if (letters < MIN_PAGE_LETTERS && hasPicture(MIN_PICTURE_SHARE)) return "scan";
  return letters < MAX_STAMP_LETTERS && hasPicture(MIN_STAMPED_SHARE) ? "stamped" : "text";
}

/**
 * Returns the recognized lines without the words that are at the same position in the text. Text of
 * another size, such as a watermark, is over other words.
 */
function withoutWordsAt(text: readonly RawLine[], recognized: readonly RawLine[]): RawLine[] {
  const letters = text.flat().filter((letter) => letter.text.trim() !== "");
  const isSame = (word: Box, letter: Box) =>
    hasSimilarHeight(word, letter) &&
    (containsCentre(word, letter) || containsCentre(letter, word));
  return recognized.map((line) =>
    line.filter((word) => !letters.some((letter) => isSame(word, letter)))
  ).filter((line) => line.some((word) => word.text.trim() !== ""));
}

/** Checks whether a line of the text is over recognized words of another size. */
function isWatermark(line: RawLine, recognized: readonly RawLine[]): boolean {
  const over = recognized.flat().filter((word) =>
    line.some((letter) => containsCentre(letter, word) && !hasSimilarHeight(letter, word))
  );
  return over.length >= MIN_WATERMARKED_WORDS;
}

/** Moves a line above the page, since its letters would end up between the words below them. */
function aboveThePage(line: RawLine): RawLine {
  const bottom = Math.max(...line.map((letter) => letter.bottom));
  return line.map((letter) => ({
    ...letter,
    top: letter.top - bottom,
    bottom: letter.bottom - bottom,
    baseline: letter.baseline - bottom,
  }));
}

function hasSimilarHeight(a: Box, b: Box): boolean {
  const [heightA, heightB] = [a.bottom - a.top, b.bottom - b.top];
  return heightA < MAX_HEIGHT_RATIO * heightB && heightB < MAX_HEIGHT_RATIO * heightA;
}

function isPaper({ pixels }: GreyImage): boolean {
  const light = pixels.reduce((count, grey) => count + Number(grey > MIN_PAPER_GREY), 0);
  return light > MIN_PAPER_SHARE * pixels.length;
}
