/**
 * The document model every format reader produces: a flat list of blocks in reading order.
 * Lists are flat items with a level, because that is how office formats and pages store them.
 */

/** A stretch of text in one style. A line feed in `text` is a forced line break. */
export interface Span {
  readonly text: string;
  readonly bold?: boolean;
  readonly italic?: boolean;
  readonly strike?: boolean;
  readonly code?: boolean;
  /** The text is a formula in LaTeX. */
  readonly math?: boolean;
  /** Target of a link. */
  readonly href?: string;
  /** The span is a reference to the note with this label; `text` is ignored. */
  readonly note?: string;
}

/** A table cell; it covers `colspan` columns and `rowspan` rows, both 1 when absent. */
export interface Cell {
  readonly blocks: readonly Block[];
  readonly colspan?: number;
  readonly rowspan?: number;
}

/** One entry of a list. */
export interface ListItem {
  readonly kind: "item";
  /** Depth, 0 at the outermost level. */
  readonly level: number;
  /** The number of an ordered item; absent for a bullet. */
  readonly number?: number;
  /** Items of one list share this; two lists that touch are kept apart by it. */
  readonly list?: string;
  readonly spans: readonly Span[];
}

/** A block of the document. */
export type Block =
  | { readonly kind: "heading"; readonly level: number; readonly spans: readonly Span[] }
  | { readonly kind: "paragraph"; readonly spans: readonly Span[] }
  | ListItem
  | { readonly kind: "table"; readonly rows: readonly (readonly Cell[])[] }
  | { readonly kind: "code"; readonly text: string; readonly language?: string }
  | { readonly kind: "quote"; readonly blocks: readonly Block[] }
  | { readonly kind: "image"; readonly alt: string }
  | { readonly kind: "math"; readonly tex: string }
  | { readonly kind: "note"; readonly label: string; readonly spans: readonly Span[] }
  /** Text that is Markdown already and passes unchanged. */
  | { readonly kind: "markdown"; readonly text: string }
  /** The blocks that follow lie on page `page`, counted from 1. */
  | { readonly kind: "page"; readonly page: number };

/** What a format reader hands over. */
export interface ExtractedDocument {
  readonly blocks: readonly Block[];
  /** Pages, slides or sheets; absent where the format has none. */
  readonly pageCount?: number;
}

/** A paragraph of plain text. */
export function paragraph(text: string): Block {
  return { kind: "paragraph", spans: [{ text }] };
}

/** A heading of plain text; `level` is 1 to 6. */
export function heading(level: number, text: string): Block {
  return { kind: "heading", level, spans: [{ text }] };
}

/** A table cell of plain text. */
export function textCell(text: string, colspan = 1, rowspan = 1): Cell {
  return { blocks: text === "" ? [] : [paragraph(text)], colspan, rowspan };
}

/** A table of plain texts. */
export function textTable(rows: readonly (readonly string[])[]): Block {
  return { kind: "table", rows: rows.map((row) => row.map((text) => textCell(text))) };
}

/** The text of spans without any style. */
export function plainText(spans: readonly Span[]): string {
  return spans.map((span) => span.note === undefined ? span.text : "").join("");
}

/** Puts `more` at the end of `list`. `push(...more)` overflows the stack by its arguments. */
export function append<T>(list: T[], items: readonly T[]): void {
  for (const one of items) list.push(one);
}

/** A table, or, when it is one cell that only frames a piece of the page, what it frames. */
export function unwrapSingleCell(rows: readonly (readonly Cell[])[]): readonly Block[] {
  const only = rows.length === 1 && rows[0]?.length === 1 ? rows[0][0] : undefined;
  return only === undefined ? [{ kind: "table", rows }] : only.blocks;
}
