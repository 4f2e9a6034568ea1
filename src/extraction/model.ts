/**
 * The document model produced by all format readers: a flat list of blocks in reading order. List
 * items are flat too and have a level, which is how office formats and pages store them.
 */

/** A run of text in a single style. A line feed in `text` is a forced line break. */
export interface Span {
  readonly text: string;
  readonly bold?: boolean;
  readonly italic?: boolean;
  readonly strike?: boolean;
  readonly code?: boolean;
  /** Whether the text is a LaTeX formula. */
  readonly math?: boolean;
  /** Link target. */
  readonly href?: string;
  /** Label of the note this span refers to. If set, `text` is ignored. */
  readonly note?: string;
}

/** A table cell. `colspan` and `rowspan` default to 1. */
export interface Cell {
  readonly blocks: readonly Block[];
  readonly colspan?: number;
  readonly rowspan?: number;
}

/** A list item. */
export interface ListItem {
  readonly kind: "item";
  /** Nesting level, starting at 0. */
  readonly level: number;
  /** Number in an ordered list. Defaults to a bullet. */
  readonly number?: number;
  /** Identifies the list, in case another one follows directly. */
  readonly list?: string;
  readonly spans: readonly Span[];
}

/** A block in the document. */
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
  /** Text that's already Markdown, written as is. */
  | { readonly kind: "markdown"; readonly text: string }
  /** Marks the start of page `page`, counted from 1. */
  | { readonly kind: "page"; readonly page: number };

/** Result from a format reader. */
export interface ExtractedDocument {
  readonly blocks: readonly Block[];
  /** Number of pages, slides or sheets; absent for formats without any. */
  readonly pageCount?: number;
}

/** Returns a plain-text paragraph. */
export function paragraph(text: string): Block {
  return { kind: "paragraph", spans: [{ text }] };
}

/**
 * Returns a plain-text heading.
 *
 * @param level 1 to 6
 */
export function heading(level: number, text: string): Block {
  return { kind: "heading", level, spans: [{ text }] };
}

/** Returns a plain-text table cell. `colspan` and `rowspan` default to 1. */
export function textCell(text: string, colspan = 1, rowspan = 1): Cell {
  return { blocks: text === "" ? [] : [paragraph(text)], colspan, rowspan };
}

/** Maximum length of a text that's repeated. A longer one isn't a heading or a category. */
const MAX_REPEATED_LENGTH = 200;

/** Checks whether a merged cell's text is written in each of the rows and columns it spans. */
export function isRepeatedInSpan(text: string): boolean {
  return text.length <= MAX_REPEATED_LENGTH;
}

/** Returns a table with plain-text cells. */
export function textTable(rows: readonly (readonly string[])[]): Block {
  return { kind: "table", rows: rows.map((row) => row.map((text) => textCell(text))) };
}

/** Returns the text in spans, minus styles and note references. */
export function plainText(spans: readonly Span[]): string {
  return spans.map((span) => span.note === undefined ? span.text : "").join("");
}

/** Appends `items` to `list`. With many items, `list.push(...items)` would overflow the stack. */
export function append<T>(list: T[], items: readonly T[]): void {
  for (const item of items) list.push(item);
}

/**
 * Returns a table with these `rows` or, if that would be a single cell, just its content: a
 * one-cell table merely frames part of a page.
 */
export function unwrapSingleCell(rows: readonly (readonly Cell[])[]): readonly Block[] {
  const onlyCell = rows.length === 1 && rows[0]?.length === 1 ? rows[0][0] : undefined;
  return onlyCell === undefined ? [{ kind: "table", rows }] : onlyCell.blocks;
}
