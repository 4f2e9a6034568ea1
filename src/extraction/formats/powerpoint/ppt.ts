/** Reads PPT (PowerPoint 97–2003): slides in order, with texts, lists and tables. */
import { corrupt, ExtractionError, pageLimitExceeded } from "../../error.ts";
import type { Block, ExtractedDocument, Span } from "../../model.ts";
import { tableFromEdges, type TableRow } from "../office/cell_edges.ts";
import { BinaryReader, OleFile } from "../office/ole.ts";
import type { Box } from "../../layout/geometry.ts";
import { childrenOf, type OfficeRecord, recordAt, recordsIn } from "../office/records.ts";
import { autoNumbers, isTitleKind, type PptText, textBlocks, textsIn } from "./ppt_text.ts";
import { PptObjects } from "./ppt_objects.ts";
import { inReadingOrder, type SlidePart, slideTable, withTitle } from "../office/slide.ts";

const SLIDE_LIST = 0x0ff0;
const SLIDE_PERSIST = 0x03f3;
const USER_EDIT = 0x0ff5;
const SHAPE_GROUP = 0xf003;
const SHAPE = 0xf004;
const TEXT_BOX = 0xf00d;
const OUTLINE_REFERENCE = 0x0f9e;
const CLIENT_ANCHOR = 0xf010;
const CHILD_ANCHOR = 0xf00f;
const TERTIARY_OPTIONS = 0xf122;
const TABLE_PROPERTIES = 0x039f;
const EXTENDED_STYLES = 0x0fac;
const NOTES_ATOM_OFFSET = 16;
const SLIDE_ATOM = 0x03ef;
const SHOW_INFO = 0x03f9;
const SHOW_FLAGS_OFFSET = 10;
const HIDDEN = 0x0004;
const ENCRYPTED_TOKEN = 0xf3d1c4df;
const MAX_GROUP_DEPTH = 8;
/**
 * Size of an anchor with four 16-bit numbers. One twice this size has four 32-bit numbers (MS-PPT
 * allows both).
 */
const SMALL_ANCHOR_BYTES = 8;
/** Master units per point, at 576 units to the inch. */
const UNITS_PER_POINT = 8;
const TWIPS_PER_POINT = 20;

/**
 * Reads a PPT file.
 *
 * Throws DOCUMENT_ENCRYPTED if it's password-protected, DOCUMENT_CORRUPT if it's damaged, and
 * DOCUMENT_PAGE_LIMIT_EXCEEDED if it has more than `maxPages` slides.
 */
export function readPpt(bytes: Uint8Array, maxPages: number): ExtractedDocument {
  const container = new OleFile(bytes);
  const stream = container.stream("PowerPoint Document");
  const user = container.stream("Current User");
  if (stream === undefined || user === undefined) throw corrupt("The PPT file has no presentation");
  const current = new BinaryReader(user);
  if (current.u32(12) === ENCRYPTED_TOKEN) {
    throw new ExtractionError(
      "DOCUMENT_ENCRYPTED",
      "The file is password-protected; remove the password and upload it again",
    );
  }
  const file = new PptFile(new BinaryReader(stream), current.u32(16));
  const slides = file.slides();
  if (slides.length > maxPages) {
    throw pageLimitExceeded(slides.length, "slides", maxPages);
  }
  const blocks = slides.flatMap((slide, index): Block[] => {
    const mark: Block[] = index === 0 ? [] : [{ kind: "page", page: index + 1 }];
    return [...mark, ...file.slideBlocks(slide)];
  });
  return { blocks, pageCount: Math.max(1, slides.length) };
}

interface Slide {
  readonly record: OfficeRecord | undefined;
  /** Placeholder texts, as stored in the slide list. */
  readonly outline: readonly PptText[];
}

interface ShapeContext {
  readonly outline: readonly PptText[];
  /** Collects the spans in titles. */
  readonly title: Span[];
  readonly depth: number;
}

class PptFile {
  readonly #reader: BinaryReader;
  readonly #offsets = new Map<number, number>();
  #document = 0;
  readonly #objects: PptObjects;

  constructor(reader: BinaryReader, lastEdit: number) {
    this.#reader = reader;
    let at = lastEdit;
    // Each save adds an edit that points to the previous one. A record's newest offset wins.
    for (let count = 0; at > 0 && count < 1_000; count++) {
      const edit = recordAt(reader, at);
      if (edit?.type !== USER_EDIT) break;
      this.#document ||= reader.u32(edit.start + 16);
      this.#readPersistDirectory(reader.u32(edit.start + 12));
      at = reader.u32(edit.start + 8);
    }
    const persisted = (id: number) => this.#persisted(id);
    this.#objects = new PptObjects(reader, persisted(this.#document), persisted);
  }

  #readPersistDirectory(offset: number): void {
    const directory = recordAt(this.#reader, offset);
    if (directory === undefined) return;
    for (let at = directory.start; at + 4 <= directory.end;) {
      const header = this.#reader.u32(at);
      const [first, count] = [header & 0xf_ffff, header >>> 20];
      at += 4;
      for (let index = 0; index < count && at + 4 <= directory.end; index++, at += 4) {
        if (!this.#offsets.has(first + index)) {
          this.#offsets.set(first + index, this.#reader.u32(at));
        }
      }
    }
  }

  #persisted(id: number): OfficeRecord | undefined {
    const offset = this.#offsets.get(id);
    return offset === undefined ? undefined : recordAt(this.#reader, offset);
  }

  #slideLists(document: OfficeRecord | undefined, instance: number): OfficeRecord[] {
    if (document === undefined) return [];
    return childrenOf(this.#reader, document).filter((record) =>
      record.type === SLIDE_LIST && record.instance === instance
    );
  }

  slides(): Slide[] {
    const document = this.#persisted(this.#document);
    if (document === undefined) throw corrupt("The PPT file has no document record");
    return this.#slideLists(document, 0).flatMap((list) => {
      const slides: { persist: number; records: OfficeRecord[] }[] = [];
      for (const record of childrenOf(this.#reader, list)) {
        if (record.type === SLIDE_PERSIST) {
          slides.push({ persist: this.#reader.u32(record.start), records: [] });
        } else slides.at(-1)?.records.push(record);
      }
      return slides.map((slide) => ({
        record: this.#persisted(slide.persist),
        outline: textsIn(this.#reader, slide.records),
      }));
    });
  }

  slideBlocks(slide: Slide): Block[] {
    const { record, outline } = slide;
    if (record === undefined) {
      return outline.flatMap((text) => textBlocks(this.#reader, text, new Map()));
    }
    if (this.#isHidden(record)) return [];
    const title: Span[] = [];
    const parts = this.#groups(record)
      .flatMap((group) => this.#parts(group, { outline, title, depth: 0 }));
    return [...withTitle(title, inReadingOrder(parts)), ...this.#notes(record)];
  }

  #isHidden(slide: OfficeRecord): boolean {
    const info = childrenOf(this.#reader, slide).find(({ type }) => type === SHOW_INFO);
    return info !== undefined && (this.#reader.u16(info.start + SHOW_FLAGS_OFFSET) & HIDDEN) !== 0;
  }

  #groups(slide: OfficeRecord): OfficeRecord[] {
    return recordsIn(this.#reader, slide, SHAPE_GROUP);
  }

  /** Returns a group's parts. A table or nested group counts as a single part. */
  #parts(group: OfficeRecord, context: ShapeContext): SlidePart[] {
    // The first shape is the group's frame.
    return childrenOf(this.#reader, group).slice(1).flatMap((record): SlidePart[] => {
      const box = this.#box(record);
      if (record.type === SHAPE_GROUP) {
        if (this.#isTable(record)) return [{ box, blocks: this.#table(record) }];
        if (context.depth > MAX_GROUP_DEPTH) return [];
        const inner = this.#parts(record, { ...context, depth: context.depth + 1 });
        return [{ box, blocks: inReadingOrder(inner) }];
      }
      if (record.type !== SHAPE) return [];
      const blocks = this.#shapeBlocks(record, context.outline);
      if (!this.#texts(record, context.outline).some((text) => isTitleKind(text.kind))) {
        return [{ box, blocks: [...blocks, ...this.#objects.blocks(record)] }];
      }
      for (const block of blocks) {
        if ("spans" in block) context.title.push(...block.spans, { text: " " });
      }
      return [];
    });
  }

  #isTable(group: OfficeRecord): boolean {
    const [first] = childrenOf(this.#reader, group);
    const options = first === undefined
      ? undefined
      : childrenOf(this.#reader, first).find(({ type }) => type === TERTIARY_OPTIONS);
    if (options === undefined) return false;
    for (let at = options.start; at + 6 <= options.end; at += 6) {
      if ((this.#reader.u16(at) & 0x3fff) === TABLE_PROPERTIES) {
        return (this.#reader.u32(at + 2) & 1) === 1;
      }
    }
    return false;
  }

  #texts(shape: OfficeRecord, outline: readonly PptText[]): PptText[] {
    return recordsIn(this.#reader, shape, TEXT_BOX).flatMap((box) => {
      const records = childrenOf(this.#reader, box);
      const reference = records.find(({ type }) => type === OUTLINE_REFERENCE);
      if (reference === undefined) return textsIn(this.#reader, records);
      const text = outline[this.#reader.u32(reference.start)];
      return text === undefined ? [] : [text];
    });
  }

  #shapeBlocks(shape: OfficeRecord, outline: readonly PptText[]): Block[] {
    const extended = recordsIn(this.#reader, shape, EXTENDED_STYLES)[0];
    const numbers = autoNumbers(this.#reader, extended);
    return this.#texts(shape, outline).flatMap((text) => textBlocks(this.#reader, text, numbers));
  }

  /** Returns a table's blocks. Its cells are shapes whose boxes define the grid. */
  #table(group: OfficeRecord): Block[] {
    const cells = childrenOf(this.#reader, group).slice(1).filter(({ type }) => type === SHAPE)
      .flatMap((shape) => {
        const box = this.#box(shape);
        return box === undefined || recordsIn(this.#reader, shape, TEXT_BOX).length === 0
          ? []
          : [{ box, blocks: this.#shapeBlocks(shape, []) }];
      });
    const tops = [...new Set(cells.map((cell) => cell.box.top))].sort((a, b) => a - b);
    const rows = tops.map((top): TableRow => {
      const bottom = tops[tops.indexOf(top) + 1] ?? Infinity;
      const rowCells = cells.filter((cell) => cell.box.top < bottom && cell.box.bottom > top)
        .sort((a, b) => a.box.left - b.box.left);
      return {
        left: TWIPS_PER_POINT * (rowCells[0]?.box.left ?? 0),
        edges: rowCells.map((cell) => ({
          right: TWIPS_PER_POINT * cell.box.right,
          continuesAbove: cell.box.top < top,
          continuesLeft: false,
        })),
        cells: rowCells.map((cell) => cell.blocks),
      };
    });
    return tableFromEdges(rows).map((block) =>
      block.kind === "table" ? slideTable(block.rows) : block
    );
  }

  #box(shape: OfficeRecord): Box | undefined {
    const anchored = shape.type === SHAPE ? shape : childrenOf(this.#reader, shape)[0];
    if (anchored === undefined) return undefined;
    for (const record of childrenOf(this.#reader, anchored)) {
      if (record.type === CHILD_ANCHOR) {
        const [left, top, right, bottom] = [0, 4, 8, 12].map((at) =>
          this.#reader.i32(record.start + at)
        );
        return boxInPoints(left, top, right, bottom);
      }
      if (record.type === CLIENT_ANCHOR && record.end - record.start >= SMALL_ANCHOR_BYTES) {
        const isSmall = record.end - record.start < 2 * SMALL_ANCHOR_BYTES;
        const [top, left, right, bottom] = [0, 1, 2, 3].map((index) =>
          isSmall
            ? this.#reader.i16(record.start + 2 * index)
            : this.#reader.i32(record.start + 4 * index)
        );
        return boxInPoints(left, top, right, bottom);
      }
    }
    return undefined;
  }

  /** Returns a slide's speaker notes. The slide refers to its notes page by id. */
  #notes(slide: OfficeRecord): Block[] {
    const atom = childrenOf(this.#reader, slide).find(({ type }) => type === SLIDE_ATOM);
    const id = atom === undefined ? 0 : this.#reader.u32(atom.start + NOTES_ATOM_OFFSET);
    if (id === 0) return [];
    const document = this.#persisted(this.#document);
    for (const list of this.#slideLists(document, 2)) {
      for (const record of childrenOf(this.#reader, list)) {
        if (record.type !== SLIDE_PERSIST || this.#reader.u32(record.start + 12) !== id) continue;
        const notes = this.#persisted(this.#reader.u32(record.start));
        const blocks = notes === undefined
          ? []
          : recordsIn(this.#reader, notes, SHAPE).flatMap((shape) =>
            this.#texts(shape, []).filter((text) => text.kind === 2)
              .flatMap((text) => textBlocks(this.#reader, text, new Map()))
          );
        if (blocks.length === 0) return [];
        const label: Block = { kind: "paragraph", spans: [{ text: "Speaker notes:", bold: true }] };
        return [{ kind: "quote", blocks: [label, ...blocks] }];
      }
    }
    return [];
  }
}

function boxInPoints(left = 0, top = 0, right = 0, bottom = 0): Box {
  return {
    left: left / UNITS_PER_POINT,
    top: top / UNITS_PER_POINT,
    right: right / UNITS_PER_POINT,
    bottom: bottom / UNITS_PER_POINT,
  };
}
