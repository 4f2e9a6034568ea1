/**
 * Reads the binary structures in a DOC file: text pieces, and paragraph and character properties.
 */
import { corrupt, ExtractionError } from "../../error.ts";
import { BinaryReader, OleFile } from "../office/ole.ts";

/** A property modifier: its code, and the offset and size of its operand. */
export interface Sprm {
  readonly code: number;
  readonly at: number;
  readonly size: number;
}

/** A list of property modifiers in a stream. */
export interface Properties {
  readonly reader: BinaryReader;
  readonly sprms: readonly Sprm[];
  /** The paragraph's style index, or 0 for character properties. */
  readonly style: number;
}

interface Piece {
  readonly start: number;
  readonly end: number;
  readonly offset: number;
  readonly isWide: boolean;
}

interface Run {
  readonly from: number;
  readonly to: number;
  readonly properties: Properties;
}

const FC_LCB_OFFSET = 154;
const STYLES = 1;
const CHARACTER_RUNS = 12;
const PARAGRAPH_RUNS = 13;
const CLX = 33;

/** An open DOC file from Word 97 or later. */
export class DocFile {
  readonly main: BinaryReader;
  readonly table: BinaryReader;
  readonly text: string;
  readonly #pieces: readonly Piece[];
  readonly #paragraphs: readonly Run[];
  readonly #characters: readonly Run[];

  private constructor(main: BinaryReader, table: BinaryReader) {
    this.main = main;
    this.table = table;
    this.#pieces = readPieces(this);
    this.text = this.#pieces.map((piece) => pieceText(main, piece)).join("");
    this.#paragraphs = readRuns(this, PARAGRAPH_RUNS, true);
    this.#characters = readRuns(this, CHARACTER_RUNS, false);
  }

  /**
   * Opens a file. The result has no `file` for versions before Word 97.
   *
   * Throws DOCUMENT_ENCRYPTED if the file is password-protected, and DOCUMENT_CORRUPT if a stream
   * is missing.
   */
  static open(bytes: Uint8Array): { file?: DocFile; main: BinaryReader } {
    const container = new OleFile(bytes);
    const stream = container.stream("WordDocument");
    if (stream === undefined) throw corrupt("The DOC file has no text stream");
    const main = new BinaryReader(stream);
    const flags = main.u16(10);
    if ((flags & 0x100) !== 0) {
      throw new ExtractionError(
        "DOCUMENT_ENCRYPTED",
        "The file is password-protected; remove the password and upload it again",
      );
    }
    if (main.u16(2) < 193) return { main };
    const table = container.stream((flags & 0x200) === 0 ? "0Table" : "1Table") ??
      container.stream("1Table") ?? container.stream("0Table");
    if (table === undefined) throw corrupt("The DOC file has no table stream");
    return { main, file: new DocFile(main, new BinaryReader(table)) };
  }

  /** Returns the offset and size of structure `index` in the table stream. */
  tableRange(index: number): { at: number; size: number } {
    return {
      at: this.main.u32(FC_LCB_OFFSET + index * 8),
      size: this.main.u32(FC_LCB_OFFSET + index * 8 + 4),
    };
  }

  get stylesRange() {
    return this.tableRange(STYLES);
  }

  /** Number of characters in each part of the document, in file order. */
  get characterCounts() {
    const count = (index: number) => Math.max(0, this.main.i32(64 + index * 4));
    return {
      text: count(3),
      footnotes: count(4),
      headers: count(5),
      annotations: count(7),
      endnotes: count(8),
      textBoxes: count(9),
    };
  }

  /** Returns the properties of the paragraph that ends at character `at`. */
  paragraphAt(at: number): Properties | undefined {
    return propertiesAt(this.#paragraphs, this.#byteOffset(at));
  }

  /** Returns the properties of character `at`. */
  characterAt(at: number): Properties | undefined {
    return propertiesAt(this.#characters, this.#byteOffset(at));
  }

  #byteOffset(at: number): number {
    let [low, high] = [0, this.#pieces.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#pieces[middle]?.start ?? 0) <= at) low = middle;
      else high = middle - 1;
    }
    const piece = this.#pieces[low];
    if (piece === undefined) return 0;
    return piece.offset + (at - piece.start) * (piece.isWide ? 2 : 1);
  }
}

function propertiesAt(runs: readonly Run[], offset: number): Properties | undefined {
  let [low, high] = [0, runs.length - 1];
  while (low <= high) {
    const middle = (low + high) >> 1;
    const run = runs[middle];
    if (run === undefined) return undefined;
    if (offset < run.from) high = middle - 1;
    else if (offset >= run.to) low = middle + 1;
    else return run.properties;
  }
  return undefined;
}

function readPieces(file: Pick<DocFile, "main" | "table" | "tableRange">): Piece[] {
  const { table } = file;
  const { at, size } = file.tableRange(CLX);
  let clxOffset = at;
  while (clxOffset < at + size && table.u8(clxOffset) === 1) {
    clxOffset += 3 + table.u16(clxOffset + 1);
  }
  if (table.u8(clxOffset) !== 2) throw corrupt("The DOC file has no piece table");
  const length = table.u32(clxOffset + 1);
  const count = Math.floor((length - 4) / 12);
  const pieces: Piece[] = [];
  for (let index = 0; index < count; index++) {
    const start = table.u32(clxOffset + 5 + index * 4);
    // A character takes at least one byte, so a piece with more characters than the file has bytes
    // is damaged.
    const end = Math.min(table.u32(clxOffset + 9 + index * 4), start + file.main.length);
    const raw = table.u32(clxOffset + 5 + (count + 1) * 4 + index * 8 + 2);
    const isWide = (raw & 0x4000_0000) === 0;
    const offset = isWide ? raw : (raw & 0x3fff_ffff) / 2;
    if (end <= start || end > 2 * file.main.length) continue;
    pieces.push({ start, end, offset, isWide });
  }
  return pieces;
}

function pieceText(main: BinaryReader, piece: Piece): string {
  const length = piece.end - piece.start;
  const bytes = main.bytes.subarray(piece.offset, piece.offset + length * (piece.isWide ? 2 : 1));
  const text = new TextDecoder(piece.isWide ? "utf-16le" : "windows-1252").decode(bytes);
  return text.length < length ? text.padEnd(length, " ") : text.slice(0, length);
}

/**
 * Reads the runs on the formatted disk pages. Each page takes 512 bytes: the limits of its runs,
 * followed by each run's properties.
 */
function readRuns(file: DocFile, index: number, isParagraph: boolean): Run[] {
  const { main, table } = file;
  const { at, size } = file.tableRange(index);
  const count = Math.max(0, Math.floor((size - 4) / 8));
  const runs: Run[] = [];
  for (let page = 0; page < count; page++) {
    const base = (table.u32(at + (count + 1) * 4 + page * 4) & 0x3f_ffff) * 512;
    const entries = main.u8(base + 511);
    for (let entry = 0; entry < entries; entry++) {
      const slot = base + (entries + 1) * 4 + entry * (isParagraph ? 13 : 1);
      const offset = main.u8(slot) * 2;
      const properties = offset === 0
        ? { reader: main, sprms: [], style: 0 }
        : isParagraph
        ? paragraphProperties(main, base + offset)
        : {
          reader: main,
          sprms: readSprms(main, base + offset + 1, main.u8(base + offset)),
          style: 0,
        };
      const from = main.u32(base + entry * 4);
      runs.push({ from, to: main.u32(base + entry * 4 + 4), properties });
    }
  }
  return runs.sort((a, b) => a.from - b.from);
}

function paragraphProperties(main: BinaryReader, at: number): Properties {
  const short = main.u8(at);
  const start = short === 0 ? at + 2 : at + 1;
  const size = short === 0 ? main.u8(at + 1) * 2 : short * 2 - 1;
  return { reader: main, style: main.u16(start), sprms: readSprms(main, start + 2, size - 2) };
}

const OPERAND_SIZES = [1, 1, 2, 4, 2, 2, 0, 3];

/** Returns the property modifiers in `size` bytes at `start`. */
export function readSprms(reader: BinaryReader, start: number, size: number): Sprm[] {
  const sprms: Sprm[] = [];
  let at = start;
  while (at + 2 <= start + size && at + 2 <= reader.length) {
    const code = reader.u16(at);
    at += 2;
    let length = OPERAND_SIZES[code >> 13] ?? 1;
    if (length === 0) {
      // The table definition has a two-byte length, 1 more than the number of bytes that follow.
      if (code === 0xd608) length = reader.u16(at) + 1;
      else length = reader.u8(at) + 1;
    }
    sprms.push({ code, at, size: length });
    at += length;
  }
  return sprms;
}
