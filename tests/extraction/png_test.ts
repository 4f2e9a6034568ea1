/** Tests the PNG decoder for scans. */
import assert from "node:assert/strict";
import { deflateSync } from "node:zlib";
import { readImageHeader } from "../../src/extraction/formats/image/image_header.ts";
import { decodePng } from "../../src/extraction/formats/image/png.ts";
import { concatBytes } from "../../src/kernel/bytes/bytes.ts";
import { SeededRandom } from "../../testing/seeded_random.ts";

const [WIDTH, HEIGHT] = [13, 10];
const FILTERS = 5;

interface Kind {
  readonly depth: number;
  readonly colorType: number;
  readonly palette?: Uint8Array;
  /** Returns the grey value of the pixel that starts at a bit of a row. */
  readonly grey: (row: Uint8Array, bit: number) => number;
}

const sample = (row: Uint8Array, bit: number, depth: number) =>
  row[bit >> 3]! >> (8 - depth - (bit & 7)) & 2 ** depth - 1;
const greyOf = (red: number, green: number, blue: number) =>
  Math.floor((red * 77 + green * 150 + blue * 29) / 256);
const colors = Uint8Array.from({ length: 16 * 3 }, (_, at) => at * 37 % 256);

const KINDS: Readonly<Record<string, Kind>> = {
  "8-bit grey": { depth: 8, colorType: 0, grey: (row, bit) => sample(row, bit, 8) },
  "4-bit grey": { depth: 4, colorType: 0, grey: (row, bit) => sample(row, bit, 4) * 17 },
  "black and white": { depth: 1, colorType: 0, grey: (row, bit) => sample(row, bit, 1) * 255 },
  "8-bit color": {
    depth: 8,
    colorType: 2,
    grey: (row, bit) => greyOf(row[bit / 8]!, row[bit / 8 + 1]!, row[bit / 8 + 2]!),
  },
  "4-bit palette": {
    depth: 4,
    colorType: 3,
    palette: colors,
    grey: (row, bit) => {
      const at = 3 * sample(row, bit, 4);
      return greyOf(colors[at]!, colors[at + 1]!, colors[at + 2]!);
    },
  },
};

for (const [name, kind] of Object.entries(KINDS)) {
  Deno.test(`decodePng() returns the grey values of ${name} with all filters`, () => {
    const { file, rows } = randomPng(kind);
    const bits = kind.depth * (kind.colorType === 2 ? 3 : 1);
    const expected = rows.flatMap((row) =>
      Array.from({ length: WIDTH }, (_, x) => kind.grey(row, x * bits))
    );
    const image = decodePng(file, readImageHeader(file, "png"));
    assert.deepEqual([image?.width, image?.height], [WIDTH, HEIGHT]);
    assert.deepEqual([...image!.pixels], expected);
  });
}

Deno.test("decodePng() returns undefined for what it can't read", () => {
  const grey = KINDS["8-bit grey"]!;
  const { file } = randomPng(grey);
  const decode = (bytes: Uint8Array) => decodePng(bytes, readImageHeader(file, "png"));
  assert.notEqual(decode(file), undefined);
  const rejected = {
    "16 bits": randomPng({ ...grey, depth: 16 }).file,
    "transparent": randomPng({ ...grey, colorType: 4 }).file,
    "interlaced": file.with(28, 1),
    "without bits": file.with(24, 0),
    "3 bits": file.with(24, 3),
    "4 bits per color": randomPng({ ...grey, depth: 4, colorType: 2 }).file,
    "without its palette": randomPng({ ...grey, colorType: 3 }).file,
    "a transparent color": insertChunk(file, "tRNS", new Uint8Array(2)),
    "truncated": file.subarray(0, file.length - 20),
    "an unknown filter": randomPng(grey, FILTERS).file,
  };
  for (const [name, bytes] of Object.entries(rejected)) {
    assert.equal(decode(bytes), undefined, name);
  }
});

/** Returns a PNG of random rows, each with another filter from `firstFilter` on. */
function randomPng({ depth, colorType, palette }: Kind, firstFilter = 0) {
  const random = new SeededRandom(depth + colorType);
  const pixelBytes = Math.max(1, depth / 8 * (colorType === 2 ? 3 : 1));
  const rowBytes = Math.ceil(WIDTH * depth * (colorType === 2 ? 3 : 1) / 8);
  const rows = Array.from(
    { length: HEIGHT },
    () => Uint8Array.from({ length: rowBytes }, () => random.below(256)),
  );
  const filtered = rows.map((row, y) => {
    const filter = firstFilter + y % FILTERS;
    const above = rows[y - 1] ?? new Uint8Array(rowBytes);
    const bytes = row.map((value, at) => {
      const left = row[at - pixelBytes] ?? 0;
      const corner = at < pixelBytes ? 0 : above[at - pixelBytes]!;
      return value - predict(filter, left, above[at]!, corner);
    });
    return Uint8Array.of(filter, ...bytes);
  });
  const header = new Uint8Array(13);
  const view = new DataView(header.buffer);
  view.setUint32(0, WIDTH);
  view.setUint32(4, HEIGHT);
  header.set([depth, colorType], 8);
  const file = concatBytes([
    Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a),
    chunk("IHDR", header),
    ...palette === undefined ? [] : [chunk("PLTE", palette)],
    chunk("IDAT", deflateSync(concatBytes(filtered))),
    chunk("IEND", new Uint8Array(0)),
  ]);
  return { file, rows };
}

/** Returns what a filter expects, as the PNG specification describes it. */
function predict(filter: number, left: number, above: number, corner: number): number {
  const guess = left + above - corner;
  const paeth = [left, above, corner].reduce((best, value) =>
    Math.abs(guess - value) < Math.abs(guess - best) ? value : best
  );
  return [0, left, above, Math.floor((left + above) / 2), paeth][filter] ?? 0;
}

/** Returns a chunk. Nothing checks its checksum. */
function chunk(type: string, content: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(12 + content.length);
  new DataView(bytes.buffer).setUint32(0, content.length);
  bytes.set(new TextEncoder().encode(type), 4);
  bytes.set(content, 8);
  return bytes;
}

function insertChunk(file: Uint8Array, type: string, content: Uint8Array): Uint8Array {
  const end = 8 + 25;
  return concatBytes([file.subarray(0, end), chunk(type, content), file.subarray(end)]);
}
