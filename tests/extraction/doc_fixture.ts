/** Small DOC files, made by the tests themselves. */
import { Buffer } from "node:buffer";
import * as cfb from "cfb";
import { u16, u32 } from "./fixtures.ts";

/** A paragraph of a DOC with its closing character, and the property changes it carries. */
export type DocParagraph = readonly [text: string, properties?: readonly number[]];

/** A DOC (Word 97): text of 8 bits a character, and one page of paragraph properties. */
export function doc(paragraphs: readonly DocParagraph[]): Uint8Array {
  const textAt = 512;
  const text = paragraphs.map(([one]) => one).join("");
  const pageAt = textAt + 512 * Math.ceil(text.length / 512);
  const main = new Uint8Array(pageAt + 512);
  main.set(Buffer.from(text, "latin1"), textAt);
  const count = paragraphs.length;
  const ends = paragraphs.map((_, at) =>
    textAt + paragraphs.slice(0, at + 1).reduce((sum, [one]) => sum + one.length, 0)
  );
  let free = 510;
  paragraphs.forEach(([, properties = []], at) => {
    // Its length in words, one more byte than that counts, then the style and the changes.
    const own = [Math.ceil((properties.length + 3) / 2), ...u16(0), ...properties];
    free = (free - own.length) & ~1;
    main.set(own, pageAt + free);
    main[pageAt + (count + 1) * 4 + at * 13] = free / 2;
  });
  main.set(u32(textAt, ...ends), pageAt);
  main[pageAt + 511] = count;
  const pieces = [...u32(0, text.length), ...u16(0), ...u32(0x4000_0000 + textAt * 2), ...u16(0)];
  const table = [...u32(textAt, ends.at(-1) ?? textAt, pageAt / 512)];
  const pair = (index: number, at: number, size: number) =>
    main.set(u32(at, size), 154 + index * 8);
  main.set(u16(193), 2);
  main.set(u32(text.length), 76);
  pair(13, 0, table.length);
  pair(33, table.length, pieces.length + 5);
  const container = cfb.utils.cfb_new();
  cfb.utils.cfb_add(container, "/WordDocument", main);
  cfb.utils.cfb_add(container, "/0Table", [...table, 2, ...u32(pieces.length), ...pieces]);
  return Uint8Array.from(cfb.write(container, { type: "array" }) as number[]);
}
