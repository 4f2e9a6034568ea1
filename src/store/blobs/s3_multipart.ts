/** Uploads of large files in parts. Nothing is visible until all of them are there. */

import { createHash } from "node:crypto";
import type { FileHandle } from "node:fs/promises";
import { nameInKey } from "./blobs.ts";
import { elementOf, type S3Client, S3Error, withTimeout } from "./s3_client.ts";

/**
 * Uploads a file.
 *
 * @param advance called before each part. If it throws, the upload is aborted
 * @throws S3Error if the storage refuses it
 */
export async function uploadInParts(
  client: S3Client,
  key: string,
  file: FileHandle,
  partBytes: number,
  advance: () => void,
): Promise<void> {
  const created = await client.sendForText({ method: "POST", key, query: { uploads: "" } });
  const uploadId = elementOf(created, "UploadId");
  if (uploadId === undefined) throw new S3Error(502, "InvalidResponse", "no id of the upload");
  try {
    const parts: string[] = [];
    const buffer = new Uint8Array(partBytes);
    for (let offset = 0;; offset += partBytes) {
      const length = await readFully(file, buffer, offset);
      if (length === 0) break;
      advance();
      const bytes = buffer.subarray(0, length);
      const partNumber = parts.length + 1;
      const response = await client.send({
        method: "PUT",
        key,
        query: { partNumber: String(partNumber), uploadId },
        body: { bytes, sha256: createHash("sha256").update(bytes).digest("hex") },
      });
      await response.body?.cancel();
      const etag = response.headers.get("etag") ?? "";
      parts.push(`<Part><PartNumber>${partNumber}</PartNumber><ETag>${etag}</ETag></Part>`);
      if (length < partBytes) break;
    }
    await complete(client, key, uploadId, parts);
  } catch (error) {
    await abort(client, key, uploadId);
    throw error;
  }
}

async function complete(
  client: S3Client,
  key: string,
  uploadId: string,
  parts: readonly string[],
): Promise<void> {
  const text = `<CompleteMultipartUpload>${parts.join("")}</CompleteMultipartUpload>`;
  const bytes = new TextEncoder().encode(text);
  try {
    const completed = await client.sendForText({
      method: "POST",
      key,
      query: { uploadId },
      headers: { "content-type": "application/xml" },
      body: { bytes, sha256: createHash("sha256").update(bytes).digest("hex") },
    });
    // The status is sent before the parts are joined, so an error can follow a 200.
    const code = elementOf(completed, "Code");
    if (code !== undefined) throw new S3Error(500, code, "the upload can't be completed");
  } catch (error) {
    // A retry doesn't find the upload if only the first response was lost. No one else uses the key.
    if (!(error instanceof S3Error) || error.code !== "NoSuchUpload") throw error;
    await client.send({ method: "HEAD", key });
  }
}

/** Aborts uploads of files that were started before `before`. Returns how many. */
export async function abortOldUploads(
  client: S3Client,
  prefix: string,
  before: number,
): Promise<number> {
  // Not all storages can list them. These have rules of their own for unfinished uploads.
  const accepts = [400, 403, 404, 405, 501];
  const request = { method: "GET", key: "", query: { uploads: "", prefix }, accepts } as const;
  const response = await client.send(request).catch((error) => {
    if (error instanceof S3Error && error.status === 501) return null;
    throw error;
  });
  if (!response?.ok) {
    await response?.body?.cancel();
    return 0;
  }
  let aborted = 0;
  for (const [upload] of (await withTimeout(response.text())).matchAll(/<Upload>.*?<\/Upload>/gs)) {
    const [key, id] = [elementOf(upload, "Key"), elementOf(upload, "UploadId")];
    const started = Date.parse(elementOf(upload, "Initiated") ?? "");
    if (key === undefined || id === undefined || !(started < before)) continue;
    const ownKey = key.slice(prefix.length);
    // Another instance can have a longer prefix that begins with this one.
    if (!key.startsWith(prefix) || nameInKey(ownKey) === null) continue;
    await abort(client, ownKey, id);
    aborted++;
  }
  return aborted;
}

/** Parts that remain are removed by a later sweep, or by a rule of the bucket. */
async function abort(client: S3Client, key: string, uploadId: string): Promise<void> {
  try {
    const response = await client.send({ method: "DELETE", key, query: { uploadId } });
    await response.body?.cancel();
  } catch {
    // The caller needs to see the error that led here.
  }
}

async function readFully(file: FileHandle, buffer: Uint8Array, offset: number): Promise<number> {
  let length = 0;
  while (length < buffer.length) {
    const rest = buffer.length - length;
    const { bytesRead } = await file.read(buffer, length, rest, offset + length);
    if (bytesRead === 0) break;
    length += bytesRead;
  }
  return length;
}
