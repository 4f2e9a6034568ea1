/** Tests for the loop over the segments of JPEG files, and for the headers read from them. */
import assert from "node:assert/strict";
import { readImageHeader } from "../../src/extraction/formats/image/image_header.ts";
import { jpegSegments } from "../../src/extraction/formats/image/jpeg_segments.ts";

/** Returns a segment with its marker and size. */
function segment(marker: number, content: readonly number[]): number[] {
  const size = content.length + 2;
  return [0xff, marker, size >> 8, size & 0xff, ...content];
}

const START = [0xff, 0xd8];
/** JFIF with 300 dots per inch. */
const JFIF = segment(0xe0, [0x4a, 0x46, 0x49, 0x46, 0, 1, 1, 1, 1, 44, 1, 44, 0, 0]);
const HUFFMAN_TABLE = segment(0xc4, [0, 1, 2, 3, 4, 5, 6, 7]);
/** A progressive frame of 640 × 480 pixels in one color. */
const FRAME = segment(0xc2, [8, 1, 224, 2, 128, 1, 1, 0x11, 0]);

function segmentsOf(bytes: readonly number[]): (readonly [number, boolean])[] {
  const segments = jpegSegments(new DataView(Uint8Array.from(bytes).buffer));
  return [...segments].map(({ marker, isFrame }) => [marker, isFrame]);
}

Deno.test("jpegSegments() skips padding, and doesn't mistake a table for a frame", () => {
  const file = [...START, ...JFIF, 0xff, 0xff, ...HUFFMAN_TABLE, ...FRAME];
  assert.deepEqual(segmentsOf(file), [[0xe0, false], [0xc4, false], [0xc2, true]]);
});

Deno.test("jpegSegments() ends at the first segment that's damaged or truncated", () => {
  assert.deepEqual(segmentsOf([...START, ...JFIF, 0, ...FRAME]), [[0xe0, false]]);
  assert.deepEqual(segmentsOf([...START, ...JFIF, ...FRAME.slice(0, 9)]), [[0xe0, false]]);
  assert.deepEqual(segmentsOf(START), []);
});

Deno.test("readImageHeader() reads the size and the resolution of a JPEG", () => {
  const file = Uint8Array.from([...START, ...JFIF, ...HUFFMAN_TABLE, ...FRAME]);
  const header = { width: 640, height: 480, orientation: 1, resolution: 300 };
  assert.deepEqual(readImageHeader(file, "jpeg"), header);
});
