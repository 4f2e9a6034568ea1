/** Records of small workbooks (BIFF8), made by the tests themselves. */
import { Buffer } from "node:buffer";
import * as cfb from "cfb";
import { u16, u32 } from "../../testing/extraction_fixtures.ts";

/** A record of a workbook. */
export function biff(type: number, ...content: number[]): number[] {
  return [...u16(type, content.length), ...content];
}

/** The beginning and the end of the workbook (5), a sheet (0x10), a chart (0x20) … */
export function part(kind: number, ...records: readonly (readonly number[])[]): number[] {
  return [biff(0x809, ...u16(0x600, kind, 0, 0), ...u32(0, 6)), ...records, biff(0x0a)].flat();
}

/** The bytes of a number. */
export function double(value: number): number[] {
  return [...Buffer.from(new Float64Array([value]).buffer)];
}

/** A text with its length in one byte. */
export function short(text: string): number[] {
  return [text.length, 0, ...Buffer.from(text, "latin1")];
}

/** A text in a cell of a sheet, and a number. */
export function cell(row: number, column: number, value: string | number): number[] {
  return typeof value === "number"
    ? biff(0x203, ...u16(row, column, 0), ...double(value))
    : biff(0x204, ...u16(row, column, 0, value.length), 0, ...Buffer.from(value, "latin1"));
}

/** An XLS of one sheet called Tides. */
export function xls(...records: readonly (readonly number[])[]): Uint8Array {
  return xlsWith({}, ...records);
}

/** An XLS of one sheet called Tides, with more streams. */
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

/** The anchor of a shape at a cell, and its object of a kind: 5 is a chart, 6 a text box. */
export function shape(row: number, column: number, kind: number): number[] {
  const anchor = [...u16(0, 0xf010), ...u32(18), ...u16(0, column, 0, row, 0, 0, 0, 0, 0)];
  const container = [...u16(0xf, 0xf004), ...u32(anchor.length), ...anchor];
  return [...biff(0xec, ...container), ...biff(0x5d, ...u16(0x15, 0x12, kind), ...u32(0, 0, 0, 0))];
}

/** An object at a cell that keeps its streams under its number. */
export function object(row: number, column: number, id: number): number[] {
  const formula = [...u16(9, 0x14, 14), ...new Array<number>(14).fill(0), ...u32(id)];
  const drawn = shape(row, column, 8);
  const anchor = drawn.slice(0, drawn.length - 4 - 22);
  return [...anchor, ...biff(0x5d, ...u16(0x15, 0x12, 8), ...u32(0, 0, 0, 0), ...formula)];
}

/** A series between its brackets. */
export function series(...records: readonly (readonly number[])[]): number[] {
  return [biff(0x1003, ...u16(1, 1, 1, 1, 1, 0)), biff(0x1033), ...records, biff(0x1034)].flat();
}

/** What a series takes from an area of the sheet: 0 its name, 1 its values, 2 what they are over. */
export function source(of: number, top: number, bottom: number, column: number): number[] {
  const formula = [0x3b, ...u16(0, top, bottom, column, column)];
  return biff(0x1051, of, 2, ...u16(0, 0, formula.length), ...formula);
}

/** A title, linked to the chart (1) or to one of its axes. */
export function title(text: string, link: number): number[] {
  return [
    biff(0x1025, ...u32(0, 0)),
    biff(0x1033),
    biff(0x100d, ...u16(0), ...short(text)),
    biff(0x1027, ...u16(link, 0, 0)),
    biff(0x1034),
  ].flat();
}
