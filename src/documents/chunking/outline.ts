/**
 * The outline of a document, as a scanner builds it: where the document can be cut, and its
 * headings.
 */

import { MIN_CUT_SPACING } from "./sizes.ts";

/**
 * How a piece between two cuts can be cut further. `prose` is cut at sentences if it exceeds the
 * target size. `item` (a list item, row or member) and `code` are kept whole up to the maximum
 * size, and beyond that an item is cut like prose, and code at lines.
 */
export type PieceKind = "prose" | "item" | "code";

/**
 * A piece of a document: where it starts, what a cut before it costs, and how it can be cut
 * further.
 */
export interface Piece {
  readonly start: number;
  readonly cost: number;
  readonly kind: PieceKind;
  /**
   * Start of the body. If there is a heading before the body, no cut is allowed between the two.
   */
  readonly body: number;
}

/** A heading: the position from which it applies, its level (1 to 6), and its title as written. */
export interface Heading {
  readonly start: number;
  readonly level: number;
  readonly title: string;
}

type OpenPiece = { -readonly [Field in keyof Piece]: Piece[Field] };

/**
 * The pieces and headings of a document, collected in order by a scanner. Pieces are never blank
 * and never closer together than {@link MIN_CUT_SPACING}, and the first one begins at 0.
 */
export class Outline {
  readonly headings: Heading[] = [];
  // We modify the piece in place, because a document that consists only of marks opens half a
  // million pieces that are too close together.
  #last: OpenPiece;
  readonly #pieces: Piece[];

  /**
   * Creates an empty outline.
   *
   * @param plainTitle removes the format's marks from a title; only called for titles that are used
   */
  constructor(readonly plainTitle: (title: string) => string = (title) => title) {
    this.#last = { start: 0, cost: 0, kind: "prose", body: 0 };
    this.#pieces = [this.#last];
  }

  get pieces(): readonly Piece[] {
    return this.#pieces;
  }

  /**
   * Begins a piece at `start`. If a piece already begins there, the lower cost and the new kind are
   * kept. If two pieces are too close together, the cheaper one is kept.
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
   * Continues the current piece: its body begins at `body`, and no cut separates the body from its
   * heading.
   */
  join(body: number, kind: PieceKind): void {
    this.#last.body = body;
    this.#last.kind = kind;
  }

  /**
   * Adds a heading. It applies from `start` up to the next heading at the same or a higher level.
   */
  addHeading(start: number, level: number, title: string): void {
    this.headings.push({ start, level, title });
  }
}
