/** Creates small DOC files for tests. */
import { Buffer } from "node:buffer";
import * as cfb from "cfb";
import { u16, u32 } from "../../testing/extraction_fixtures.ts";

/** A DOC paragraph with its closing character and property modifiers. */
export type DocParagraph = readonly [text: string, properties?: readonly number[]];

/** A text box with one paragraph. `anchor` is the character that it is anchored to. */
export interface DocBox {
  readonly text: string;
  readonly anchor: number;
  readonly isGrouped?: boolean;
}

/** Creates a DOC (Word 97) with 8-bit text and a single page of paragraph properties. */
export function doc(body: readonly DocParagraph[], boxes: readonly DocBox[] = []): Uint8Array {
  // The offsets of the text box structures extend into the second block.
  const textAt = boxes.length === 0 ? 512 : 1024;
  const paragraphs = [...body, ...boxes.map(({ text }): DocParagraph => [text])];
  const text = paragraphs.map(([text]) => text).join("");
  const pageAt = textAt + 512 * Math.ceil(text.length / 512);
  const main = new Uint8Array(pageAt + 512);
  main.set(Buffer.from(text, "latin1"), textAt);
  const count = paragraphs.length;
  const ends = paragraphs.map((_, at) =>
    textAt + paragraphs.slice(0, at + 1).reduce((sum, [text]) => sum + text.length, 0)
  );
  let free = 510;
  paragraphs.forEach(([, properties = []], at) => {
    // The length in words, which leaves out one byte, followed by the style and the
    // modifiers.
    const entry = [Math.ceil((properties.length + 3) / 2), ...u16(0), ...properties];
    free = (free - entry.length) & ~1;
    main.set(entry, pageAt + free);
    main[pageAt + (count + 1) * 4 + at * 13] = free / 2;
  });
  main.set(u32(textAt, ...ends), pageAt);
  main[pageAt + 511] = count;
  const pieces = [...u32(0, text.length), ...u16(0), ...u32(0x4000_0000 + textAt * 2), ...u16(0)];
  const table = [...u32(textAt, ends.at(-1) ?? textAt, pageAt / 512)];
  const setRange = (index: number, at: number, size: number) =>
    main.set(u32(at, size), 154 + index * 8);
  main.set(u16(193), 2);
  const boxLength = boxes.reduce((sum, { text }) => sum + text.length, 0);
  main.set(u32(text.length - boxLength), 76);
  main.set(u32(boxLength), 100);
  setRange(13, 0, table.length);
  setRange(33, table.length, pieces.length + 5);
  const first = [...table, 2, ...u32(pieces.length), ...pieces];
  const structures = boxStructures(boxes, text.length);
  structures.forEach(([index, bytes]) => {
    setRange(index, first.length, bytes.length);
    first.push(...bytes);
  });
  const container = cfb.utils.cfb_new();
  cfb.utils.cfb_add(container, "/WordDocument", main);
  cfb.utils.cfb_add(container, "/0Table", first);
  return Uint8Array.from(cfb.write(container, { type: "array" }) as number[]);
}

/**
 * Returns the structures that contain the anchors, the grouped shapes and the text ranges of the
 * boxes.
 */
function boxStructures(boxes: readonly DocBox[], length: number): [number, number[]][] {
  const group = 500;
  const shape = (index: number) => 100 + index;
  const record = (
    type: number,
    content: readonly number[],
  ) => [...u16(0xf, type), ...u32(content.length), ...content];
  const shapeRecord = (id: number) => record(0xf004, record(0xf00a, u32(id, 0)));
  const members = boxes.flatMap(({ isGrouped }, index) =>
    isGrouped ? shapeRecord(shape(index)) : []
  );
  const patriarch = record(0xf003, [
    ...shapeRecord(1),
    ...record(0xf003, [...shapeRecord(group), ...members]),
  ]);
  let at = 0;
  const starts = boxes.map(({ text }) => (at += text.length) - text.length);
  const zeros = (count: number) => new Array<number>(count).fill(0);
  return [
    [40, [
      ...u32(...boxes.map(({ anchor }) => anchor), length),
      ...boxes.flatMap((
        { isGrouped },
        index,
      ) => [...u32(isGrouped ? group : shape(index)), ...zeros(22)]),
    ]],
    [50, [...record(0xf000, []), 0, ...record(0xf002, patriarch)]],
    [56, [
      ...u32(...starts, at, at),
      ...boxes.flatMap((_, index) => [...zeros(14), ...u32(shape(index)), ...zeros(4)]),
      ...zeros(22),
    ]],
  ];
}
