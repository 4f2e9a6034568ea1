/**
 * Entry point of the unpacked program. Checks whether the folder has been modified, repairs it from
 * the executable if necessary, and runs the command line.
 */

import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import {
  folderName,
  lockFolder,
  MANIFEST,
  type Manifest,
  modifiedFiles,
  repairModified,
  UnpackError,
} from "./unpack.ts";

const folder = fileURLToPath(new URL("../../..", import.meta.url)).replace(/\/$/, "");

try {
  lockFolder(folder);
  repairFolder();
} catch (error) {
  printLine(`Can't repair ${folder}: ${(error as Error).message}`);
  Deno.exit(1);
}
// The path is only known at run time, and a static import would be loaded along with this module,
// i.e. before the repair.
await import(join(folder, "app/main.ts"));

function repairFolder(): void {
  const bytes = readFileSync(join(folder, MANIFEST));
  if (folderName(bytes) !== basename(folder)) {
    throw new UnpackError("its manifest was modified; delete the folder and start again");
  }
  const manifest: Manifest = JSON.parse(new TextDecoder().decode(bytes));
  const modified = modifiedFiles(folder, manifest);
  if (modified.length === 0) return;
  const executable = Deno.env.get("COMMONPLACE_EXECUTABLE");
  if (executable === undefined) throw new UnpackError("start Commonplace by its executable");
  const repaired = repairModified(folder, executable, modified);
  if (repaired.length > 0) printLine(`Repaired ${repaired.length} damaged files in ${folder}`);
}

function printLine(line: string): void {
  Deno.stderr.writeSync(new TextEncoder().encode(`commonplace: ${line}\n`));
}
