/** Outline of a document, as a scanner builds it: where it can be cut, and its headings. */

import { MIN_CUT_SPACING } from "./sizes.ts";

/**
 * How a piece between two cuts can be cut further. `prose` is cut at sentences if it exceeds the
 * target size. `item` (a list item, row or member) and `code` are kept whole up to the maximum
 * size, then cut at sentences or lines.
 */
export type PieceKind = "prose" | "item" | "code";

/**
 * Piece of a document: its first position, the cost of a cut before it, and how it is cut further.
 */
export interface Piece {
  readonly start: number;
  readonly cost: number;
  readonly kind: PieceKind;
  /** Start of the body. If a heading precedes it, no cut is allowed between the two. */
  readonly body: number;
}

/** Heading: the position from which it applies, its level (1 to 6), and its title as written. */
export interface Heading {
  readonly start: number;
  readonly level: number;
  readonly title: string;
}

type OpenPiece = { -readonly [Field in keyof Piece]: Piece[Field] };

/**
 * Pieces and headings of a document, collected in order by a scanner. Pieces are never blank, never
 * closer to each other than {@link MIN_CUT_SPACING}, and the first one begins at 0.
 */
export class Outline {
  readonly headings: Heading[] = [];
  // Modified in place: a document that consists only of marks opens half a million pieces that are
  // too close to each other.
  #last: OpenPiece;
  readonly #pieces: Piece[];

  /**
   * Creates an empty outline.
   *
   * @param plainTitle removes the marks of the format from a title; only called for titles that are
   *   used
   */
  constructor(readonly plainTitle: (title: string) => string = (title) => title) {
    this.#last = { start: 0, cost: 0, kind: "prose", body: 0 };
    this.#pieces = [this.#last];
  }

  get pieces(): readonly Piece[] {
    return this.#pieces;
  }

  /**
   * Begins a piece at `start`. If a piece begins there already, the lower cost and the new kind are
   * kept. Of two pieces that are too close, the cheaper one is kept.
   */
  open(start: number, cost: number, kind: PieceKind): void {
    const last = this.#last;
    if (start - last.start >= MIN_CUT_SPACING) {
      this.#last = { start, cost, kind, body: start };
      this.#pieces.push(this.#last);
      return;
    }
    last.kind = kind;
    if (start <= last.start) {
      last.cost = Math.min(cost, last.cost);
    } else if (cost < last.cost && this.#pieces.length > 1) {
      last.start = last.body = start;
      last.cost = cost;
    }
  }

  /**
   * Continues the current piece: its body begins at `body`, and no cut separates it from its
   * heading.
   */
  join(body: number, kind: PieceKind): void {
    this.#last.body = body;
    this.#last.kind = kind;
  }

  /**
   * Adds a heading. It applies from `start` until the next heading of the same or a higher level.
   */
  addHeading(start: number, level: number, title: string): void {
    this.headings.push({ start, level, title });
  }
}
