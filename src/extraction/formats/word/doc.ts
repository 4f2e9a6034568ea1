/** Reads DOC (Word 97–2003): paragraphs with styles, lists, tables, links and notes. */
import type { Block, ExtractedDocument, Span } from "../../model.ts";
import { paragraph, plainText } from "../../model.ts";
import { anchoredTextBoxes, type DocTextBox } from "./doc_text_boxes.ts";
import { DocFile, type Properties } from "./doc_file.ts";
import { DocStyles, readLists } from "./doc_styles.ts";
import { type CellEdge, tableFromEdges, type TableRow } from "../office/cell_edges.ts";
import { ListCounters } from "../office/list_numbering.ts";
import type { BinaryReader } from "../office/ole.ts";

const IN_TABLE = 0x2416;
const ROW_END = 0x2417;
const TABLE_DEPTH = 0x6649;
const INNER_CELL_END = 0x244b;
const INNER_ROW_END = 0x244c;
const OUTLINE = 0x2640;
const LIST_LEVEL = 0x260a;
const LIST_ID = 0x460b;
const TABLE_DEFINITION = 0xd608;
const BOLD = 0x0835;
const ITALIC = 0x0836;
const STRIKE = 0x0837;
const HIDDEN = 0x083c;
const DELETED = 0x0800;
const FOOTNOTE_TEXTS = 3;
const ENDNOTE_TEXTS = 47;
/** Maximum depth of nested tables. Deeper ones are read as part of the table at this depth. */
const MAX_TABLE_DEPTH = 16;

/** Reads a DOC file. Only reads the plain text of versions before Word 97. */
export function readDoc(bytes: Uint8Array): ExtractedDocument {
  const { file, main } = DocFile.open(bytes);
  if (file === undefined) return { blocks: readWord95Text(main) };
  const reader = new DocReader(file);
  const { text, footnotes, headers, annotations, endnotes, textBoxes } = file.characterCounts;
  const blocks = reader.read(0, text);
  const notes = reader.notes(FOOTNOTE_TEXTS, text, "");
  const endnotesAt = text + footnotes + headers + annotations;
  const boxes = reader.unanchoredBoxes(endnotesAt + endnotes, endnotesAt + endnotes + textBoxes);
  const endnoteBlocks = reader.notes(ENDNOTE_TEXTS, endnotesAt, "e");
  return { blocks: [...blocks, ...boxes, ...notes, ...endnoteBlocks], pageCount: reader.page };
}

/**
 * Reads Word 6 and 95 files, which store their text as a single range of 8-bit characters. Text
 * only.
 */
function readWord95Text(main: BinaryReader): Block[] {
  const bytes = main.bytes.subarray(main.u32(24), main.u32(28));
  const text = new TextDecoder("windows-1252").decode(bytes);
  // deno-lint-ignore no-control-regex -- Word ends paragraphs, cells and pages with these
  return text.split(/[\r\x07\x0c]/).map((line) =>
    // deno-lint-ignore no-control-regex -- Word puts fields between characters 19, 20 and 21
    line.replace(/\x13[^\x14\x15]*\x14?|[\0-\x08\x0e-\x1f]/g, "")
  )
    .filter((line) => line.trim() !== "").map((line) => paragraph(line.replaceAll("\x0b", "\n")));
}

interface Field {
  instruction: string;
  inResult: boolean;
}

class DocReader {
  page = 1;
  readonly #file: DocFile;
  readonly #styles: DocStyles;
  readonly #counters: ListCounters;
  readonly #fields: Field[] = [];
  readonly #boxesByAnchor: ReadonlyMap<number, readonly DocTextBox[]>;
  /** Text boxes already read at their anchor. */
  readonly #anchoredBoxes: DocTextBox[] = [];
  #noteCount = 0;
  #hasTitle = false;

  constructor(file: DocFile) {
    this.#file = file;
    this.#boxesByAnchor = anchoredTextBoxes(file);
    this.#styles = new DocStyles(file);
    this.#counters = new ListCounters(readLists(file));
  }

  /** Returns the blocks for characters `start` to `end`. */
  read(start: number, end: number): Block[] {
    const { text } = this.#file;
    const blocks: Block[] = [];
    const tables: TableBuilder[] = [];
    const close = (depth: number) => {
      while (tables.length > depth) {
        const closed = tables.pop()?.build() ?? [];
        (tables.at(-1)?.cell ?? blocks).push(...closed);
      }
    };
    let from = start;
    for (let at = start; at < Math.min(end, text.length); at++) {
      const char = text[at];
      if (char !== "\r" && char !== "\x07" && char !== "\x0c") continue;
      const properties = this.#file.paragraphAt(at);
      const paragraphBlocks = this.#paragraph(from, at, properties);
      from = at + 1;
      const depth = this.#tableDepth(properties);
      close(depth);
      while (tables.length < depth) tables.push(new TableBuilder());
      const table = tables.at(-1);
      const isInner = depth > 1;
      if (table === undefined) blocks.push(...paragraphBlocks);
      else if (isSet(this.#property(properties, isInner ? INNER_ROW_END : ROW_END))) {
        table.endRow(properties);
      } else {
        table.cell.push(...paragraphBlocks);
        const isCellEnd = isInner
          ? isSet(this.#property(properties, INNER_CELL_END))
          : char === "\x07";
        if (isCellEnd) table.endCell();
      }
      if (char === "\x0c" && at + 1 < end) blocks.push({ kind: "page", page: ++this.page });
    }
    close(0);
    return blocks;
  }

  /** Returns the text boxes from `start` to `end` that haven't been read at an anchor yet. */
  unanchoredBoxes(start: number, end: number): Block[] {
    const blocks: Block[] = [];
    let at = start;
    for (const box of this.#anchoredBoxes.sort((a, b) => a.start - b.start)) {
      blocks.push(...this.read(at, Math.min(end, start + box.start)));
      at = Math.max(at, start + box.end);
    }
    return [...blocks, ...this.read(at, end)];
  }

  /** Returns the blocks anchored to character `at`: its text boxes, or else a picture. */
  #anchoredBlocks(at: number): Block[] {
    const { text, footnotes, headers, annotations, endnotes, textBoxes } =
      this.#file.characterCounts;
    // A text box inside another one isn't anchored to a character in the main text.
    const boxes = at < text ? this.#boxesByAnchor.get(at) ?? [] : [];
    if (boxes.length === 0) return [{ kind: "image", alt: "" }];
    const first = text + footnotes + headers + annotations + endnotes;
    this.#anchoredBoxes.push(...boxes);
    return boxes.flatMap((box) =>
      this.read(first + box.start, first + Math.min(box.end, textBoxes))
    );
  }

  /** Returns a paragraph's table depth. Cells can contain tables. */
  #tableDepth(properties: Properties | undefined): number {
    if (!isSet(this.#property(properties, IN_TABLE))) return 0;
    return Math.min(MAX_TABLE_DEPTH, Math.max(1, this.#property(properties, TABLE_DEPTH) ?? 1));
  }

  /** Returns the notes in structure `index`, whose text begins at character `base`. */
  notes(index: number, base: number, prefix: string): Block[] {
    const { at, size } = this.#file.tableRange(index);
    const count = Math.floor(size / 4) - 2;
    const notes: Block[] = [];
    for (let note = 0; note < Math.min(count, 5_000); note++) {
      const start = base + this.#file.table.u32(at + note * 4);
      const end = base + this.#file.table.u32(at + note * 4 + 4);
      const spans = this.read(start, end).flatMap((block): Span[] =>
        "spans" in block
          ? [...block.spans.filter((span) => span.note === undefined), { text: " " }]
          : []
      );
      if (plainText(spans).trim() !== "") {
        notes.push({ kind: "note", label: `${prefix}${note + 1}`, spans });
      }
    }
    return notes;
  }

  #paragraph(from: number, to: number, properties: Properties | undefined): Block[] {
    const anchored: Block[] = [];
    const spans = this.#spans(from, to, anchored);
    const isEmpty = plainText(spans).trim() === "" &&
      spans.every((span) => span.note === undefined);
    return isEmpty ? anchored : [this.#styled(spans, properties), ...anchored];
  }

  #styled(spans: Span[], properties: Properties | undefined): Block {
    const style = properties?.style ?? 0;
    const outline = this.#property(properties, OUTLINE);
    const level = this.#styles.headingLevel(style) ??
      (outline !== undefined && outline < 9 ? outline + 1 : undefined);
    const list = this.#property(properties, LIST_ID);
    const depth = this.#property(properties, LIST_LEVEL) ?? 0;
    const numbered = list === undefined || list === 0
      ? undefined
      : this.#counters.next(String(list), depth);
    const label = numbered === undefined || numbered.bullet ? "" : numbered.label;
    if (level !== undefined) {
      if (level === 0) this.#hasTitle = true;
      const shownLevel = level === 0 ? 1 : level + (this.#hasTitle ? 1 : 0);
      return {
        kind: "heading",
        level: shownLevel,
        spans: label === "" ? spans : [{ text: `${label} ` }, ...spans],
      };
    }
    if (/^(?:source code|preformatted text|html preformatted)$/i.test(this.#styles.name(style))) {
      return { kind: "code", text: plainText(spans) };
    }
    if (numbered === undefined) return { kind: "paragraph", spans };
    const item = { kind: "item" as const, level: depth, list: numbered.list, spans };
    if (numbered.bullet) return item;
    if (numbered.compound) return { ...item, spans: [{ text: `${label} ` }, ...spans] };
    return { ...item, number: numbered.value };
  }

  /** Returns a property's value, either the paragraph's own or inherited from its style. */
  #property(properties: Properties | undefined, code: number): number | undefined {
    if (properties === undefined) return undefined;
    const own = sprmValue(properties, code);
    if (own !== undefined) return own;
    for (const inherited of this.#styles.properties(properties.style)) {
      const value = sprmValue(inherited, code);
      if (value !== undefined) return value;
    }
    return undefined;
  }

  #spans(from: number, to: number, anchored: Block[]): Span[] {
    const spans: Span[] = [];
    const { text } = this.#file;
    for (let at = from; at < to; at++) {
      const char = text[at] ?? "";
      if (this.#readFieldMark(char)) continue;
      const field = this.#fields.at(-1);
      if (field !== undefined && !field.inResult) {
        field.instruction += char;
        continue;
      }
      if (char === "\x01" || char === "\x08") {
        anchored.push(...this.#anchoredBlocks(at));
        continue;
      }
      if (char === "\x02") {
        spans.push({ text: "", note: String(++this.#noteCount) });
        continue;
      }
      const visible = visibleText(char);
      const format = visible === "" ? undefined : this.#characterFormat(at);
      if (format !== undefined) spans.push({ ...format, text: visible });
    }
    return spans;
  }

  #readFieldMark(char: string): boolean {
    if (char === "\x13") this.#fields.push({ instruction: "", inResult: false });
    else if (char === "\x15") this.#fields.pop();
    else if (char === "\x14") {
      const field = this.#fields.at(-1);
      if (field !== undefined) field.inResult = true;
    } else return false;
    return true;
  }

  /** Returns a character's format, or `undefined` if it's hidden or deleted. */
  #characterFormat(at: number): Omit<Span, "text"> | undefined {
    const properties = this.#file.characterAt(at);
    const on = (code: number) => {
      const value = properties === undefined ? undefined : sprmValue(properties, code);
      return value === 1 || value === 0x81;
    };
    if (on(HIDDEN) || on(DELETED)) return undefined;
    const link = this.#fields.map((field) => /HYPERLINK\s+"([^"]+)"/i.exec(field.instruction)?.[1])
      .find((href) => href !== undefined);
    return {
      ...(on(BOLD) ? { bold: true } : {}),
      ...(on(ITALIC) ? { italic: true } : {}),
      ...(on(STRIKE) ? { strike: true } : {}),
      ...(link === undefined ? {} : { href: link }),
    };
  }
}

/** Collects a table's rows. */
class TableBuilder {
  cell: Block[] = [];
  #cells: Block[][] = [];
  #rows: TableRow[] = [];

  endCell(): void {
    this.#cells.push(this.cell);
    this.cell = [];
  }

  endRow(properties: Properties | undefined): void {
    const { left, edges } = rowEdges(properties);
    if (this.#cells.length > 0) this.#rows.push({ left, edges, cells: this.#cells });
    this.#cells = [];
    this.cell = [];
  }

  build(): readonly Block[] {
    if (this.#rows.length === 0) return [];
    const blocks = tableFromEdges(this.#rows);
    this.#rows = [];
    return blocks;
  }
}

/** Returns a row's cell edges and merges from its table definition. */
function rowEdges(properties: Properties | undefined): { left: number; edges: CellEdge[] } {
  const sprm = properties?.sprms.find(({ code }) => code === TABLE_DEFINITION);
  if (properties === undefined || sprm === undefined) return { left: 0, edges: [] };
  const { reader } = properties;
  const count = Math.min(64, reader.u8(sprm.at + 2));
  const edgePosition = (index: number) => reader.i16(sprm.at + 3 + index * 2);
  const cells = sprm.at + 3 + (count + 1) * 2;
  const edges = Array.from({ length: count }, (_, index): CellEdge => {
    const isInside = cells + index * 20 + 2 <= sprm.at + sprm.size;
    const flags = isInside ? reader.u16(cells + index * 20) : 0;
    return {
      right: edgePosition(index + 1),
      continuesLeft: (flags & 0x0002) !== 0,
      continuesAbove: (flags & 0x0060) === 0x0020,
    };
  });
  return { left: edgePosition(0), edges };
}

function sprmValue(properties: Properties, code: number): number | undefined {
  const sprm = properties.sprms.findLast((candidate) => candidate.code === code);
  if (sprm === undefined) return undefined;
  return sprm.size === 1 ? properties.reader.u8(sprm.at) : properties.reader.u16(sprm.at);
}

function isSet(value: number | undefined): boolean {
  return value !== undefined && value !== 0;
}

function visibleText(char: string): string {
  switch (char) {
    case "\x0b":
      return "\n";
    case "\x1e":
      return "-";
    case "\x0e":
      return " ";
    case "\t":
      return "\t";
    default:
      return char < " " ? "" : char;
  }
}
