/**
 * `deno task packages`: installs the npm packages that the program loads, without those that only
 * tests and tools use, and keeps only the files for this platform. Does nothing if everything is in
 * place, and needs no network then.
 *
 * `deno install` installs all packages, for development.
 */

import { existsSync, realpathSync, rmSync } from "node:fs";
import { join } from "node:path";
import { unusedFiles } from "./build/npm_packages.ts";

/** Modules that import every package: the program and the code it starts by path. */
const ENTRY_POINTS = ["main.ts", "src/extraction/child.ts", "src/embedding/worker.ts"] as const;

/** Packages of more than 30 MB, most of it for other platforms or other builds. */
const LARGE_PACKAGES = ["onnxruntime-node", "onnxruntime-web", "tesseract.js-core"] as const;

const root = join(import.meta.dirname!, "..");
const packages = join(root, "node_modules");

if (!existsSync(packages)) {
  Deno.stderr.writeSync(new TextEncoder().encode("Installing packages, about 125 MB …\n"));
}
const { success } = await new Deno.Command(Deno.execPath(), {
  args: ["install", "--quiet", "--frozen", "--entrypoint", ...ENTRY_POINTS],
  cwd: root,
  stdout: "inherit",
  stderr: "inherit",
}).spawn().status;
if (!success) Deno.exit(1);

for (const name of LARGE_PACKAGES) {
  const folder = realpathSync(join(packages, name));
  // Deno links these files from its cache, so a later installation doesn't download them again.
  // Another process may be removing the same files.
  for (const path of unusedFiles(name, folder)) rmSync(join(folder, path), { force: true });
}
