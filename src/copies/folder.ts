/** The folder of a process's search copies. */

import { rmSync } from "node:fs";
import { join } from "node:path";
import { makeFolderSync } from "../store/folders.ts";

/** A folder that no other process uses. */
export interface CopyFolder {
  readonly path: string;
  /** Allows other processes to use the folder. */
  release(): void;
}

/**
 * Locks the folder at a path or, if other processes use it, the next one with a number. Each process
 * has copies of its own, so it knows their state without reading it. The operating system releases
 * the lock of a process that's killed.
 */
export function lockCopyFolder(root: string): CopyFolder {
  for (let number = 1;; number++) {
    const path = number === 1 ? root : `${root}-${number}`;
    makeFolderSync(path);
    const file = Deno.openSync(join(path, "lock"), { create: true, write: true });
    if (!file.tryLockSync(true)) {
      file.close();
      continue;
    }
    return {
      path,
      release() {
        // The first folder is what the next start begins with. The others aren't worth keeping.
        if (number > 1) rmSync(path, { recursive: true, force: true });
        file.close();
      },
    };
  }
}
