/**
 * Counting the terms of chunks. A megabyte of text has 150,000 words and a tenth as many different
 * ones: a word of ASCII that was counted lately is known by its letters, without a string for it.
 */

import { hashedTermsOf } from "../query/terms.ts";

/**
 * The distinct terms of a chunk in the order of their hashes; of two with one hash, the first. The
 * lists are used again: they hold until the next chunk is counted, and end where `size` says.
 */
export interface TermFrequencies {
  readonly size: number;
  readonly terms: readonly string[];
  readonly hashes: readonly number[];
  /** How often each stands in the text. */
  readonly inText: readonly number[];
  /** How often each stands in the headings. */
  readonly inHeading: readonly number[];
  /** Terms of both, each as often as it stands there. */
  readonly length: number;
}

/** Words, and terms, that are remembered from chunk to chunk; with more, all are forgotten. */
const MAX_CACHED_WORDS = 50_000;

/** A power of two, so that no more than half of them are taken. */
const HASH_SLOTS = 1 << 17;

/** Words are told apart by their first letters, as `hashedTermsOf` does. */
const MAX_WORD_CHARACTERS = 40;

/** What a character of ASCII is in a word: its small letter or its digit; 0 for no part of one. */
const LETTERS = Uint8Array.from({ length: 128 }, (_, code) => {
  const lower = String.fromCharCode(code).toLowerCase();
  return /^[a-z0-9]$/.test(lower) ? lower.charCodeAt(0) : 0;
});

/** The terms seen lately by numbers of their own, with their counts in the chunk at hand. */
class TermCache {
  readonly terms: string[] = [];
  readonly hashes: number[] = [];
  /** All zero between two chunks. */
  readonly inText: number[] = [];
  readonly inHeading: number[] = [];
  readonly #ids = new Map<string, number>();

  idOf(term: string, hash: number): number {
    const known = this.#ids.get(term);
    if (known !== undefined) return known;
    const number = this.terms.push(term) - 1;
    this.hashes.push(hash);
    this.inText.push(0);
    this.inHeading.push(0);
    this.#ids.set(term, number);
    return number;
  }
}

/** The words seen lately by their letters, in a table with open addressing. */
class WordCache {
  readonly #terms: TermCache;
  /** For each slot a hash and the number of its word, from 1: side by side, for one look. */
  readonly #slots = new Int32Array(2 * HASH_SLOTS);
  #size = 0;
  readonly #termOf = new Int32Array(MAX_CACHED_WORDS + 1);
  /** Where the letters of each begin, which is where those of the one before end. */
  readonly #starts = new Int32Array(MAX_CACHED_WORDS + 2);
  readonly #letters = new Uint8Array(MAX_CACHED_WORDS * MAX_WORD_CHARACTERS);

  constructor(terms: TermCache) {
    this.#terms = terms;
  }

  get isFull(): boolean {
    return this.#size === MAX_CACHED_WORDS;
  }

  /** The number of the term that a word stands for: its first `length` letters, and their hash. */
  termOf(letters: Uint8Array, length: number, hash: number): number {
    const slots = this.#slots;
    let slot = 2 * (hash & (HASH_SLOTS - 1));
    for (let word; (word = slots[slot + 1]!) > 0; slot = (slot + 2) & (2 * HASH_SLOTS - 1)) {
      if (slots[slot] === hash && this.#matches(word, letters, length)) return this.#termOf[word]!;
    }
    return this.#insert(slot, letters.subarray(0, length), hash);
  }

  #matches(word: number, letters: Uint8Array, length: number): boolean {
    const start = this.#starts[word]!;
    if (this.#starts[word + 1]! - start !== length) return false;
    let at = 0;
    while (at < length && this.#letters[start + at] === letters[at]) at++;
    return at === length;
  }

  #insert(slot: number, letters: Uint8Array, hash: number): number {
    const { term, hash: termHash } = hashedTermsOf(String.fromCharCode(...letters))[0]!;
    const number = this.#terms.idOf(term, termHash);
    if (this.isFull) return number;
    const word = ++this.#size;
    this.#letters.set(letters, this.#starts[word]);
    this.#starts[word + 1] = this.#starts[word]! + letters.length;
    this.#termOf[word] = number;
    this.#slots[slot] = hash;
    this.#slots[slot + 1] = word;
    return number;
  }
}

/** Text whose words are runs of ASCII letters and digits: typographic marks part them too. */
const PLAIN = /^[\0-\x7f\u2010-\u2027]*$/;

/** Counts the terms of one chunk after the other; what it remembers saves time, and no more. */
export class TermCounter {
  #terms = new TermCache();
  #words = new WordCache(this.#terms);
  readonly #word = new Uint8Array(MAX_WORD_CHARACTERS);
  /** Terms of the chunk at hand, in the order of their first appearance, and then of their hashes. */
  readonly #seen: number[] = [];
  readonly #sorted: number[] = [];
  readonly #frequencies = {
    size: 0,
    terms: [] as string[],
    hashes: [] as number[],
    inText: [] as number[],
    inHeading: [] as number[],
    length: 0,
  };

  /** What `hashedTermsOf` makes of text and headings, counted. */
  count(text: string, headings: string): TermFrequencies {
    if (this.#words.isFull || this.#terms.terms.length > MAX_CACHED_WORDS) {
      this.#terms = new TermCache();
      this.#words = new WordCache(this.#terms);
    }
    this.#seen.length = this.#frequencies.length = 0;
    this.#add(text, this.#terms.inText);
    this.#add(headings, this.#terms.inHeading);
    this.#sort();
    this.#collect();
    return this.#frequencies;
  }

  #add(text: string, counts: number[]): void {
    if (PLAIN.test(text)) return this.#addPlain(text, counts);
    for (const { term, hash } of hashedTermsOf(text)) {
      this.#count(this.#terms.idOf(term, hash), counts);
    }
  }

  #addPlain(text: string, counts: number[]): void {
    const word = this.#word;
    let [length, hash] = [0, 0];
    for (let at = 0; at <= text.length; at++) {
      const code = at < text.length ? text.charCodeAt(at) : 0;
      const letter = code < LETTERS.length ? LETTERS[code]! : 0;
      if (letter > 0) {
        if (length === MAX_WORD_CHARACTERS) continue;
        word[length++] = letter;
        hash = Math.imul(hash ^ letter, 0x01000193);
      } else if (length > 0) {
        this.#count(this.#words.termOf(word, length, hash ^ hash >>> 15), counts);
        length = hash = 0;
      }
    }
  }

  #count(number: number, counts: number[]): void {
    const { inText, inHeading } = this.#terms;
    if (inText[number] === 0 && inHeading[number] === 0) this.#seen.push(number);
    counts[number]!++;
    this.#frequencies.length++;
  }

  /** By the first byte of the hash into place, and from there by insertion: hashes are spread. */
  #sort(): void {
    const { hashes } = this.#terms;
    const sorted = this.#sorted;
    const ends = new Uint32Array(256);
    for (const number of this.#seen) ends[hashes[number]! >>> 24]!++;
    for (let byte = 1; byte < 256; byte++) ends[byte]! += ends[byte - 1]!;
    for (let index = this.#seen.length; index-- > 0;) {
      const number = this.#seen[index]!;
      sorted[--ends[hashes[number]! >>> 24]!] = number;
    }
    for (let index = 1; index < this.#seen.length; index++) {
      const number = sorted[index]!;
      let at = index;
      for (; at > 0 && hashes[sorted[at - 1]!]! > hashes[number]!; at--) {
        sorted[at] = sorted[at - 1]!;
      }
      sorted[at] = number;
    }
  }

  /** Takes the counts of the chunk at hand; the next one begins at zero. */
  #collect(): void {
    const { terms, hashes, inText, inHeading } = this.#terms;
    const tally = this.#frequencies;
    tally.size = 0;
    for (let index = 0; index < this.#seen.length; index++) {
      const number = this.#sorted[index]!;
      const isTwin = index > 0 && hashes[number] === tally.hashes[tally.size - 1];
      const place = isTwin ? tally.size - 1 : tally.size++;
      if (!isTwin) {
        tally.terms[place] = terms[number]!;
        tally.hashes[place] = hashes[number]!;
      }
      tally.inText[place] = inText[number]! + (isTwin ? tally.inText[place]! : 0);
      tally.inHeading[place] = inHeading[number]! + (isTwin ? tally.inHeading[place]! : 0);
      inText[number] = inHeading[number] = 0;
    }
  }
}
