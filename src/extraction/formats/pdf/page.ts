/**
 * Content of a page before layout: glyphs in the reading order of their line, rules and pictures.
 */
import type { Box } from "./geometry.ts";

/** Style of a font. */
export interface Face {
  /** Name of the font in the file, without its subset prefix. */
  readonly font: string;
  readonly bold: boolean;
  readonly italic: boolean;
  readonly mono: boolean;
}

/** A character (or, from OCR, a word) with its box. */
export interface Glyph extends Box {
  readonly text: string;
  /** Effective font size, in points. */
  readonly size: number;
  readonly baseline: number;
  readonly face: Face;
  readonly href?: string;
}

/** Glyphs that the file shows as one line, in logical order. This includes right-to-left text. */
export type RawLine = readonly Glyph[];

/** A horizontal or vertical line drawn on the page, or an edge of a box. */
export interface Rule extends Box {
  readonly horizontal: boolean;
}

/** Content of one page. */
export interface PageContent {
  readonly width: number;
  readonly height: number;
  readonly lines: readonly RawLine[];
  readonly rules: readonly Rule[];
  /** Filled boxes: shading, frames and backgrounds. */
  readonly fills: readonly Box[];
  /** Boxes that are drawn as outlines. */
  readonly frames: readonly Box[];
  readonly pictures: readonly Box[];
  /** Small round and square shapes. They are bullets if they precede a line. */
  readonly dots: readonly Box[];
  /** Fraction of the characters, 0 to 1, that their font doesn't map to Unicode. */
  readonly unmapped: number;
}

/** Defaults of a page that contains only lines. */
export const NO_DRAWINGS = {
  rules: [],
  fills: [],
  frames: [],
  pictures: [],
  dots: [],
  unmapped: 0,
} as const satisfies Partial<PageContent>;
