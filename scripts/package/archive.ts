/** Writes tar and zip archives that are the same for the same files, with no times or owners. */

import { crc32, deflateRawSync, gzipSync } from "node:zlib";

/** A file in an archive. */
export interface ArchiveFile {
  readonly path: string;
  readonly content: Uint8Array;
  /** Whether the file is a program. */
  readonly executable?: boolean;
}

const TAR_BLOCK = 512;

/** 1 January 1980, the earliest date that a zip archive can store. */
const ZIP_DATE = 0x21;

/**
 * Returns a gzipped tar archive in ustar format.
 *
 * @throws {Error} if a path is too long for the format
 */
export function tarGz(files: readonly ArchiveFile[]): Uint8Array {
  const blocks = files.flatMap(({ path, content, executable }) => [
    tarHeader(path, content.length, executable ?? false),
    content,
    new Uint8Array((TAR_BLOCK - content.length % TAR_BLOCK) % TAR_BLOCK),
  ]);
  return gzipSync(concat([...blocks, new Uint8Array(2 * TAR_BLOCK)]), { level: 9 });
}

function tarHeader(path: string, size: number, executable: boolean): Uint8Array {
  const header = new Uint8Array(TAR_BLOCK);
  const put = (offset: number, text: string) => header.set(new TextEncoder().encode(text), offset);
  const octal = (value: number, digits: number) => value.toString(8).padStart(digits, "0");
  // The name holds 100 bytes, and the prefix the folders that don't fit there.
  const split = path.length <= 100 ? -1 : path.indexOf("/", path.length - 101);
  if (path.length > 100 && (split === -1 || split > 155)) {
    throw new Error(`Path is too long for an archive: ${path}`);
  }
  put(0, path.slice(split + 1));
  put(100, `${executable ? "0000755" : "0000644"}\0`);
  put(108, `${octal(0, 7)}\0${octal(0, 7)}\0${octal(size, 11)}\0${octal(0, 11)}\0`);
  put(148, " ".repeat(8));
  put(156, "0");
  put(257, "ustar\x0000");
  if (split !== -1) put(345, path.slice(0, split));
  put(148, `${octal(header.reduce((sum, byte) => sum + byte, 0), 6)}\0 `);
  return header;
}

/** Returns a zip archive. */
export function zip(files: readonly ArchiveFile[]): Uint8Array {
  const parts: Uint8Array[] = [];
  const directory: Uint8Array[] = [];
  let offset = 0;
  for (const { path, content } of files) {
    const name = new TextEncoder().encode(path);
    const stored = deflateRawSync(content, { level: 9 });
    // Version 2.0, UTF-8 names, deflated.
    const entry = fields(
      [2, 20],
      [2, 0x800],
      [2, 8],
      [2, 0],
      [2, ZIP_DATE],
      [4, crc32(content)],
      [4, stored.length],
      [4, content.length],
      [2, name.length],
      [2, 0],
    );
    directory.push(
      fields([4, 0x02014b50], [2, (3 << 8) | 20]),
      entry,
      fields([2, 0], [2, 0], [2, 0], [4, 0o100644 * 0x10000], [4, offset]),
      name,
    );
    for (const part of [fields([4, 0x04034b50]), entry, name, stored]) {
      parts.push(part);
      offset += part.length;
    }
  }
  const index = concat(directory);
  const count = files.length;
  const end = fields(
    [4, 0x06054b50],
    [4, 0],
    [2, count],
    [2, count],
    [4, index.length],
    [4, offset],
    [2, 0],
  );
  return concat([...parts, index, end]);
}

/** Returns little-endian numbers, each with its width in bytes. */
function fields(...values: readonly (readonly [width: 2 | 4, value: number])[]): Uint8Array {
  return Uint8Array.from(
    values.flatMap(([width, value]) =>
      [0, 8, 16, 24].slice(0, width).map((bits) => value >>> bits)
    ),
  );
}

function concat(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let offset = 0;
  for (const part of parts) {
    whole.set(part, offset);
    offset += part.length;
  }
  return whole;
}
