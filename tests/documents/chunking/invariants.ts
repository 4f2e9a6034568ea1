/** Chunk invariants that hold for any content and format. */
import assert from "node:assert/strict";
import { type Chunk, chunk } from "../../../src/documents/chunking/chunk.ts";
import { MAX_CHUNK_BYTES } from "../../../src/documents/chunking/sizes.ts";

/** One media type for each scanner. */
export const MEDIA_TYPES = [
  "text/plain",
  "text/markdown",
  "text/html",
  "application/xml",
  "application/json",
  "application/yaml",
  "application/toml",
  "text/csv",
  "text/x-python",
] as const;

const encoder = new TextEncoder();

/** Chunks `content`, checks all invariants, and returns the chunks. */
export function checkedChunks(content: string, mediaType: string): Chunk[] {
  const chunks = chunk(content, mediaType);
  let byte = 0;
  let position = 0;
  for (const [index, piece] of chunks.entries()) {
    const bytes = encoder.encode(piece.content).length;
    assert.equal(piece.index, index);
    assert.ok(bytes > 0, "an empty chunk");
    assert.ok(bytes <= MAX_CHUNK_BYTES, `a chunk of ${bytes} bytes`);
    assert.equal(piece.start_byte, byte);
    assert.equal(piece.end_byte, byte + bytes);
    assert.ok(content.startsWith(piece.content, position), `chunk ${index} is not the content`);
    byte += bytes;
    position += piece.content.length;
    const adjacent = `${content[position - 1] ?? ""}${content[position] ?? ""}`;
    assert.ok(!/^[\ud800-\udbff][\udc00-\udfff]$/.test(adjacent), "a split surrogate pair");
    assert.notEqual(adjacent, "\r\n", "a split line end");
    for (const title of piece.heading_path) assert.ok(title.length > 0 && title.length <= 201);
  }
  assert.equal(position, content.length);
  assert.equal(byte, encoder.encode(content).length);
  return chunks;
}

/** Returns the text of each chunk. */
export function texts(content: string, mediaType: string): string[] {
  return checkedChunks(content, mediaType).map((piece) => piece.content);
}

/** Returns about `bytes` bytes of plain sentences that begin with `label`. */
export function prose(label: string, bytes: number): string {
  let text = `${label} begins here.`;
  for (let count = 1; text.length < bytes; count++) {
    text += ` This is sentence number ${count} of it, plainly said.`;
  }
  return text;
}
