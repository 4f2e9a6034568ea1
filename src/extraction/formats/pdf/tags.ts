/**
 * Reads a tagged PDF page's structure tree: which element each marked content belongs to. Tags come
 * from the program that made the file, so they're hints. `layout.ts` decides whether to use them.
 */
import type { BlockTag, CellTag } from "../../layout/page.ts";
import type { PdfFile } from "./pdfium.ts";

const MAX_DEPTH = 64;
/** Maximum number of elements read per page. */
const MAX_ELEMENTS = 20_000;
const MAX_SPAN = 1_000;

/** Types that contain blocks. Any other type is part of the text around it. */
const GROUPS = new Set(
  "Document DocumentFragment Part Art Sect Div Aside NonStruct Private Index TOC L THead TBody TFoot TR Table LBody"
    .split(" "),
);

const BLOCK_KINDS: Readonly<Record<string, BlockTag["kind"]>> = {
  H: "heading",
  Title: "heading",
  P: "paragraph",
  BlockQuote: "paragraph",
  Note: "paragraph",
  FENote: "paragraph",
  Code: "paragraph",
  Formula: "paragraph",
  Caption: "caption",
  LI: "item",
  TOCI: "contents",
  TD: "paragraph",
  TH: "paragraph",
  Figure: "figure",
};

/** What the elements above have in common for all content below them. */
interface Surroundings {
  readonly block: BlockTag | undefined;
  /** Number of lists around the element. */
  readonly lists: number;
  readonly table: number | undefined;
  readonly cell: CellTag | undefined;
}

/** Returns the block of each marked content on a page, by its id. Empty if the page has no tags. */
export function readTags(file: PdfFile, page: number): ReadonlyMap<number, BlockTag> {
  const tree = file.call("FPDF_StructTree_GetForPage", page);
  if (tree === 0) return new Map();
  const reader = new TagReader(file);
  const count = file.call("FPDF_StructTree_CountChildren", tree);
  for (let index = 0; index < Math.min(count, MAX_ELEMENTS); index++) {
    const element = file.call("FPDF_StructTree_GetChildAtIndex", tree, index);
    const outside = { block: undefined, lists: 0, table: undefined, cell: undefined };
    if (element !== 0) reader.visit(element, outside, 0);
  }
  file.call("FPDF_StructTree_Close", tree);
  return reader.blocks;
}

class TagReader {
  readonly blocks = new Map<number, BlockTag>();
  readonly #file: PdfFile;
  readonly #rows = new Map<number, number>();
  #elements = 0;
  #ids = 0;
  #tables = 0;

  constructor(file: PdfFile) {
    this.#file = file;
  }

  visit(element: number, around: Surroundings, depth: number): void {
    if (depth > MAX_DEPTH || ++this.#elements > MAX_ELEMENTS) return;
    const type = this.#typeOf(element);
    let inside = this.#enter(type, around);
    const count = Math.min(
      MAX_ELEMENTS,
      this.#file.call("FPDF_StructElement_CountChildren", element),
    );
    let cellIndex = 0;
    for (let index = 0; index < count; index++) {
      const child = this.#file.call("FPDF_StructElement_GetChildAtIndex", element, index);
      if (child === 0) {
        const id = this.#file.call("FPDF_StructElement_GetChildMarkedContentID", element, index);
        if (id < 0) continue;
        inside = { ...inside, block: inside.block ?? this.#block("P", inside) };
        this.blocks.set(id, inside.block!);
        continue;
      }
      const cell = type === "TR" && inside.table !== undefined
        ? this.#cell(child, inside.table, cellIndex++)
        : undefined;
      this.visit(
        child,
        cell === undefined ? inside : { ...inside, cell, block: undefined },
        depth + 1,
      );
    }
  }

  #enter(type: string, around: Surroundings): Surroundings {
    if (type === "Table") {
      // A table in a cell is part of the cell's text.
      return around.cell === undefined
        ? { ...around, block: undefined, table: ++this.#tables }
        : around;
    }
    if (type === "TR" && around.table !== undefined && around.cell === undefined) {
      this.#rows.set(around.table, (this.#rows.get(around.table) ?? -1) + 1);
      return around;
    }
    if (type === "L") return { ...around, block: undefined, lists: around.lists + 1 };
    if (GROUPS.has(type)) return around;
    const isHeading = /^H[1-6]$/.test(type);
    // The first paragraph in an item is the item itself.
    const isItemText = type === "P" && around.block?.kind === "item";
    if (isItemText || !(isHeading || type in BLOCK_KINDS)) return around;
    return { ...around, block: this.#block(type, around) };
  }

  #block(type: string, { lists, cell }: Surroundings): BlockTag {
    const kind = /^H[1-6]$/.test(type) ? "heading" : BLOCK_KINDS[type] ?? "paragraph";
    const level = kind === "item"
      ? Math.max(0, lists - 1)
      : kind === "heading"
      ? Number(type[1]) || 1
      : 0;
    return { id: this.#ids++, kind, level, ...cell === undefined ? {} : { cell } };
  }

  #cell(element: number, table: number, index: number): CellTag {
    return {
      table,
      row: this.#rows.get(table) ?? 0,
      index,
      colspan: this.#span(element, "ColSpan"),
      rowspan: this.#span(element, "RowSpan"),
    };
  }

  #typeOf(element: number): string {
    const { scratch } = this.#file;
    const length = this.#file.call("FPDF_StructElement_GetType", element, scratch, 256);
    return this.#file.readUtf16(length);
  }

  #span(element: number, name: string): number {
    const file = this.#file;
    const key = file.scratch + 2048;
    [...name, "\0"].forEach((char, index) => file.view.setUint8(key + index, char.charCodeAt(0)));
    const count = Math.min(16, file.call("FPDF_StructElement_GetAttributeCount", element));
    for (let index = 0; index < count; index++) {
      const attributes = file.call("FPDF_StructElement_GetAttributeAtIndex", element, index);
      const value = file.call("FPDF_StructElement_Attr_GetValue", attributes, key);
      if (value === 0) continue;
      if (file.call("FPDF_StructElement_Attr_GetNumberValue", value, file.scratch) === 0) continue;
      return Math.min(MAX_SPAN, Math.max(1, Math.round(file.readFloat(0))));
    }
    return 1;
  }
}
