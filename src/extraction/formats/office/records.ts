/** The record tree of a PPT stream, and of the drawings in a DOC: every record says its type and length, containers nest. */
import type { BinaryReader } from "./ole.ts";

/** A record; its content lies from `start` to `end`. */
export interface OfficeRecord {
  readonly type: number;
  readonly instance: number;
  readonly isContainer: boolean;
  readonly start: number;
  readonly end: number;
}

/** The record at `at`, or undefined where none fits before `limit`. */
export function recordAt(
  reader: BinaryReader,
  at: number,
  limit = reader.length,
): OfficeRecord | undefined {
  if (at + 8 > limit) return undefined;
  const head = reader.u16(at);
  const length = reader.u32(at + 4);
  const end = Math.min(limit, at + 8 + length);
  const isContainer = (head & 0xf) === 0xf;
  return { type: reader.u16(at + 2), instance: head >> 4, isContainer, start: at + 8, end };
}

/** The records directly inside a container. */
export function childrenOf(
  reader: BinaryReader,
  parent: Pick<OfficeRecord, "start" | "end">,
): OfficeRecord[] {
  const found: OfficeRecord[] = [];
  let at = parent.start;
  for (let one = recordAt(reader, at, parent.end); one !== undefined;) {
    found.push(one);
    at = one.end;
    one = recordAt(reader, at, parent.end);
  }
  return found;
}

/** Data of a later version's program tag: it says it is no container, and holds records. */
const TAG_DATA = 0x138b;

/** All records of a type inside a container, at any depth. */
export function recordsIn(
  reader: BinaryReader,
  parent: OfficeRecord,
  type: number,
  depth = 0,
): OfficeRecord[] {
  if (depth > 24) return [];
  return childrenOf(reader, parent).flatMap((one) => {
    if (one.type === type) return [one];
    const holdsRecords = one.isContainer || one.type === TAG_DATA;
    return holdsRecords ? recordsIn(reader, one, type, depth + 1) : [];
  });
}
