/** Finds test files by their imports, so that there is no list of them to maintain. */

import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";

/** Root of the repository. */
export const ROOT = join(import.meta.dirname!, "..");

/** Modules that start servers or processes. Any test that reaches one isn't a unit test. */
const PROCESS_MODULES: ReadonlySet<string> = new Set([
  "src/server/serve.ts",
  "testing/harness.ts",
  "testing/process.ts",
  "testing/program.ts",
  "testing/server_process.ts",
]);

const STARTS_PROCESS = /\bDeno\.(?:Command|serve)\b|"(?:esbuild|playwright-core)"/;

const RELATIVE_IMPORT = /(?:from|import)\s*\(?\s*"(\.[^"]+)"/g;
/** Imports that don't load anything at runtime. */
const TYPE_IMPORT = /^(?:import|export) type\s[^;]*;/gm;
const sources = new Map<string, string>();

/** Checks whether a module or anything it imports starts a server, browser or process. */
export function startsProcess(path: string, seen = new Set<string>()): boolean {
  if (PROCESS_MODULES.has(path)) return true;
  seen.add(path);
  const source = sources.get(path) ??
    readFileSync(join(ROOT, path), "utf8").replaceAll(TYPE_IMPORT, "");
  sources.set(path, source);
  if (path.startsWith("test") && STARTS_PROCESS.test(source)) return true;
  return [...source.matchAll(RELATIVE_IMPORT)]
    .map(([, target]) => normalize(join(dirname(path), target!)))
    .some((target) => /\.tsx?$/.test(target) && !seen.has(target) && startsProcess(target, seen));
}

/** Returns the paths of all test files, from the root. */
export function testFiles(): string[] {
  return readdirSync(join(ROOT, "tests"), { recursive: true, encoding: "utf8" })
    .map((name) => join("tests", name)).filter((path) => path.endsWith("_test.ts")).sort();
}
