/** What a format's scanner says about a document: where it may be cut, and its headings. */

import { MIN_CUT_SPACING } from "./sizes.ts";

/**
 * How a piece between two cuts may be cut further. `prose` is cut at sentences once it exceeds the
 * target size; `item` (a list item, row, member) and `code` stay whole up to the maximum, and then
 * fall into sentences or lines.
 */
export type PieceKind = "prose" | "item" | "code";

/** A piece of a document: its first position, what cutting before it costs, how it is cut. */
export interface Piece {
  readonly start: number;
  readonly cost: number;
  readonly kind: PieceKind;
  /** Where its body begins, if that is led by a heading: no cut may go up to there. */
  readonly body: number;
}

/** A heading: the position from which it is in force, its level (1 to 6), its title as written. */
export interface Heading {
  readonly start: number;
  readonly level: number;
  readonly title: string;
}

type OpenPiece = { -readonly [Field in keyof Piece]: Piece[Field] };

/**
 * The pieces and headings of one document, collected in order by a scanner. Pieces are never
 * blank, never nearer to each other than {@link MIN_CUT_SPACING}, and the first begins at 0.
 */
export class Outline {
  readonly headings: Heading[] = [];
  // Changed in place: a document of nothing but marks opens half a million pieces that are too near.
  #last: OpenPiece;
  readonly #pieces: Piece[];

  /** `plainTitle` takes the format's marks off a title; it is asked only for titles in use. */
  constructor(readonly plainTitle: (title: string) => string = (title) => title) {
    this.#last = { start: 0, cost: 0, kind: "prose", body: 0 };
    this.#pieces = [this.#last];
  }

  get pieces(): readonly Piece[] {
    return this.#pieces;
  }

  /**
   * Begins a piece at `start`; at a place already taken, the lower cost and the newer kind hold.
   * Of two places too near to each other the cheaper one stays.
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

  /** Goes on with the piece at hand: what begins at `body` is not parted from what leads it. */
  join(body: number, kind: PieceKind): void {
    this.#last.body = body;
    this.#last.kind = kind;
  }

  /** Notes a heading that is in force from `start` until one of its own or a higher level. */
  addHeading(start: number, level: number, title: string): void {
    this.headings.push({ start, level, title });
  }
}
