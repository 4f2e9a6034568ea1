/**
 * The directories of a TIFF: one a page, with the tags that tell how it is decoded. Read by hand:
 * the library follows any pointer, also in circles, and makes room for whatever a tag claims.
 */
import { corrupt, ExtractionError } from "../../error.ts";

/** The tags of a page by number, `t256` for its width; fractions are their value. */
export type TiffDirectory = Record<string, number[] | Uint8Array>;

/** Bytes of a value by its type; types that say nothing of pixels are left out. */
const VALUE_BYTES: Readonly<Record<number, number>> = { 1: 1, 3: 2, 4: 4, 5: 8, 7: 1, 13: 4 };
const [SHORT, RATIONAL] = [3, 5];
const ENTRY_BYTES = 12;

/** Reads the directories. Throws DOCUMENT_CORRUPT, or that there are more pages than `maxPages`. */
export function readTiffDirectories(bytes: Uint8Array, maxPages: number): TiffDirectory[] {
  if (bytes.length < 8) throw corrupt("The TIFF ends within its header");
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const little = bytes[0] === 0x49;
  const pages: TiffDirectory[] = [];
  const seen = new Set<number>();
  // A sound file has each entry and each value once: no more are read than there is room for in it.
  let [entries, values] = [bytes.length / ENTRY_BYTES, bytes.length];
  for (let at = view.getUint32(4, little); at !== 0;) {
    if (seen.has(at) || at + 2 > bytes.length) throw corrupt("The TIFF directory is damaged");
    seen.add(at);
    const count = view.getUint16(at, little);
    const end = at + 2 + count * ENTRY_BYTES;
    if (end > bytes.length || (entries -= count) < 0) {
      throw corrupt("The TIFF directory is damaged");
    }
    const directory: TiffDirectory = {};
    for (let entry = at + 2; entry < end; entry += ENTRY_BYTES) {
      const read = readValues(view, entry, little);
      if (read === undefined) continue;
      if ((values -= read.length) < 0) throw corrupt("The values of the TIFF overlap");
      directory[`t${view.getUint16(entry, little)}`] = read;
    }
    if (directory["t256"] !== undefined) pages.push(directory);
    if (pages.length > maxPages) {
      throw new ExtractionError(
        "DOCUMENT_PAGE_LIMIT_EXCEEDED",
        `The file has more than ${maxPages} pages; split it and upload its parts`,
      );
    }
    at = end + 4 <= bytes.length ? view.getUint32(end, little) : 0;
  }
  return pages;
}

/** The values of an entry; undefined when they are of no use, or not in the file. */
function readValues(
  view: DataView,
  entry: number,
  isLittleEndian: boolean,
): number[] | Uint8Array | undefined {
  const type = view.getUint16(entry + 2, isLittleEndian);
  const count = view.getUint32(entry + 4, isLittleEndian);
  const size = VALUE_BYTES[type];
  if (size === undefined || count === 0) return undefined;
  // What fits into four bytes stands in the entry itself.
  const at = count * size <= 4 ? entry + 8 : view.getUint32(entry + 8, isLittleEndian);
  if (at + count * size > view.byteLength) return undefined;
  if (size === 1) return new Uint8Array(view.buffer, view.byteOffset + at, count);
  return Array.from({ length: count }, (_, index) => {
    const place = at + index * size;
    if (type === SHORT) return view.getUint16(place, isLittleEndian);
    const value = view.getUint32(place, isLittleEndian);
    return type === RATIONAL
      ? value / Math.max(1, view.getUint32(place + 4, isLittleEndian))
      : value;
  });
}
