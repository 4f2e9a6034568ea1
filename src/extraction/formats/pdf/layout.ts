/** Pages → blocks: running lines go, tables and columns are found, paragraphs join over pages. */
import { type Block, plainText } from "../../model.ts";
import { alignedTables } from "./aligned.ts";
import { withBullets } from "./bullets.ts";
import { columnBlocks, type Flow, type Typography } from "./blocks.ts";
import { textFrames, withoutFrames } from "./frames.ts";
import { holdsCentre, median, mode } from "./geometry.ts";
import { type Piece, pieces } from "./lines.ts";
import { withoutRunningLines } from "./margins.ts";
import { intoColumns, type Placed } from "./order.ts";
import type { PageContent } from "./page.ts";
import { type PageTable, ruledTables } from "./ruled.ts";

/** A gap of this many font sizes ends a piece of a line. */
const PIECE_GAP = 1.3;

/** Blocks of a document's pages, with a mark where each page after the first begins. */
export function layOut(pages: readonly PageContent[]): Block[] {
  const raw = pages.map((page) => ({
    height: page.height,
    pieces: withBullets(pieces(page.lines, PIECE_GAP), page.dots),
  }));
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

type Part = Placed & { readonly content: Piece | PageTable | readonly Flow[] };

/** The columns of a page in reading order, tables and frames in their place. */
function columns(page: PageContent, all: readonly Piece[]): Flow[] {
  const frames = textFrames(page.frames, all, page.rules, page.width * page.height);
  if (frames.length === 0) return orderedFlows(page, all, []);
  const framed = new Set(frames.flatMap((frame) => frame.pieces));
  const parts = frames.map((frame): Part => ({
    ...frame.box,
    size: median(frame.pieces.map((piece) => piece.size)),
    rightToLeft: frame.pieces.every((piece) => piece.rightToLeft),
    content: orderedFlows({ ...page, rules: frame.rules }, frame.pieces, []),
  }));
  const rules = withoutFrames(page.rules, frames);
  return orderedFlows({ ...page, rules }, all.filter((piece) => !framed.has(piece)), parts);
}

function orderedFlows(
  page: PageContent,
  found: readonly Piece[],
  frames: readonly Part[],
): Flow[] {
  const ruled = ruledTables(page.rules, found, page.fills);
  const free = found.filter((piece) => !ruled.some((table) => holdsCentre(table.box, piece)));
  const aligned = alignedTables(free, page.rules);
  const loose = free.filter((piece) => !aligned.some((table) => holdsCentre(table.box, piece)));
  const parts: Part[] = [
    ...frames,
    ...loose.map((piece) => ({ ...box(piece), content: piece })),
    ...[...ruled, ...aligned].map((table) => ({
      ...table.box,
      size: 12,
      rightToLeft: false,
      content: table,
    })),
  ];
  return intoColumns(parts).flatMap((column) => {
    const flows: (readonly (Piece | PageTable)[])[] = [];
    let own: (Piece | PageTable)[] = [];
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
