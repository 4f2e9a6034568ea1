/**
 * Compiles `kernels.wat`, the WebAssembly kernels for vector search, into a module that contains
 * their bytes.
 */

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import loadWabt from "wabt";

const FOLDER = join(import.meta.dirname!, "../src/search/vectors");
const SOURCE_FILE = join(FOLDER, "kernels.wat");

/**
 * The generated module. It's checked in, so running from source needs no build. The bytes are
 * base64 because TypeScript can't import a `.wasm` file without instantiating it (`import source`),
 * and reading a file would need a permission.
 */
const MODULE_FILE = join(FOLDER, "kernels_wasm.ts");

const MODULE_HEAD = `/**
 * The bytes of \`kernels.wat\`, compiled by \`deno task wasm\`, as base64.
 *
 * @module
 */

`;

const LOOP_START = /^\s*\(;for (\w+) in (.+);\)$/;
const LOOP_END = /^\s*\(;end;\)$/;
const EXPRESSION = /\{([^{}]+)\}/g;

type Variables = Readonly<Record<string, number>>;

/** Returns the bytes of the compiled kernels. The same source always produces the same bytes. */
export async function compileKernels(): Promise<Uint8Array> {
  const source = expandLoops(readFileSync(SOURCE_FILE, "utf8").split("\n"), {}).join("\n");
  // SIMD is among the features wabt enables by default.
  const module = (await loadWabt()).parseWat("kernels.wat", source);
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
  const bytes = (await compileKernels()).toBase64();
  writeFileSync(MODULE_FILE, `${MODULE_HEAD}export const KERNELS_BASE64 =\n  "${bytes}";\n`);
}
