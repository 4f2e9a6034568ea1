/** Reading files piece by piece, when each piece is only valid until the next one. */

import { deepStrictEqual } from "node:assert/strict";
import { mbox } from "../../src/imports/formats/mbox.ts";
import type { SourceFile } from "../../src/imports/source_files.ts";
import { linesOf } from "../../src/imports/text.ts";

/** Yields a text in pieces through one buffer. */
async function* throughOneBuffer(text: string, size: number): AsyncGenerator<Uint8Array> {
  const bytes = new TextEncoder().encode(text);
  const buffer = new Uint8Array(size);
  for (let start = 0; start < bytes.length; start += size) {
    const piece = bytes.subarray(start, start + size);
    buffer.set(piece);
    yield buffer.subarray(0, piece.length);
    buffer.fill(0);
  }
}

for (const size of [1, 7, 100_000]) {
  Deno.test(`linesOf() reads lines from pieces of ${size} bytes`, async () => {
    const lines = ["", "one", "é".repeat(30_000), "x".repeat(200_000), "last"];
    const read = await Array.fromAsync(
      linesOf(throughOneBuffer(lines.join("\r\n"), size), 100_000),
    );
    deepStrictEqual(read, [
      { number: 1, text: "" },
      { number: 2, text: "one" },
      { number: 3, text: lines[2] },
      { number: 4, problem: "The line is longer than 100000 bytes" },
      { number: 5, text: "last" },
    ]);
  });
}

for (const size of [1_000, 1024 * 1024]) {
  Deno.test(`mbox finds the end of a message after a long line, in pieces of ${size}`, async () => {
    // The pieces of the long line are such that its last one is only a line end.
    const long = "x".repeat(3 * 1024 * 1024);
    const head = "From a@example.org\nSubject: Long\n\n";
    const text = `${head}${long}\nFrom the mill\n\nFrom b@example.org\nSubject: Second\n\nRye.\n`;
    const file: SourceFile = {
      name: "mail.mbox",
      size: text.length,
      modifiedAt: null,
      bytes: () => throughOneBuffer(text, size),
    };
    const source = { files: [file], isArchive: false, close: () => Promise.resolve() };
    const items = await Array.fromAsync(mbox.read(source));
    deepStrictEqual(items.map((item) => item.kind === "document" && item.title), [
      "Long",
      "Second",
    ]);
  });
}
