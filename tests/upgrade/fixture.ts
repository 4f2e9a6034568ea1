/**
 * Data directories from earlier schemas. Each one is small and complete, and stored as a single
 * compressed file.
 */

import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";

const FIXTURES_FOLDER = join(import.meta.dirname!, "../fixtures");

/** Returns the path of a schema's fixture. */
export function fixturePath(schema: number): string {
  return join(FIXTURES_FOLDER, `schema_${schema}.json.gz`);
}

/** Stores every file in a directory as base64, keyed by path, and compresses the result. */
export function pack(directory: string, schema: number): void {
  const files = readdirSync(directory, { recursive: true, encoding: "utf8" })
    .filter((name) => statSync(join(directory, name)).isFile()).sort()
    .map((name) => [name, readFileSync(join(directory, name)).toString("base64")]);
  mkdirSync(FIXTURES_FOLDER, { recursive: true });
  writeFileSync(fixturePath(schema), gzipSync(JSON.stringify(Object.fromEntries(files))));
}

/** Restores a schema's fixture into a directory. */
export function unpack(schema: number, directory: string): void {
  const files: Record<string, string> = JSON.parse(
    gunzipSync(readFileSync(fixturePath(schema))).toString(),
  );
  for (const [name, bytes] of Object.entries(files)) {
    mkdirSync(dirname(join(directory, name)), { recursive: true });
    writeFileSync(join(directory, name), new Uint8Array(Buffer.from(bytes, "base64")));
  }
}
