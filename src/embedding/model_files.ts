/** Reading the files of the built-in models, none of them unless its checksum is right. */

import { createHash } from "node:crypto";
import { closeSync, openSync, readSync } from "node:fs";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { BuiltinModel, ModelFile } from "./builtin_models.ts";
import { EmbedderError } from "./embedder.ts";

const ASSETS = new URL("../../assets/embedding/", import.meta.url);

/** Bytes hashed at a time, so that checking a model doesn't hold the whole of it. */
const CHUNK = 1 << 20;

/** Where a model's file lies. @throws EmbedderError when it is missing or was changed */
export function checkedPath(model: BuiltinModel, file: ModelFile): string {
  const path = fileURLToPath(new URL(`${model.id}/${file.name}`, ASSETS));
  const found = sha256Of(path);
  if (found !== file.sha256) {
    throw new EmbedderError(`${path} is not the file that came with this version`);
  }
  return path;
}

/** The bytes of a model's file. @throws EmbedderError as above */
export function checkedBytes(model: BuiltinModel, file: ModelFile): Uint8Array<ArrayBuffer> {
  return new Uint8Array(readFileSync(checkedPath(model, file)));
}

function sha256Of(path: string): string {
  const hash = createHash("sha256");
  const chunk = new Uint8Array(CHUNK);
  let file: number;
  try {
    file = openSync(path, "r");
  } catch (error) {
    throw new EmbedderError(`${path} can't be read: ${(error as Error).message}`);
  }
  try {
    for (let read = readSync(file, chunk); read > 0; read = readSync(file, chunk)) {
      hash.update(chunk.subarray(0, read));
    }
  } finally {
    closeSync(file);
  }
  return hash.digest("hex");
}
