/**
 * `deno task test:unit [FILE…]`: runs every test that doesn't start a server, browser or process,
 * in parallel. We select test files by their imports, so there's no list to maintain.
 */

import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";

const ROOT = join(import.meta.dirname!, "..");

/** Modules that start servers or processes. Any test that reaches one isn't a unit test. */
const PROCESS_MODULES: ReadonlySet<string> = new Set([
  "src/server/serve.ts",
  "testing/harness.ts",
  "testing/process.ts",
  "testing/program.ts",
  "testing/server_process.ts",
]);

const STARTS_PROCESS = /\bDeno\.(?:Command|serve)\b|"playwright-core"/;

/**
 * Tests that don't start a server but take several seconds each, e.g. campaigns, models and
 * decompression bombs.
 */
const SLOW_TESTS: ReadonlySet<string> = new Set([
  "tests/activity/counts_test.ts",
  "tests/documents/chunking/hostile_test.ts",
  "tests/documents/version_gc_test.ts",
  "tests/documents/version_states_test.ts",
  "tests/embedding/builtin_test.ts",
  "tests/embedding/unfuse_test.ts",
  "tests/extraction/guards_test.ts",
  "tests/tasks/simulation_test.ts",
]);

const RELATIVE_IMPORT = /(?:from|import)\s*\(?\s*"(\.[^"]+)"/g;
/** Imports that don't load anything at runtime. */
const TYPE_IMPORT = /^(?:import|export) type\s[^;]*;/gm;
const sources = new Map<string, string>();

/** Checks whether a module or anything it imports starts a server, browser or process. */
function startsProcess(path: string, seen = new Set<string>()): boolean {
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

const unitTests = readdirSync(join(ROOT, "tests"), { recursive: true, encoding: "utf8" })
  .map((name) => join("tests", name))
  .filter((path) => path.endsWith("_test.ts") && !SLOW_TESTS.has(path) && !startsProcess(path));
const files = Deno.args.length > 0 ? Deno.args : unitTests;
const permissions = ["read", "write", "net", "env", "sys", "ffi"].map((name) => `--allow-${name}`);
const { code } = await new Deno.Command(Deno.execPath(), {
  args: ["test", "--quiet", "--parallel", "--no-check", ...permissions, ...files],
  cwd: ROOT,
}).spawn().status;
Deno.exit(code);
