/**
 * `deno task integrations [NAME… | --all]`: runs tests against published third-party packages. Each
 * one is a folder with a `main.ts` in `tests/integrations`. Without arguments, lists them.
 */

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const ROOT = join(import.meta.dirname!, "..");
const FOLDER = join(ROOT, "tests", "integrations");

const names = readdirSync(FOLDER, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name)
  .toSorted();
const unknown = Deno.args.filter((name) => name !== "--all" && !names.includes(name));

if (unknown.length > 0) {
  print(`Unknown integration "${unknown[0]}". Run \`deno task integrations\` for a list.`);
  Deno.exit(2);
}
if (Deno.args.length === 0) {
  print("deno task integrations NAME… runs these, and --all runs every one:\n");
  const width = Math.max(...names.map(({ length }) => length));
  for (const name of names) print(`  ${name.padEnd(width)}  ${purposeOf(name)}`);
  Deno.exit(0);
}

const failed: string[] = [];
for (const name of Deno.args.includes("--all") ? names : Deno.args) {
  print(`== ${name}`);
  const began = performance.now();
  const passed = await runIntegration(name);
  const seconds = ((performance.now() - began) / 1_000).toFixed(1);
  print(`== ${name}: ${passed ? "passed" : "FAILED"} in ${seconds} s`);
  if (!passed) failed.push(name);
}
if (failed.length > 0) {
  print(`Failed: ${failed.join(", ")}`);
  Deno.exit(1);
}

/** Returns the first sentence of an integration's file comment. */
function purposeOf(name: string): string {
  const source = readFileSync(join(FOLDER, name, "main.ts"), "utf8");
  const comment = /^\/\*\*([\s\S]*?)\*\//.exec(source)?.[1] ?? "";
  const text = comment.replaceAll(/\s*\n\s*\*?\s*/g, " ").trim();
  return /^.*?\.(?=\s|$)/.exec(text)?.[0] ?? text;
}

/** Runs one integration with the repository's own settings, and returns whether it succeeded. */
async function runIntegration(name: string): Promise<boolean> {
  const { success } = await new Deno.Command(Deno.execPath(), {
    // A package.json next to main.ts would otherwise be taken for the project of main.ts.
    args: [
      "run",
      "--quiet",
      "--allow-all",
      "--config",
      join(ROOT, "deno.json"),
      join(FOLDER, name, "main.ts"),
    ],
    cwd: ROOT,
  }).spawn().status;
  return success;
}

function print(line: string): void {
  Deno.stdout.writeSync(new TextEncoder().encode(line + "\n"));
}
