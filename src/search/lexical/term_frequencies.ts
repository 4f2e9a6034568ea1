/**
 * Counts the terms in chunks. A megabyte of text has 150,000 words but only a tenth as many
 * distinct ones, so recently counted ASCII words are looked up by their letters, without creating a
 * string.
 */

import { hashedTermsOf } from "../query/terms.ts";

/**
 * The distinct terms in a chunk, sorted by hash. On a hash collision, both terms are counted as the
 * first one.
 *
 * The arrays are reused: they're only valid until the next chunk is counted, and only up to `size`.
 */
export interface TermFrequencies {
  readonly size: number;
  readonly terms: readonly string[];
  readonly hashes: readonly number[];
  /** Occurrences of each term in the text. */
  readonly inText: readonly number[];
  /** Occurrences of each term in the headings. */
  readonly inHeading: readonly number[];
  /** Total number of terms in the text and headings, including repeats. */
  readonly length: number;
}

/** Maximum number of words, and of terms, cached across chunks. A full cache is cleared. */
const MAX_CACHED_WORDS = 50_000;

/** A power of two, large enough to keep at most half of the slots in use. */
const HASH_SLOTS = 1 << 17;

/** Words are truncated to this length, same as in `hashedTermsOf()`. */
const MAX_WORD_CHARACTERS = 40;

/** Maps an ASCII code to its lowercase letter or digit, or to 0 if it can't be part of a word. */
const LETTERS = Uint8Array.from({ length: 128 }, (_, code) => {
  const lower = String.fromCharCode(code).toLowerCase();
  return /^[a-z0-9]$/.test(lower) ? lower.charCodeAt(0) : 0;
});

/** Recently seen terms by id, with their counts in the current chunk. */
class TermCache {
  readonly terms: string[] = [];
  readonly hashes: number[] = [];
  /** All zero between chunks. */
  readonly inText: number[] = [];
  readonly inHeading: number[] = [];
  readonly #ids = new Map<string, number>();

  idOf(term: string, hash: number): number {
    const existing = this.#ids.get(term);
    if (existing !== undefined) return existing;
    const id = this.terms.push(term) - 1;
    this.hashes.push(hash);
    this.inText.push(0);
    this.inHeading.push(0);
    this.#ids.set(term, id);
    return id;
  }
}

/** Recently seen words, keyed by their letters in an open-addressing hash table. */
class WordCache {
  readonly #terms: TermCache;
  /**
   * Pairs of a hash and a one-based word index, kept adjacent so that a lookup touches a single
   * cache line.
   */
  readonly #slots = new Int32Array(2 * HASH_SLOTS);
  #size = 0;
  readonly #termOf = new Int32Array(MAX_CACHED_WORDS + 1);
  /** Start offset of each word's letters, which doubles as the end of the previous word. */
  readonly #starts = new Int32Array(MAX_CACHED_WORDS + 2);
  readonly #letters = new Uint8Array(MAX_CACHED_WORDS * MAX_WORD_CHARACTERS);

  constructor(terms: TermCache) {
    this.#terms = terms;
  }

  get isFull(): boolean {
    return this.#size === MAX_CACHED_WORDS;
  }

  /**
   * Returns the term id of a word.
   *
   * @param letters buffer that starts with the word's letters
   * @param length number of letters
   * @param hash hash of the letters
   */
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
    const id = this.#terms.idOf(term, termHash);
    if (this.isFull) return id;
    const word = ++this.#size;
    this.#letters.set(letters, this.#starts[word]);
    this.#starts[word + 1] = this.#starts[word]! + letters.length;
    this.#termOf[word] = id;
    this.#slots[slot] = hash;
    this.#slots[slot + 1] = word;
    return id;
  }
}

/**
 * Text whose words are all runs of ASCII letters and digits. Typographic punctuation also separates
 * words.
 */
const PLAIN_TEXT = /^[\0-\x7f\u2010-\u2027]*$/;

/** Counts terms, one chunk at a time. The caches only affect speed. */
export class TermCounter {
  #terms = new TermCache();
  #words = new WordCache(this.#terms);
  readonly #word = new Uint8Array(MAX_WORD_CHARACTERS);
  /**
   * Term ids in the current chunk: one array in order of first occurrence, the other sorted by
   * hash.
   */
  readonly #termIds: number[] = [];
  readonly #sorted: number[] = [];
  readonly #frequencies = {
    size: 0,
    terms: [] as string[],
    hashes: [] as number[],
    inText: [] as number[],
    inHeading: [] as number[],
    length: 0,
  };

  /** Counts the terms in a chunk, split the same way as `hashedTermsOf()` does. */
  count(text: string, headings: string): TermFrequencies {
    if (this.#words.isFull || this.#terms.terms.length > MAX_CACHED_WORDS) {
      this.#terms = new TermCache();
      this.#words = new WordCache(this.#terms);
    }
    this.#termIds.length = this.#frequencies.length = 0;
    this.#add(text, this.#terms.inText);
    this.#add(headings, this.#terms.inHeading);
    this.#sort();
    this.#collect();
    return this.#frequencies;
  }

  #add(text: string, counts: number[]): void {
    if (PLAIN_TEXT.test(text)) return this.#addPlain(text, counts);
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

  #count(id: number, counts: number[]): void {
    const { inText, inHeading } = this.#terms;
    if (inText[id] === 0 && inHeading[id] === 0) this.#termIds.push(id);
    counts[id]!++;
    this.#frequencies.length++;
  }

  /**
   * Sorts by hash: a counting sort on the first byte, then an insertion sort. Works well because
   * hashes are evenly distributed.
   */
  #sort(): void {
    const { hashes } = this.#terms;
    const sorted = this.#sorted;
    const ends = new Uint32Array(256);
    for (const id of this.#termIds) ends[hashes[id]! >>> 24]!++;
    for (let byte = 1; byte < 256; byte++) ends[byte]! += ends[byte - 1]!;
    for (let index = this.#termIds.length; index-- > 0;) {
      const id = this.#termIds[index]!;
      sorted[--ends[hashes[id]! >>> 24]!] = id;
    }
    for (let index = 1; index < this.#termIds.length; index++) {
      const id = sorted[index]!;
      let target = index;
      for (; target > 0 && hashes[sorted[target - 1]!]! > hashes[id]!; target--) {
        sorted[target] = sorted[target - 1]!;
      }
      sorted[target] = id;
    }
  }

  /** Copies the current chunk's counts into the result and resets them. */
  #collect(): void {
    const { terms, hashes, inText, inHeading } = this.#terms;
    const result = this.#frequencies;
    result.size = 0;
    for (let index = 0; index < this.#termIds.length; index++) {
      const id = this.#sorted[index]!;
      const collides = index > 0 && hashes[id] === result.hashes[result.size - 1];
      const target = collides ? result.size - 1 : result.size++;
      if (!collides) {
        result.terms[target] = terms[id]!;
        result.hashes[target] = hashes[id]!;
      }
      result.inText[target] = inText[id]! + (collides ? result.inText[target]! : 0);
      result.inHeading[target] = inHeading[id]! + (collides ? result.inHeading[target]! : 0);
      inText[id] = inHeading[id] = 0;
    }
  }
}
