/**
 * The document model that every format reader produces: a flat list of blocks in reading order.
 * Lists are flat items with a level, because office formats and pages store them that way.
 */

/** A run of text in one style. A line feed in `text` is a forced line break. */
export interface Span {
  readonly text: string;
  readonly bold?: boolean;
  readonly italic?: boolean;
  readonly strike?: boolean;
  readonly code?: boolean;
  /** Whether the text is a LaTeX formula. */
  readonly math?: boolean;
  /** Target of a link. */
  readonly href?: string;
  /** Label of the note that this span refers to. If set, `text` is ignored. */
  readonly note?: string;
}

/** A table cell. `colspan` and `rowspan` default to 1. */
export interface Cell {
  readonly blocks: readonly Block[];
  readonly colspan?: number;
  readonly rowspan?: number;
}

/** An item of a list. */
export interface ListItem {
  readonly kind: "item";
  /** Nesting level, starting at 0. */
  readonly level: number;
  /** Number of an ordered item; absent for a bullet. */
  readonly number?: number;
  /** Identifies the list. It separates two lists that follow each other directly. */
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
  /** Text that is Markdown already and is written unchanged. */
  | { readonly kind: "markdown"; readonly text: string }
  /** Marks the start of page `page`, counted from 1. */
  | { readonly kind: "page"; readonly page: number };

/** Result of a format reader. */
export interface ExtractedDocument {
  readonly blocks: readonly Block[];
  /** Number of pages, slides or sheets; absent for formats that have none. */
  readonly pageCount?: number;
}

/** Returns a paragraph of plain text. */
export function paragraph(text: string): Block {
  return { kind: "paragraph", spans: [{ text }] };
}

/**
 * Returns a heading of plain text.
 *
 * @param level 1 to 6
 */
export function heading(level: number, text: string): Block {
  return { kind: "heading", level, spans: [{ text }] };
}

/** Returns a table cell of plain text. `colspan` and `rowspan` default to 1. */
export function textCell(text: string, colspan = 1, rowspan = 1): Cell {
  return { blocks: text === "" ? [] : [paragraph(text)], colspan, rowspan };
}

/** Returns a table of plain text cells. */
export function textTable(rows: readonly (readonly string[])[]): Block {
  return { kind: "table", rows: rows.map((row) => row.map((text) => textCell(text))) };
}

/** Returns the text of spans without styles and note references. */
export function plainText(spans: readonly Span[]): string {
  return spans.map((span) => span.note === undefined ? span.text : "").join("");
}

/** Appends `items` to `list`. `list.push(...items)` overflows the stack if there are many items. */
export function append<T>(list: T[], items: readonly T[]): void {
  for (const item of items) list.push(item);
}

/**
 * Returns a table of `rows`, or the content of its only cell if there is just one: such a table
 * only frames part of a page.
 */
export function unwrapSingleCell(rows: readonly (readonly Cell[])[]): readonly Block[] {
  const onlyCell = rows.length === 1 && rows[0]?.length === 1 ? rows[0][0] : undefined;
  return onlyCell === undefined ? [{ kind: "table", rows }] : onlyCell.blocks;
}
