/** Reads files as text: whole, or line by line, with a limit on each. */

import { ByteBuffer } from "../kernel/bytes/byte_buffer.ts";
import { LIMITS } from "../kernel/limits.ts";
import type { SourceFile } from "./source_files.ts";

const LINE_FEED = 0x0a;

/** One line, numbered from 1, or why it can't be read. */
export type Line =
  | { readonly number: number; readonly text: string }
  | { readonly number: number; readonly problem: string };

/**
 * Yields the lines of a text without their line ends. A line that is too long or isn't UTF-8 is
 * reported as such, however long it is.
 */
export async function* linesOf(
  bytes: AsyncIterable<Uint8Array>,
  maxBytes: number = LIMITS.importTextFileBytes,
): AsyncGenerator<Line> {
  const buffer = new LineBuffer(maxBytes);
  for await (const chunk of bytes) {
    let start = 0;
    for (let end; (end = chunk.indexOf(LINE_FEED, start)) >= 0; start = end + 1) {
      buffer.append(chunk.subarray(start, end));
      yield buffer.take();
    }
    buffer.append(chunk.subarray(start));
  }
  if (!buffer.isEmpty) yield buffer.take();
}

class LineBuffer {
  readonly #maxBytes: number;
  readonly #decoder = new TextDecoder("utf-8", { fatal: true });
  readonly #buffer: ByteBuffer;
  #number = 1;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
    this.#buffer = new ByteBuffer(maxBytes);
  }

  get isEmpty(): boolean {
    return this.#buffer.length === 0;
  }

  append(piece: Uint8Array): void {
    this.#buffer.append(piece);
  }

  take(): Line {
    const number = this.#number++;
    const bytes = this.#buffer.take();
    if (bytes === null) {
      return { number, problem: `The line is longer than ${this.#maxBytes} bytes` };
    }
    try {
      return { number, text: this.#decoder.decode(bytes).replace(/\r$/, "") };
    } catch {
      return { number, problem: "The line is not valid UTF-8" };
    }
  }
}

/** Returns a file's text, or why it can't be read. */
export async function textOf(
  file: SourceFile,
): Promise<{ readonly text: string } | { readonly problem: string }> {
  const limit = LIMITS.importTextFileBytes;
  const tooLarge = { problem: `The file is larger than ${limit} bytes` };
  if (file.size > limit) return tooLarge;
  const buffer = new ByteBuffer(limit);
  for await (const piece of file.bytes()) {
    buffer.append(piece);
    if (buffer.length > limit) return tooLarge;
  }
  try {
    return { text: new TextDecoder("utf-8", { fatal: true }).decode(buffer.take()!) };
  } catch {
    return { problem: "The file is not valid UTF-8" };
  }
}
