/**
 * Reads the entries in a zip container. Parses the directory itself, since every library we tried
 * either trusts the declared sizes or only checks them after decompression.
 */
import { inflateRawSync } from "node:zlib";
import { corrupt, ExtractionError } from "./error.ts";
import { MAX_ZIP_ENTRIES, MAX_ZIP_ENTRY_BYTES, MAX_ZIP_TOTAL_BYTES } from "./limits.ts";

interface ZipEntry {
  readonly offset: number;
  readonly method: number;
  readonly compressedSize: number;
  readonly encrypted: boolean;
}

const END_SIGNATURE = 0x06054b50;
const CENTRAL_SIGNATURE = 0x02014b50;
const LOCAL_SIGNATURE = 0x04034b50;

/** A zip container in memory. Names are only used as keys, never as paths. */
export class ZipArchive {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  readonly #entries = new Map<string, ZipEntry>();
  #inflated = 0;

  /**
   * Reads the container's directory.
   *
   * @throws {ExtractionError} DOCUMENT_CORRUPT if the directory is missing or damaged
   */
  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#readDirectory(this.#findEnd());
  }

  /** All entry names, in directory order. */
  get names(): string[] {
    return [...this.#entries.keys()];
  }

  /** Checks whether there is an entry with this name. */
  has(name: string): boolean {
    return this.#entries.has(name);
  }

  /**
   * Returns an entry's decompressed bytes, or undefined if it doesn't exist.
   *
   * @throws {ExtractionError} DOCUMENT_ENCRYPTED, DOCUMENT_CORRUPT or EXTRACTED_DOCUMENT_TOO_LARGE
   *   if the entry can't be read
   */
  read(name: string): Uint8Array | undefined {
    const entry = this.#entries.get(name);
    if (entry === undefined) return undefined;
    if (entry.encrypted) {
      throw new ExtractionError(
        "DOCUMENT_ENCRYPTED",
        "The file is password-protected; remove the password and upload it again",
      );
    }
    if (this.#u32(entry.offset) !== LOCAL_SIGNATURE) {
      throw corrupt(`Zip entry "${name}" is damaged`);
    }
    const start = entry.offset + 30 + this.#u16(entry.offset + 26) + this.#u16(entry.offset + 28);
    const raw = this.#bytes.subarray(start, start + entry.compressedSize);
    if (raw.length < entry.compressedSize) throw corrupt(`Zip entry "${name}" is truncated`);
    const bytes = entry.method === 0 ? raw : this.#inflate(name, raw, entry.method);
    this.#inflated += bytes.length;
    if (this.#inflated > MAX_ZIP_TOTAL_BYTES) throw archiveTooLarge();
    return bytes;
  }

  /**
   * Returns an entry as text: UTF-16 if it starts with a UTF-16 byte order mark, otherwise UTF-8.
   */
  text(name: string): string | undefined {
    const bytes = this.read(name);
    if (bytes === undefined) return undefined;
    const utf16 = bytes[0] === 0xff && bytes[1] === 0xfe
      ? "utf-16le"
      : bytes[0] === 0xfe && bytes[1] === 0xff
      ? "utf-16be"
      : "utf-8";
    return new TextDecoder(utf16).decode(bytes);
  }

  #inflate(name: string, raw: Uint8Array, method: number): Uint8Array {
    if (method !== 8) {
      throw corrupt(`Zip entry "${name}" uses unsupported compression method ${method}`);
    }
    const maxOutputLength = Math.min(MAX_ZIP_ENTRY_BYTES, MAX_ZIP_TOTAL_BYTES - this.#inflated);
    try {
      return inflateRawSync(raw, { maxOutputLength: Math.max(1, maxOutputLength) });
    } catch (error) {
      if (error instanceof RangeError) throw archiveTooLarge();
      throw corrupt(`Failed to decompress zip entry "${name}"`, error);
    }
  }

  #findEnd(): number {
    const lowest = Math.max(0, this.#bytes.length - 22 - 65_535);
    for (let offset = this.#bytes.length - 22; offset >= lowest; offset--) {
      if (this.#u32(offset) === END_SIGNATURE) return offset;
    }
    throw corrupt("The file is truncated or damaged: its zip directory is missing");
  }

  #readDirectory(endOffset: number): void {
    const count = this.#u16(endOffset + 10);
    if (count > MAX_ZIP_ENTRIES) throw archiveTooLarge();
    let offset = this.#u32(endOffset + 16);
    // If there are other bytes before the archive, all offsets are shifted by the same amount.
    const shift = endOffset - this.#u32(endOffset + 12) - offset;
    offset += shift;
    const decoder = new TextDecoder();
    for (let index = 0; index < count; index++) {
      if (this.#u32(offset) !== CENTRAL_SIGNATURE) {
        throw corrupt("The zip directory is damaged");
      }
      const nameLength = this.#u16(offset + 28);
      const name = decoder.decode(this.#bytes.subarray(offset + 46, offset + 46 + nameLength))
        .replaceAll("\\", "/");
      this.#entries.set(name, {
        offset: this.#u32(offset + 42) + shift,
        method: this.#u16(offset + 10),
        compressedSize: this.#u32(offset + 20),
        encrypted: (this.#u16(offset + 8) & 1) === 1,
      });
      offset += 46 + nameLength + this.#u16(offset + 30) + this.#u16(offset + 32);
    }
  }

  #u16(offset: number): number {
    if (offset < 0 || offset + 2 > this.#bytes.length) {
      throw corrupt("The zip structure is damaged");
    }
    return this.#view.getUint16(offset, true);
  }

  #u32(offset: number): number {
    if (offset < 0 || offset + 4 > this.#bytes.length) {
      throw corrupt("The zip structure is damaged");
    }
    return this.#view.getUint32(offset, true);
  }
}

function archiveTooLarge(): ExtractionError {
  return new ExtractionError(
    "EXTRACTED_DOCUMENT_TOO_LARGE",
    `The file decompresses to more than ${MAX_ZIP_TOTAL_BYTES} bytes or ${MAX_ZIP_ENTRIES} entries`,
  );
}
