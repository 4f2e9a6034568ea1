/**
 * WebAssembly kernels for comparing a query with many rows. One finds the rows whose sign bits
 * differ least from the query's (by Hamming distance; a hundred thousand rows of 384 bits take .3
 * ms, compared with 3 ms in JavaScript). The other multiplies int8 vectors with SIMD (.03 µs for
 * 384 dimensions, compared with .4 µs in JavaScript). The source is in `kernels.wat`. Run `deno
 * task wasm` to compile it.
 */

import { KERNELS_BASE64 } from "./kernels_wasm.ts";

const KERNELS = new WebAssembly.Module(Uint8Array.fromBase64(KERNELS_BASE64));

/**
 * Writes the rows closer than `limit` to `out`, each as a zero-based index and a distance, 32 bits
 * each.
 *
 * @param query address of the query
 * @param rows address of the first row, or of the list of row addresses, 32 bits each
 * @param out address of the results
 * @param count number of rows, at least 1
 * @param limit exclusive upper bound on the distance
 * @returns the end address of the results
 */
export type Scan = (
  query: number,
  rows: number,
  out: number,
  count: number,
  limit: number,
) => number;

/**
 * Writes the 32-bit products of the query (int16) and each of `count` int8 rows to `out`.
 *
 * @param query address of the query
 * @param list address of the list of row addresses, 32 bits each
 * @param out address of the results
 * @param width number of components, a multiple of 8
 * @returns the end address of the results
 */
export type Multiply = (
  query: number,
  list: number,
  out: number,
  count: number,
  width: number,
) => number;

/** Scan for rows of any width. Slower than the scans unrolled for a specific width. */
type ScanAny = (...args: [...scan: Parameters<Scan>, width: number, listed: number]) => number;

/**
 * Returns a function that scans rows of sign bits in `memory`.
 *
 * @param width bytes per row, a multiple of 8
 * @param listed whether rows are passed as a list of addresses rather than being adjacent
 */
export function createScan(memory: WebAssembly.Memory, width: number, listed: boolean): Scan {
  const kernels = instantiate(memory);
  const unrolled = kernels[`${listed ? "scan_listed" : "scan"}_${width / 8}`] as Scan | undefined;
  // WebAssembly integers are signed, so addresses above 2 GiB come out negative.
  if (unrolled !== undefined) return (...args) => unrolled(...args) >>> 0;
  const scanAny = kernels["scan_any"] as ScanAny;
  return (...args) => scanAny(...args, width, Number(listed)) >>> 0;
}

/** Returns a function that multiplies a query by rows in `memory`. */
export function createMultiply(memory: WebAssembly.Memory): Multiply {
  return instantiate(memory)["multiply"] as Multiply;
}

function instantiate(memory: WebAssembly.Memory): WebAssembly.Exports {
  return new WebAssembly.Instance(KERNELS, { e: { m: memory } }).exports;
}
