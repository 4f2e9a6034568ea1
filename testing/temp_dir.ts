/** Folders for one test each. */

import { mkdtempSync } from "node:fs";
import { rm as remove } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A new empty folder. */
export function makeTempDirSync(): string {
  return mkdtempSync(join(tmpdir(), "commonplace-test-"));
}

/** Removes a folder with all that is in it. */
export function rm(directory: string): Promise<void> {
  return remove(directory, { recursive: true, force: true });
}
