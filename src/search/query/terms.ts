/**
 * Text into terms, the same way for what is stored and for what is asked: lower case, Latin accents
 * dropped, English stems, and character pairs for scripts that don't put spaces between words.
 */

import { stemmer } from "stemmer";

/** Written into the database beside the index; another number means: rebuild it. */
export const TERMS_VERSION = 3;

/** A run longer than this is no word (base64, hashes); only its beginning is a term. */
const MAX_TERM_CHARACTERS = 40;

/** Scripts written without spaces, or with endings that stems can't reach. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

/** Nothing but printable ASCII and white space: most text, and the fast way. */
const ASCII_ONLY = /^[ -~\s]*$/;
const ASCII_WORDS = /[a-z0-9]+/g;
const WORDS = /[\p{L}\p{M}\p{N}]+/gu;

/** The combining accents of Latin, Greek and Cyrillic; marks of other scripts carry meaning. */
const ACCENTS = /[\u0300-\u036f]/g;

/** A term with its hash. */
export interface HashedTerm {
  readonly term: string;
  readonly hash: number;
}

/** Stems of the words seen lately: vocabularies are small, and stemming is most of the work. */
const MAX_CACHED_STEMS = 50_000;
const stemCache = new Map<string, HashedTerm>();

/** The terms of a text, in order, repeated as often as they stand there. */
export function termsOf(text: string): string[] {
  return hashedTermsOf(text).map(({ term }) => term);
}

/** The same with their hashes, which are worked out once for each word. */
export function hashedTermsOf(text: string): HashedTerm[] {
  const lower = text.toLowerCase();
  if (ASCII_ONLY.test(lower)) return (lower.match(ASCII_WORDS) ?? []).map(stemOf);
  // Lowered again, since NFKD makes capitals (𝐀, ᴬ); and a final sigma is a sigma, as to FTS5.
  const folded = lower.normalize("NFKD").replace(ACCENTS, "").toLowerCase().replaceAll("ς", "σ")
    .normalize("NFKC");
  return (folded.match(WORDS) ?? []).flatMap((run) =>
    UNSPACED.test(run) ? characterPairs(run).map(withHash) : stemOf(run)
  );
}

/** The distinct terms of a text, in the order of their first appearance. */
export function distinctTerms(text: string): string[] {
  return [...new Set(termsOf(text))];
}

/** The Porter stem of an English-looking word; any other word as it is. */
function stemOf(word: string): HashedTerm {
  const cut = word.length > MAX_TERM_CHARACTERS ? word.slice(0, MAX_TERM_CHARACTERS) : word;
  const known = stemCache.get(cut);
  if (known !== undefined) return known;
  const found = withHash(/^[a-z]{3,}$/.test(cut) ? stemmer(cut) : cut);
  if (stemCache.size >= MAX_CACHED_STEMS) stemCache.clear();
  stemCache.set(cut, found);
  return found;
}

function withHash(term: string): HashedTerm {
  return { term, hash: termHash(term) };
}

/** Characters and their pairs: 東京都 → 東, 東京, 京, 京都, 都. */
function characterPairs(run: string): string[] {
  const characters = [...run];
  return characters.flatMap((character, index) => {
    const next = characters[index + 1];
    return next === undefined ? [character] : [character, character + next];
  });
}

const MONTHS = [
  "january",
  "february",
  "march",
  "april",
  "may",
  "june",
  "july",
  "august",
  "september",
  "october",
  "november",
  "december",
];

/** The words by which people name the day of a timestamp: its year, its month and its day. */
export function dateTerms(timestamp: string): string[] {
  const [year, month, day] = timestamp.slice(0, 10).split("-") as [string, string, string];
  return [year, stemOf(MONTHS[Number(month) - 1] ?? "").term, String(Number(day))];
}

/** FNV-1a, 32 bits (Fowler, Noll, Vo): what a term is called in the blobs kept for scoring. */
export function termHash(term: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < term.length; index++) {
    hash = Math.imul(hash ^ term.charCodeAt(index), 0x01000193);
  }
  return hash >>> 0;
}

/** Sorted hashes of distinct terms, as the bytes of little-endian 32-bit numbers. */
export function packTermHashes(terms: readonly string[]): Uint8Array {
  const hashes = Uint32Array.from(new Set(terms), termHash).sort();
  return new Uint8Array(hashes.buffer);
}
