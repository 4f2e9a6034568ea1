/**
 * Unpacks LZW and Deflate strips and tiles in a TIFF. We don't use utif2 for this: it loops forever
 * on some damaged data and unpacks decompression bombs in full.
 */
import { inflateSync } from "node:zlib";
import { corrupt } from "../../error.ts";
import type { TiffDirectory } from "./directory.ts";

const UNCOMPRESSED = 1;
const LZW = 5;
const DEFLATE_CODES = [8, 32946];
const HEADER_BYTES = 8;
/**
 * Maximum total size of all unpacked strips. Strips and tiles can extend beyond the page, but not
 * by much.
 */
const MAX_UNPACKED_BYTES = 400_000_000;

const CLEAR_CODE = 256;
const END_CODE = 257;
const MAX_LZW_CODES = 4_096;

/**
 * Returns the page with its strips unpacked, and the bytes that contain them. Returns both
 * unchanged if the page isn't compressed with LZW or Deflate.
 */
export function unpackStrips(
  file: Uint8Array,
  page: TiffDirectory,
): { file: Uint8Array; page: TiffDirectory } {
  const compression = page["t259"]?.[0] ?? UNCOMPRESSED;
  if (compression !== LZW && !DEFLATE_CODES.includes(compression)) return { file, page };
  const isTiled = page["t322"] !== undefined;
  const [offsetTag, sizeTag] = isTiled ? ["t324", "t325"] : ["t273", "t279"];
  const offsets = page[offsetTag] ?? [];
  const size = stripBytes(page, isTiled);
  if (size * offsets.length > MAX_UNPACKED_BYTES) throw corrupt("A page of the TIFF is damaged");
  const plain = new Uint8Array(HEADER_BYTES + size * offsets.length);
  plain.set(file.subarray(0, HEADER_BYTES));
  offsets.forEach((from: number, index: number) => {
    const data = file.subarray(from, from + (page[sizeTag]?.[index] ?? 0));
    plain.set(
      compression === LZW ? decodeLzw(data, size) : inflateStrip(data, size),
      HEADER_BYTES + index * size,
    );
  });
  const newOffsets = Array.from(offsets, (_, index) => HEADER_BYTES + index * size);
  return {
    file: plain,
    page: {
      ...page,
      t259: [UNCOMPRESSED],
      [offsetTag]: newOffsets,
      [sizeTag]: newOffsets.map(() => size),
    },
  };
}

/** Returns the size of an unpacked strip or tile. */
function stripBytes(page: TiffDirectory, isTiled: boolean): number {
  const first = (tag: string, defaultValue: number) => page[tag]?.[0] ?? defaultValue;
  const height = first("t257", 0);
  const [width, rows] = isTiled
    ? [first("t322", 0), first("t323", 0)]
    : [first("t256", 0), Math.min(height, first("t278", height))];
  return Math.ceil(width * first("t258", 1) * first("t277", 1) / 8) * rows;
}

function inflateStrip(data: Uint8Array, size: number): Uint8Array {
  try {
    return inflateSync(data, { maxOutputLength: Math.max(1, size) });
  } catch (error) {
    throw corrupt("A strip of the TIFF cannot be unpacked", error);
  }
}

/**
 * Decodes LZW codes of 9 to 12 bits, most significant bit first. Returns `size` bytes, padded with
 * zeros if the data is damaged.
 */
export function decodeLzw(data: Uint8Array, size: number): Uint8Array {
  const out = new Uint8Array(size);
  const prefix = new Uint16Array(MAX_LZW_CODES);
  const last = Uint8Array.from({ length: MAX_LZW_CODES }, (_, code) => code & 255);
  const initial = Uint8Array.from(last);
  const lengths = new Uint16Array(MAX_LZW_CODES).fill(1);
  let [at, next, width, buffer, bits, previous] = [0, END_CODE + 1, 9, 0, 0, -1];
  for (const byte of data) {
    buffer = (buffer << 8) | byte;
    bits += 8;
    if (bits < width) continue;
    bits -= width;
    const code = buffer >> bits;
    buffer &= (1 << bits) - 1;
    if (code === END_CODE || at >= size) break;
    if (code === CLEAR_CODE) {
      [next, width, previous] = [END_CODE + 1, 9, -1];
      continue;
    }
    if (previous < 0 ? code > 255 : code > next) break;
    if (previous >= 0 && next < MAX_LZW_CODES) {
      prefix[next] = previous;
      lengths[next] = lengths[previous]! + 1;
      initial[next] = initial[previous]!;
      last[next] = initial[code === next ? previous : code]!;
      next++;
    }
    let entry = code;
    for (let target = at + lengths[code]! - 1; target >= at; target--) {
      if (target < size) out[target] = last[entry]!;
      entry = prefix[entry]!;
    }
    at += lengths[code]!;
    previous = code;
    // TIFF encoders widen the codes one entry early.
    if (next === (1 << width) - 1 && width < 12) width++;
  }
  return out;
}
