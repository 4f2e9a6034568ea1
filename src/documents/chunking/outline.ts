/** A document's outline, as built by a scanner: where the document can be cut, and its headings. */

import { MIN_CUT_SPACING } from "./sizes.ts";

/**
 * How a piece between two cuts can be cut further. `prose` is cut at sentences if it exceeds the
 * target size. `item` (a list item, row or member) and `code` are kept whole up to the maximum
 * size. Beyond that, an item is cut like prose, and code at lines.
 */
export type PieceKind = "prose" | "item" | "code";

/**
 * A piece of a document: where it starts, the cost of a cut before it, and how to cut it further.
 */
export interface Piece {
  readonly start: number;
  readonly cost: number;
  readonly kind: PieceKind;
  /** Start of the body. If a heading precedes the body, no cut is allowed in between. */
  readonly body: number;
}

/** A heading: the position it applies from, its level (1 to 6), and its title as written. */
export interface Heading {
  readonly start: number;
  readonly level: number;
  readonly title: string;
}

type OpenPiece = { -readonly [Field in keyof Piece]: Piece[Field] };

/**
 * A document's pieces and headings, collected in order by a scanner. Pieces are never blank and
 * never closer together than {@link MIN_CUT_SPACING}. The first one begins at 0.
 */
export class Outline {
  readonly headings: Heading[] = [];
  // Modified in place: a document that consists only of marks opens half a million pieces that are
  // too close together.
  #last: OpenPiece;
  readonly #pieces: Piece[];

  /**
   * Creates an empty outline.
   *
   * @param plainTitle removes the format's marks from a title. Only called for titles that are used
   */
  constructor(readonly plainTitle: (title: string) => string = (title) => title) {
    this.#last = { start: 0, cost: 0, kind: "prose", body: 0 };
    this.#pieces = [this.#last];
  }

  get pieces(): readonly Piece[] {
    return this.#pieces;
  }

  /**
   * Begins a piece at `start`. If there's already one, the lower cost and the new kind win. If two
   * pieces are too close together, the cheaper one wins.
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
   * Continues the current piece. Its body begins at `body`, and no cut separates it from its
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
