/**
 * Reads rows of an embedding model's word table from its file. The query encoder and the tagger were
 * trained with the same table, so they need no copy of their own, neither on disk nor in memory.
 */

import type { BuiltinModel, WordTableOffsets } from "../builtin_models.ts";
import { verifyAsset } from "../model_files.ts";

/** Rows that are kept as they are stored, in 216 or 388 bytes each. As vectors, they have 1.5 kB. */
const MAX_CACHED_ROWS = 4_000;

/** A part of the file with a fixed number of bytes per row. */
interface Column {
  readonly offset: number;
  readonly rowBytes: number;
}

/** Computes a vector from a stored row: its values, and the scales behind them. */
type Decode = (stored: DataView, offset: number, vector: Float32Array) => void;

/** How a word table is stored. */
interface Format {
  readonly valueBytes: number;
  readonly scaleBytes: number;
  readonly decode: Decode;
}

const FORMATS: Readonly<Record<WordTableOffsets["format"], Format>> = {
  /** A signed byte per value and a 32-bit scale per row. */
  int8: {
    valueBytes: 384,
    scaleBytes: 4,
    decode(stored, offset, vector) {
      const scale = stored.getFloat32(offset + this.valueBytes, true);
      for (let i = 0; i < vector.length; i++) vector[i] = stored.getInt8(offset + i) * scale;
    },
  },
  /**
   * Four bits per value and a 16-bit scale per block of 32. A byte holds a value of the block's
   * first half in its low bits, and one of its second half in its high bits.
   */
  int4: {
    valueBytes: 192,
    scaleBytes: 24,
    decode(stored, offset, vector) {
      for (let start = 0; start < vector.length; start += 32) {
        const scale = stored.getFloat16(offset + this.valueBytes + start / 16, true);
        for (let i = 0; i < 16; i++) {
          const byte = stored.getUint8(offset + start / 2 + i);
          vector[start + i] = ((byte & 15) - 8) * scale;
          vector[start + 16 + i] = ((byte >> 4) - 8) * scale;
        }
      }
    },
  },
};

/** The word table of an embedding model. */
export class WordTable {
  readonly #file: Deno.FsFile;
  readonly #values: Column;
  readonly #scales: Column;
  readonly #format: Format;
  readonly #dims: number;
  /** Stored rows, each in a slot. The oldest one is replaced. */
  readonly #rows: Uint8Array<ArrayBuffer>;
  readonly #view: DataView;
  readonly #slotOf = new Map<number, number>();
  readonly #idOf = new Int32Array(MAX_CACHED_ROWS).fill(-1);
  #nextSlot = 0;

  /** @throws {EmbedderError} If the model's file is missing or has been changed. */
  constructor(model: BuiltinModel) {
    this.#dims = model.dims;
    const { format, values, scales } = model.wordTable;
    this.#format = FORMATS[format];
    this.#values = { offset: values, rowBytes: this.#format.valueBytes };
    this.#scales = { offset: scales, rowBytes: this.#format.scaleBytes };
    this.#rows = new Uint8Array(MAX_CACHED_ROWS * this.#rowBytes);
    this.#view = new DataView(this.#rows.buffer);
    this.#file = Deno.openSync(verifyAsset(`embedding/${model.id}`, model.graph));
  }

  /** Returns the vectors of tokens, one after another. */
  rows(ids: readonly number[]): Float32Array {
    const dims = this.#dims;
    const vectors = new Float32Array(ids.length * dims);
    for (const [i, id] of ids.entries()) {
      const offset = this.#findSlot(id) * this.#rowBytes;
      this.#format.decode(this.#view, offset, vectors.subarray(i * dims, (i + 1) * dims));
    }
    return vectors;
  }

  get #rowBytes(): number {
    return this.#values.rowBytes + this.#scales.rowBytes;
  }

  /** Returns the slot of a token's row. Reads the row if it has none. */
  #findSlot(id: number): number {
    const cached = this.#slotOf.get(id);
    if (cached !== undefined) return cached;
    const slot = this.#nextSlot;
    const offset = slot * this.#rowBytes;
    this.#slotOf.delete(this.#idOf[slot]!);
    this.#read(this.#values, id, offset);
    this.#read(this.#scales, id, offset + this.#values.rowBytes);
    this.#slotOf.set(id, slot);
    this.#idOf[slot] = id;
    this.#nextSlot = (slot + 1) % MAX_CACHED_ROWS;
    return slot;
  }

  #read({ offset, rowBytes }: Column, id: number, target: number): void {
    this.#file.seekSync(offset + id * rowBytes, Deno.SeekMode.Start);
    for (let read = 0; read < rowBytes;) {
      const count = this.#file.readSync(this.#rows.subarray(target + read, target + rowBytes));
      if (count === null) throw new Error("The word table ends early");
      read += count;
    }
  }
}
