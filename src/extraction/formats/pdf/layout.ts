/**
 * Converts pages to blocks: removes running lines, finds tables and columns, and joins paragraphs
 * across pages.
 */
import { type Block, plainText } from "../../model.ts";
import { findAlignedTables } from "./aligned_tables.ts";
import { withBullets } from "./bullets.ts";
import { columnBlocks, type Flow, type Typography } from "./blocks.ts";
import { findTextFrames, withoutFrames } from "./frames.ts";
import { containsCentre, median, mode } from "./geometry.ts";
import { type LinePiece, splitIntoPieces } from "./lines.ts";
import { withoutRunningLines } from "./running_lines.ts";
import { type LayoutBox, splitIntoColumns } from "./reading_order.ts";
import type { PageContent } from "./page.ts";
import { findRuledTables, type PageTable } from "./ruled_tables.ts";

/** Maximum gap within a piece of a line, in font sizes. */
const PIECE_GAP_EM = 1.3;

/** Returns a document's blocks, with a mark at the start of each page after the first. */
export function layOutPages(pages: readonly PageContent[]): Block[] {
  const pagePieces = pages.map((page) => ({
    height: page.height,
    pieces: withBullets(splitIntoPieces(page.lines, PIECE_GAP_EM), page.dots),
  }));
  const typography = measureTypography(pagePieces.flatMap((page) => page.pieces));
  const contentPieces = withoutRunningLines(pagePieces, typography.body);
  const blocks: Block[] = [];
  pages.forEach((page, index) => {
    const pageBlocks = pageColumns(page, contentPieces[index] ?? []).flatMap((flow) =>
      columnBlocks(flow, typography)
    );
    if (index === 0) blocks.push(...pageBlocks);
    else appendPage(blocks, pageBlocks, index + 1);
  });
  return blocks;
}

/**
 * Appends a page's blocks. If a paragraph continues across the page break, its parts are joined.
 */
function appendPage(blocks: Block[], pageBlocks: readonly Block[], page: number): void {
  const last = blocks.at(-1);
  const [first, ...rest] = pageBlocks;
  const mark: Block = { kind: "page", page };
  if (
    last?.kind === "paragraph" && first?.kind === "paragraph" && continuesAcrossPages(last, first)
  ) {
    blocks[blocks.length - 1] = {
      kind: "paragraph",
      spans: [...last.spans, { text: " " }, ...first.spans],
    };
    blocks.push(mark, ...rest);
  } else blocks.push(mark, ...pageBlocks);
}

function continuesAcrossPages(
  last: Block & { kind: "paragraph" },
  first: Block & { kind: "paragraph" },
): boolean {
  return /[\p{Ll},;–-]$/u.test(plainText(last.spans).trim()) &&
    /^\p{Ll}/u.test(plainText(first.spans).trim());
}

type LayoutPart = LayoutBox & { readonly content: LinePiece | PageTable | readonly Flow[] };

/** Returns a page's columns in reading order, including tables and frames. */
function pageColumns(page: PageContent, pieces: readonly LinePiece[]): Flow[] {
  const frames = findTextFrames(page.frames, pieces, page.rules, page.width * page.height);
  if (frames.length === 0) return orderFlows(page, pieces, []);
  const framed = new Set(frames.flatMap((frame) => frame.pieces));
  const parts = frames.map((frame): LayoutPart => ({
    ...frame.box,
    size: median(frame.pieces.map((piece) => piece.size)),
    rightToLeft: frame.pieces.every((piece) => piece.rightToLeft),
    content: orderFlows({ ...page, rules: frame.rules }, frame.pieces, []),
  }));
  const rules = withoutFrames(page.rules, frames);
  return orderFlows({ ...page, rules }, pieces.filter((piece) => !framed.has(piece)), parts);
}

function orderFlows(
  page: PageContent,
  pieces: readonly LinePiece[],
  frames: readonly LayoutPart[],
): Flow[] {
  const ruled = findRuledTables(page.rules, pieces, page.fills);
  const free = pieces.filter((piece) => !ruled.some((table) => containsCentre(table.box, piece)));
  const aligned = findAlignedTables(free, page.rules);
  const loose = free.filter((piece) => !aligned.some((table) => containsCentre(table.box, piece)));
  const parts: LayoutPart[] = [
    ...frames,
    ...loose.map((piece) => ({ ...toLayoutBox(piece), content: piece })),
    ...[...ruled, ...aligned].map((table) => ({
      ...table.box,
      size: 12,
      rightToLeft: false,
      content: table,
    })),
  ];
  return splitIntoColumns(parts).flatMap((column) => {
    const flows: (readonly (LinePiece | PageTable)[])[] = [];
    let flow: (LinePiece | PageTable)[] = [];
    for (const { content } of column) {
      if (!("length" in content)) flow.push(content);
      else {
        flows.push(flow, ...content);
        flow = [];
      }
    }
    return [...flows, flow].filter((flow) => flow.length > 0);
  });
}

function toLayoutBox(piece: LinePiece): LayoutBox {
  const { left, top, right, bottom, size, rightToLeft } = piece;
  return { left, top, right, bottom, size, rightToLeft };
}

function measureTypography(pieces: readonly LinePiece[]): Typography {
  const sizes = new Map<number, number>();
  const fonts = new Map<string, number>();
  let [letterCount, boldCount, monoCount] = [0, 0, 0];
  for (const piece of pieces) {
    const weight = piece.text.length;
    sizes.set(piece.size, (sizes.get(piece.size) ?? 0) + weight);
    fonts.set(piece.font, (fonts.get(piece.font) ?? 0) + weight);
    letterCount += weight;
    if (piece.bold) boldCount += weight;
    if (piece.glyphs.every((glyph) => glyph.face.mono || glyph.text === " ")) monoCount += weight;
  }
  const body = mode(sizes) ?? 12;
  const headingSizes = [...sizes.keys()].filter((size) => size > 1.12 * body)
    .sort((a, b) => b - a).slice(0, 5);
  const rareFonts = new Set(
    [...fonts].filter(([, weight]) => weight < 0.12 * letterCount).map(([font]) => font),
  );
  const bodyFont = [...fonts].reduce((a, b) => b[1] > a[1] ? b : a, ["", 0])[0];
  return {
    body,
    bodyFont,
    rareFonts,
    bodyBold: boldCount > 0.5 * letterCount,
    bodyMono: monoCount > 0.5 * letterCount,
    headingSizes,
  };
}
