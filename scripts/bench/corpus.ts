/** Test data for the benchmarks: real dialogue, plus as much generated text as needed. */

import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { SeededRandom } from "../../testing/seeded_random.ts";

/** A memory to add. */
export interface BenchMemory {
  readonly content: string;
  readonly user_id: string;
  readonly run_id?: string;
}

/** A search. Without a user, the whole project is searched. */
export interface BenchQuery {
  readonly query: string;
  readonly user_id?: string;
  readonly filters?: Readonly<Record<string, unknown>>;
}

/** The users whose searches are measured, and each one's share of all memories. */
export const USER_SHARES: Readonly<Record<string, number>> = {
  "user-5%": 0.05,
  "user-1%": 0.01,
  "user-0.1%": 0.001,
};

/** Roughly how many memories every other user owns. */
const MEMORIES_PER_OTHER_USER = 50;

const VOCABULARY_WORDS = 20_000;
const SEED = 20_261_121;

/** Returns one memory per turn of the dialogue, or null if the file is missing. */
export function readDialogue(file: string): BenchMemory[] | null {
  if (!existsSync(file)) return null;
  return jsonLines<{ conv: number; session: number; speaker: string; text: string }>(file)
    .map(({ conv, session, speaker, text }) => ({
      content: `${speaker}: ${text}`,
      user_id: `conversation-${conv}`,
      run_id: `session-${conv}-${session}`,
    }));
}

/** Returns the questions for a dialogue, read from the file next to it. */
export function readQuestions(dialogue: string): BenchQuery[] {
  return jsonLines<{ conv: number; q: string }>(join(dirname(dialogue), "questions.jsonl"))
    .map(({ conv, q }) => ({ query: q, user_id: `conversation-${conv}` }));
}

function jsonLines<T>(file: string): T[] {
  return readFileSync(file, "utf8").trimEnd().split("\n").map((line) => JSON.parse(line));
}

/**
 * Generates text with word frequencies as uneven as in natural language (Zipf's law, exponent 1).
 */
export class TextGenerator {
  readonly #random: SeededRandom;
  readonly #cumulative: Float64Array;

  constructor(seed = SEED) {
    this.#random = new SeededRandom(seed);
    this.#cumulative = new Float64Array(VOCABULARY_WORDS);
    let sum = 0;
    for (let rank = 0; rank < VOCABULARY_WORDS; rank++) {
      this.#cumulative[rank] = sum += 1 / (rank + 1);
    }
  }

  /** Returns a sentence of 8 to 30 words. */
  memory(): string {
    return this.#words(8 + this.#random.below(23));
  }

  /** Returns a question of 3 to 6 words. */
  query(): string {
    return this.#words(3 + this.#random.below(4));
  }

  /** Returns `bytes` bytes of Markdown: sections with a heading and a few paragraphs. */
  markdown(bytes: number): string {
    let document = `# ${this.query()}\n\n`;
    while (document.length < bytes) {
      document += `## ${this.query()}\n\n`;
      for (let paragraph = 0; paragraph < 3; paragraph++) {
        document += Array.from({ length: 4 }, () => `${this.memory()}.`).join(" ") + "\n\n";
      }
    }
    return document.slice(0, bytes);
  }

  #words(count: number): string {
    return Array.from({ length: count }, () => wordOfRank(this.#rank())).join(" ");
  }

  #rank(): number {
    const target = this.#random.next() * this.#cumulative[VOCABULARY_WORDS - 1]!;
    let [low, high] = [0, VOCABULARY_WORDS - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#cumulative[middle]! < target) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** Text of the demo. Its words serve as a sample of everyday English. */
const ENGLISH_FILES = ["conversations.txt", "notes.txt"];

/**
 * Returns an endless sequence of memories of 20 English words, with words as frequent as in the
 * demo. Words that the embedder knows make fewer tokens than those of {@link TextGenerator}: 27
 * instead of 41.
 */
export function* englishMemories(seed = SEED): Generator<string, never> {
  const folder = join(import.meta.dirname!, "../../assets/demo");
  const words = ENGLISH_FILES
    .flatMap((file) => readFileSync(join(folder, file), "utf8").split(/\s+/))
    .filter((word) => /^[A-Za-z',.]+$/.test(word));
  const random = new SeededRandom(seed);
  while (true) yield Array.from({ length: 20 }, () => words[random.below(words.length)]).join(" ");
}

/** Returns a pronounceable word for a frequency rank. More frequent words are shorter. */
function wordOfRank(rank: number): string {
  const [consonants, vowels] = ["bdfghklmnprstvwz", "aeiou"];
  let [text, rest] = ["", rank + 80];
  while (rest > 0) {
    const syllable = rest % 80;
    text += consonants[syllable % 16]! + vowels[Math.floor(syllable / 16)]!;
    rest = Math.floor(rest / 80);
  }
  return text;
}

/**
 * Returns how many memories each user owns. Measured users get their share; the others split the
 * rest.
 */
export function distributeOwners(size: number): [user: string, memories: number][] {
  const owners = Object.entries(USER_SHARES)
    .map(([user, share]): [string, number] => [user, Math.round(size * share)]);
  let left = size - owners.reduce((sum, [, memories]) => sum + memories, 0);
  for (let other = 0; left > 0; other++) {
    owners.push([`other-${other}`, Math.min(MEMORIES_PER_OTHER_USER, left)]);
    left -= MEMORIES_PER_OTHER_USER;
  }
  return owners;
}
