/**
 * Uses the tags of a tagged PDF where they can be trusted. Some programs tag every line as a
 * paragraph, or whole pages as a heading; such tags are ignored.
 */
import type { Cell } from "../model.ts";
import { plainText, textCell } from "../model.ts";
import { paragraphSpans } from "./blocks/blocks.ts";
import { boundingBox, type Box } from "./geometry.ts";
import type { LinePiece } from "./lines/lines.ts";
import type { Glyph, PageContent, RawLine } from "./page.ts";
import type { PageTable } from "./tables/ruled_tables.ts";

/** Minimum fraction of letters with a tag. */
const MIN_COVERAGE = 0.9;
/** Maximum fraction of letters in headings. */
const MAX_HEADING_SHARE = 0.3;
/** Maximum fraction of paragraphs that start in the middle of a sentence. */
const MAX_BROKEN_SHARE = 0.12;
/** Maximum distance between the first lines of the cells in a row, in font sizes. */
const MAX_ROW_OFFSET_EM = 8;
/** Height of the top and bottom margins, as a fraction of the page height. */
const MARGIN_SHARE = 0.13;

/**
 * Returns the pages with their lines cut where the tag changes, and without the text in the margins
 * that has no tag, such as page numbers. If the tags can't be trusted, they're removed.
 */
export function withTrustedTags(pages: readonly PageContent[]): readonly PageContent[] {
  if (!pages.some((page) => page.lines.some((line) => line.some((glyph) => glyph.tag)))) {
    return pages;
  }
  const isTrusted = areTrusted(pages.flatMap((page) => page.lines));
  return pages.map((page) => ({
    ...page,
    lines: isTrusted
      ? page.lines.flatMap(splitAtTags).filter((line) => !isMarginArtifact(line, page.height))
      : page.lines.map((line) => line.map(({ tag: _, ...glyph }) => glyph)),
  }));
}

function areTrusted(lines: readonly RawLine[]): boolean {
  let [letters, tagged, inHeadings, starts, broken] = [0, 0, 0, 0, 0];
  let last: Glyph["tag"];
  for (const glyph of lines.flat()) {
    if (!/\p{L}/u.test(glyph.text)) continue;
    letters++;
    if (glyph.tag === undefined) continue;
    tagged++;
    if (glyph.tag.kind === "heading") inHeadings++;
    if (glyph.tag !== last && glyph.tag.kind === "paragraph" && glyph.tag.cell === undefined) {
      starts++;
      if (/\p{Ll}/u.test(glyph.text)) broken++;
    }
    last = glyph.tag;
  }
  return tagged >= MIN_COVERAGE * letters && inHeadings <= MAX_HEADING_SHARE * letters &&
    broken <= Math.max(1, MAX_BROKEN_SHARE * starts);
}

function splitAtTags(line: RawLine): RawLine[] {
  const parts: Glyph[][] = [];
  let last: Glyph["tag"];
  for (const glyph of line) {
    const isSpace = glyph.text.trim() === "";
    if (parts.length === 0 || (!isSpace && glyph.tag !== last)) parts.push([]);
    if (!isSpace) last = glyph.tag;
    parts.at(-1)!.push(glyph);
  }
  return parts;
}

function isMarginArtifact(line: RawLine, height: number): boolean {
  const [first] = line;
  return first !== undefined && line.every((glyph) => glyph.tag === undefined) &&
    (first.bottom < MARGIN_SHARE * height || first.top > (1 - MARGIN_SHARE) * height);
}

/** A tagged table and the pieces in it, which may be anywhere on the page. */
export interface TaggedTable extends PageTable {
  readonly pieces: readonly LinePiece[];
}

/** Returns the tables among `pieces` that are tagged as such and have rows and columns. */
export function findTaggedTables(pieces: readonly LinePiece[]): TaggedTable[] {
  const tables = new Map<number, LinePiece[]>();
  for (const piece of pieces) {
    const table = piece.tag?.cell?.table;
    if (table === undefined) continue;
    const inTable = tables.get(table);
    if (inTable === undefined) tables.set(table, [piece]);
    else inTable.push(piece);
  }
  return [...tables.values()].flatMap((inTable) => {
    const rows = tableRows(inTable);
    const isTable = rows.length > 1 && rows.some((row) => row.length > 1);
    return isTable ? [{ box: firstPart(inTable), rows, pieces: inTable }] : [];
  });
}

/** Returns the box of a table, up to where it continues at the top of the next column. */
function firstPart(pieces: readonly LinePiece[]): Box {
  const ordered = [...pieces].sort((a, b) => a.tag!.cell!.row - b.tag!.cell!.row);
  const end = ordered.findIndex((piece, index) =>
    index > 0 && piece.baseline < ordered[index - 1]!.baseline - MAX_ROW_OFFSET_EM * piece.size
  );
  return boundingBox(end < 0 ? ordered : ordered.slice(0, end));
}

/** The text in each cell of a row, by the cell's position in the row. */
type TaggedRow = ReadonlyMap<number, readonly LinePiece[]>;

function tableRows(pieces: readonly LinePiece[]): Cell[][] {
  const rows: Map<number, LinePiece[]>[] = [];
  for (const piece of pieces) {
    const { row, index } = piece.tag!.cell!;
    const cells = rows[row] ??= new Map();
    const cell = cells.get(index);
    if (cell === undefined) cells.set(index, [piece]);
    else cell.push(piece);
  }
  return withEmptyCells(rows.filter((row) => row !== undefined)).map((row) => {
    const count = Math.max(...row.keys()) + 1;
    return Array.from({ length: count }, (_, index) => {
      const cell = row.get(index) ?? [];
      const tag = cell[0]?.tag?.cell;
      return textCell(
        plainText(paragraphSpans(sortedLines(cell))),
        tag?.colspan ?? 1,
        tag?.rowspan ?? 1,
      );
    });
  });
}

/**
 * Returns rows with each cell in its column. Some programs don't tag empty cells, so the cells after
 * one are counted too low. Cells in rows without empty cells show where the columns are.
 */
function withEmptyCells(rows: readonly TaggedRow[]): readonly TaggedRow[] {
  const count = Math.max(...rows.map((row) => row.size));
  const isComplete = rows.some((row) =>
    Math.max(...row.keys()) >= row.size ||
    row.values().some(([piece]) => piece!.tag!.cell!.colspan * piece!.tag!.cell!.rowspan > 1)
  );
  const full = rows.filter((row) => row.size === count);
  const columns = Array.from(
    { length: count },
    (_, index) => boundingBox(full.flatMap((row) => row.get(index) ?? [])),
  );
  const areApart = columns.toSorted((a, b) => a.left - b.left)
    .every((column, index, sorted) => index === 0 || column.left >= sorted[index - 1]!.right);
  if (isComplete || !areApart) return rows;
  return rows.map((row) => {
    const placed = new Map(
      row.values().map((cell) => [columnOf(boundingBox(cell), columns), cell] as const),
    );
    return placed.size === row.size ? placed : row;
  });
}

/** Returns the column that a box covers most of, or the nearest one. */
function columnOf(box: Box, columns: readonly Box[]): number {
  const shares = columns.map((column) => {
    const overlap = Math.min(box.right, column.right) - Math.max(box.left, column.left);
    const width = Math.min(box.right - box.left, column.right - column.left);
    return overlap > 0 ? overlap / width : overlap;
  });
  return shares.indexOf(Math.max(...shares));
}

function sortedLines(pieces: readonly LinePiece[]): LinePiece[] {
  return [...pieces].sort((a, b) =>
    Math.abs(a.baseline - b.baseline) > 2 ? a.baseline - b.baseline : a.left - b.left
  );
}
