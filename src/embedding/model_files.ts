/** Reads the built-in models' files and verifies their checksums. */

import { createHash } from "node:crypto";
import { fileURLToPath } from "node:url";
import type { BuiltinModel, ModelFile } from "./builtin_models.ts";
import { EmbedderError } from "./embedder.ts";

const ASSETS = new URL("../../assets/", import.meta.url);

/**
 * Returns a model file's bytes.
 *
 * @throws {EmbedderError} If the file is missing or has been changed.
 */
export function readModelFile(model: BuiltinModel, file: ModelFile): Uint8Array<ArrayBuffer> {
  return readAsset(`embedding/${model.id}`, file);
}

/** Returns the path of a file in a folder of `assets`. */
export function assetPath(folder: string, file: ModelFile): string {
  return fileURLToPath(new URL(`${folder}/${file.name}`, ASSETS));
}

/**
 * Returns the bytes of a file in a folder of `assets`.
 *
 * @throws {EmbedderError} If the file is missing or has been changed.
 */
export function readAsset(folder: string, file: ModelFile): Uint8Array<ArrayBuffer> {
  const path = assetPath(folder, file);
  const bytes = readBytes(path);
  if (createHash("sha256").update(bytes).digest("hex") !== file.sha256) {
    throw new EmbedderError(`Checksum of ${path} does not match; reinstall this version`);
  }
  return bytes;
}

function readBytes(path: string): Uint8Array<ArrayBuffer> {
  try {
    return Deno.readFileSync(path);
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
