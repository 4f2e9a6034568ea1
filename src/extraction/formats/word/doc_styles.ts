/** Reads a DOC file's style sheet and list tables. */
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
    let entry = at + 2 + headerSize;
    for (let index = 0; index < count && entry < at + size; index++) {
      const length = table.u16(entry);
      if (length > 0) this.#styles.set(index, readStyle(table, entry + 2, baseSize));
      entry += 2 + length + (length & 1);
    }
  }

  /**
   * Returns a style's heading level: 0 for the title, 1 to 9 for headings, otherwise `undefined`.
   * Built-in style numbers are the same in every language.
   */
  headingLevel(style: number): number | undefined {
    for (const { builtIn } of this.#chain(style)) {
      if (builtIn === TITLE) return 0;
      if (builtIn >= 1 && builtIn <= 9) return builtIn;
    }
    return undefined;
  }

  name(style: number): string {
    return this.#styles.get(style)?.name ?? "";
  }

  /** Returns the properties set by a style and those it's based on, nearest first. */
  properties(style: number): Properties[] {
    return this.#chain(style).map(({ properties }) => properties)
      .filter((properties) => properties !== undefined);
  }

  #chain(style: number): Style[] {
    const chain: Style[] = [];
    let index = style;
    while (index !== NO_STYLE && chain.length < 20) {
      const current = this.#styles.get(index);
      if (current === undefined) break;
      chain.push(current);
      index = current.base;
    }
    return chain;
  }
}

function readStyle(table: BinaryReader, at: number, baseSize: number): Style {
  const type = table.u16(at + 2) & 0xf;
  const length = table.u16(at + baseSize);
  const name = table.utf16(at + baseSize + 2, Math.min(255, length));
  let changes = at + baseSize + 2 + length * 2 + 2;
  changes += (changes - at) & 1;
  const size = table.u16(changes);
  const properties = type === PARAGRAPH_STYLE && size > 2
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

/** Reads a document's lists. Paragraphs refer to instances by number, starting at 1. */
export function readLists(file: DocFile): ListDefinitions {
  const levels = new Map<string, Map<number, ListLevel>>();
  const definitionOf = new Map<string, string>();
  const restarts = new Map<string, Map<number, number>>();
  const { table } = file;
  const lists = file.tableRange(LISTS);
  if (lists.size > 0) readDefinitions(table, lists.at, levels);
  const overrides = file.tableRange(LIST_OVERRIDES);
  const count = overrides.size === 0 ? 0 : Math.min(10_000, table.u32(overrides.at));
  let override = overrides.at + 4 + count * 16;
  for (let index = 0; index < count; index++) {
    const at = overrides.at + 4 + index * 16;
    const id = String(index + 1);
    definitionOf.set(id, String(table.i32(at)));
    const starts = new Map<number, number>();
    const changes = table.u8(at + 12);
    override += 4;
    for (let change = 0; change < changes; change++) {
      const flags = table.u32(override + 4);
      if ((flags & 0x10) !== 0 && (flags & 0x20) === 0) {
        starts.set(flags & 0xf, table.i32(override));
      }
      override += 8;
      if ((flags & 0x20) !== 0) override = readLevel(table, override).next;
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
  let levelOffset = at + 2 + count * 28;
  for (let index = 0; index < count; index++) {
    const list = at + 2 + index * 28;
    const isSimple = (table.u8(list + 26) & 1) === 1;
    const ownLevels = new Map<number, ListLevel>();
    for (let level = 0; level < (isSimple ? 1 : 9) && levelOffset < table.length; level++) {
      const { next, value } = readLevel(table, levelOffset);
      ownLevels.set(level, value);
      levelOffset = next;
    }
    levels.set(String(table.i32(list)), ownLevels);
  }
}

function readLevel(table: BinaryReader, at: number): { value: ListLevel; next: number } {
  const textOffset = at + 28 + table.u8(at + 24) + table.u8(at + 25);
  const length = table.u16(textOffset);
  // Level numbers are stored as characters 0 to 8.
  const text = Array.from(
    table.utf16(textOffset + 2, length),
    (char) => char < "	" ? `%${char.charCodeAt(0) + 1}` : char,
  ).join("");
  const value = {
    format: NUMBER_FORMATS[table.u8(at + 4)] ?? "decimal",
    text,
    start: table.i32(at),
  };
  return { value, next: textOffset + 2 + length * 2 };
}
