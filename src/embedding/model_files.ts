/** Reads the built-in models' files and verifies their checksums. */

import { createHash, type Hash } from "node:crypto";
import { fileURLToPath } from "node:url";
import type { BuiltinModel, ModelFile } from "./builtin_models.ts";
import { EmbedderError } from "./embedder.ts";

const ASSETS = new URL("../../assets/", import.meta.url);

/** How much of a file is read at once to verify it. */
const VERIFIED_BYTES = 262_144;

/**
 * Returns a model file's bytes.
 *
 * @throws {EmbedderError} If the file is missing or has been changed.
 */
export function readModelFile(model: BuiltinModel, file: ModelFile): Uint8Array<ArrayBuffer> {
  return readAsset(`embedding/${model.id}`, file);
}

/**
 * Returns the bytes of a file in a folder of `assets`.
 *
 * @throws {EmbedderError} If the file is missing or has been changed.
 */
export function readAsset(folder: string, file: ModelFile): Uint8Array<ArrayBuffer> {
  const path = pathOf(folder, file);
  const bytes = attempt(path, () => Deno.readFileSync(path));
  verify(path, file, createHash("sha256").update(bytes));
  return bytes;
}

/**
 * Verifies a file in a folder of `assets` and returns its path. Holds only a part of it at a time.
 * Freed bytes of a large file can stay with the thread: `malloc_trim` doesn't return the end of a
 * thread's memory.
 *
 * @throws {EmbedderError} If the file is missing or has been changed.
 */
export function verifyAsset(folder: string, file: ModelFile): string {
  const path = pathOf(folder, file);
  const hash = createHash("sha256");
  attempt(path, () => {
    using opened = Deno.openSync(path);
    const bytes = new Uint8Array(VERIFIED_BYTES);
    for (let count; (count = opened.readSync(bytes)) !== null;) {
      hash.update(bytes.subarray(0, count));
    }
  });
  verify(path, file, hash);
  return path;
}

function pathOf(folder: string, file: ModelFile): string {
  return fileURLToPath(new URL(`${folder}/${file.name}`, ASSETS));
}

function verify(path: string, file: ModelFile, hash: Hash): void {
  if (hash.digest("hex") !== file.sha256) {
    throw new EmbedderError(`Checksum of ${path} does not match; reinstall this version`);
  }
}

function attempt<T>(path: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw new EmbedderError(`Can't read ${path}: ${(error as Error).message}`);
  }
}

/**
 * Frees the bytes right away. In an idle worker, the garbage collector would hold on to tens of
 * megabytes.
 */
export function freeBytes(bytes: Uint8Array<ArrayBuffer>): void {
  bytes.buffer.transfer(0);
}
