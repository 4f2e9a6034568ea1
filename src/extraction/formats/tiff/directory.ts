/**
 * Reads the directories in a TIFF. Each page has one, with the tags needed to decode it. We don't
 * use utif2 for this: it follows circular pointers and allocates as much memory as a tag asks for.
 */
import { corrupt, ExtractionError } from "../../error.ts";

/** A page's tags by number, e.g. `t256` for its width. Fractions are stored as their value. */
export type TiffDirectory = Record<string, number[] | Uint8Array>;

/** Value sizes by type. Types not used for pixels are skipped. */
const VALUE_BYTES: Readonly<Record<number, number>> = { 1: 1, 3: 2, 4: 4, 5: 8, 7: 1, 13: 4 };
const [SHORT, RATIONAL] = [3, 5];
const ENTRY_BYTES = 12;

/**
 * Reads a TIFF's directories.
 *
 * Throws DOCUMENT_CORRUPT if they're damaged, and DOCUMENT_PAGE_LIMIT_EXCEEDED if there are more
 * than `maxPages` pages.
 */
export function readTiffDirectories(bytes: Uint8Array, maxPages: number): TiffDirectory[] {
  if (bytes.length < 8) throw corrupt("The TIFF header is truncated");
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const little = bytes[0] === 0x49;
  const pages: TiffDirectory[] = [];
  const seen = new Set<number>();
  // A valid file stores each entry and value only once, so the file size limits how many we read.
  let [remainingEntries, remainingValues] = [bytes.length / ENTRY_BYTES, bytes.length];
  for (let at = view.getUint32(4, little); at !== 0;) {
    if (seen.has(at) || at + 2 > bytes.length) throw corrupt("The TIFF directory is damaged");
    seen.add(at);
    const count = view.getUint16(at, little);
    const end = at + 2 + count * ENTRY_BYTES;
    if (end > bytes.length || (remainingEntries -= count) < 0) {
      throw corrupt("The TIFF directory is damaged");
    }
    const directory: TiffDirectory = {};
    for (let entry = at + 2; entry < end; entry += ENTRY_BYTES) {
      const values = readValues(view, entry, little);
      if (values === undefined) continue;
      if ((remainingValues -= values.length) < 0) throw corrupt("The values of the TIFF overlap");
      directory[`t${view.getUint16(entry, little)}`] = values;
    }
    if (directory["t256"] !== undefined) pages.push(directory);
    if (pages.length > maxPages) {
      throw new ExtractionError(
        "DOCUMENT_PAGE_LIMIT_EXCEEDED",
        `The file has more than ${maxPages} pages; split it and upload the parts`,
      );
    }
    at = end + 4 <= bytes.length ? view.getUint32(end, little) : 0;
  }
  return pages;
}

/**
 * Returns an entry's values, or `undefined` if their type is skipped or they're outside the file.
 */
function readValues(
  view: DataView,
  entry: number,
  isLittleEndian: boolean,
): number[] | Uint8Array | undefined {
  const type = view.getUint16(entry + 2, isLittleEndian);
  const count = view.getUint32(entry + 4, isLittleEndian);
  const size = VALUE_BYTES[type];
  if (size === undefined || count === 0) return undefined;
  // Values of up to four bytes are stored in the entry itself.
  const at = count * size <= 4 ? entry + 8 : view.getUint32(entry + 8, isLittleEndian);
  if (at + count * size > view.byteLength) return undefined;
  if (size === 1) return new Uint8Array(view.buffer, view.byteOffset + at, count);
  return Array.from({ length: count }, (_, index) => {
    const offset = at + index * size;
    if (type === SHORT) return view.getUint16(offset, isLittleEndian);
    const value = view.getUint32(offset, isLittleEndian);
    return type === RATIONAL
      ? value / Math.max(1, view.getUint32(offset + 4, isLittleEndian))
      : value;
  });
}
