/**
 * Splits text into terms, the same way for records and queries: lowercased, without Latin accents,
 * English words reduced to their stems, and character pairs for scripts written without spaces.
 */

import { stemmer } from "stemmer";
import { MONTH_NAMES } from "../../kernel/dates/calendar.ts";
import { TwoGenerationCache } from "../../kernel/caches/two_generation_cache.ts";

/**
 * Version of the term splitting, stored with the index. If it differs, the index is rebuilt. A new
 * version comes with a migration; see `SCHEMA_VERSION`.
 */
export const TERMS_VERSION = 3;

/** Maximum term length. Longer runs (base64, hashes) aren't words, so they're truncated. */
const MAX_TERM_CHARACTERS = 40;

/** Scripts written without spaces, or with inflections that can't be stemmed. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

/** Printable ASCII and white space only. Most texts match and can skip Unicode normalization. */
const ASCII_ONLY = /^[ -~\s]*$/;
const ASCII_WORDS = /[a-z0-9]+/g;
const WORDS = /[\p{L}\p{M}\p{N}]+/gu;

/**
 * Combining accents in Latin, Greek and Cyrillic. We keep marks in other scripts, since they carry
 * meaning.
 */
const ACCENTS = /[\u0300-\u036f]/g;

/** A term with its hash. */
export interface HashedTerm {
  readonly term: string;
  readonly hash: number;
}

/**
 * Maximum number of cached stems. Vocabularies are small, and most of the time goes into stemming.
 */
const MAX_CACHED_STEMS = 100_000;
const stemCache = new TwoGenerationCache<string, HashedTerm>(MAX_CACHED_STEMS);

/**
 * Returns a text's terms in order, including repetitions.
 *
 * @example
 * ```ts
 * import { termsOf } from "./terms.ts";
 * import { deepStrictEqual } from "node:assert/strict";
 *
 * deepStrictEqual(termsOf("Running dogs, a running José"), ["run", "dog", "a", "run", "jose"]);
 * deepStrictEqual(termsOf("東京都"), ["東", "東京", "京", "京都", "都"]);
 * ```
 */
export function termsOf(text: string): string[] {
  return hashedTermsOf(text).map(({ term }) => term);
}

/**
 * Returns a text's terms with their hashes. Each word's hash is computed once and cached.
 *
 * @example
 * ```ts
 * import { hashedTermsOf } from "./terms.ts";
 * import { deepStrictEqual } from "node:assert/strict";
 *
 * deepStrictEqual(hashedTermsOf("Dogs"), [{ term: "dog", hash: 0xe668bd09 }]);
 * ```
 */
export function hashedTermsOf(text: string): HashedTerm[] {
  const lower = text.toLowerCase();
  if (ASCII_ONLY.test(lower)) return (lower.match(ASCII_WORDS) ?? []).map(stemOf);
  // Lowercase again, since NFKD creates capitals (𝐀, ᴬ). A final sigma becomes a regular one, as in
  // FTS5.
  const folded = lower.normalize("NFKD").replace(ACCENTS, "").toLowerCase().replaceAll("ς", "σ")
    .normalize("NFKC");
  return (folded.match(WORDS) ?? []).flatMap((run) =>
    UNSPACED.test(run) ? characterPairs(run).map(withHash) : stemOf(run)
  );
}

/**
 * Returns a text's distinct terms, in order of first occurrence.
 *
 * @example
 * ```ts
 * import { distinctTerms } from "./terms.ts";
 * import { deepStrictEqual } from "node:assert/strict";
 *
 * deepStrictEqual(distinctTerms("The dog chased the dogs"), ["the", "dog", "chase"]);
 * ```
 */
export function distinctTerms(text: string): string[] {
  return [...new Set(termsOf(text))];
}

/** Returns the Porter stem of a word that looks English. Others are returned unchanged. */
function stemOf(word: string): HashedTerm {
  const truncated = word.length > MAX_TERM_CHARACTERS ? word.slice(0, MAX_TERM_CHARACTERS) : word;
  const cached = stemCache.get(truncated);
  if (cached !== undefined) return cached;
  const hashedTerm = withHash(/^[a-z]{3,}$/.test(truncated) ? stemmer(truncated) : truncated);
  stemCache.set(truncated, hashedTerm);
  return hashedTerm;
}

function withHash(term: string): HashedTerm {
  return { term, hash: termHash(term) };
}

/** Returns each character and each pair of adjacent characters: 東京都 → 東, 東京, 京, 京都, 都. */
function characterPairs(run: string): string[] {
  const characters = [...run];
  return characters.flatMap((character, index) => {
    const next = characters[index + 1];
    return next === undefined ? [character] : [character, character + next];
  });
}

/**
 * Returns the terms for a timestamp's day: the year, month and day.
 *
 * @example
 * ```ts
 * import { dateTerms } from "./terms.ts";
 * import { deepStrictEqual } from "node:assert/strict";
 *
 * deepStrictEqual(dateTerms("2026-03-04T15:00:00.000Z"), ["2026", "march", "4"]);
 * ```
 */
export function dateTerms(timestamp: string): string[] {
  const [year, month, day] = timestamp.slice(0, 10).split("-") as [string, string, string];
  return [year, stemOf(MONTH_NAMES[Number(month) - 1] ?? "").term, String(Number(day))];
}

/**
 * Returns the hash for a term in the blobs used for scoring: 32-bit FNV-1a (Fowler, Noll, Vo).
 *
 * @example
 * ```ts
 * import { termHash } from "./terms.ts";
 * import { strictEqual } from "node:assert/strict";
 *
 * strictEqual(termHash("foobar"), 0xbf9cf968);
 * ```
 */
export function termHash(term: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < term.length; index++) {
    hash = Math.imul(hash ^ term.charCodeAt(index), 0x01000193);
  }
  return hash >>> 0;
}

/**
 * Returns the sorted hashes of distinct terms as little-endian 32-bit numbers.
 *
 * @example
 * ```ts
 * import { packTermHashes } from "./terms.ts";
 * import { deepStrictEqual } from "node:assert/strict";
 *
 * // The hashes of "foobar" and "a" are 0xbf9cf968 and 0xe40c292c.
 * const expected = [0x68, 0xf9, 0x9c, 0xbf, 0x2c, 0x29, 0x0c, 0xe4];
 * deepStrictEqual([...packTermHashes(["a", "foobar", "a"])], expected);
 * ```
 */
export function packTermHashes(terms: readonly string[]): Uint8Array {
  const hashes = Uint32Array.from(new Set(terms), termHash).sort();
  return new Uint8Array(hashes.buffer);
}
