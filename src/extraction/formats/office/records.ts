/**
 * Reads the record tree in PPT streams and DOC drawings. Each record has a type and a length;
 * containers can be nested.
 */
import type { BinaryReader } from "./ole.ts";

/** A record whose content runs from `start` to `end`. */
export interface OfficeRecord {
  readonly type: number;
  readonly instance: number;
  readonly isContainer: boolean;
  readonly start: number;
  readonly end: number;
}

/** Returns the record at `at`, or `undefined` if no record fits before `limit`. */
export function recordAt(
  reader: BinaryReader,
  at: number,
  limit = reader.length,
): OfficeRecord | undefined {
  if (at + 8 > limit) return undefined;
  const header = reader.u16(at);
  const length = reader.u32(at + 4);
  const end = Math.min(limit, at + 8 + length);
  const isContainer = (header & 0xf) === 0xf;
  return { type: reader.u16(at + 2), instance: header >> 4, isContainer, start: at + 8, end };
}

/** Returns a container's direct children. */
export function childrenOf(
  reader: BinaryReader,
  parent: Pick<OfficeRecord, "start" | "end">,
): OfficeRecord[] {
  const records: OfficeRecord[] = [];
  let at = parent.start;
  for (let record = recordAt(reader, at, parent.end); record !== undefined;) {
    records.push(record);
    at = record.end;
    record = recordAt(reader, at, parent.end);
  }
  return records;
}

/** Program tag data. Contains records, despite not being marked as a container. */
const TAG_DATA = 0x138b;

/** Returns all records of a type inside a container, at any depth up to 24. */
export function recordsIn(
  reader: BinaryReader,
  parent: OfficeRecord,
  type: number,
  depth = 0,
): OfficeRecord[] {
  if (depth > 24) return [];
  return childrenOf(reader, parent).flatMap((record) => {
    if (record.type === type) return [record];
    const hasRecords = record.isContainer || record.type === TAG_DATA;
    return hasRecords ? recordsIn(reader, record, type, depth + 1) : [];
  });
}
