/**
 * Reads the entries of a zip container. The directory is read by hand, because every library
 * tried either trusts the declared sizes or counts only after it has inflated.
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

/** A zip container in memory. Names are keys, never paths. */
export class ZipArchive {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  readonly #entries = new Map<string, ZipEntry>();
  #inflated = 0;

  /** Reads the directory. Throws DOCUMENT_CORRUPT when there is none. */
  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#readDirectory(this.#findEnd());
  }

  /** Names of all entries, in the order of the directory. */
  get names(): string[] {
    return [...this.#entries.keys()];
  }

  has(name: string): boolean {
    return this.#entries.has(name);
  }

  /** The inflated bytes of an entry, or undefined when there is no such entry. */
  read(name: string): Uint8Array | undefined {
    const entry = this.#entries.get(name);
    if (entry === undefined) return undefined;
    if (entry.encrypted) {
      throw new ExtractionError("DOCUMENT_ENCRYPTED", "The file needs a password");
    }
    if (this.#u32(entry.offset) !== LOCAL_SIGNATURE) {
      throw corrupt(`The zip entry "${name}" is damaged`);
    }
    const start = entry.offset + 30 + this.#u16(entry.offset + 26) + this.#u16(entry.offset + 28);
    const raw = this.#bytes.subarray(start, start + entry.compressedSize);
    if (raw.length < entry.compressedSize) throw corrupt(`The zip entry "${name}" is cut off`);
    const bytes = entry.method === 0 ? raw : this.#inflate(name, raw, entry.method);
    this.#inflated += bytes.length;
    if (this.#inflated > MAX_ZIP_TOTAL_BYTES) throw archiveTooLarge();
    return bytes;
  }

  /** An entry as UTF-8 (or UTF-16 by its mark) text. */
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
    if (method !== 8) throw corrupt(`The zip entry "${name}" uses the unknown method ${method}`);
    const room = Math.min(MAX_ZIP_ENTRY_BYTES, MAX_ZIP_TOTAL_BYTES - this.#inflated);
    try {
      return inflateRawSync(raw, { maxOutputLength: Math.max(1, room) });
    } catch (error) {
      if (error instanceof RangeError) throw archiveTooLarge();
      throw corrupt(`The zip entry "${name}" cannot be inflated`, error);
    }
  }

  #findEnd(): number {
    const last = Math.max(0, this.#bytes.length - 22 - 65_535);
    for (let at = this.#bytes.length - 22; at >= last; at--) {
      if (this.#u32(at) === END_SIGNATURE) return at;
    }
    throw corrupt("The file is cut off or damaged: its zip directory is missing");
  }

  #readDirectory(end: number): void {
    const count = this.#u16(end + 10);
    if (count > MAX_ZIP_ENTRIES) throw archiveTooLarge();
    let at = this.#u32(end + 16);
    // Bytes before the archive shift every offset by the same amount.
    const shift = end - this.#u32(end + 12) - at;
    at += shift;
    const decoder = new TextDecoder();
    for (let index = 0; index < count; index++) {
      if (this.#u32(at) !== CENTRAL_SIGNATURE) {
        throw corrupt("The zip directory of the file is damaged");
      }
      const nameLength = this.#u16(at + 28);
      const name = decoder.decode(this.#bytes.subarray(at + 46, at + 46 + nameLength))
        .replaceAll("\\", "/");
      this.#entries.set(name, {
        offset: this.#u32(at + 42) + shift,
        method: this.#u16(at + 10),
        compressedSize: this.#u32(at + 20),
        encrypted: (this.#u16(at + 8) & 1) === 1,
      });
      at += 46 + nameLength + this.#u16(at + 30) + this.#u16(at + 32);
    }
  }

  #u16(at: number): number {
    if (at < 0 || at + 2 > this.#bytes.length) throw corrupt("The zip structure is damaged");
    return this.#view.getUint16(at, true);
  }

  #u32(at: number): number {
    if (at < 0 || at + 4 > this.#bytes.length) throw corrupt("The zip structure is damaged");
    return this.#view.getUint32(at, true);
  }
}

function archiveTooLarge(): ExtractionError {
  return new ExtractionError(
    "EXTRACTED_DOCUMENT_TOO_LARGE",
    `The file unpacks to more than ${MAX_ZIP_TOTAL_BYTES} bytes or ${MAX_ZIP_ENTRIES} entries`,
  );
}
