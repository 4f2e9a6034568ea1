/**
 * Reads rows of an embedding model's word table from its file. The query encoder and the tagger were
 * trained with the same table, so they need no copy of their own, neither on disk nor in memory.
 */

import type { BuiltinModel } from "../builtin_models.ts";
import { assetPath, freeBytes, readModelFile } from "../model_files.ts";
import { fieldsOf } from "./protobuf.ts";
import { TwoGenerationCache } from "../../kernel/caches/two_generation_cache.ts";

/** Field numbers in ONNX messages, from `onnx.proto`. */
const MODEL_GRAPH = 7, GRAPH_INITIALIZER = 5, TENSOR_NAME = 8, TENSOR_RAW_DATA = 9;

/** Rows that are kept, each of 1.5 kB. */
const MAX_CACHED_ROWS = 4_000;

/** A part of the file with a fixed number of bytes per row. */
interface Column {
  readonly offset: number;
  readonly rowBytes: number;
}

/** Combines a row's stored values and scales into a vector. */
type Decode = (values: DataView, scales: DataView, dims: number) => Float32Array;

/** How the word tables of the models are stored, by the name of the tensor with their values. */
const FORMATS: Readonly<Record<string, { rowBytes: number; scaleBytes: number; decode: Decode }>> =
  {
    /** A signed byte per value and a 32-bit scale per row. */
    word_i8: {
      rowBytes: 384,
      scaleBytes: 4,
      decode(values, scales, dims) {
        const scale = scales.getFloat32(0, true);
        const row = new Float32Array(dims);
        for (let i = 0; i < dims; i++) row[i] = values.getInt8(i) * scale;
        return row;
      },
    },
    /**
     * Four bits per value and a 16-bit scale per block of 32. A byte holds a value of the block's
     * first half in its low bits, and one of its second half in its high bits.
     */
    word_q4: {
      rowBytes: 192,
      scaleBytes: 24,
      decode(values, scales, dims) {
        const row = new Float32Array(dims);
        for (let start = 0; start < dims; start += 32) {
          const scale = scales.getFloat16(start / 16, true);
          for (let i = 0; i < 16; i++) {
            const byte = values.getUint8(start / 2 + i);
            row[start + i] = ((byte & 15) - 8) * scale;
            row[start + 16 + i] = ((byte >> 4) - 8) * scale;
          }
        }
        return row;
      },
    },
  };

/** The word table of an embedding model. */
export class WordTable {
  readonly #file: Deno.FsFile;
  readonly #values: Column;
  readonly #scales: Column;
  readonly #decode: Decode;
  readonly #dims: number;
  readonly #cache = new TwoGenerationCache<number, Float32Array>(MAX_CACHED_ROWS);

  /** @throws {EmbedderError} If the model's file is missing or has been changed. */
  constructor(model: BuiltinModel) {
    this.#dims = model.dims;
    const bytes = readModelFile(model, model.graph);
    const offsets = tensorOffsets(bytes);
    const [name, format] = Object.entries(FORMATS).find(([tensor]) => offsets.has(tensor))!;
    this.#values = { offset: offsets.get(name)!, rowBytes: format.rowBytes };
    this.#scales = { offset: offsets.get("word_s")!, rowBytes: format.scaleBytes };
    this.#decode = format.decode;
    freeBytes(bytes);
    this.#file = Deno.openSync(assetPath(`embedding/${model.id}`, model.graph));
  }

  /** Returns the vectors of tokens, one after another. */
  rows(ids: readonly number[]): Float32Array {
    const rows = new Float32Array(ids.length * this.#dims);
    ids.forEach((id, i) => rows.set(this.#row(id), i * this.#dims));
    return rows;
  }

  #row(id: number): Float32Array {
    const cached = this.#cache.get(id);
    if (cached !== undefined) return cached;
    const row = this.#decode(
      this.#read(this.#values, id),
      this.#read(this.#scales, id),
      this.#dims,
    );
    this.#cache.set(id, row);
    return row;
  }

  #read({ offset, rowBytes }: Column, id: number): DataView {
    const bytes = new Uint8Array(rowBytes);
    this.#file.seekSync(offset + id * rowBytes, Deno.SeekMode.Start);
    for (let read = 0; read < rowBytes;) {
      const count = this.#file.readSync(bytes.subarray(read));
      if (count === null) throw new Error("The word table ends early");
      read += count;
    }
    return new DataView(bytes.buffer);
  }
}

/** Where the data of each tensor in a model begins, by name. */
function tensorOffsets(model: Uint8Array): ReadonlyMap<string, number> {
  const graph = fieldsOf(model).find(({ number }) => number === MODEL_GRAPH)!;
  const offsets = new Map<string, number>();
  for (const { number, content } of fieldsOf(graph.content)) {
    if (number !== GRAPH_INITIALIZER) continue;
    const fields = fieldsOf(content);
    const name = fields.find((field) => field.number === TENSOR_NAME);
    const data = fields.find((field) => field.number === TENSOR_RAW_DATA);
    if (!name || !data) continue;
    offsets.set(
      new TextDecoder().decode(name.content),
      data.content.byteOffset - model.byteOffset,
    );
  }
  return offsets;
}
