/**
 * Reads the text of a PPT shape: its characters, and the runs that mark paragraphs as list items.
 */
import type { Block, Span } from "../../model.ts";
import { plainText } from "../../model.ts";
import type { BinaryReader } from "../office/ole.ts";
import type { OfficeRecord } from "../office/records.ts";

const TEXT_HEADER = 0x0f9f;
const TEXT_CHARS = 0x0fa0;
const TEXT_STYLES = 0x0fa1;
const TEXT_BYTES = 0x0fa8;
/** Number of distinct extended style indexes a run can have. */
const STYLES_PER_CYCLE = 16;
const BOLD = 1;
const ITALIC = 2;

/** A text and its kind. 0 and 6 are titles; 1, 5, 7 and 8 are bodies. */
export interface PptText {
  readonly kind: number;
  readonly text: string;
  readonly styles: OfficeRecord | undefined;
}

/** A numbered paragraph's first number, by extended style index. */
export type AutoNumbers = ReadonlyMap<number, number>;

export function isTitleKind(kind: number): boolean {
  return kind === 0 || kind === 6;
}

/**
 * Returns the texts in a sequence of records. Each one is a header followed by characters and
 * styles.
 */
export function textsIn(reader: BinaryReader, records: readonly OfficeRecord[]): PptText[] {
  const texts: PptText[] = [];
  let kind = 4;
  for (const record of records) {
    const last = texts.at(-1);
    if (record.type === TEXT_HEADER) {
      kind = reader.u32(record.start);
      texts.push({ kind, text: "", styles: undefined });
    } else if (record.type === TEXT_CHARS || record.type === TEXT_BYTES) {
      const text = characters(reader, record);
      if (last !== undefined && last.text === "") texts[texts.length - 1] = { ...last, text };
      else texts.push({ kind, text, styles: undefined });
    } else if (record.type === TEXT_STYLES && last !== undefined) {
      texts[texts.length - 1] = { ...last, styles: record };
    }
  }
  return texts;
}

function characters(reader: BinaryReader, record: OfficeRecord): string {
  const length = record.end - record.start;
  if (record.type === TEXT_CHARS) return reader.utf16(record.start, length >> 1);
  // One byte per character: the low byte of UTF-16.
  return new TextDecoder("latin1").decode(reader.bytes.subarray(record.start, record.end));
}

interface ParagraphRun {
  readonly length: number;
  readonly level: number;
  /** Whether the run has a bullet. If `undefined`, the master decides. */
  readonly bullet: boolean | undefined;
}

interface CharacterRun {
  readonly length: number;
  readonly format: Omit<Span, "text">;
  /** Index of the extended style, which defines the numbering. */
  readonly extendedStyle: number;
}

/** Returns the blocks for a text. */
export function textBlocks(reader: BinaryReader, source: PptText, numbers: AutoNumbers): Block[] {
  const { paragraphs, runs } = readStyles(reader, source);
  const hasBullets = source.kind === 1 || source.kind === 7 || source.kind === 8;
  const blocks: Block[] = [];
  const counters: number[] = [];
  const [paragraphAt, runAt] = [sequentialLookup(paragraphs), sequentialLookup(runs)];
  let at = 0;
  for (const line of source.text.split("\r")) {
    const style = paragraphAt(at);
    const start = numbers.get(runAt(at)?.extendedStyle ?? -1);
    const spans = lineSpans(line, at, runAt);
    at += line.length + 1;
    if (plainText(spans).trim() === "") continue;
    const level = style?.level ?? 0;
    if (!(style?.bullet ?? hasBullets)) {
      counters.length = 0;
      blocks.push({ kind: "paragraph", spans });
    } else if (start === undefined) {
      counters.length = Math.min(counters.length, level);
      blocks.push({ kind: "item", level, spans });
    } else {
      counters.length = Math.min(counters.length, level + 1);
      const number = (counters[level] ?? start - 1) + 1;
      counters[level] = number;
      blocks.push({ kind: "item", level, number, spans });
    }
  }
  return blocks;
}

type WithEnd<T> = T & { readonly end: number };

/** Returns the run at a text offset. Offsets must not decrease between calls. */
type RunLookup<T> = (offset: number) => WithEnd<T> | undefined;

function sequentialLookup<T>(runs: readonly WithEnd<T>[]): RunLookup<T> {
  let index = 0;
  return (offset) => {
    while (offset >= (runs[index]?.end ?? Infinity)) index++;
    return runs[index];
  };
}

function lineSpans(line: string, start: number, runAt: RunLookup<CharacterRun>): Span[] {
  const spans: Span[] = [];
  for (let index = 0; index < line.length;) {
    const run = runAt(start + index);
    const stop = run === undefined ? line.length : Math.min(line.length, run.end - start);
    const text = line.slice(index, Math.max(index + 1, stop)).replaceAll("\v", "\n").replace(
      /(?![\t\n])\p{Cc}/gu,
      "",
    );
    spans.push({ ...run?.format, text });
    index = Math.max(index + 1, stop);
  }
  return spans;
}

function readStyles(reader: BinaryReader, source: PptText) {
  const paragraphs: WithEnd<ParagraphRun>[] = [];
  const runs: WithEnd<CharacterRun>[] = [];
  const { styles } = source;
  if (styles === undefined) return { paragraphs, runs };
  const total = source.text.length + 1;
  let at = styles.start;
  for (let end = 0; end < total && at + 10 <= styles.end;) {
    const { run, next } = paragraphRun(reader, at);
    end += Math.max(1, run.length);
    paragraphs.push({ ...run, end });
    at = next;
  }
  let [cycle, previous] = [0, 0];
  for (let end = 0; end < total && at + 8 <= styles.end;) {
    const { run, next } = characterRun(reader, at);
    end += Math.max(1, run.length);
    // The index has four bits, so it wraps around to 0 after 15.
    if (run.extendedStyle < previous) cycle += STYLES_PER_CYCLE;
    previous = run.extendedStyle;
    runs.push({ ...run, extendedStyle: cycle + run.extendedStyle, end });
    at = next;
  }
  return { paragraphs, runs };
}

/**
 * A run's optional fields in file order, with mask bit and size in bytes. A field is present if its
 * bit is set.
 */
const PARAGRAPH_FIELDS: readonly (readonly [number, number])[] = [
  [0x80, 2],
  [0x10, 2],
  [0x40, 2],
  [0x20, 4],
  [0x800, 2],
  [0x1000, 2],
  [0x2000, 2],
  [0x4000, 2],
  [0x100, 2],
  [0x400, 2],
  [0x8000, 2],
];

function paragraphRun(reader: BinaryReader, start: number): { run: ParagraphRun; next: number } {
  const mask = reader.u32(start + 6);
  let at = start + 10;
  let bullet: boolean | undefined;
  if ((mask & 0xf) !== 0) {
    if ((mask & 1) !== 0) bullet = (reader.u16(at) & 1) === 1;
    at += 2;
  }
  for (const [bit, size] of PARAGRAPH_FIELDS) if ((mask & bit) !== 0) at += size;
  if ((mask & 0x10_0000) !== 0) at += 2 + reader.u16(at) * 4;
  if ((mask & 0x1_0000) !== 0) at += 2;
  if ((mask & 0xe_0000) !== 0) at += 2;
  if ((mask & 0x20_0000) !== 0) at += 2;
  const run = { length: reader.u32(start), level: Math.min(8, reader.u16(start + 4)), bullet };
  return { run, next: at };
}

const CHARACTER_FIELDS: readonly (readonly [number, number])[] = [
  [0x1_0000, 2],
  [0x20_0000, 2],
  [0x40_0000, 2],
  [0x80_0000, 2],
  [0x2_0000, 2],
  [0x4_0000, 4],
  [0x8_0000, 2],
];

function characterRun(reader: BinaryReader, start: number): { run: CharacterRun; next: number } {
  const mask = reader.u32(start + 4);
  let at = start + 8;
  let style = 0;
  if ((mask & 0xffff) !== 0) {
    style = reader.u16(at);
    at += 2;
  }
  for (const [bit, size] of CHARACTER_FIELDS) if ((mask & bit) !== 0) at += size;
  const format = {
    ...((style & BOLD) !== 0 ? { bold: true } : {}),
    ...((style & ITALIC) !== 0 ? { italic: true } : {}),
  };
  return {
    run: { length: reader.u32(start), format, extendedStyle: (style >> 10) & 0xf },
    next: at,
  };
}

/** Returns each numbered extended style's first number (`StyleTextProp9`). */
export function autoNumbers(reader: BinaryReader, record: OfficeRecord | undefined): AutoNumbers {
  const numbers = new Map<number, number>();
  if (record === undefined) return numbers;
  let at = record.start;
  for (let index = 0; at + 12 <= record.end; index++) {
    const mask = reader.u32(at);
    at += 4;
    if ((mask & 0x80_0000) !== 0) at += 2;
    let isNumbered = false;
    if ((mask & 0x200_0000) !== 0) {
      isNumbered = reader.u16(at) === 1;
      at += 2;
    }
    let start = 1;
    if ((mask & 0x100_0000) !== 0) {
      start = reader.u16(at + 2);
      at += 4;
    }
    if (isNumbered) numbers.set(index, start);
    at += (reader.u32(at) & 0x100_0000) !== 0 ? 8 : 4;
    const other = reader.u32(at);
    at += 4;
    for (const bit of [0x1, 0x2, 0x4, 0x40]) if ((other & bit) !== 0) at += 2;
  }
  return numbers;
}
