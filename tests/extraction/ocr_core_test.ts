/** Tests that the functions that make Tesseract faster return the numbers of the slower code. */
import assert from "node:assert/strict";
import { gunzipSync } from "node:zlib";
import { compileKernels } from "../../scripts/build_wasm.ts";
import { loadAssets } from "../../src/extraction/assets.ts";
import { DOT_PRODUCTS_BASE64 } from "../../src/extraction/ocr/core/dot_products_wasm.ts";
import { withFasterLoops } from "../../src/extraction/ocr/core/faster_core.ts";
import { NETWORK_BASE64 } from "../../src/extraction/ocr/core/network_wasm.ts";
import { OcrEngine } from "../../src/extraction/ocr/engine.ts";
import { scan } from "../../testing/extraction_fixtures.ts";
import { SeededRandom } from "../../testing/seeded_random.ts";

const MAX = 127;

Deno.test("compileKernels() returns the OCR kernels in the repository", async () => {
  const kernels = { dot_products: DOT_PRODUCTS_BASE64, network: NETWORK_BASE64 };
  for (const [name, base64] of Object.entries(kernels)) {
    const bytes = (await compileKernels(`src/extraction/ocr/core/${name}`)).toBase64();
    assert.ok(bytes === base64, `${name}_wasm.ts is out of date: deno task wasm`);
  }
});

Deno.test("multiply() returns the exact products, for every number of inputs and outputs", () => {
  const random = new SeededRandom(1);
  const { memory, call } = startKernels(DOT_PRODUCTS_BASE64);
  const bytes = new Int8Array(memory.buffer);
  // What is around the numbers must not matter.
  for (let at = 65_536; at < bytes.length; at++) bytes[at] = random.below(255) - MAX;
  for (let inputs = 1; inputs <= 70; inputs++) {
    for (const outputs of [1, 4, 9, 31, 48, 61, 111]) {
      const [weightsAt, inputAt, scalesAt, resultsAt] = [70_003, 90_001, 100_004, 110_004];
      const columns = inputs + 1;
      const weights = Array.from(
        { length: outputs },
        () => Array.from({ length: columns }, () => random.below(255) - MAX),
      );
      bytes.set(arrangeWeights(weights), weightsAt);
      const input = bytes.slice(inputAt, inputAt + inputs);
      const scales = new Float32Array(memory.buffer, scalesAt, roundUp(outputs));
      for (const at of scales.keys()) scales[at] = random.below(1_000) / 999;
      const expected = weights.map((row, output) => {
        let sum = row[inputs]! * MAX;
        for (let at = 0; at < inputs; at++) sum += row[at]! * input[at]!;
        return Math.fround(sum * scales[output]!);
      });
      call("multiply", outputs, columns, weightsAt, scalesAt, inputAt, resultsAt);
      assert.deepEqual([...new Float32Array(memory.buffer, resultsAt, outputs)], expected);
    }
  }
});

const TANH_TABLE = 135_008;
const LOGISTIC_TABLE = 151_392;
const TABLE_SIZE = 4_096;

Deno.test("tanh() and logistic() interpolate in Tesseract's tables", () => {
  const { memory, call } = startKernels(NETWORK_BASE64);
  const random = new SeededRandom(2);
  const tables = { tanh: TANH_TABLE, logistic: LOGISTIC_TABLE };
  for (const address of Object.values(tables)) {
    new Float32Array(memory.buffer, address, TABLE_SIZE)
      .set(Array.from({ length: TABLE_SIZE }, () => random.below(1_000) / 999));
  }
  const numbers = [0, -0, 15.99, 15.998, 16, -15.99, -16, 1e20, -1e20, 0.001, -0.001, 3, -3];
  const [numbersAt, factorsAt, resultsAt] = [1_004, 2_004, 3_004];
  const factors = numbers.map((_, at) => Math.fround(at / 7));
  new Float32Array(memory.buffer, factorsAt, factors.length).set(factors);
  for (let count = 1; count <= numbers.length; count++) {
    for (const name of ["tanh", "logistic", "multiply_by_tanh"] as const) {
      const address = name === "logistic" ? LOGISTIC_TABLE : TANH_TABLE;
      const table = new Float32Array(memory.buffer, address, TABLE_SIZE);
      new Float32Array(memory.buffer, numbersAt, numbers.length).set(numbers);
      const results = new Float32Array(memory.buffer, resultsAt, numbers.length).fill(7);
      call(name, numbersAt, count, factorsAt, resultsAt);
      const expected = numbers.slice(0, count).map((number, at) => {
        const magnitude = interpolate(table, Math.abs(Math.fround(number)));
        const value = number >= 0
          ? magnitude
          : name === "logistic"
          ? Math.fround(1 - magnitude)
          : -magnitude;
        return name === "multiply_by_tanh" ? Math.fround(value * factors[at]!) : value;
      });
      assert.deepEqual([...results], [...expected, ...numbers.slice(count).fill(7)]);
    }
  }
});

Deno.test("multiply_by() and add_products() change the given number of floats, in place", () => {
  const { memory, call } = startKernels(NETWORK_BASE64);
  const numbers = [3, -2, 0.1, 1e30, -1e30, 7, 99.5, -99.5, 0.3, -0.7, 100, -100, 5];
  const [targetAt, numbersAt, factorsAt] = [1_004, 2_004, 3_004];
  const factors = numbers.map((_, at) => Math.fround(at / 7 - 1));
  for (let count = 0; count <= numbers.length; count++) {
    const target = new Float32Array(memory.buffer, targetAt, numbers.length);
    new Float32Array(memory.buffer, numbersAt, numbers.length).set(numbers);
    new Float32Array(memory.buffer, factorsAt, numbers.length).set(factors);
    target.set(numbers);
    const before = [...target];
    call("multiply_by", targetAt, count, factorsAt);
    const products = before.map((number, at) => Math.fround(number * factors[at]!));
    assert.deepEqual([...target], [...products.slice(0, count), ...before.slice(count)]);
    target.set(numbers);
    call("add_products", targetAt, count, numbersAt, factorsAt);
    const sums = before.map((number, at) =>
      Math.max(-100, Math.min(100, Math.fround(products[at]! + number)))
    );
    assert.deepEqual([...target], [...sums.slice(0, count), ...before.slice(count)]);
  }
});

Deno.test("quantize() rounds to the nearest byte, away from zero", () => {
  const { memory, call } = startKernels(NETWORK_BASE64);
  const numbers = [0, -0, 1, -1, 2, -2, 0.5 / 127, -0.5 / 127, 1.5 / 127, -1.5 / 127, 0.4, -0.4]
    .concat([0.49 / 127, -0.49 / 127, 1e30, -1e30, 0.1, -0.1, 0.99, -0.99]);
  const [numbersAt, resultsAt] = [1_004, 2_001];
  new Float32Array(memory.buffer, numbersAt, numbers.length).set(numbers);
  for (const count of [0, 1, 3, 16, 17, 20]) {
    const results = new Int8Array(memory.buffer, resultsAt, numbers.length).fill(99);
    call("quantize", numbersAt, count, resultsAt);
    const expected = numbers.slice(0, count).map((number) => {
      const scaled = Math.fround(Math.fround(number) * MAX);
      const rounded = Math.floor(Math.fround(Math.abs(scaled) + 0.5));
      return Math.min(MAX, rounded) * (scaled < 0 ? -1 : 1) + 0;
    });
    assert.deepEqual([...results], [...expected, ...numbers.slice(count).fill(99)]);
  }
});

Deno.test("copy_neighbors() copies the pixels around those of a row that have all neighbours", () => {
  const [rows, columns] = [4, 6];
  const { call, sheet, place, layer } = startNetwork();
  const pixels = sheet(1, rows, columns);
  const copies = sheet(9, rows, columns);
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      copies.bytes.fill(0);
      place.set(copies, row, column);
      call("copy_neighbors", layer({ 20: 1, 56: 1, 60: 1 }), pixels.at, copies.at, place.frame);
      const isInside = row > 0 && row < rows - 1 && column > 0 && column < columns - 1;
      const expected = new Int8Array(copies.bytes.length);
      for (let x = column; isInside && x < columns - 1; x++) {
        for (let at = 0; at < 9; at++) {
          const neighbor = (row + at % 3 - 1) * columns + x + Math.floor(at / 3) - 1;
          expected[(row * columns + x) * 9 + at] = pixels.bytes[neighbor]!;
        }
      }
      assert.deepEqual(copies.bytes, expected);
      const end = isInside ? columns - 1 : column;
      assert.deepEqual(place.get(), [row * columns + end, 0, row, end]);
    }
  }
});

Deno.test("max_pool() returns the maximum of each field but the last one of a row", () => {
  const { call, sheet, place, layer } = startNetwork();
  const inputs = sheet(32, 7, 11);
  const outputs = sheet(32, 2, 3);
  place.set(outputs, 1, 0);
  call("max_pool", layer({ 104: 3, 108: 3 }), inputs.at, outputs.at, place.frame);
  for (let column = 0; column < 2; column++) {
    for (let number = 0; number < 32; number++) {
      const field = Array.from({ length: 9 }, (_, at) => {
        const position = (3 + Math.floor(at / 3)) * 11 + 3 * column + at % 3;
        return inputs.bytes[position * 32 + number]!;
      });
      assert.equal(outputs.bytes[(3 + column) * 32 + number], Math.max(...field));
    }
  }
  assert.deepEqual(place.get(), [5, 0, 1, 2]);
});

Deno.test("withFasterLoops() doesn't change what Tesseract recognizes", async () => {
  const assets = loadAssets();
  const core = await assets.tesseract();
  const image = await scan("The quick brown fox jumps over\nthe lazy dog, 1,234 times a day.");
  const start = (wasm: Uint8Array) =>
    OcrEngine.start(wasm, async (language) => gunzipSync(await assets.ocrData(language)));
  const [before, after] = [await start(core), await start(await withFasterLoops(core))];
  assert.deepEqual(after.recognize(image, 200), before.recognize(image, 200));
});

Deno.test("withFasterLoops() rejects any other version of Tesseract", async () => {
  const core = (await loadAssets().tesseract()).slice();
  core[2_218_810]! ^= 1;
  await assert.rejects(withFasterLoops(core), /not the version/);
});

/** Returns a number of inputs or outputs, rounded up to whole vectors. */
function roundUp(count: number): number {
  return Math.ceil(count / 4) * 4;
}

/**
 * Arranges weights like `IntSimdMatrix::Init()` in Tesseract.
 *
 * @param rows weights of the inputs of each output, and its bias
 */
function arrangeWeights(rows: readonly (readonly number[])[]): number[] {
  const inputs = rows[0]!.length - 1;
  const arranged: number[] = [];
  for (let start = 0; start < rows.length;) {
    const size = [32, 16, 8, 4].find((size) => start + size <= roundUp(rows.length))!;
    const set = Array.from({ length: size }, (_, output) => rows[start + output] ?? []);
    for (let input = 0; input < inputs; input += 4) {
      for (const row of set) {
        for (let at = input; at < input + 4; at++) {
          arranged.push(at < inputs ? row[at] ?? 0 : 0);
        }
      }
    }
    arranged.push(...set.map((row) => row[inputs] ?? 0));
    start += size;
  }
  return arranged;
}

function interpolate(table: Float32Array, number: number): number {
  const distance = Math.fround(number * 256);
  const index = Math.floor(distance);
  if (index >= TABLE_SIZE - 1) return 1;
  const step = Math.fround(table[index + 1]! - table[index]!);
  return Math.fround(Math.fround(step * Math.fround(distance - index)) + table[index]!);
}

function startKernels(base64: string) {
  const module = new WebAssembly.Module(Uint8Array.fromBase64(base64));
  const { memory, ...functions } = new WebAssembly.Instance(module).exports as {
    readonly memory: WebAssembly.Memory;
    readonly [name: string]: unknown;
  };
  const call = (name: string, ...parameters: number[]) =>
    (functions[name] as (...parameters: number[]) => void)(...parameters);
  return { memory, call };
}

/** Starts the kernels of layers, and lays out their arguments like Tesseract. */
function startNetwork() {
  const { memory, call } = startKernels(NETWORK_BASE64);
  const random = new SeededRandom(3);
  let free = 1_024;
  const allocate = (size: number) => (free += size) - size;
  const write = (at: number, fields: Readonly<Record<number, number>>) => {
    for (const [offset, value] of Object.entries(fields)) {
      new DataView(memory.buffer).setInt32(at + Number(offset), value, true);
    }
  };
  /** Returns a sheet of random numbers. */
  const sheet = (numbers: number, rows: number, columns: number) => {
    const [at, data] = [allocate(100), allocate(numbers * rows * columns)];
    write(at, { 28: data, 40: numbers, 48: 1 });
    write(at + 52, { 0: 1, 4: rows, 8: columns, 12: rows * columns, 16: columns, 20: 1 });
    const bytes = new Int8Array(memory.buffer, data, numbers * rows * columns);
    for (const index of bytes.keys()) bytes[index] = random.below(255) - MAX;
    return { at, bytes, columns };
  };
  const frame = allocate(100);
  const place = {
    frame,
    set({ at, columns }: ReturnType<typeof sheet>, row: number, column: number) {
      write(frame, { 44: at + 52, 48: row * columns + column, 52: 0, 56: row, 60: column });
    },
    get: () => [...new Int32Array(memory.buffer.slice(frame + 48, frame + 64))],
  };
  const layer = (fields: Readonly<Record<number, number>>) => {
    const at = allocate(200);
    write(at, fields);
    return at;
  };
  return { call, sheet, place, layer };
}
