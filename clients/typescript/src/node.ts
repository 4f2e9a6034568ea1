/** `@commonplace/client/node`: files on disk, for Node, Deno and Bun. */

import { openAsBlob } from "node:fs";
import { readFile, rename, writeFile } from "node:fs/promises";
import { basename } from "node:path";
import type { Schemas } from "./caller.ts";
import type { Commonplace } from "./client.ts";
import type { UploadFields, UploadOptions } from "./documents.ts";
import type { TransferOptions } from "./snapshots.ts";

/** Uploads the file at a path, like `client.documents.upload`. */
export async function uploadFile(
  client: Commonplace,
  path: string,
  fields?: UploadFields,
  options?: UploadOptions & { readonly wait?: true },
): Promise<Schemas["Document"]> {
  const file = await openAsBlob(path);
  return client.documents.upload(file, { filename: basename(path), ...fields }, options);
}

/** Writes a snapshot of the project to a file. The file appears once it is complete. */
export async function saveExport(
  client: Commonplace,
  path: string,
  options?: TransferOptions,
): Promise<void> {
  const snapshot = await client.exports.load(options);
  await writeFile(`${path}.part`, JSON.stringify(snapshot));
  await rename(`${path}.part`, path);
}

/** Imports the snapshot in a file into the key's project, which must be empty. */
export async function loadImport(
  client: Commonplace,
  path: string,
  options?: TransferOptions,
): Promise<Schemas["Operation"]> {
  return client.imports.load(JSON.parse(await readFile(path, "utf8")), options);
}
