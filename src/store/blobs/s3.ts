/**
 * Files in S3-compatible storage. They are written to a folder on this machine while they arrive,
 * and uploaded once they're complete. Each put has a name of its own.
 */

import { createHash } from "node:crypto";
import { open } from "node:fs/promises";
import type { Random } from "../../kernel/ids.ts";
import type { S3Address } from "./address.ts";
import { blobKey, type BlobWriter, type LocalFile, nameInKey } from "./blobs.ts";
import { FileBlobWriter } from "./file_writer.ts";
import { createNonce } from "./folder.ts";
import {
  BlobStoreError,
  claimStore,
  MARK_NAME,
  type MarkedStore,
  type Records,
  requireMark,
} from "./mark.ts";
import { ReferencedBlobs } from "./referenced_blobs.ts";
import {
  elementOf,
  elementsOf,
  S3Client,
  S3ConnectionError,
  S3Error,
  translateS3Errors,
  withTimeout,
} from "./s3_client.ts";
import { S3Download } from "./s3_download.ts";
import { abortOldUploads, uploadInParts } from "./s3_multipart.ts";
import { WorkFolder } from "./work_folder.ts";

/** Larger files are uploaded in parts of this size, in bytes. A part is held in memory. */
const PART_BYTES = 16 * 1024 * 1024;

/** Where S3Blobs keeps files on this machine. */
interface S3Options {
  readonly address: S3Address;
  /** That of the instance. Files are only written to a bucket that has it. */
  readonly mark: string;
  readonly workDirectory: string;
  readonly random: Random;
}

/** The files in a bucket. */
export class S3Blobs extends ReferencedBlobs implements MarkedStore {
  readonly description: string;
  readonly #client: S3Client;
  readonly #prefix: string;
  readonly #mark: string;
  readonly #random: Random;
  readonly #work: WorkFolder;
  #hasMark = false;

  constructor({ address, mark, workDirectory, random }: S3Options) {
    super();
    const { bucket, prefix, base } = address;
    this.description = `s3://${bucket}/${prefix} at ${new URL(base).origin}`;
    this.#client = new S3Client(address, random);
    this.#prefix = prefix;
    this.#mark = mark;
    this.#random = random;
    this.#work = new WorkFolder(workDirectory, random);
  }

  async writer(name?: string): Promise<BlobWriter> {
    const { file, path } = await this.#work.create();
    return new FileBlobWriter(file, path, {
      name: (sha256) => name ?? `${sha256}-${createNonce(this.#random)}`,
      // Until the file has been referenced, it's also kept on this machine: it's often read next.
      pin: (name) => {
        const [unpin, release] = [this.pin(name), this.#work.keep(name, path)];
        let isPinned = true;
        return () => {
          if (isPinned) [unpin, release].forEach((end) => end());
          isPinned = false;
        };
      },
      store: (path, name, advance) => translateS3Errors(() => this.#upload(path, name, advance)),
      isSynced: false,
    });
  }

  async read(name: string): Promise<Uint8Array> {
    return new Uint8Array(await new Response(this.stream(name)).arrayBuffer());
  }

  stream(name: string, start = 0): ReadableStream<Uint8Array> {
    return new S3Download(this.#client, blobKey(name), start).stream();
  }

  async size(name: string): Promise<number | null> {
    return await translateS3Errors(async () => {
      const headers = await this.#head(blobKey(name));
      if (headers === null) return null;
      const length = headers.get("content-length");
      if (length === null) throw new S3Error(200, "InvalidResponse", "no size of the object");
      return Number(length);
    });
  }

  async has(name: string): Promise<boolean> {
    return await translateS3Errors(() => this.#head(blobKey(name))) !== null;
  }

  async local(name: string): Promise<LocalFile> {
    return await this.#work.use(name, async (write) => {
      for await (const bytes of this.stream(name)) await write(bytes);
    });
  }

  async claim(records: Records | undefined): Promise<void> {
    try {
      await claimStore(this, this.#mark, records);
    } catch (error) {
      if (error instanceof S3Error || error instanceof S3ConnectionError) {
        throw new BlobStoreError(`Can't use ${this.description}: ${error.message}`);
      }
      throw error;
    }
  }

  async readMark(): Promise<string | null> {
    const response = await this.#client.send({ method: "GET", key: MARK_NAME, accepts: [404] });
    const text = await withTimeout(response.text());
    // A bucket that doesn't exist has the same status as an object.
    if (response.status === 404 && elementOf(text, "Code") === "NoSuchBucket") {
      throw new S3Error(404, "NoSuchBucket", "the bucket doesn't exist");
    }
    return response.status === 404 ? null : text.trim();
  }

  async writeMark(text: string): Promise<void> {
    await this.#put(MARK_NAME, new TextEncoder().encode(`${text}\n`));
  }

  protected async *pages(): AsyncGenerator<readonly string[]> {
    let last: string | undefined;
    for (;;) {
      const xml = await translateS3Errors(() =>
        this.#client.sendForText({
          method: "GET",
          key: "",
          query: {
            "list-type": "2",
            prefix: this.#prefix,
            ...(last === undefined ? {} : { "start-after": last }),
          },
        })
      );
      const keys = elementsOf(xml, "Key");
      // Another instance can have a longer prefix that begins with this one.
      yield keys.flatMap((key) => nameInKey(key.slice(this.#prefix.length)) ?? []);
      last = keys.at(-1);
      if (elementOf(xml, "IsTruncated") !== "true" || last === undefined) return;
    }
  }

  protected async remove(name: string): Promise<void> {
    await translateS3Errors(async () => {
      const request = { method: "DELETE", key: blobKey(name), accepts: [404] } as const;
      await (await this.#client.send(request)).body?.cancel();
    });
  }

  protected async removeIfOlder(name: string, before: number): Promise<boolean> {
    const headers = await translateS3Errors(() => this.#head(blobKey(name)));
    const written = headers?.get("last-modified");
    if (!written || Date.parse(written) >= before) return false;
    await this.remove(name);
    return true;
  }

  protected async removeUnfinished(before: number): Promise<number> {
    const aborted = await translateS3Errors(() =>
      abortOldUploads(this.#client, this.#prefix, before)
    );
    return aborted + await this.#work.removeOlder(before);
  }

  async #head(key: string): Promise<Headers | null> {
    const response = await this.#client.send({ method: "HEAD", key, accepts: [404] });
    return response.status === 404 ? null : response.headers;
  }

  async #upload(path: string, name: string, advance: () => void): Promise<void> {
    if (!this.#hasMark) await requireMark(this, this.#mark);
    this.#hasMark = true;
    const file = await open(path, "r");
    try {
      const { size } = await file.stat();
      if (size > PART_BYTES) {
        return await uploadInParts(this.#client, blobKey(name), file, PART_BYTES, advance);
      }
      await this.#put(blobKey(name), await file.readFile() as Uint8Array<ArrayBuffer>);
    } finally {
      await file.close();
    }
  }

  async #put(key: string, bytes: Uint8Array<ArrayBuffer>): Promise<void> {
    const digest = createHash("sha256").update(bytes).digest();
    const response = await this.#client.send({
      method: "PUT",
      key,
      // The signature covers the hash too, but storages don't keep that one.
      headers: { "x-amz-checksum-sha256": digest.toString("base64") },
      body: { bytes, sha256: digest.toString("hex") },
    });
    await response.body?.cancel();
  }
}
