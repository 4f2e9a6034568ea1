/** Small PPT files, made by the tests themselves. */
import { Buffer } from "node:buffer";
import { deflateSync } from "node:zlib";
import * as cfb from "cfb";
import { u16, u32 } from "../../testing/extraction_fixtures.ts";

/** A shape: where it lies (in points), what it says, and the object it shows. */
export interface PptShape {
  readonly box: readonly [left: number, top: number, right: number, bottom: number];
  /** Whether its place is told in numbers of four bytes instead of two. */
  readonly isFar?: boolean;
  /** Paragraphs end with `\r`. */
  readonly text?: string;
  /** 0 makes the text a title. */
  readonly kind?: number;
  /** Where a numbered list of the text begins to count. */
  readonly numberedFrom?: number;
  /** The paragraph, from 0, that the numbers end before. */
  readonly plainFrom?: number;
  /** Number of the object, from 1. */
  readonly object?: number;
  /** Shapes of a group, placed in units of the group; `isTable` makes them the cells of a table. */
  readonly group?: readonly PptShape[];
  readonly isTable?: boolean;
}

/**
 * A PPT of slides and of embedded objects (compound files), compressed as programs do. The slides
 * `hidden`, counted from 0, are left out of the show.
 */
export function ppt(
  slides: readonly (readonly PptShape[])[],
  objects: readonly Uint8Array[] = [],
  hidden: readonly number[] = [],
): Uint8Array {
  const parts: number[][] = [[]];
  const show = (at: number) =>
    record(0x03f9, [...u32(0, 0), ...u16(0, hidden.includes(at) ? 4 : 1)]);
  parts.push(...slides.map((shapes, at) => container(0x03ee, [show(at), drawing(shapes)])));
  parts.push(
    ...objects.map((object) => record(0x1011, [...u32(object.length), ...deflateSync(object)], 1)),
  );
  parts[0] = container(0x03e8, [
    container(
      0x0409,
      objects.map((_, at) => {
        const place = slides.length + 2 + at;
        return container(0x0fcc, [record(0x0fc3, u32(1, 0, at + 1, 0, place, 0))]);
      }),
    ),
    container(0x0ff0, slides.map((_, at) => record(0x03f3, u32(at + 2, 0, 0, 256 + at, 0)))),
  ]);
  const offsets: number[] = [];
  const main: number[] = [];
  for (const part of parts) {
    offsets.push(main.length);
    for (const byte of part) main.push(byte);
  }
  const directory = main.length;
  main.push(...record(0x1772, u32((parts.length << 20) | 1, ...offsets)));
  const edit = main.length;
  main.push(...record(0x0ff5, [...u32(0, 0, 0, directory, 1, parts.length, 0)]));
  const file = cfb.utils.cfb_new();
  cfb.utils.cfb_add(file, "/PowerPoint Document", Uint8Array.from(main));
  const user = record(0x0ff6, [...u32(20, 0xe391c05f, edit), ...u16(0, 0, 0, 0)]);
  cfb.utils.cfb_add(file, "/Current User", Uint8Array.from(user));
  return Uint8Array.from(cfb.write(file, { type: "array" }) as number[]);
}

/** An object as programs embed it: a compound file with one stream. */
export function embedded(name: string, content: Uint8Array): Uint8Array {
  const file = cfb.utils.cfb_new();
  cfb.utils.cfb_add(file, `/${name}`, content);
  return Uint8Array.from(cfb.write(file, { type: "array" }) as number[]);
}

function record(type: number, body: readonly number[], instance = 0, version = 0): number[] {
  return [...u16((instance << 4) | version, type), ...u32(body.length), ...body];
}

function container(type: number, children: readonly (readonly number[])[]): number[] {
  return record(type, children.flat(), 0, 0xf);
}

function drawing(shapes: readonly PptShape[]): number[] {
  return container(0x040c, [
    container(0xf002, [group(undefined, shapes, false), container(0xf004, [])]),
  ]);
}

function group(
  box: PptShape["box"] | undefined,
  shapes: readonly PptShape[],
  isTable: boolean,
): number[] {
  const frame = container(0xf004, [
    record(0xf009, u32(0, 0, 0, 0)),
    ...(box === undefined ? [] : [anchor(box)]),
    ...(isTable ? [record(0xf122, [...u16(0x039f), ...u32(1)], 1, 3)] : []),
  ]);
  return container(0xf003, [frame, ...shapes.map((one) => shape(one, box !== undefined))]);
}

function anchor([left, top, right, bottom]: PptShape["box"], isFar = false): number[] {
  const units = [top, left, right, bottom].map((points) => points * 8);
  return record(0xf010, isFar ? u32(...units) : u16(...units));
}

function shape(one: PptShape, inGroup: boolean): number[] {
  if (one.group !== undefined) return group(one.box, one.group, one.isTable === true);
  const text = one.text ?? "";
  const paragraphs = text.split("\r").map((paragraph) => paragraph.length + 1);
  const isNumbered = one.numberedFrom !== undefined;
  const numbers = isNumbered ? [numbering(paragraphs.length, one.numberedFrom, one.plainFrom)] : [];
  const styles = isNumbered
    ? [record(0x0fa1, [
      // All paragraphs have a bullet; each has its own index, of four bits, into the numberings.
      ...[...u32(text.length + 1), ...u16(0), ...u32(1), ...u16(1)],
      ...paragraphs.flatMap((length, at) => [...u32(length, 0x3c00), ...u16((at % 16) << 10)]),
    ])]
    : [];
  return container(0xf004, [
    inGroup
      ? record(0xf00f, u32(...one.box.map((points) => points * 8)))
      : anchor(one.box, one.isFar),
    container(0xf011, [
      ...(one.object === undefined ? [] : [record(0x0bc1, u32(one.object))]),
      ...numbers,
    ]),
    ...(text === "" ? [] : [container(0xf00d, [
      record(0x0f9f, u32(one.kind ?? 4)),
      record(0x0fa0, [...Buffer.from(text, "utf16le")]),
      ...styles,
    ])]),
  ]);
}

/** The tag that later versions keep numbering in: its data holds a record, and says it doesn't. */
function numbering(count: number, from: number, plainFrom = Infinity): number[] {
  const styles = Array.from(
    { length: count },
    (_, at) =>
      at < plainFrom ? [...u32(0x300_0000), ...u16(1, 3, from), ...u32(0, 0)] : u32(0, 0, 0),
  );
  return container(0x1388, [
    container(0x138a, [
      record(0x0fba, [...Buffer.from("___PPT9", "utf16le")]),
      record(0x138b, record(0x0fac, styles.flat())),
    ]),
  ]);
}
