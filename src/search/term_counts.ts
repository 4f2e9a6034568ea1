/** The terms of a chunk with how often they stand in it, in a few bytes: for scoring without text. */

import type { HashedTerm } from "./terms.ts";

/** Bytes for each distinct term: its hash, its count in the text, its count in the headings. */
const BYTES = 6;

/** Counts beyond this change no score. */
const MOST = 255;

/** A distinct term of a chunk with how often it stands there. */
export interface Count extends HashedTerm {
  inText: number;
  inHeading: number;
}

/** The distinct terms of a chunk in the order of their hashes; of two with one hash, the first. */
export function countTerms(text: readonly HashedTerm[], heading: readonly HashedTerm[]): Count[] {
  const table = new CountTable(text.length + heading.length);
  for (const each of text) table.of(each).inText++;
  for (const each of heading) table.of(each).inHeading++;
  return table.inOrder();
}

/** Counts by hash, with open addressing: a `Map` takes three times as long for numbers of 32 bits. */
class CountTable {
  readonly #slots: Uint16Array | Uint32Array;
  readonly #counts: Count[] = [];

  /** @param most terms that will be asked for */
  constructor(most: number) {
    const slots = 2 << Math.ceil(Math.log2(most + 1));
    this.#slots = most < 0xffff ? new Uint16Array(slots) : new Uint32Array(slots);
  }

  of({ term, hash }: HashedTerm): Count {
    const slot = this.#slotOf(hash);
    const known = this.#slots[slot]!;
    if (known > 0) return this.#counts[known - 1]!;
    const count = { term, hash, inText: 0, inHeading: 0 };
    this.#slots[slot] = this.#counts.push(count);
    return count;
  }

  inOrder(): Count[] {
    const hashes = Uint32Array.from(this.#counts, ({ hash }) => hash).sort();
    return Array.from(hashes, (hash) => this.#counts[this.#slots[this.#slotOf(hash)]! - 1]!);
  }

  /** Where the hash stands, or may be put. */
  #slotOf(hash: number): number {
    const mask = this.#slots.length - 1;
    let slot = hash & mask;
    for (;; slot = (slot + 1) & mask) {
      const known = this.#slots[slot]!;
      if (known === 0 || this.#counts[known - 1]!.hash === hash) return slot;
    }
  }
}

/**
 * Packs the terms of a chunk: the sorted 32-bit hashes of all distinct terms, little-endian, then
 * a byte each for their counts in the text, then the same for the headings.
 *
 * @param counts in the order of their hashes
 */
export function packCounts(counts: readonly Count[]): Uint8Array {
  const packed = new Uint8Array(counts.length * BYTES);
  const hashes = new Uint32Array(packed.buffer, 0, counts.length);
  for (const [index, { hash, inText, inHeading }] of counts.entries()) {
    hashes[index] = hash;
    packed[counts.length * 4 + index] = Math.min(inText, MOST);
    packed[counts.length * 5 + index] = Math.min(inHeading, MOST);
  }
  return packed;
}

/** How many terms a chunk has, headings included. */
export function lengthOf(packed: Uint8Array): number {
  return sumOf(packed.subarray(packed.length / BYTES * 4));
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
  /** How many terms the text has, and the headings above it. */
  readonly textLength: number;
  readonly headingLength: number;

  constructor(packed: Uint8Array) {
    const terms = packed.length / BYTES;
    // The hashes are read where they lie when that place is aligned.
    this.#hashes = packed.byteOffset % 4 === 0
      ? new Uint32Array(packed.buffer, packed.byteOffset, terms)
      : new Uint32Array(packed.slice(0, terms * 4).buffer);
    this.#text = packed.subarray(terms * 4, terms * 5);
    this.#heading = packed.subarray(terms * 5);
    this.textLength = sumOf(this.#text);
    this.headingLength = sumOf(this.#heading);
  }

  /** How often a term stands in the text and in the headings. */
  of(hash: number): readonly [text: number, heading: number] {
    let [low, high] = [0, this.#hashes.length - 1];
    while (low <= high) {
      const middle = (low + high) >> 1;
      const found = this.#hashes[middle]!;
      if (found === hash) return [this.#text[middle]!, this.#heading[middle]!];
      if (found < hash) low = middle + 1;
      else high = middle - 1;
    }
    return NOWHERE;
  }
}

const NOWHERE = [0, 0] as const;
