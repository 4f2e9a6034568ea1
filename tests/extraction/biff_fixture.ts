/** Creates the records for small workbooks (BIFF8) in tests. */
import { Buffer } from "node:buffer";
import * as cfb from "cfb";
import { u16, u32 } from "../../testing/extraction_fixtures.ts";

/** Creates a workbook record. */
export function biff(type: number, ...content: number[]): number[] {
  return [...u16(type, content.length), ...content];
}

/**
 * Creates a substream between its start and end records: the workbook (5), a sheet (0x10), a chart
 * (0x20) …
 */
export function part(type: number, ...records: readonly (readonly number[])[]): number[] {
  return [biff(0x809, ...u16(0x600, type, 0, 0), ...u32(0, 6)), ...records, biff(0x0a)].flat();
}

/** Returns a number as bytes. */
export function double(value: number): number[] {
  return [...Buffer.from(new Float64Array([value]).buffer)];
}

/** Returns a text as bytes, preceded by its length in one byte. */
export function short(text: string): number[] {
  return [text.length, 0, ...Buffer.from(text, "latin1")];
}

/** Creates a cell that contains a text or a number. */
export function cell(row: number, column: number, value: string | number): number[] {
  return typeof value === "number"
    ? biff(0x203, ...u16(row, column, 0), ...double(value))
    : biff(0x204, ...u16(row, column, 0, value.length), 0, ...Buffer.from(value, "latin1"));
}

/** Creates an XLS with a single sheet called Tides. */
export function xls(...records: readonly (readonly number[])[]): Uint8Array {
  return xlsWith({}, ...records);
}

/** Creates an XLS with a single sheet called Tides and some additional streams. */
export function xlsWith(
  streams: Readonly<Record<string, Uint8Array>>,
  ...records: readonly (readonly number[])[]
): Uint8Array {
  const globals = (at: number) =>
    part(
      5,
      biff(0x85, ...u32(at), ...u16(0), ...short("Tides")),
      biff(0x1ae, ...u16(1, 0x0401)),
      biff(0x17, ...u16(1, 0, 0, 0)),
    );
  const container = cfb.utils.cfb_new();
  const stream = [...globals(globals(0).length), ...part(0x10, ...records)];
  cfb.utils.cfb_add(container, "/Workbook", Uint8Array.from(stream));
  for (const [name, content] of Object.entries(streams)) {
    cfb.utils.cfb_add(container, name, content);
  }
  return Uint8Array.from(cfb.write(container, { type: "array" }) as number[]);
}

/** Creates a shape that is anchored to a cell. Object type 5 is a chart, and 6 is a text box. */
export function shape(row: number, column: number, objectType: number): number[] {
  const anchor = [...u16(0, 0xf010), ...u32(18), ...u16(0, column, 0, row, 0, 0, 0, 0, 0)];
  const container = [...u16(0xf, 0xf004), ...u32(anchor.length), ...anchor];
  return [
    ...biff(0xec, ...container),
    ...biff(0x5d, ...u16(0x15, 0x12, objectType), ...u32(0, 0, 0, 0)),
  ];
}

/** Creates an object that is anchored to a cell. Its streams are in the storage named by `id`. */
export function object(row: number, column: number, id: number): number[] {
  const formula = [...u16(9, 0x14, 14), ...new Array<number>(14).fill(0), ...u32(id)];
  const shapeRecords = shape(row, column, 8);
  const anchor = shapeRecords.slice(0, shapeRecords.length - 4 - 22);
  return [...anchor, ...biff(0x5d, ...u16(0x15, 0x12, 8), ...u32(0, 0, 0, 0), ...formula)];
}

/** Creates a series, with its records between BEGIN and END. */
export function series(...records: readonly (readonly number[])[]): number[] {
  return [biff(0x1003, ...u16(1, 1, 1, 1, 1, 0)), biff(0x1033), ...records, biff(0x1034)].flat();
}

/**
 * Creates a data source for a series from a range on the sheet. Data kind 0 is the series name, 1
 * its values, and 2 its categories.
 */
export function source(
  dataKind: number,
  top: number,
  bottom: number,
  column: number,
): number[] {
  const formula = [0x3b, ...u16(0, top, bottom, column, column)];
  return biff(0x1051, dataKind, 2, ...u16(0, 0, formula.length), ...formula);
}

/** Creates a title that is linked to the chart (1) or to one of its axes. */
export function title(text: string, link: number): number[] {
  return [
    biff(0x1025, ...u32(0, 0)),
    biff(0x1033),
    biff(0x100d, ...u16(0), ...short(text)),
    biff(0x1027, ...u16(link, 0, 0)),
    biff(0x1034),
  ].flat();
}
