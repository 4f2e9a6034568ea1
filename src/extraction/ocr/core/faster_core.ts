/**
 * Makes Tesseract faster without a build of its own: one function of its WebAssembly code, the one
 * that multiplies matrices by vectors, is replaced by ours. It returns the same numbers.
 */
import { concatBytes } from "../../../kernel/bytes/bytes.ts";
import { DOT_PRODUCTS_BASE64 } from "./dot_products_wasm.ts";

/** The function to replace: its position among the functions that have code. */
const FUNCTION_INDEX = 3331;
/** SHA-256 of its code in tesseract.js-core 7.0.0, so that nothing else is ever replaced. */
const FUNCTION_SHA256 = "ffe085ee2e9d92fd0a5a0afecbe90619fae5b7c8cc4db81db80b8b6999874f61";

const HEADER_BYTES = 8;
const CODE_SECTION = 10;

/** A range of bytes, without its end. */
interface Range {
  readonly start: number;
  readonly end: number;
}

/**
 * Returns Tesseract's WebAssembly code with the faster function.
 *
 * @throws {Error} if the code isn't the one of the version that the function was written for
 */
export async function withFasterDotProducts(core: Uint8Array): Promise<Uint8Array> {
  const { section, bodies } = findFunctions(core);
  const old = bodies[FUNCTION_INDEX];
  if (old === undefined || await sha256(core.subarray(old.start, old.end)) !== FUNCTION_SHA256) {
    throw new Error("Tesseract is not the version that its faster function was written for");
  }
  const kernels = Uint8Array.fromBase64(DOT_PRODUCTS_BASE64);
  const [body] = findFunctions(kernels).bodies;
  if (body === undefined) throw new Error("The compiled kernels have no function");
  const functions = [
    core.subarray(section.content.start, old.sizeStart),
    unsignedLeb128(body.end - body.start),
    kernels.subarray(body.start, body.end),
    core.subarray(old.end, section.content.end),
  ];
  const size = functions.reduce((sum, part) => sum + part.length, 0);
  return concatBytes([
    core.subarray(0, section.start),
    Uint8Array.of(CODE_SECTION),
    unsignedLeb128(size),
    ...functions,
    core.subarray(section.content.end),
  ]);
}

/** Returns the code section of a WebAssembly module, and where the code of each function is. */
function findFunctions(module: Uint8Array) {
  for (let start = HEADER_BYTES; start < module.length;) {
    const size = readLeb128(module, start + 1);
    const content = { start: size.next, end: size.next + size.value };
    if (module[start] === CODE_SECTION) {
      return { section: { start, content }, bodies: functionBodies(module, content.start) };
    }
    start = content.end;
  }
  throw new Error("The WebAssembly module has no code");
}

function functionBodies(module: Uint8Array, start: number): (Range & { sizeStart: number })[] {
  const count = readLeb128(module, start);
  const bodies: (Range & { sizeStart: number })[] = [];
  for (let sizeStart = count.next; bodies.length < count.value;) {
    const size = readLeb128(module, sizeStart);
    const end = size.next + size.value;
    bodies.push({ sizeStart, start: size.next, end });
    sizeStart = end;
  }
  return bodies;
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

async function sha256(bytes: Uint8Array): Promise<string> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", bytes.slice())).toHex();
}
