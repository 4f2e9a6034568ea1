/** Style sheet and list tables of a DOC. */
import type { DocFile, Properties } from "./doc_file.ts";
import { readSprms } from "./doc_file.ts";
import type { ListDefinitions, ListLevel } from "../office/list_numbering.ts";
import type { BinaryReader } from "../office/ole.ts";

interface Style {
  readonly builtIn: number;
  readonly base: number;
  readonly name: string;
  readonly properties: Properties | undefined;
}

const TITLE = 62;
const NO_STYLE = 0xfff;
const PARAGRAPH_STYLE = 1;
const LISTS = 73;
const LIST_OVERRIDES = 74;

/** Paragraph styles by index. */
export class DocStyles {
  readonly #styles = new Map<number, Style>();

  constructor(file: DocFile) {
    const { at, size } = file.stylesRange;
    const { table } = file;
    const headerSize = table.u16(at);
    const count = table.u16(at + 2);
    const baseSize = table.u16(at + 4);
    let place = at + 2 + headerSize;
    for (let index = 0; index < count && place < at + size; index++) {
      const length = table.u16(place);
      if (length > 0) this.#styles.set(index, readStyle(table, place + 2, baseSize));
      place += 2 + length + (length & 1);
    }
  }

  /** Heading level: 0 for the title, 1 to 9, or undefined. Built-in numbers know no language. */
  headingLevel(style: number): number | undefined {
    for (const one of this.#chain(style)) {
      if (one.builtIn === TITLE) return 0;
      if (one.builtIn >= 1 && one.builtIn <= 9) return one.builtIn;
    }
    return undefined;
  }

  name(style: number): string {
    return this.#styles.get(style)?.name ?? "";
  }

  /** Properties that a style and the styles under it set, nearest first. */
  properties(style: number): Properties[] {
    return this.#chain(style).map((one) => one.properties).filter((one) => one !== undefined);
  }

  #chain(style: number): Style[] {
    const chain: Style[] = [];
    let at = style;
    while (at !== NO_STYLE && chain.length < 20) {
      const one = this.#styles.get(at);
      if (one === undefined) break;
      chain.push(one);
      at = one.base;
    }
    return chain;
  }
}

function readStyle(table: BinaryReader, at: number, baseSize: number): Style {
  const kind = table.u16(at + 2) & 0xf;
  const length = table.u16(at + baseSize);
  const name = table.utf16(at + baseSize + 2, Math.min(255, length));
  let changes = at + baseSize + 2 + length * 2 + 2;
  changes += (changes - at) & 1;
  const size = table.u16(changes);
  const properties = kind === PARAGRAPH_STYLE && size > 2
    ? { reader: table, style: 0, sprms: readSprms(table, changes + 4, size - 2) }
    : undefined;
  return { builtIn: table.u16(at) & 0xfff, base: table.u16(at + 2) >> 4, name, properties };
}

const NUMBER_FORMATS: Readonly<Record<number, string>> = {
  0: "decimal",
  1: "upperRoman",
  2: "lowerRoman",
  3: "upperLetter",
  4: "lowerLetter",
  22: "decimalZero",
  23: "bullet",
  255: "none",
};

/** The lists of a document; instances are numbered from 1, as paragraphs name them. */
export function readLists(file: DocFile): ListDefinitions {
  const levels = new Map<string, Map<number, ListLevel>>();
  const definitionOf = new Map<string, string>();
  const restarts = new Map<string, Map<number, number>>();
  const { table } = file;
  const lists = file.tableRange(LISTS);
  if (lists.size > 0) readDefinitions(table, lists.at, levels);
  const overrides = file.tableRange(LIST_OVERRIDES);
  const count = overrides.size === 0 ? 0 : Math.min(10_000, table.u32(overrides.at));
  let data = overrides.at + 4 + count * 16;
  for (let index = 0; index < count; index++) {
    const at = overrides.at + 4 + index * 16;
    const id = String(index + 1);
    definitionOf.set(id, String(table.i32(at)));
    const starts = new Map<number, number>();
    const changes = table.u8(at + 12);
    data += 4;
    for (let change = 0; change < changes; change++) {
      const flags = table.u32(data + 4);
      if ((flags & 0x10) !== 0 && (flags & 0x20) === 0) starts.set(flags & 0xf, table.i32(data));
      data += 8;
      if ((flags & 0x20) !== 0) data = readLevel(table, data).next;
    }
    restarts.set(id, starts);
  }
  return { levels, definitionOf, restarts };
}

function readDefinitions(
  table: BinaryReader,
  at: number,
  levels: Map<string, Map<number, ListLevel>>,
): void {
  const count = table.u16(at);
  let place = at + 2 + count * 28;
  for (let index = 0; index < count; index++) {
    const list = at + 2 + index * 28;
    const isSimple = (table.u8(list + 26) & 1) === 1;
    const own = new Map<number, ListLevel>();
    for (let level = 0; level < (isSimple ? 1 : 9) && place < table.length; level++) {
      const { next, value } = readLevel(table, place);
      own.set(level, value);
      place = next;
    }
    levels.set(String(table.i32(list)), own);
  }
}

function readLevel(table: BinaryReader, at: number): { value: ListLevel; next: number } {
  const place = at + 28 + table.u8(at + 24) + table.u8(at + 25);
  const length = table.u16(place);
  // The numbers of levels are stored as characters 0 to 8.
  const text = Array.from(
    table.utf16(place + 2, length),
    (char) => char < "	" ? `%${char.charCodeAt(0) + 1}` : char,
  ).join("");
  const value = {
    format: NUMBER_FORMATS[table.u8(at + 4)] ?? "decimal",
    text,
    start: table.i32(at),
  };
  return { value, next: place + 2 + length * 2 };
}
