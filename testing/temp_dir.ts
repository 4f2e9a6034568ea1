/** Temporary folders for tests. */

import { mkdtempSync } from "node:fs";
import { rm as remove } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Creates an empty folder and returns its path. */
export function makeTempDirSync(parent: string = tmpdir()): string {
  return mkdtempSync(join(parent, "commonplace-test-"));
}

/** Removes a folder and everything in it. */
export function rm(directory: string): Promise<void> {
  return remove(directory, { recursive: true, force: true });
}
