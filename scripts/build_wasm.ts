/**
 * Compiles the WebAssembly kernels, for vector search and for OCR. Each `.wat` file becomes a
 * module that contains its bytes.
 */

import { readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import loadWabt from "wabt";

const ROOT = join(import.meta.dirname!, "..");

/**
 * The kernels, and the name of the constant with their bytes. The generated modules are checked in,
 * so running from source needs no build. The bytes are base64 because TypeScript can't import a
 * `.wasm` file without instantiating it (`import source`), and reading a file would need a
 * permission.
 */
const KERNELS = [
  { path: "src/search/vectors/kernels", constant: "KERNELS_BASE64" },
  { path: "src/extraction/ocr/core/dot_products", constant: "DOT_PRODUCTS_BASE64" },
  { path: "src/extraction/ocr/core/network", constant: "NETWORK_BASE64" },
];

const LOOP_START = /^\s*\(;for (\w+) in (.+);\)$/;
const LOOP_END = /^\s*\(;end;\)$/;
const EXPRESSION = /\{([^{}]+)\}/g;

type Variables = Readonly<Record<string, number>>;

/**
 * Returns the bytes of compiled kernels. The same source always produces the same bytes.
 *
 * @param path path of the source without `.wat`, from the root of the repository
 */
export async function compileKernels(path: string): Promise<Uint8Array> {
  const lines = readFileSync(join(ROOT, `${path}.wat`), "utf8").split("\n");
  const source = expandLoops(lines, {}).join("\n");
  // The other features that are needed, such as SIMD, are enabled by default.
  const module = (await loadWabt()).parseWat(path, source, { relaxed_simd: true });
  try {
    module.validate();
    return module.toBinary({ write_debug_names: false }).buffer;
  } finally {
    module.destroy();
  }
}

/** Unrolls the lines of each loop and substitutes values for expressions. */
function expandLoops(lines: readonly string[], variables: Variables): string[] {
  const expanded: string[] = [];
  for (let at = 0; at < lines.length; at++) {
    const [, name, values] = LOOP_START.exec(lines[at]!) ?? [];
    if (name === undefined) {
      // Comments explain the syntax, so they can contain text that looks like an expression.
      const [code] = lines[at]!.split(";;");
      expanded.push(code!.replace(EXPRESSION, (_, text) => String(evaluate(text, variables))));
      continue;
    }
    const end = endOfLoop(lines, at);
    for (const value of loopValues(values!, variables)) {
      expanded.push(...expandLoops(lines.slice(at + 1, end), { ...variables, [name]: value }));
    }
    at = end;
  }
  return expanded;
}

function endOfLoop(lines: readonly string[], start: number): number {
  let depth = 0;
  for (let at = start; at < lines.length; at++) {
    if (LOOP_START.test(lines[at]!)) depth++;
    if (LOOP_END.test(lines[at]!) && --depth === 0) return at;
  }
  throw new Error(`Expected (;end;) of the loop in line ${start + 1}`);
}

/** Returns the values in a list, such as "1 2 4", or in an end-exclusive range, such as "0..4". */
function loopValues(text: string, variables: Variables): number[] {
  const [from, to] = text.split("..");
  if (to === undefined) return text.split(" ").map(Number);
  const start = Number(evaluate(from!, variables));
  return Array.from({ length: Number(evaluate(to, variables)) - start }, (_, at) => start + at);
}

function evaluate(expression: string, variables: Variables): unknown {
  return new Function(...Object.keys(variables), `return ${expression}`)(
    ...Object.values(variables),
  );
}

if (import.meta.main) {
  for (const { path, constant } of KERNELS) {
    const bytes = (await compileKernels(path)).toBase64();
    const head = `/**
 * The bytes of \`${basename(path)}.wat\`, compiled by \`deno task wasm\`, as base64.
 *
 * @module
 */

`;
    writeFileSync(
      join(ROOT, `${path}_wasm.ts`),
      `${head}export const ${constant} =\n  "${bytes}";\n`,
    );
  }
}
