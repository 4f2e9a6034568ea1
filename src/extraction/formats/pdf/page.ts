/** What a page holds before any layout: glyphs in reading order of their line, rules, pictures. */
import type { Box } from "./geometry.ts";

/** How a font looks. */
export interface Face {
  /** The name of the font in the file, without the prefix of its subset. */
  readonly font: string;
  readonly bold: boolean;
  readonly italic: boolean;
  readonly mono: boolean;
}

/** A character (or, from OCR, a word) at its place. */
export interface Glyph extends Box {
  readonly text: string;
  /** Effective font size in points. */
  readonly size: number;
  readonly baseline: number;
  readonly face: Face;
  readonly href?: string;
}

/** Glyphs that the file shows as one line, in logical order: right-to-left text included. */
export type RawLine = readonly Glyph[];

/** A horizontal or vertical line drawn on the page, or the edge of a box. */
export interface Rule extends Box {
  readonly horizontal: boolean;
}

/** One page. */
export interface PageContent {
  readonly width: number;
  readonly height: number;
  readonly lines: readonly RawLine[];
  readonly rules: readonly Rule[];
  /** Boxes that are filled: shades, frames and backgrounds. */
  readonly fills: readonly Box[];
  /** Boxes that are drawn by their edges. */
  readonly frames: readonly Box[];
  readonly pictures: readonly Box[];
  /** Small round and square figures: bullets, where they stand before a line. */
  readonly dots: readonly Box[];
  /** Part of the characters, 0 to 1, whose font does not say what they mean. */
  readonly unmapped: number;
}

/** What a page has beside its lines when nothing is drawn on it. */
export const NO_DRAWINGS = {
  rules: [],
  fills: [],
  frames: [],
  pictures: [],
  dots: [],
  unmapped: 0,
} as const satisfies Partial<PageContent>;
