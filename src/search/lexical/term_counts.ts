/** A compact encoding of a chunk's terms and their counts, so scoring never touches the text. */

import type { TermFrequencies } from "./term_frequencies.ts";

/** Bytes per distinct term: its hash plus its counts in the text and in the headings. */
const BYTES_PER_TERM = 6;

/** Counts are capped at this. A higher count wouldn't change the score. */
const MAX_TERM_COUNT = 255;

/**
 * Packs a chunk's terms: the sorted 32-bit hashes of all distinct terms (little-endian), then one
 * byte per term for its count in the text, then one byte per term for its count in the headings.
 */
export function packTermCounts({ size, hashes, inText, inHeading }: TermFrequencies): Uint8Array {
  const packed = new Uint8Array(size * BYTES_PER_TERM);
  const packedHashes = new Uint32Array(packed.buffer, 0, size);
  for (let index = 0; index < size; index++) {
    packedHashes[index] = hashes[index]!;
    packed[size * 4 + index] = Math.min(inText[index]!, MAX_TERM_COUNT);
    packed[size * 5 + index] = Math.min(inHeading[index]!, MAX_TERM_COUNT);
  }
  return packed;
}

/** Returns the number of terms in a chunk, including its headings. */
export function countTerms(packed: Uint8Array): number {
  return sumOf(packed.subarray(packed.length / BYTES_PER_TERM * 4));
}

function sumOf(counts: Uint8Array): number {
  let sum = 0;
  for (let index = 0; index < counts.length; index++) sum += counts[index]!;
  return sum;
}

/** Reads a chunk's packed counts in place. */
export class TermCounts {
  readonly #hashes: Uint32Array;
  readonly #text: Uint8Array;
  readonly #heading: Uint8Array;
  constructor(packed: Uint8Array) {
    const terms = packed.length / BYTES_PER_TERM;
    // Typed arrays need an aligned offset, so unaligned hashes are copied.
    this.#hashes = packed.byteOffset % 4 === 0
      ? new Uint32Array(packed.buffer, packed.byteOffset, terms)
      : new Uint32Array(packed.slice(0, terms * 4).buffer);
    this.#text = packed.subarray(terms * 4, terms * 5);
    this.#heading = packed.subarray(terms * 5);
  }

  /** Returns the number of terms in the text. Recounts on every call. */
  textLength(): number {
    return sumOf(this.#text);
  }

  /** Returns the number of terms in the headings above the text. */
  headingLength(): number {
    return sumOf(this.#heading);
  }

  /**
   * Returns the index to pass to `textCount()` and `headingCount()` for a term, or -1 if the chunk
   * doesn't contain the term.
   */
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
