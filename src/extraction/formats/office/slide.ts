/** What slides of all formats share: their title, their tables, the order of what lies on them. */
import type { Block, Cell, Span } from "../../model.ts";
import { plainText } from "../../model.ts";
import { splitIntoColumns } from "../pdf/reading_order.ts";
import { boundingBox, type Box } from "../pdf/geometry.ts";
import { isRightToLeft } from "../pdf/lines.ts";

const MAX_TITLE_CHARACTERS = 100;

/** Points that a line of a slide has at least: the unit that order is measured in. */
const MIN_LINE_POINTS = 12;

/** A slide of more parts is a diagram: no columns are looked for, at the square of their number. */
const MAX_ORDERED_PARTS = 200;

/** A shape, or a group of shapes, with what it says; no box where the file doesn't place it. */
export interface SlidePart {
  /** In points. */
  readonly box: Box | undefined;
  readonly blocks: readonly Block[];
}

/** Blocks of a slide under its title. A slide without one is titled by its first short line. */
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
 * A table of a slide. Bold type throughout the first row is what a style of tables draws it with;
 * only PPTX leaves it to the style, so that it is left out of all.
 */
export function slideTable(rows: readonly (readonly Cell[])[]): Block {
  const [head = [], ...rest] = rows;
  const spansOf = (cell: Cell) =>
    cell.blocks.flatMap((block) => "spans" in block ? block.spans : []);
  const isStyled = head.every((cell) =>
    spansOf(cell).every((span) => span.bold || span.text.trim() === "")
  );
  if (!isStyled) return { kind: "table", rows };
  const plain = head.map((cell) => ({
    ...cell,
    blocks: cell.blocks.map((block): Block =>
      "spans" in block
        ? { ...block, spans: block.spans.map(({ bold: _, ...span }) => span) }
        : block
    ),
  }));
  return { kind: "table", rows: [plain, ...rest] };
}

/** Blocks of parts in reading order by their boxes; as they come when one of them has no box. */
export function inReadingOrder(parts: readonly SlidePart[]): Block[] {
  // What says nothing (lines, frames, backgrounds) would only bridge the gaps between the rest.
  const telling = parts.filter((part) => part.blocks.length > 0).map(isolateLists);
  const placed = telling.flatMap(({ box, blocks }) =>
    box === undefined ? [] : [{ ...box, blocks, rightToLeft: isRightToLeft(proseOf(blocks)) }]
  );
  if (placed.length < telling.length) return telling.flatMap((part) => part.blocks);
  if (placed.length === 0) return [];
  if (placed.length > MAX_ORDERED_PARTS) {
    return placed.sort((a, b) => a.top - b.top || a.left - b.left).flatMap((one) => one.blocks);
  }
  const whole = boundingBox(placed);
  const size = Math.max(MIN_LINE_POINTS, (whole.bottom - whole.top) / 40);
  return splitIntoColumns(placed.map((one) => ({ ...one, size })), { keepRows: true })
    .flatMap((column) => column.flatMap((one) => one.blocks));
}

function proseOf(blocks: readonly Block[]): string {
  return blocks.map((block) => "spans" in block ? plainText(block.spans) : "").join(" ");
}

/** A part whose lists go on in no other part. */
function isolateLists({ box, blocks }: SlidePart, index: number): SlidePart {
  return {
    box,
    blocks: blocks.map((block) =>
      block.kind === "item" ? { ...block, list: `${index}/${block.list ?? ""}` } : block
    ),
  };
}

/** The box around those of `parts` that have one: where a group lies that doesn't say it. */
export function groupBox(parts: readonly SlidePart[]): Box | undefined {
  const boxes = parts.flatMap(({ box }) => box === undefined ? [] : [box]);
  return boxes.length === 0 ? undefined : boundingBox(boxes);
}
