/** Reads streams in compound files (OLE2), the container format of DOC and PPT. */
import * as cfb from "cfb";
import { corrupt } from "../../error.ts";

/** A compound file's streams, keyed by name: those in its root, or else at any depth. */
export class OleFile {
  readonly #container: cfb.CFB$Container;

  /** Throws DOCUMENT_CORRUPT if the container is damaged. */
  constructor(bytes: Uint8Array) {
    try {
      this.#container = cfb.read(bytes, { type: "array" });
    } catch (error) {
      throw corrupt("The compound file is damaged", error);
    }
  }

  /** Returns a stream's bytes, or `undefined` if it doesn't exist. */
  stream(name: string): Uint8Array | undefined {
    const inRoot = name.startsWith("/") ? null : cfb.find(this.#container, `/${name}`);
    const content = (inRoot ?? cfb.find(this.#container, name))?.content;
    return content === undefined ? undefined : Uint8Array.from(content);
  }
}

/**
 * A little-endian view that reads zeros out of bounds, since offsets in damaged files can point
 * anywhere.
 */
export class BinaryReader {
  readonly #view: DataView;
  readonly bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  get length(): number {
    return this.bytes.length;
  }

  u8(at: number): number {
    return at >= 0 && at < this.length ? this.#view.getUint8(at) : 0;
  }

  u16(at: number): number {
    return at >= 0 && at + 2 <= this.length ? this.#view.getUint16(at, true) : 0;
  }

  i16(at: number): number {
    return at >= 0 && at + 2 <= this.length ? this.#view.getInt16(at, true) : 0;
  }

  u32(at: number): number {
    return at >= 0 && at + 4 <= this.length ? this.#view.getUint32(at, true) : 0;
  }

  i32(at: number): number {
    return at >= 0 && at + 4 <= this.length ? this.#view.getInt32(at, true) : 0;
  }

  /** Returns `count` UTF-16 code units at `at` as text. */
  utf16(at: number, count: number): string {
    return new TextDecoder("utf-16le").decode(this.bytes.subarray(at, at + count * 2));
  }
}
