/**
 * Reads objects embedded in a PPT file. LibreOffice embeds charts as OpenDocument packages,
 * PowerPoint as Microsoft Graph workbooks.
 */
import { inflateSync } from "node:zlib";
import { corrupt, ExtractionError } from "../../error.ts";
import { MAX_ZIP_ENTRY_BYTES, MAX_ZIP_TOTAL_BYTES } from "../../limits.ts";
import type { Block } from "../../model.ts";
import { ZipArchive } from "../../zip.ts";
import { readOdfChart } from "../opendocument/odf.ts";
import { type BinaryReader, OleFile } from "../office/ole.ts";
import { embeddedChart } from "../excel/xls_drawings.ts";
import { childrenOf, type OfficeRecord, recordsIn } from "../office/records.ts";

const OBJECT_LIST = 0x0409;
const EMBEDDED_OBJECT = 0x0fcc;
const OBJECT_ATOM = 0x0fc3;
const OBJECT_REFERENCE = 0x0bc1;
const OBJECT_DATA = 0x1011;
const IS_COMPRESSED = 1;
/**
 * Maximum number of objects to read per file. Same as the maximum number of slides. Any more are
 * skipped.
 */
const MAX_OBJECTS = 300;

/** A presentation's objects, each read once a shape refers to it. */
export class PptObjects {
  readonly #reader: BinaryReader;
  readonly #persisted: (id: number) => OfficeRecord | undefined;
  /** Object persist ids, keyed by the id used by shapes. */
  readonly #persistIds = new Map<number, number>();
  readonly #blocks = new Map<number, Block[]>();
  #inflatedBytes = 0;

  /**
   * Creates a reader for embedded objects.
   *
   * @param document The record for the whole presentation.
   * @param persisted Returns the record with a given persist id.
   */
  constructor(
    reader: BinaryReader,
    document: OfficeRecord | undefined,
    persisted: (id: number) => OfficeRecord | undefined,
  ) {
    this.#reader = reader;
    this.#persisted = persisted;
    const lists = document === undefined
      ? []
      : childrenOf(reader, document).filter(({ type }) => type === OBJECT_LIST);
    for (const entry of lists.flatMap((list) => childrenOf(reader, list))) {
      if (entry.type !== EMBEDDED_OBJECT) continue;
      const atom = childrenOf(reader, entry).find(({ type }) => type === OBJECT_ATOM);
      if (atom === undefined) continue;
      this.#persistIds.set(reader.u32(atom.start + 8), reader.u32(atom.start + 16));
    }
  }

  /**
   * Returns the blocks for a shape's object: a chart's title, type and numbers. Returns nothing for
   * other objects.
   */
  blocks(shape: OfficeRecord): Block[] {
    const reference = recordsIn(this.#reader, shape, OBJECT_REFERENCE)[0];
    if (reference === undefined) return [];
    const id = this.#reader.u32(reference.start);
    const cached = this.#blocks.get(id);
    if (cached !== undefined) return cached;
    if (this.#blocks.size >= MAX_OBJECTS) return [];
    const blocks = this.#read(this.#persistIds.get(id) ?? 0);
    this.#blocks.set(id, blocks);
    return blocks;
  }

  #read(persistId: number): Block[] {
    const data = this.#persisted(persistId);
    if (data?.type !== OBJECT_DATA) return [];
    const stored = this.#reader.bytes.subarray(data.start, data.end);
    try {
      const bytes = data.instance === IS_COMPRESSED ? this.#inflate(stored.subarray(4)) : stored;
      const object = new OleFile(bytes);
      const content = object.stream("package_stream");
      if (content !== undefined) return readOdfChart(new ZipArchive(content));
      const workbook = object.stream("Workbook");
      return workbook === undefined ? [] : embeddedChart(workbook);
    } catch (error) {
      // Skip a damaged or encrypted object. The slide around it is still readable.
      const isUnreadable = error instanceof ExtractionError &&
        (error.code === "DOCUMENT_CORRUPT" || error.code === "DOCUMENT_ENCRYPTED");
      if (isUnreadable) return [];
      throw error;
    }
  }

  #inflate(stored: Uint8Array): Uint8Array {
    const remaining = Math.min(MAX_ZIP_ENTRY_BYTES, MAX_ZIP_TOTAL_BYTES - this.#inflatedBytes);
    try {
      const bytes = inflateSync(stored, { maxOutputLength: Math.max(1, remaining) });
      this.#inflatedBytes += bytes.length;
      return bytes;
    } catch (error) {
      if (!(error instanceof RangeError)) throw corrupt("An embedded object is damaged", error);
      throw new ExtractionError(
        "EXTRACTED_DOCUMENT_TOO_LARGE",
        `The embedded objects of the file unpack to more than ${MAX_ZIP_TOTAL_BYTES} bytes`,
      );
    }
  }
}
