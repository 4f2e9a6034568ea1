/**
 * SentencePiece's unigram tokenizer as used by XLM-R (Kudo 2018, "Subword Regularization"). Splits
 * each word into the most probable sequence of pieces, using dynamic programming.
 *
 * File format: four 32-bit numbers (number of pieces, size of the pieces in bytes, number of
 * entries in the character table, size of that table in bytes), one 32-bit float per piece, the
 * table (character, length, characters), and the pieces, one per line.
 */

import { TwoGenerationCache } from "../kernel/caches/two_generation_cache.ts";
import { PieceTable } from "./piece_table.ts";

const BOS = 0;
const EOS = 2;
const UNKNOWN = 3;

/**
 * How far below the least probable piece an unknown character scores (SentencePiece, kUnkPenalty).
 */
const UNKNOWN_PENALTY = 10;

/**
 * Maximum number of words whose pieces are cached. Most of a text is made up of a handful of words.
 */
const MAX_CACHED_WORDS = 40_000;

/**
 * Maximum length of a cached word. Languages without spaces have whole lines in place of words,
 * which never occur again.
 */
const MAX_CACHED_CHARACTERS = 32;

/** Unigram tokenizer for the pieces in a file, in id order. */
export class Unigram {
  readonly #table: PieceTable;
  readonly #scores: Float32Array;
  readonly #characters: ReadonlyMap<number, string>;
  readonly #unknownScore: number;
  readonly #wordCache = new TwoGenerationCache<string, readonly number[]>(MAX_CACHED_WORDS);

  constructor(file: Uint8Array<ArrayBuffer>) {
    const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
    const count = view.getUint32(0, true);
    const [entries, bytes] = [view.getUint32(8, true), view.getUint32(12, true)];
    this.#scores = Float32Array.from(
      { length: count },
      (_, id) => view.getFloat32(16 + 4 * id, true),
    );
    const table = 16 + 4 * count;
    this.#characters = readTable(view, table, entries);
    this.#table = new PieceTable(new TextDecoder().decode(file.subarray(table + bytes)), count);
    const minScore = this.#scores.reduce((a, b) => Math.min(a, b));
    this.#unknownScore = minScore - UNKNOWN_PENALTY;
  }

  /** Returns at most `maxTokens` ids, including the begin and end tokens. */
  encode(text: string, maxTokens: number): number[] {
    const ids = [BOS];
    for (const word of this.#normalize(text).split(/\s+/u)) {
      if (ids.length >= maxTokens) break;
      if (word !== "") { for (const id of this.#pieces(`▁${word}`)) ids.push(id); }
    }
    ids.length = Math.min(ids.length, maxTokens - 1);
    ids.push(EOS);
    return ids;
  }

  get ends(): readonly [number, number] {
    return [BOS, EOS];
  }

  encodeWord(word: string, afterSpace: boolean): number[] {
    const text = this.#normalize(word).trim();
    return text === "" ? [] : [...this.#pieces(afterSpace ? `▁${text}` : text)];
  }

  #normalize(text: string): string {
    let normalized = "";
    for (const character of text.normalize("NFC")) {
      normalized += this.#characters.get(character.codePointAt(0)!) ?? character;
    }
    return normalized;
  }

  #pieces(word: string): readonly number[] {
    if (word.length > MAX_CACHED_CHARACTERS) return this.#segment(word);
    const cached = this.#wordCache.get(word);
    if (cached !== undefined) return cached;
    const pieces = this.#segment(word);
    this.#wordCache.set(word, pieces);
    return pieces;
  }

  /**
   * Returns the split with the highest total score (Viterbi). Consecutive unknown characters are
   * merged into one token.
   */
  #segment(word: string): number[] {
    const length = word.length;
    const score = new Float64Array(length + 1).fill(-Infinity);
    const from = new Int32Array(length + 1);
    const piece = new Int32Array(length + 1);
    score[0] = 0;
    const offer = (end: number, start: number, id: number, gain: number) => {
      if (score[start]! + gain <= score[end]!) return;
      [score[end], from[end], piece[end]] = [score[start]! + gain, start, id];
    };
    for (let start = 0; start < length;) {
      const step = word.codePointAt(start)! > 0xffff ? 2 : 1;
      const maxEnd = Math.min(length, start + this.#table.maxLength);
      let single = false, hash = PieceTable.seed;
      for (let end = start + 1; end <= maxEnd; end++) {
        hash = PieceTable.extend(hash, word.charCodeAt(end - 1));
        if (end < start + step) continue;
        const id = this.#table.find(word, start, end, hash);
        if (id < 0) continue;
        single ||= end === start + step;
        offer(end, start, id, this.#scores[id]!);
      }
      if (!single) offer(start + step, start, UNKNOWN, this.#unknownScore);
      start += step;
    }
    const ids: number[] = [];
    for (let end = length; end > 0; end = from[end]!) {
      if (piece[end] !== UNKNOWN || ids.at(-1) !== UNKNOWN) ids.push(piece[end]!);
    }
    return ids.reverse();
  }
}

function readTable(view: DataView, start: number, entries: number): ReadonlyMap<number, string> {
  const table = new Map<number, string>();
  let offset = start;
  const next = () => view.getUint32((offset += 4) - 4, true);
  for (let entry = 0; entry < entries; entry++) {
    const character = next();
    const length = next();
    table.set(character, String.fromCodePoint(...Array.from({ length }, next)));
  }
  return table;
}
