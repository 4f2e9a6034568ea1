/** Creates small PPT files for tests. */
import { Buffer } from "node:buffer";
import { deflateSync } from "node:zlib";
import * as cfb from "cfb";
import { u16, u32 } from "../../testing/extraction_fixtures.ts";

/** A shape with its position in points, its text and its object. */
export interface PptShape {
  readonly box: readonly [left: number, top: number, right: number, bottom: number];
  /** Whether the position is stored in 32-bit instead of 16-bit numbers. */
  readonly isFar?: boolean;
  /** Text with paragraphs separated by `\r`. */
  readonly text?: string;
  /** Text kind, where 0 is a title. */
  readonly kind?: number;
  /** The first number in a numbered list. */
  readonly numberedFrom?: number;
  /** Index of the first paragraph after the numbered ones. */
  readonly plainFrom?: number;
  /** Object number, starting at 1. */
  readonly object?: number;
  /**
   * Shapes in a group, in the coordinates of the group. They are table cells if `isTable` is set.
   */
  readonly group?: readonly PptShape[];
  readonly isTable?: boolean;
}

/**
 * Creates a PPT from slides and embedded objects (compound files), compressed the way PowerPoint
 * does it.
 *
 * @param hidden Indexes of hidden slides, starting at 0.
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
        const persistId = slides.length + 2 + at;
        return container(0x0fcc, [record(0x0fc3, u32(1, 0, at + 1, 0, persistId, 0))]);
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

/** Creates an embedded object, which is a compound file with a single stream. */
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
  return container(0xf003, [frame, ...shapes.map((inner) => shape(inner, box !== undefined))]);
}

function anchor([left, top, right, bottom]: PptShape["box"], isFar = false): number[] {
  const units = [top, left, right, bottom].map((points) => points * 8);
  return record(0xf010, isFar ? u32(...units) : u16(...units));
}

function shape(source: PptShape, inGroup: boolean): number[] {
  if (source.group !== undefined) return group(source.box, source.group, source.isTable === true);
  const text = source.text ?? "";
  const paragraphs = text.split("\r").map((paragraph) => paragraph.length + 1);
  const isNumbered = source.numberedFrom !== undefined;
  const numbers = isNumbered
    ? [numbering(paragraphs.length, source.numberedFrom, source.plainFrom)]
    : [];
  const styles = isNumbered
    ? [record(0x0fa1, [
      // All paragraphs have a bullet. Each one has its own four-bit index into the numberings.
      ...[...u32(text.length + 1), ...u16(0), ...u32(1), ...u16(1)],
      ...paragraphs.flatMap((length, at) => [...u32(length, 0x3c00), ...u16((at % 16) << 10)]),
    ])]
    : [];
  return container(0xf004, [
    inGroup
      ? record(0xf00f, u32(...source.box.map((points) => points * 8)))
      : anchor(source.box, source.isFar),
    container(0xf011, [
      ...(source.object === undefined ? [] : [record(0x0bc1, u32(source.object))]),
      ...numbers,
    ]),
    ...(text === "" ? [] : [container(0xf00d, [
      record(0x0f9f, u32(source.kind ?? 4)),
      record(0x0fa0, [...Buffer.from(text, "utf16le")]),
      ...styles,
    ])]),
  ]);
}

/**
 * Creates the tag in which later versions store numbering. Its data contains a record even though
 * the tag isn't marked as a container.
 */
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
