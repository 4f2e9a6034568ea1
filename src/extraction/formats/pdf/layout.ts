/** Pages → blocks: running lines go, tables and columns are found, paragraphs join over pages. */
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

/** A gap of this many font sizes ends a piece of a line. */
const PIECE_GAP_EM = 1.3;

/** Blocks of a document's pages, with a mark where each page after the first begins. */
export function layOutPages(pages: readonly PageContent[]): Block[] {
  const raw = pages.map((page) => ({
    height: page.height,
    pieces: withBullets(splitIntoPieces(page.lines, PIECE_GAP_EM), page.dots),
  }));
  const type = measureTypography(raw.flatMap((page) => page.pieces));
  const kept = withoutRunningLines(raw, type.body);
  const blocks: Block[] = [];
  pages.forEach((page, index) => {
    const own = pageColumns(page, kept[index] ?? []).flatMap((flow) => columnBlocks(flow, type));
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

type LayoutPart = LayoutBox & { readonly content: LinePiece | PageTable | readonly Flow[] };

/** The columns of a page in reading order, tables and frames in their place. */
function pageColumns(page: PageContent, all: readonly LinePiece[]): Flow[] {
  const frames = findTextFrames(page.frames, all, page.rules, page.width * page.height);
  if (frames.length === 0) return orderFlows(page, all, []);
  const framed = new Set(frames.flatMap((frame) => frame.pieces));
  const parts = frames.map((frame): LayoutPart => ({
    ...frame.box,
    size: median(frame.pieces.map((piece) => piece.size)),
    rightToLeft: frame.pieces.every((piece) => piece.rightToLeft),
    content: orderFlows({ ...page, rules: frame.rules }, frame.pieces, []),
  }));
  const rules = withoutFrames(page.rules, frames);
  return orderFlows({ ...page, rules }, all.filter((piece) => !framed.has(piece)), parts);
}

function orderFlows(
  page: PageContent,
  found: readonly LinePiece[],
  frames: readonly LayoutPart[],
): Flow[] {
  const ruled = findRuledTables(page.rules, found, page.fills);
  const free = found.filter((piece) => !ruled.some((table) => containsCentre(table.box, piece)));
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
    let own: (LinePiece | PageTable)[] = [];
    for (const { content } of column) {
      if (!("length" in content)) own.push(content);
      else {
        flows.push(own, ...content);
        own = [];
      }
    }
    return [...flows, own].filter((flow) => flow.length > 0);
  });
}

function toLayoutBox(piece: LinePiece): LayoutBox {
  const { left, top, right, bottom, size, rightToLeft } = piece;
  return { left, top, right, bottom, size, rightToLeft };
}

function measureTypography(found: readonly LinePiece[]): Typography {
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
