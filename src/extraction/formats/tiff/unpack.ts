/**
 * Unpacks the strips and tiles of a TIFF that were packed by LZW or Deflate. Done by hand: of
 * damaged bytes the library makes an endless loop, and of a bomb all that is in it.
 */
import { inflateSync } from "node:zlib";
import { corrupt } from "../../error.ts";
import type { TiffDirectory } from "./directory.ts";

const UNCOMPRESSED = 1;
const LZW = 5;
const DEFLATE_CODES = [8, 32946];
const HEADER_BYTES = 8;
/** Strips and tiles may reach beyond the page, though not by much. */
const MAX_UNPACKED_BYTES = 400_000_000;

const CLEAR_CODE = 256;
const END_CODE = 257;
const MAX_LZW_CODES = 4_096;

/** The page with its strips unpacked, and the bytes it then lies in. Others are left as they are. */
export function unpackStrips(
  file: Uint8Array,
  page: TiffDirectory,
): { file: Uint8Array; page: TiffDirectory } {
  const packing = page["t259"]?.[0] ?? UNCOMPRESSED;
  if (packing !== LZW && !DEFLATE_CODES.includes(packing)) return { file, page };
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
      packing === LZW ? decodeLzw(data, size) : inflateStrip(data, size),
      HEADER_BYTES + index * size,
    );
  });
  const places = Array.from(offsets, (_, index) => HEADER_BYTES + index * size);
  return {
    file: plain,
    page: { ...page, t259: [UNCOMPRESSED], [offsetTag]: places, [sizeTag]: places.map(() => size) },
  };
}

/** What a strip or tile has when it is unpacked. */
function stripBytes(page: TiffDirectory, isTiled: boolean): number {
  const first = (tag: string, missing: number) => page[tag]?.[0] ?? missing;
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

/** Codes of 9 to 12 bits, highest bit first; at most `size` bytes, fewer where the data is damaged. */
export function decodeLzw(data: Uint8Array, size: number): Uint8Array {
  const out = new Uint8Array(size);
  const before = new Uint16Array(MAX_LZW_CODES);
  const last = Uint8Array.from({ length: MAX_LZW_CODES }, (_, code) => code & 255);
  const initial = Uint8Array.from(last);
  const lengths = new Uint16Array(MAX_LZW_CODES).fill(1);
  let [at, next, width, held, bits, previous] = [0, END_CODE + 1, 9, 0, 0, -1];
  for (const byte of data) {
    held = (held << 8) | byte;
    bits += 8;
    if (bits < width) continue;
    bits -= width;
    const code = held >> bits;
    held &= (1 << bits) - 1;
    if (code === END_CODE || at >= size) break;
    if (code === CLEAR_CODE) {
      [next, width, previous] = [END_CODE + 1, 9, -1];
      continue;
    }
    if (previous < 0 ? code > 255 : code > next) break;
    if (previous >= 0 && next < MAX_LZW_CODES) {
      before[next] = previous;
      lengths[next] = lengths[previous]! + 1;
      initial[next] = initial[previous]!;
      last[next] = initial[code === next ? previous : code]!;
      next++;
    }
    let entry = code;
    for (let place = at + lengths[code]! - 1; place >= at; place--) {
      if (place < size) out[place] = last[entry]!;
      entry = before[entry]!;
    }
    at += lengths[code]!;
    previous = code;
    // The writer widens its codes one entry early.
    if (next === (1 << width) - 1 && width < 12) width++;
  }
  return out;
}
