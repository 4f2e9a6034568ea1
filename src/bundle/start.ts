/**
 * Where the unpacked program begins: looks whether the folder is as it was unpacked, mends it from
 * the executable when it isn't, and goes on with the command line.
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
  printLine(`Can't mend ${folder}: ${(error as Error).message}`);
  Deno.exit(1);
}
// By a path that only the running program knows: an import that can be read beforehand would be
// loaded with this module, before anything is mended.
await import(join(folder, "app/main.ts"));

function repairFolder(): void {
  const bytes = readFileSync(join(folder, MANIFEST));
  if (folderName(bytes) !== basename(folder)) {
    throw new UnpackError("its list of files was changed; remove the folder");
  }
  const manifest: Manifest = JSON.parse(new TextDecoder().decode(bytes));
  const touched = modifiedFiles(folder, manifest);
  if (touched.length === 0) return;
  const executable = Deno.env.get("COMMONPLACE_EXECUTABLE");
  if (executable === undefined) throw new UnpackError("start it by its executable");
  const mended = repairModified(folder, executable, touched);
  if (mended.length > 0) printLine(`Mended ${mended.length} damaged files in ${folder}`);
}

function printLine(line: string): void {
  Deno.stderr.writeSync(new TextEncoder().encode(`commonplace: ${line}\n`));
}
