/**
 * Repacks a package without compression, unpacking it under our own limits. SheetJS inflates
 * without a limit and loops forever on some damaged streams, so we leave it nothing to inflate.
 */
import { crc32 } from "node:zlib";
import { concatBytes } from "../../../kernel/bytes/bytes.ts";
import type { ZipArchive } from "../../zip.ts";

/**
 * Returns a zip of the entries accepted by `include`, stored without compression.
 *
 * @param rewrite returns what to store for an entry
 */
export function storedZip(
  zip: ZipArchive,
  include: (name: string) => boolean,
  rewrite: (name: string, part: Uint8Array) => Uint8Array,
): Uint8Array {
  const encoder = new TextEncoder();
  const parts: Uint8Array[] = [];
  const directory: Uint8Array[] = [];
  let offset = 0;
  for (const name of zip.names.filter(include)) {
    const part = zip.read(name);
    if (part === undefined) continue;
    const data = rewrite(name, part);
    const path = encoder.encode(name);
    const header = new Uint8Array(26);
    const view = new DataView(header.buffer);
    view.setUint16(0, 20, true);
    view.setUint32(10, crc32(data), true);
    view.setUint32(14, data.length, true);
    view.setUint32(18, data.length, true);
    view.setUint16(22, path.length, true);
    parts.push(signature(0x04034b50), header, path, data);
    const trailer = new Uint8Array(14);
    new DataView(trailer.buffer).setUint32(10, offset, true);
    directory.push(signature(0x02014b50), Uint8Array.of(20, 0), header, trailer, path);
    offset += 4 + header.length + path.length + data.length;
  }
  const end = new Uint8Array(18);
  const view = new DataView(end.buffer);
  view.setUint16(4, directory.length / 5, true);
  view.setUint16(6, directory.length / 5, true);
  view.setUint32(8, directory.reduce((sum, part) => sum + part.length, 0), true);
  view.setUint32(12, offset, true);
  return concatBytes([...parts, ...directory, signature(0x06054b50), end]);
}

function signature(value: number): Uint8Array {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, value, true);
  return bytes;
}
