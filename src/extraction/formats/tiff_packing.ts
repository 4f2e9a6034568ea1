/**
 * Unpacks the strips and tiles of a TIFF that were packed by LZW or Deflate. Done by hand: of
 * damaged bytes the library makes an endless loop, and of a bomb all that is in it.
 */
import { inflateSync } from "node:zlib";
import { corrupt } from "../error.ts";
import type { Directory } from "./tiff_directory.ts";

const PLAIN = 1;
const LZW = 5;
const DEFLATES = [8, 32946];
const HEADER_BYTES = 8;
/** Strips and tiles may reach beyond the page, though not by much. */
const MOST_BYTES = 400_000_000;

const CLEAR = 256;
const END = 257;
const MOST_CODES = 4_096;

/** The page with its strips unpacked, and the bytes it then lies in. Others are left as they are. */
export function unpacked(file: Uint8Array, page: Directory): { file: Uint8Array; page: Directory } {
  const packing = page["t259"]?.[0] ?? PLAIN;
  if (packing !== LZW && !DEFLATES.includes(packing)) return { file, page };
  const isTiled = page["t322"] !== undefined;
  const [offsetTag, sizeTag] = isTiled ? ["t324", "t325"] : ["t273", "t279"];
  const offsets = page[offsetTag] ?? [];
  const size = stripBytes(page, isTiled);
  if (size * offsets.length > MOST_BYTES) throw corrupt("A page of the TIFF is damaged");
  const plain = new Uint8Array(HEADER_BYTES + size * offsets.length);
  plain.set(file.subarray(0, HEADER_BYTES));
  offsets.forEach((from: number, index: number) => {
    const data = file.subarray(from, from + (page[sizeTag]?.[index] ?? 0));
    plain.set(
      packing === LZW ? lzw(data, size) : inflated(data, size),
      HEADER_BYTES + index * size,
    );
  });
  const places = Array.from(offsets, (_, index) => HEADER_BYTES + index * size);
  return {
    file: plain,
    page: { ...page, t259: [PLAIN], [offsetTag]: places, [sizeTag]: places.map(() => size) },
  };
}

/** What a strip or tile has when it is unpacked. */
function stripBytes(page: Directory, isTiled: boolean): number {
  const first = (tag: string, missing: number) => page[tag]?.[0] ?? missing;
  const height = first("t257", 0);
  const [width, rows] = isTiled
    ? [first("t322", 0), first("t323", 0)]
    : [first("t256", 0), Math.min(height, first("t278", height))];
  return Math.ceil(width * first("t258", 1) * first("t277", 1) / 8) * rows;
}

function inflated(data: Uint8Array, size: number): Uint8Array {
  try {
    return inflateSync(data, { maxOutputLength: Math.max(1, size) });
  } catch (error) {
    throw corrupt("A strip of the TIFF cannot be unpacked", error);
  }
}

/** Codes of 9 to 12 bits, highest bit first; at most `size` bytes, fewer where the data is damaged. */
export function lzw(data: Uint8Array, size: number): Uint8Array {
  const out = new Uint8Array(size);
  const before = new Uint16Array(MOST_CODES);
  const last = Uint8Array.from({ length: MOST_CODES }, (_, code) => code & 255);
  const initial = Uint8Array.from(last);
  const lengths = new Uint16Array(MOST_CODES).fill(1);
  let [at, next, width, held, bits, previous] = [0, END + 1, 9, 0, 0, -1];
  for (const byte of data) {
    held = (held << 8) | byte;
    bits += 8;
    if (bits < width) continue;
    bits -= width;
    const code = held >> bits;
    held &= (1 << bits) - 1;
    if (code === END || at >= size) break;
    if (code === CLEAR) {
      [next, width, previous] = [END + 1, 9, -1];
      continue;
    }
    if (previous < 0 ? code > 255 : code > next) break;
    if (previous >= 0 && next < MOST_CODES) {
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
