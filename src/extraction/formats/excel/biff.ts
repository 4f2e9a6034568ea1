/** Reads the records in an XLS stream (BIFF8), including charts embedded by Microsoft Graph. */
import type { BinaryReader } from "../office/ole.ts";

/** A record whose content runs from `start` to `end`. */
export interface BiffRecord {
  readonly type: number;
  readonly start: number;
  readonly end: number;
}

/** Starts the workbook, a sheet or a chart. The type follows at the third byte. */
export const BOF = 0x0809;
export const EOF = 0x000a;
/** Substream types for a chart and for a Microsoft Graph chart. */
export const CHART_SUBSTREAM = 0x0020;
export const GRAPH_SUBSTREAM = 0x8000;

/** Yields a stream's records, in order. */
export function* biffRecords(reader: BinaryReader): Generator<BiffRecord> {
  for (let at = 0; at + 4 <= reader.length;) {
    const end = Math.min(reader.length, at + 4 + reader.u16(at + 2));
    yield { type: reader.u16(at), start: at + 4, end };
    at = end;
  }
}

/**
 * Returns a text with `count` characters at `at`. The first byte says whether characters take one
 * or two bytes.
 */
export function biffText(reader: BinaryReader, at: number, count: number): string {
  if ((reader.u8(at) & 1) === 1) return reader.utf16(at + 1, count);
  const bytes = reader.bytes.subarray(at + 1, at + 1 + count);
  return new TextDecoder("latin1").decode(bytes);
}

/** Returns an 8-byte number, rounded to 12 digits to get rid of the binary floating-point error. */
export function biffNumber(reader: BinaryReader, at: number): string {
  const bytes = reader.bytes.subarray(at, at + 8);
  if (bytes.length < 8) return "";
  const value = new DataView(bytes.buffer, bytes.byteOffset, 8).getFloat64(0, true);
  return Number.isFinite(value) ? String(Number(value.toPrecision(12))) : "";
}
