/** Page content before layout: glyphs in the reading order of their line, rules and pictures. */
import type { Box } from "./geometry.ts";

/** Font style. */
export interface Face {
  /** Name of the font in the file, without the subset prefix. */
  readonly font: string;
  readonly bold: boolean;
  readonly italic: boolean;
  readonly mono: boolean;
  /** Fill colour as 0xRRGGBB. Defaults to black. */
  readonly color?: number;
  readonly smallCapitals?: boolean;
}

/** A cell's position in a tagged table. */
export interface CellTag {
  /** Table number within the page. */
  readonly table: number;
  readonly row: number;
  /** Position in the row, not counting the columns that other cells span. */
  readonly index: number;
  readonly colspan: number;
  readonly rowspan: number;
}

/** The innermost block that contains some marked content. */
export interface BlockTag {
  /** Unique within the page. */
  readonly id: number;
  readonly kind: "heading" | "paragraph" | "item" | "caption" | "contents" | "figure";
  /** Level of a heading from 1, or of a list item from 0. */
  readonly level: number;
  readonly cell?: CellTag;
}

/** A character (a word in the case of OCR) with its box. */
export interface Glyph extends Box {
  readonly text: string;
  /** Effective font size, in points. */
  readonly size: number;
  readonly baseline: number;
  readonly face: Face;
  readonly href?: string;
  /** Block that it belongs to, in a tagged PDF. */
  readonly tag?: BlockTag;
}

/**
 * Glyphs on one line, going by the file. In logical order even if the text runs from right to left.
 */
export type RawLine = readonly Glyph[];

/** A horizontal or vertical line drawn on the page, or the edge of a box. */
export interface Rule extends Box {
  readonly horizontal: boolean;
}

/** Content of a single page. */
export interface PageContent {
  readonly width: number;
  readonly height: number;
  readonly lines: readonly RawLine[];
  /** Lines at the side of the page's text that run upwards or downwards, as if they were level. */
  readonly sides: readonly RawLine[];
  readonly rules: readonly Rule[];
  /** Filled boxes: shading, frames and backgrounds. */
  readonly fills: readonly Box[];
  /** Outlined boxes. */
  readonly frames: readonly Box[];
  readonly pictures: readonly Box[];
  /** Small round and square shapes. In front of a line, they're bullets. */
  readonly dots: readonly Box[];
  /** Fraction of characters, 0 to 1, that their font doesn't map to Unicode. */
  readonly unmapped: number;
}

/** Defaults for a page with nothing but lines. */
export const NO_DRAWINGS = {
  sides: [],
  rules: [],
  fills: [],
  frames: [],
  pictures: [],
  dots: [],
  unmapped: 0,
} as const satisfies Partial<PageContent>;
