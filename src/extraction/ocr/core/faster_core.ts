/**
 * Makes Tesseract faster without a build of its own: the loops in its WebAssembly code that take
 * most of the time are replaced by calls of our functions. These return the same numbers.
 */
import { concatBytes } from "../../../kernel/bytes/bytes.ts";
import { DOT_PRODUCTS_BASE64 } from "./dot_products_wasm.ts";
import { NETWORK_BASE64 } from "./network_wasm.ts";

/** SHA-256 of tesseract.js-core 7.0.0, so that nothing else is ever changed. */
const CORE_SHA256 = "34e8d50cac216427d86bf397d610fdd9f49492539bbcdfbfccc4eda20c810bea";
/** Number of its functions and of their types. Those that are added have the numbers after them. */
const CORE_FUNCTIONS = 3_502;
const CORE_TYPES = 143;

/** A call of an added function. */
interface Change {
  /** Name of the function. */
  readonly call: string;
  /** The local variables that are its arguments. */
  readonly locals: readonly number[];
  /** Range of bytes that the call replaces, without the end. It's empty if the call is inserted. */
  readonly start: number;
  readonly end: number;
}

/** The changes, in the order of their positions. */
const CHANGES: readonly Change[] = [
  // NetworkIO::WriteTimeStep()
  { call: "quantize", locals: [2, 1, 5], start: 0x1e2c2, end: 0x1e329 },
  // NetworkIO::WriteTimeStepPart()
  { call: "quantize", locals: [4, 3, 1], start: 0x6274c, end: 0x627b3 },
  // FullyConnected::ForwardTimeStep()
  { call: "tanh", locals: [1, 10, 1, 1], start: 0x8b316, end: 0x8b3c7 },
  // Maxpool::Forward(), for each position
  { call: "max_pool", locals: [0, 2, 5, 1], start: 0x17e799, end: 0x17e799 },
  // LSTM::Forward(): the input, the gates, the state and the output of a cell
  { call: "tanh", locals: [4, 8, 4, 4], start: 0x182e07, end: 0x182eb8 },
  { call: "logistic", locals: [4, 8, 4, 4], start: 0x182f16, end: 0x182fcc },
  { call: "logistic", locals: [4, 8, 4, 4], start: 0x18302a, end: 0x1830e0 },
  { call: "logistic", locals: [4, 8, 4, 4], start: 0x18314a, end: 0x183200 },
  { call: "logistic", locals: [4, 13, 4, 4], start: 0x183260, end: 0x183316 },
  { call: "multiply_by", locals: [14, 13, 9], start: 0x18332e, end: 0x18340c },
  { call: "add_products", locals: [11, 13, 1, 14], start: 0x1834ec, end: 0x18366c },
  { call: "multiply_by_tanh", locals: [14, 8, 3, 4], start: 0x1836f4, end: 0x1837b1 },
  // Convolve::Forward(), for each position
  { call: "copy_neighbors", locals: [0, 2, 5, 6], start: 0x187739, end: 0x187739 },
  // IntSimdMatrix::MatrixDotVectorFunction
  { call: "multiply", locals: [0, 1, 2, 3, 4, 5], start: 0x21db3d, end: 0x21e852 },
];

/** A byte that is replaced by another one. */
interface NewByte {
  readonly position: number;
  readonly value: number;
}

const NEW_BYTES: readonly NewByte[] = [
  // `ImageData` has a copy of each line's picture. It was compressed as PNG (3) and decompressed
  // again. Now it's stored as it is (Leptonica's format "spix").
  { position: 0x153c29, value: 19 },
  // The arrangement of weights that `multiply` needs: 4 outputs in a vector, at most 8 vectors in a
  // set, 16 inputs read at a time, and 4 of them together
  { position: 0x281db5, value: 4 },
  { position: 0x281db9, value: 8 },
  { position: 0x281dbd, value: 16 },
  { position: 0x281dc1, value: 4 },
  // `Next()`, `IsAtBeginningOf()` and `IsAtFinalElement()` of `ResultIterator`. To order words from
  // right to left where needed, they start over from the top of the page for each word. The
  // inherited methods return the same for the scripts that we read.
  { position: 0x277918, value: 7 },
  { position: 0x27791c, value: 8 },
  { position: 0x277920, value: 9 },
];

const HEADER_BYTES = 8;
const TYPES = 1;
const FUNCTIONS = 3;
const CODE = 10;
const LOCAL_GET = 0x20;
const CALL = 0x10;

/** A section of a WebAssembly module that is a list. Positions are in the module. */
interface Section {
  readonly id: number;
  readonly start: number;
  readonly end: number;
  /** Number of items, and where the first one is. */
  readonly count: number;
  readonly items: number;
}

/**
 * Returns Tesseract's WebAssembly code with our functions instead of its loops.
 *
 * @throws {Error} if the code isn't the one of the version that the changes were made for
 */
export async function withFasterLoops(original: Uint8Array): Promise<Uint8Array> {
  const core = original.slice();
  if (new Uint8Array(await crypto.subtle.digest("SHA-256", core)).toHex() !== CORE_SHA256) {
    throw new Error("Tesseract is not the version that its faster functions were written for");
  }
  for (const { position, value } of NEW_BYTES) core[position] = value;
  const kernels = [DOT_PRODUCTS_BASE64, NETWORK_BASE64].map((text) => Uint8Array.fromBase64(text));
  const parts: Uint8Array[] = [core.subarray(0, HEADER_BYTES)];
  for (const section of sectionsOf(core)) {
    const { id, start, end } = section;
    const added = [TYPES, FUNCTIONS, CODE].includes(id) ? itemsOf(kernels, id) : null;
    if (added === null) parts.push(core.subarray(start, end));
    else {
      const items = id === CODE
        ? changedCode(core, section, namesOf(kernels))
        : [core.subarray(section.items, end)];
      parts.push(...newSection(id, section.count + added.count, [...items, ...added.items]));
    }
  }
  return concatBytes(parts);
}

/** Returns the items that the kernels add to a section. */
function itemsOf(kernels: readonly Uint8Array[], id: number) {
  const items: Uint8Array[] = [];
  let count = 0;
  let firstType = CORE_TYPES;
  for (const kernel of kernels) {
    const sections = sectionsOf(kernel);
    const section = sections.find((other) => other.id === id)!;
    const bytes = kernel.subarray(section.items, section.end);
    // A function is declared by the number of its type, a single byte here.
    if (id === FUNCTIONS) {
      for (const type of bytes) items.push(unsignedLeb128(firstType + type));
    } else items.push(bytes);
    count += section.count;
    firstType += sections.find((other) => other.id === TYPES)!.count;
  }
  return { count, items };
}

/** Returns the names of the kernels' functions, in the order in which they're added. */
function namesOf(kernels: readonly Uint8Array[]): string[] {
  return kernels.flatMap((kernel) =>
    WebAssembly.Module.exports(new WebAssembly.Module(kernel.slice()))
      .filter(({ kind }) => kind === "function").map(({ name }) => name)
  );
}

/** Returns the code of Tesseract's functions, with all changes. */
function changedCode(core: Uint8Array, section: Section, names: readonly string[]): Uint8Array[] {
  const parts: Uint8Array[] = [];
  let copied = section.items;
  for (let at = section.items; at < section.end;) {
    const size = readLeb128(core, at);
    const end = size.next + size.value;
    const changes = CHANGES.filter(({ start }) => start >= at && start < end);
    if (changes.length > 0) {
      const body = changedBody(core.subarray(0, end), size.next, changes, names);
      parts.push(core.subarray(copied, at), unsignedLeb128(body.length), body);
      copied = end;
    }
    at = end;
  }
  return [...parts, core.subarray(copied, section.end)];
}

/** Returns the code from `start` on, with some changes. */
function changedBody(
  code: Uint8Array,
  start: number,
  changes: readonly Change[],
  names: readonly string[],
): Uint8Array {
  const parts: Uint8Array[] = [];
  let at = start;
  for (const { call, locals, start, end } of changes) {
    const callee = unsignedLeb128(CORE_FUNCTIONS + names.indexOf(call));
    const parameters = locals.flatMap((local) => [LOCAL_GET, local]);
    parts.push(code.subarray(at, start), Uint8Array.of(...parameters, CALL, ...callee));
    at = end;
  }
  return concatBytes([...parts, code.subarray(at)]);
}

function sectionsOf(module: Uint8Array): Section[] {
  const sections: Section[] = [];
  for (let start = HEADER_BYTES; start < module.length;) {
    const size = readLeb128(module, start + 1);
    const count = readLeb128(module, size.next);
    const end = size.next + size.value;
    sections.push({ id: module[start]!, start, end, count: count.value, items: count.next });
    start = end;
  }
  return sections;
}

function newSection(id: number, count: number, items: readonly Uint8Array[]): Uint8Array[] {
  const content = [unsignedLeb128(count), ...items];
  const size = content.reduce((sum, part) => sum + part.length, 0);
  return [Uint8Array.of(id), unsignedLeb128(size), ...content];
}

/** Reads an unsigned LEB128 number, and returns it with the position after it. */
function readLeb128(bytes: Uint8Array, start: number): { value: number; next: number } {
  let value = 0;
  for (let at = start, shift = 0;; at++, shift += 7) {
    const byte = bytes[at] ?? 0;
    value += (byte & 0x7f) * 2 ** shift;
    if (byte < 0x80) return { value, next: at + 1 };
  }
}

function unsignedLeb128(value: number): Uint8Array {
  const bytes: number[] = [];
  for (let rest = value; bytes.length === 0 || rest > 0; rest >>>= 7) {
    bytes.push((rest & 0x7f) | (rest > 0x7f ? 0x80 : 0));
  }
  return Uint8Array.from(bytes);
}
