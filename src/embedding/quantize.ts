/**
 * The stored form of vectors: int8 for the exact order (recall@10 is 0.99 relative to float), and
 * sign bits for finding candidates quickly (the top 300 by Hamming distance contain 99.7 % of the
 * true top 10).
 */

/** Sign bits are padded to a multiple of this size, which a single SIMD instruction can compare. */
const SIGN_BLOCK_BYTES = 16;

/** Largest int8 value. */
const MAX_INT8 = 127;

/** Returns the size of a vector's sign bits. */
export function signByteLength(dims: number): number {
  return Math.ceil(dims / 8 / SIGN_BLOCK_BYTES) * SIGN_BLOCK_BYTES;
}

/** Quantizes a vector to int8. The largest component becomes 127, so only the direction is kept. */
export function quantize(vector: Float32Array): Uint8Array<ArrayBuffer> {
  return new Uint8Array(new Int8Array(scaleToIntegers(vector, MAX_INT8)).buffer);
}

/**
 * Returns one bit per component: 1 if it's above the center, which defaults to zero. Padding bits
 * are 0.
 */
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

/**
 * Largest query component. Multiplied by int8 and summed over 8,000 components, the result still
 * fits in 32 bits.
 */
const MAX_QUERY_COMPONENT = 2_047;

/** A query as integers, with more precision than stored vectors. */
export interface QuantizedQuery {
  readonly components: Int16Array;
  readonly norm: number;
}

/** Quantizes a query to 12 bits per component. Changes a similarity by at most .0003. */
export function quantizeQuery(vector: Float32Array): QuantizedQuery {
  const components = new Int16Array(scaleToIntegers(vector, MAX_QUERY_COMPONENT));
  return { components, norm: vectorNorm(components) };
}

/**
 * Returns the cosine similarity between a query and a stored vector, or 0 if their dimensions
 * differ.
 */
export function cosineSimilarity({ components, norm }: QuantizedQuery, stored: Uint8Array): number {
  if (components.length !== stored.length) return 0;
  const row = new Int8Array(stored.buffer, stored.byteOffset, stored.byteLength);
  let product = 0;
  for (let at = 0; at < row.length; at++) product += components[at]! * row[at]!;
  return product === 0 ? 0 : product / (norm * vectorNorm(row));
}

/** Scales a vector to integers with `maxComponent` as the largest. */
function scaleToIntegers(vector: Float32Array, maxComponent: number): Float32Array {
  let largest = 0;
  for (const component of vector) largest = Math.max(largest, Math.abs(component));
  const scale = largest === 0 ? 0 : maxComponent / largest;
  const integers = new Float32Array(vector.length);
  for (let at = 0; at < vector.length; at++) integers[at] = Math.round(vector[at]! * scale);
  return integers;
}

/** Returns an integer vector's length, rounded to the precision used in memory. */
export function vectorNorm(vector: Int8Array | Int16Array): number {
  let square = 0;
  for (let at = 0; at < vector.length; at++) square += vector[at]! * vector[at]!;
  return Math.fround(Math.sqrt(square));
}

/** Returns the vector scaled to length 1, as required by all similarities here. */
export function normalize(vector: Float32Array): Float32Array {
  const length = Math.sqrt(vector.reduce((sum, component) => sum + component * component, 0));
  return length === 0 ? vector : vector.map((component) => component / length);
}
