/** What holds for the chunks of any content in any format, asserted in one place. */
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

/** Chunks `content`, checks every rule that has no exception, and returns the chunks. */
export function checkedChunks(content: string, mediaType: string): Chunk[] {
  const chunks = chunk(content, mediaType);
  let byte = 0;
  let position = 0;
  for (const [index, one] of chunks.entries()) {
    const bytes = encoder.encode(one.content).length;
    assert.equal(one.index, index);
    assert.ok(bytes > 0, "an empty chunk");
    assert.ok(bytes <= MAX_CHUNK_BYTES, `a chunk of ${bytes} bytes`);
    assert.equal(one.start_byte, byte);
    assert.equal(one.end_byte, byte + bytes);
    assert.ok(content.startsWith(one.content, position), `chunk ${index} is not the content`);
    byte += bytes;
    position += one.content.length;
    const parted = `${content[position - 1] ?? ""}${content[position] ?? ""}`;
    assert.ok(!/^[\ud800-\udbff][\udc00-\udfff]$/.test(parted), "a parted surrogate pair");
    assert.notEqual(parted, "\r\n", "a parted line end");
    for (const title of one.heading_path) assert.ok(title.length > 0 && title.length <= 201);
  }
  assert.equal(position, content.length);
  assert.equal(byte, encoder.encode(content).length);
  return chunks;
}

/** The texts of the chunks alone. */
export function texts(content: string, mediaType: string): string[] {
  return checkedChunks(content, mediaType).map((one) => one.content);
}

/** Plain sentences, about `bytes` of them, that begin with `label`. */
export function prose(label: string, bytes: number): string {
  let text = `${label} begins here.`;
  for (let count = 1; text.length < bytes; count++) {
    text += ` This is sentence number ${count} of it, plainly said.`;
  }
  return text;
}
