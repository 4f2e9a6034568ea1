/** Slide titles, tables and reading order, shared by all presentation formats. */
import type { Block, Cell, Span } from "../../model.ts";
import { plainText } from "../../model.ts";
import { splitIntoColumns } from "../../layout/reading_order.ts";
import { boundingBox, type Box } from "../../layout/geometry.ts";
import { isRightToLeft } from "../../layout/lines/lines.ts";

const MAX_TITLE_CHARACTERS = 100;

/** Minimum line height on a slide, in points. This is the unit for measuring reading order. */
const MIN_LINE_POINTS = 12;

/**
 * Maximum number of parts for column detection, which takes quadratic time. Any more, and the slide
 * is a diagram.
 */
const MAX_ORDERED_PARTS = 200;

/** A shape or group of shapes, with its blocks. */
export interface SlidePart {
  /** Position in points, or `undefined` if the file doesn't specify one. */
  readonly box: Box | undefined;
  readonly blocks: readonly Block[];
}

/** Returns a slide's blocks under its title. Without a title, the first short line is used. */
export function withTitle(title: readonly Span[], blocks: readonly Block[]): Block[] {
  if (plainText(title).trim() !== "") {
    return [{ kind: "heading", level: 1, spans: title }, ...blocks];
  }
  const [first, ...rest] = blocks;
  if (first?.kind !== "paragraph") return [...blocks];
  const text = plainText(first.spans).trim();
  const isTitle = text.length <= MAX_TITLE_CHARACTERS && !text.includes("\n") &&
    !/[.;,]$/.test(text);
  return isTitle ? [{ kind: "heading", level: 1, spans: first.spans }, ...rest] : [...blocks];
}

/**
 * Returns a table on a slide. If the entire first row is bold, we remove the bold formatting, since
 * it usually comes from a table style. PPTX files leave it to the style, so this keeps the formats
 * consistent.
 */
export function slideTable(rows: readonly (readonly Cell[])[]): Block {
  const [header = [], ...rest] = rows;
  const spansOf = (cell: Cell) =>
    cell.blocks.flatMap((block) => "spans" in block ? block.spans : []);
  const isBold = header.every((cell) =>
    spansOf(cell).every((span) => span.bold || span.text.trim() === "")
  );
  if (!isBold) return { kind: "table", rows };
  const plain = header.map((cell) => ({
    ...cell,
    blocks: cell.blocks.map((block): Block =>
      "spans" in block
        ? { ...block, spans: block.spans.map(({ bold: _, ...span }) => span) }
        : block
    ),
  }));
  return { kind: "table", rows: [plain, ...rest] };
}

/** Returns the parts' blocks in reading order, or in file order if any part has no box. */
export function inReadingOrder(parts: readonly SlidePart[]): Block[] {
  // Parts without content (lines, frames, backgrounds) would only bridge gaps between the others.
  const filled = parts.filter((part) => part.blocks.length > 0).map(isolateLists);
  const placed = filled.flatMap(({ box, blocks }) =>
    box === undefined ? [] : [{ ...box, blocks, rightToLeft: isRightToLeft(proseOf(blocks)) }]
  );
  if (placed.length < filled.length) return filled.flatMap((part) => part.blocks);
  if (placed.length === 0) return [];
  if (placed.length > MAX_ORDERED_PARTS) {
    return placed.sort((a, b) => a.top - b.top || a.left - b.left).flatMap((part) => part.blocks);
  }
  const bounds = boundingBox(placed);
  const size = Math.max(MIN_LINE_POINTS, (bounds.bottom - bounds.top) / 40);
  return splitIntoColumns(placed.map((part) => ({ ...part, size })), { keepRows: true })
    .flatMap((column) => column.flatMap((part) => part.blocks));
}

function proseOf(blocks: readonly Block[]): string {
  return blocks.map((block) => "spans" in block ? plainText(block.spans) : "").join(" ");
}

/** Returns a part whose list ids aren't used by any other part. */
function isolateLists({ box, blocks }: SlidePart, index: number): SlidePart {
  return {
    box,
    blocks: blocks.map((block) =>
      block.kind === "item" ? { ...block, list: `${index}/${block.list ?? ""}` } : block
    ),
  };
}

/**
 * Returns the bounding box of all parts that have a box. Used for groups without a position of
 * their own.
 */
export function groupBox(parts: readonly SlidePart[]): Box | undefined {
  const boxes = parts.flatMap(({ box }) => box === undefined ? [] : [box]);
  return boxes.length === 0 ? undefined : boundingBox(boxes);
}
