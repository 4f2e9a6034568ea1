/**
 * Reads the directory of a compound file (OLE2) without reading its streams, to find out which kind
 * of document it is. Field offsets are those of [MS-CFB].
 */
import { corrupt } from "../../error.ts";
import { BinaryReader } from "./ole.ts";

const HEADER_BYTES = 512;
const ENTRY_BYTES = 128;
/** Number of sectors of the allocation table that the header lists. */
const HEADER_TABLE_SECTORS = 109;
/** Lowest number that marks an end or a special sector rather than being that of a sector. */
const FIRST_MARKER = 0xfffffffa;
/** Maximum number of directory entries that are read. */
const MAX_ENTRIES = 16_384;

/**
 * Returns the names of the streams and storages in the root of a compound file.
 *
 * @throws {ExtractionError} DOCUMENT_CORRUPT if the directory is missing
 */
export function rootNames(bytes: Uint8Array): ReadonlySet<string> {
  if (bytes.length < HEADER_BYTES) throw corrupt("The file is truncated; upload it again");
  const file = new BinaryReader(bytes);
  const entries = directoryEntries(file);
  const [root] = entries;
  if (root === undefined) {
    throw corrupt("The file is truncated: its directory is missing; upload it again");
  }
  // The entries of a storage are a binary tree.
  const names = new Set<string>();
  const visited = new Set<number>();
  const pending = [file.u32(root + 76)];
  for (let index = pending.pop(); index !== undefined; index = pending.pop()) {
    const entry = entries[index];
    if (entry === undefined || visited.has(index)) continue;
    visited.add(index);
    const length = Math.min(64, file.u16(entry + 64));
    names.add(file.utf16(entry, Math.max(0, length / 2 - 1)));
    pending.push(file.u32(entry + 68), file.u32(entry + 72));
  }
  return names;
}

/** Returns the offsets of the directory's entries, following its chain of sectors. */
function directoryEntries(file: BinaryReader): number[] {
  const sectorBytes = 1 << Math.min(16, Math.max(7, file.u16(30)));
  const offsets: number[] = [];
  let sector = file.u32(48);
  while (offsets.length < MAX_ENTRIES) {
    const start = (sector + 1) * sectorBytes;
    if (start + ENTRY_BYTES > file.length) break;
    for (let at = 0; at < sectorBytes; at += ENTRY_BYTES) offsets.push(start + at);
    sector = nextSector(file, sector, sectorBytes);
  }
  return offsets;
}

function nextSector(file: BinaryReader, sector: number, sectorBytes: number): number {
  const perTableSector = sectorBytes / 4;
  const table = tableSector(file, Math.floor(sector / perTableSector), sectorBytes);
  if (table >= FIRST_MARKER) return table;
  return file.u32((table + 1) * sectorBytes + 4 * (sector % perTableSector));
}

/** Returns a sector of the allocation table. A chain of sectors lists those after the header's. */
function tableSector(file: BinaryReader, index: number, sectorBytes: number): number {
  if (index < HEADER_TABLE_SECTORS) return file.u32(76 + 4 * index);
  // The last number in each sector of the chain is that of the next one.
  const perSector = sectorBytes / 4 - 1;
  let [rest, sector] = [index - HEADER_TABLE_SECTORS, file.u32(68)];
  for (; rest >= perSector && sector < FIRST_MARKER; rest -= perSector) {
    sector = file.u32((sector + 2) * sectorBytes - 4);
  }
  return sector < FIRST_MARKER ? file.u32((sector + 1) * sectorBytes + 4 * rest) : sector;
}
