/**
 * `deno task test:unit [FILE…]`: runs every test that doesn't start a server, browser or process,
 * in parallel. We select test files by their imports, so there's no list to maintain.
 */

import { ROOT, startsProcess, testFiles } from "./test_files.ts";

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

const unitTests = testFiles().filter((path) => !SLOW_TESTS.has(path) && !startsProcess(path));
const files = Deno.args.length > 0 ? Deno.args : unitTests;
const permissions = ["read", "write", "net", "env", "sys", "ffi"].map((name) => `--allow-${name}`);
const { code } = await new Deno.Command(Deno.execPath(), {
  args: ["test", "--quiet", "--parallel", "--no-check", ...permissions, ...files],
  cwd: ROOT,
}).spawn().status;
Deno.exit(code);
