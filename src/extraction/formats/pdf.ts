/** PDF: text by PDFium, structure by layout, OCR for the pages that hold no text. */
import type { Block, ExtractedDocument } from "../model.ts";
import { plainText } from "../model.ts";
import { ExtractionError } from "../error.ts";
import { alignedTables } from "./pdf/aligned.ts";
import { columnBlocks, type Flow, type Typography } from "./pdf/blocks.ts";
import { readPage } from "./pdf/content.ts";
import { holdsCentre, mode } from "./pdf/geometry.ts";
import { type Piece, pieces } from "./pdf/lines.ts";
import { withoutRunningLines } from "./pdf/margins.ts";
import { intoColumns, type Placed } from "./pdf/order.ts";
import type { PageContent, RawLine } from "./pdf/page.ts";
import { type GreyImage, PdfFile } from "./pdf/pdfium.ts";
import { type PageTable, ruledTables } from "./pdf/ruled.ts";

/** Resolution for OCR: 150 dpi loses 3 % of the order, 300 dpi costs twice the time. */
const OCR_DPI = 200;
const OCR_PIXELS = 25_000_000;
/** A page with fewer letters than this and a picture is taken for a scan. */
const MIN_LETTERS = 20;
const MAX_UNMAPPED = 0.3;
/** A gap of this many font sizes ends a piece of a line. */
const PIECE_GAP = 1.3;

/** Recognizes the text of a rendered page; lines in points of a page at `dpi`. */
export type PageOcr = (image: GreyImage, page: number, dpi: number) => Promise<readonly RawLine[]>;

/** What reading a PDF needs besides its bytes. */
export interface PdfOptions {
  readonly wasm: Uint8Array;
  readonly maxPages: number;
  /** Absent where OCR is off: scanned pages then yield nothing. */
  readonly ocr?: PageOcr;
}

/** Reads a PDF. */
export async function readPdf(bytes: Uint8Array, options: PdfOptions): Promise<ExtractedDocument> {
  const file = await PdfFile.open(bytes, options.wasm);
  if (file.pageCount > options.maxPages) {
    throw new ExtractionError(
      "DOCUMENT_PAGE_LIMIT_EXCEEDED",
      `The file has ${file.pageCount} pages; at most ${options.maxPages} are accepted`,
    );
  }
  const pages: PageContent[] = [];
  for (let index = 0; index < file.pageCount; index++) {
    pages.push(await readOne(file, index, options.ocr));
  }
  file.close();
  return { blocks: layOut(pages), pageCount: pages.length };
}

async function readOne(file: PdfFile, index: number, ocr?: PageOcr): Promise<PageContent> {
  const page = file.call("FPDF_LoadPage", file.document, index);
  // A page that cannot be loaded does not spoil the others.
  if (page === 0) return { width: 0, height: 0, lines: [], rules: [], pictures: [], unmapped: 0 };
  const content = readPage(file, page);
  const scanned = ocr !== undefined && needsOcr(content);
  const width = file.call("FPDF_GetPageWidthF", page);
  const height = file.call("FPDF_GetPageHeightF", page);
  const image = scanned ? file.render(page, OCR_DPI, OCR_PIXELS) : undefined;
  file.call("FPDF_ClosePage", page);
  if (image === undefined || ocr === undefined) return content;
  const lines = await ocr(image, index, image.width * 72 / Math.max(1, width));
  return lines.length === 0
    ? content
    : { width, height, lines, rules: [], pictures: [], unmapped: 0 };
}

function needsOcr(content: PageContent): boolean {
  const letters = content.lines.reduce(
    (sum, line) => sum + line.filter((glyph) => glyph.text.trim() !== "").length,
    0,
  );
  const area = content.width * content.height;
  const pictured = content.pictures.some((box) =>
    (box.right - box.left) * (box.bottom - box.top) > 0.03 * area
  );
  return (letters < MIN_LETTERS && pictured) || (letters > 0 && content.unmapped > MAX_UNMAPPED);
}

function layOut(pages: readonly PageContent[]): Block[] {
  const raw = pages.map((page) => ({ height: page.height, pieces: pieces(page.lines, PIECE_GAP) }));
  const type = typography(raw.flatMap((page) => page.pieces));
  const kept = withoutRunningLines(raw, type.body);
  const blocks: Block[] = [];
  pages.forEach((page, index) => {
    const own = columns(page, kept[index] ?? []).flatMap((flow) => columnBlocks(flow, type));
    if (index === 0) blocks.push(...own);
    else appendPage(blocks, own, index + 1);
  });
  return blocks;
}

/** Appends a page; a paragraph that runs on over the page break is joined. */
function appendPage(blocks: Block[], own: readonly Block[], page: number): void {
  const last = blocks.at(-1);
  const [first, ...rest] = own;
  const mark: Block = { kind: "page", page };
  if (last?.kind === "paragraph" && first?.kind === "paragraph" && runsOn(last, first)) {
    blocks[blocks.length - 1] = {
      kind: "paragraph",
      spans: [...last.spans, { text: " " }, ...first.spans],
    };
    blocks.push(mark, ...rest);
  } else blocks.push(mark, ...own);
}

function runsOn(
  last: Block & { kind: "paragraph" },
  first: Block & { kind: "paragraph" },
): boolean {
  return /[\p{Ll},;–-]$/u.test(plainText(last.spans).trim()) &&
    /^\p{Ll}/u.test(plainText(first.spans).trim());
}

type Part = Placed & { readonly content: Piece | PageTable };

/** The columns of a page in reading order, tables in their place. */
function columns(page: PageContent, found: readonly Piece[]): Flow[] {
  const ruled = ruledTables(page.rules, found);
  const free = found.filter((piece) => !ruled.some((table) => holdsCentre(table.box, piece)));
  const aligned = alignedTables(free, page.rules);
  const loose = free.filter((piece) => !aligned.some((table) => holdsCentre(table.box, piece)));
  const parts: Part[] = [
    ...loose.map((piece) => ({ ...box(piece), content: piece })),
    ...[...ruled, ...aligned].map((table) => ({
      ...table.box,
      size: 12,
      rightToLeft: false,
      content: table,
    })),
  ];
  return intoColumns(parts).map((column) => column.map((part) => part.content));
}

function box(piece: Piece): Placed {
  const { left, top, right, bottom, size, rightToLeft } = piece;
  return { left, top, right, bottom, size, rightToLeft };
}

function typography(found: readonly Piece[]): Typography {
  const sizes = new Map<number, number>();
  const fonts = new Map<string, number>();
  let [letters, bold, mono] = [0, 0, 0];
  for (const piece of found) {
    const weight = piece.text.length;
    sizes.set(piece.size, (sizes.get(piece.size) ?? 0) + weight);
    fonts.set(piece.font, (fonts.get(piece.font) ?? 0) + weight);
    letters += weight;
    if (piece.bold) bold += weight;
    if (piece.glyphs.every((glyph) => glyph.face.mono || glyph.text === " ")) mono += weight;
  }
  const body = mode(sizes) ?? 12;
  const headingSizes = [...sizes.keys()].filter((size) => size > 1.12 * body)
    .sort((a, b) => b - a).slice(0, 5);
  const rareFonts = new Set(
    [...fonts].filter(([, weight]) => weight < 0.12 * letters).map(([font]) => font),
  );
  const bodyFont = [...fonts].reduce((a, b) => b[1] > a[1] ? b : a, ["", 0])[0];
  return {
    body,
    bodyFont,
    rareFonts,
    bodyBold: bold > 0.5 * letters,
    bodyMono: mono > 0.5 * letters,
    headingSizes,
  };
}
