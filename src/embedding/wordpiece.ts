/**
 * BERT's uncased tokenizer. Returns the same ids as the reference implementation (Hugging Face
 * tokenizers with BertNormalizer, BertPreTokenizer and WordPiece), except that special tokens in a
 * text are treated as plain text.
 */

import { TwoGenerationCache } from "../kernel/caches/two_generation_cache.ts";
import { PieceTable } from "./piece_table.ts";

const CLS = "[CLS]";
const SEP = "[SEP]";
const UNKNOWN = "[UNK]";

/** What the pieces inside a word begin with in the vocabulary. */
const INSIDE = "##";

/** Maximum word length. As in the reference, anything longer becomes a single unknown token. */
const MAX_WORD_CHARACTERS = 100;

/**
 * Maximum number of words whose pieces are cached. Most of a text is made up of a handful of words.
 */
const MAX_CACHED_WORDS = 40_000;

const REMOVED = /[\0\uFFFD]|(?![\t\n\r])\p{C}/gu;
const IDEOGRAPHS =
  /[\u4E00-\u9FFF\u3400-\u4DBF\u{20000}-\u{2A6DF}\u{2A700}-\u{2B73F}\u{2B740}-\u{2B81F}\u{2B920}-\u{2CEAF}\uF900-\uFAFF\u{2F800}-\u{2FA1F}]/gu;
const MARKS = /\p{Mn}/gu;

/** Words and single punctuation characters. Some ASCII symbols count as punctuation. */
const WORDS = /[\p{P}$+<=>^`|~]|[^\s\p{P}$+<=>^`|~]+/gu;

/** WordPiece tokenizer for a vocabulary with one piece per line. The line numbers are the ids. */
export class WordPiece {
  readonly #table: PieceTable;
  readonly #cls: number;
  readonly #sep: number;
  readonly #unknown: number;
  readonly #wordCache = new TwoGenerationCache<string, readonly number[]>(MAX_CACHED_WORDS);

  constructor(vocabulary: string) {
    this.#table = new PieceTable(vocabulary, vocabulary.split("\n").length);
    this.#cls = this.#table.idOf(CLS);
    this.#sep = this.#table.idOf(SEP);
    this.#unknown = this.#table.idOf(UNKNOWN);
  }

  /** Returns at most `maxTokens` ids, including [CLS] and [SEP]. */
  encode(text: string, maxTokens: number): number[] {
    const ids = [this.#cls];
    for (const [word] of normalize(text).matchAll(WORDS)) {
      if (ids.length >= maxTokens) break;
      for (const id of this.#pieces(word)) ids.push(id);
    }
    ids.length = Math.min(ids.length, maxTokens - 1);
    ids.push(this.#sep);
    return ids;
  }

  get ends(): readonly [number, number] {
    return [this.#cls, this.#sep];
  }

  encodeWord(word: string): number[] {
    return normalize(word).match(WORDS)?.flatMap((part) => this.#pieces(part)) ?? [];
  }

  #pieces(word: string): readonly number[] {
    // Without a limit, the cache could hold whole lines of a language without spaces.
    if (word.length > MAX_WORD_CHARACTERS) return this.#split(word);
    const cached = this.#wordCache.get(word);
    if (cached !== undefined) return cached;
    const pieces = this.#split(word);
    this.#wordCache.set(word, pieces);
    return pieces;
  }

  /**
   * Splits a word by repeatedly taking the longest matching piece. Returns the unknown token if it
   * gets stuck.
   */
  #split(word: string): number[] {
    if (word.length > MAX_WORD_CHARACTERS && [...word].length > MAX_WORD_CHARACTERS) {
      return [this.#unknown];
    }
    const ids: number[] = [];
    for (let rest = word, prefix = ""; rest.length > prefix.length; prefix = INSIDE) {
      let hash = PieceTable.seed, id = -1, length = 0;
      const maxLength = Math.min(rest.length, this.#table.maxLength);
      for (let end = 1; end <= maxLength; end++) {
        hash = PieceTable.extend(hash, rest.charCodeAt(end - 1));
        const found = end <= prefix.length ? -1 : this.#table.find(rest, 0, end, hash);
        if (found >= 0) [id, length] = [found, end];
      }
      if (id < 0) return [this.#unknown];
      ids.push(id);
      rest = INSIDE + rest.slice(length);
    }
    return ids;
  }
}

function normalize(text: string): string {
  return text
    .replace(REMOVED, "")
    .replace(IDEOGRAPHS, " $& ")
    .normalize("NFD")
    .replace(MARKS, "")
    // The reference lowercases each character separately, so it never produces a final sigma.
    .replaceAll("Σ", "σ")
    .toLowerCase();
}
