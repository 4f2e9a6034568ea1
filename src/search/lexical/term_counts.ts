/** The terms of a chunk with how often they stand in it, in a few bytes: for scoring without text. */

import type { TermFrequencies } from "./term_frequencies.ts";

/** Bytes for each distinct term: its hash, its count in the text, its count in the headings. */
const BYTES_PER_TERM = 6;

/** Counts beyond this change no score. */
const MAX_TERM_COUNT = 255;

/**
 * Packs the terms of a chunk: the sorted 32-bit hashes of all distinct terms, little-endian, then
 * a byte each for their counts in the text, then the same for the headings.
 */
export function packTermCounts({ size, hashes, inText, inHeading }: TermFrequencies): Uint8Array {
  const packed = new Uint8Array(size * BYTES_PER_TERM);
  const words = new Uint32Array(packed.buffer, 0, size);
  for (let index = 0; index < size; index++) {
    words[index] = hashes[index]!;
    packed[size * 4 + index] = Math.min(inText[index]!, MAX_TERM_COUNT);
    packed[size * 5 + index] = Math.min(inHeading[index]!, MAX_TERM_COUNT);
  }
  return packed;
}

/** How many terms a chunk has, headings included. */
export function countTerms(packed: Uint8Array): number {
  return sumOf(packed.subarray(packed.length / BYTES_PER_TERM * 4));
}

function sumOf(counts: Uint8Array): number {
  let sum = 0;
  for (let index = 0; index < counts.length; index++) sum += counts[index]!;
  return sum;
}

/** The counts of a chunk, unpacked as far as they are asked for. */
export class TermCounts {
  readonly #hashes: Uint32Array;
  readonly #text: Uint8Array;
  readonly #heading: Uint8Array;
  constructor(packed: Uint8Array) {
    const terms = packed.length / BYTES_PER_TERM;
    // The hashes are read where they lie when that place is aligned.
    this.#hashes = packed.byteOffset % 4 === 0
      ? new Uint32Array(packed.buffer, packed.byteOffset, terms)
      : new Uint32Array(packed.slice(0, terms * 4).buffer);
    this.#text = packed.subarray(terms * 4, terms * 5);
    this.#heading = packed.subarray(terms * 5);
  }

  /** How many terms the text has; they are counted at each call. */
  textLength(): number {
    return sumOf(this.#text);
  }

  /** How many terms the headings above it have. */
  headingLength(): number {
    return sumOf(this.#heading);
  }

  /** Where a term stands among the others, for `inText` and `inHeading`; -1 when it isn't there. */
  indexOf(hash: number): number {
    const hashes = this.#hashes;
    let [low, high] = [0, hashes.length - 1];
    while (low <= high) {
      const middle = (low + high) >> 1;
      const found = hashes[middle]!;
      if (found === hash) return middle;
      if (found < hash) low = middle + 1;
      else high = middle - 1;
    }
    return -1;
  }

  textCount(index: number): number {
    return index < 0 ? 0 : this.#text[index]!;
  }

  headingCount(index: number): number {
    return index < 0 ? 0 : this.#heading[index]!;
  }
}
