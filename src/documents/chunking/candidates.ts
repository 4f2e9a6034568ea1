/** Collects all positions where the packer can cut, including those inside long pieces. */

import type { ByteOffsets } from "./byte_offsets.ts";
import { skipWhiteSpace } from "./characters.ts";
import type { Piece } from "./outline.ts";
import { emitLineCuts, emitProseCuts } from "./sentences.ts";
import { CutCost, MAX_CHUNK_BYTES, MIN_CUT_SPACING, TARGET_CHUNK_BYTES } from "./sizes.ts";
import { cutBetweenWords } from "./words.ts";

/**
 * Possible cuts in ascending order, each with its cost. Starts with the start of the document and
 * ends with its end. Adjacent positions are no more than {@linkcode MAX_CHUNK_BYTES} apart.
 */
export class CutCandidates {
  readonly at: number[] = [0];
  readonly cost: number[] = [0];
  readonly #content: string;
  readonly #bytes: ByteOffsets;

  constructor(content: string, bytes: ByteOffsets, pieces: readonly Piece[]) {
    this.#content = content;
    this.#bytes = bytes;
    let piece = pieces[0]!;
    for (const next of pieces.slice(1)) {
      if (piece.start === 0 && isBlank(content, next.start)) {
        // Leading white space belongs to the first piece with text.
        piece = { ...next, start: 0 };
        continue;
      }
      this.#addWithin(piece, next.start);
      this.#add(next.start, next.cost);
      piece = next;
    }
    this.#addWithin(piece, content.length);
    this.#add(content.length, 0);
  }

  #addWithin(piece: Piece, end: number): void {
    const limit = piece.kind === "prose" ? TARGET_CHUNK_BYTES : MAX_CHUNK_BYTES;
    if (this.#bytes.between(piece.start, end) <= limit) return;
    const inner: { at: number; cost: number }[] = [];
    const emit = (at: number, cost: number) => {
      const last = inner[inner.length - 1];
      if (at <= piece.body || at - piece.start < MIN_CUT_SPACING || end - at < MIN_CUT_SPACING) {
        return;
      }
      if (last === undefined || at - last.at >= MIN_CUT_SPACING) inner.push({ at, cost });
      else if (cost < last.cost) inner[inner.length - 1] = { at, cost };
    };
    const textStart = skipWhiteSpace(this.#content, piece.start, end);
    if (piece.kind === "code") emitLineCuts(this.#content, textStart, end, emit);
    else emitProseCuts(this.#content, textStart, end, emit);
    for (const { at, cost } of inner) this.#add(at, cost);
  }

  /**
   * Adds a position. If it's too far from the previous one, fills the gap with evenly spaced
   * positions between words.
   */
  #add(at: number, cost: number): void {
    const from = this.at[this.at.length - 1]!;
    const gap = this.#bytes.between(from, at);
    if (gap > MAX_CHUNK_BYTES) this.#addSteps(from, at, Math.ceil(gap / TARGET_CHUNK_BYTES));
    this.at.push(at);
    this.cost.push(cost);
  }

  #addSteps(from: number, to: number, steps: number): void {
    const stride = this.#bytes.between(from, to) / steps;
    let last = from;
    for (let step = 1; step < steps; step++) {
      const target = this.#positionAtByte(this.#bytes.at(from) + step * stride, last, to);
      // A position after white space is good, unless there's nothing but white space before it.
      const textStart = skipWhiteSpace(this.#content, last, target);
      last = cutBetweenWords(this.#content, textStart < target ? textStart : last, target);
      this.at.push(last);
      this.cost.push(CutCost.word);
    }
  }

  /** Returns the last position in `(low, high)` whose byte offset is at most `byte`. */
  #positionAtByte(byte: number, low: number, high: number): number {
    let from = low + 1;
    let to = high - 1;
    while (from < to) {
      const middle = (from + to + 1) >> 1;
      if (this.#bytes.at(middle) <= byte) from = middle;
      else to = middle - 1;
    }
    return from;
  }
}

function isBlank(content: string, end: number): boolean {
  return skipWhiteSpace(content, 0, end) === end;
}
