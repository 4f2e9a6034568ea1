/**
 * Divides the sentences of a message into windows, the tagger's inputs. `encode()` in
 * `scripts/train/rows.py` does the same.
 */

import type { Tokenizer } from "../../embedding/tokenizer.ts";
import { tokenize, type Tokens, type Word } from "./tokens.ts";

/** A sentence in a window. */
export interface Part {
  /** Its special token, and the end of its tokens. */
  readonly start: number;
  readonly end: number;
  readonly words: readonly Word[];
}

/** Consecutive sentences as one input of the model. */
export interface SentenceWindow {
  /** The sentences, one per line. */
  readonly text: string;
  readonly ids: readonly number[];
  readonly shapes: readonly number[];
  /** In the order of the sentences. */
  readonly parts: readonly Part[];
}

/**
 * Divides sentences into windows of at most `maxTokens`. Each sentence is a part of one window. If there
 * is room, a window begins with the last sentence of the one before.
 */
export function windowsOf(
  sentences: readonly string[],
  tokenizer: Tokenizer,
  maxTokens: number,
): readonly SentenceWindow[] {
  const builders: WindowBuilder[] = [];
  let previous: Encoded | undefined;
  for (const text of sentences) {
    const encoded = { text, tokens: tokenize(text, tokenizer, maxTokens - 2) };
    let builder = builders.at(-1);
    if (builder === undefined || !builder.hasRoomFor(encoded)) {
      builder = new WindowBuilder(tokenizer.ends, maxTokens);
      builders.push(builder);
      if (previous !== undefined && builder.hasRoomFor(previous, encoded)) builder.add(previous);
    }
    builder.addPart(encoded);
    previous = encoded;
  }
  return builders.map((builder) => builder.build());
}

interface Encoded {
  readonly text: string;
  readonly tokens: Tokens;
}

class WindowBuilder {
  readonly #texts: string[] = [];
  readonly #ids: number[] = [];
  readonly #shapes: number[] = [];
  readonly #parts: Part[] = [];
  readonly #ends: Tokenizer["ends"];
  readonly #maxTokens: number;

  constructor(ends: Tokenizer["ends"], maxTokens: number) {
    this.#ends = ends;
    this.#maxTokens = maxTokens;
  }

  /** Checks whether sentences fit, each behind its special token, and the last token. */
  hasRoomFor(...sentences: readonly Encoded[]): boolean {
    const added = sentences.reduce((sum, { tokens }) => sum + tokens.ids.length + 1, 0);
    return this.#ids.length + added + 1 <= this.#maxTokens;
  }

  add({ text, tokens }: Encoded): void {
    const [first, last] = this.#ends;
    this.#texts.push(text);
    this.#ids.push(this.#ids.length === 0 ? first : last, ...tokens.ids);
    this.#shapes.push(0, ...tokens.shapes);
  }

  addPart(encoded: Encoded): void {
    const start = this.#ids.length;
    this.add(encoded);
    const words = encoded.tokens.words.map((word) => ({ ...word, token: word.token + start + 1 }));
    this.#parts.push({ start, end: this.#ids.length, words });
  }

  build(): SentenceWindow {
    const [, last] = this.#ends;
    const ids = [...this.#ids, last];
    return {
      text: this.#texts.join("\n"),
      ids,
      shapes: [...this.#shapes, 0],
      parts: this.#parts.with(-1, { ...this.#parts.at(-1)!, end: ids.length }),
    };
  }
}
