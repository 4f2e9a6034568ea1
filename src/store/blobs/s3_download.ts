/** Reads an object. A connection that breaks is replaced, and reading goes on where it stopped. */

import { missingBlob } from "./blobs.ts";
import {
  type S3Client,
  S3ConnectionError,
  S3Error,
  translateS3Errors,
  withTimeout,
} from "./s3_client.ts";

/** Number of connections in a row that can break without having sent anything. */
const MAX_FAILURES = 3;

/** An object that is being read. */
export class S3Download {
  readonly #client: S3Client;
  readonly #key: string;
  #offset: number;
  /** Size of the object, once it's known. */
  #size = Infinity;
  #reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
  #isCancelled = false;

  /** @param start offset of the first byte to read */
  constructor(client: S3Client, key: string, start: number) {
    this.#client = client;
    this.#key = key;
    this.#offset = start;
  }

  /** Returns the object's bytes. Nothing is requested before the first one is read. */
  stream(): ReadableStream<Uint8Array> {
    return new ReadableStream({
      pull: async (controller) => {
        const bytes = await this.#next();
        if (this.#isCancelled) return await this.#close();
        if (bytes === null) controller.close();
        else controller.enqueue(bytes);
      },
      cancel: () => {
        this.#isCancelled = true;
        return this.#close();
      },
    }, { highWaterMark: 0 });
  }

  /** Returns the next bytes. Null at the end, or if reading was cancelled. */
  async #next(): Promise<Uint8Array | null> {
    for (let failures = 0;; failures++) {
      // Errors of the request itself have been retried already.
      if (this.#reader === undefined) await translateS3Errors(() => this.#open());
      if (this.#isCancelled || this.#offset >= this.#size) {
        await this.#close();
        return null;
      }
      try {
        const { done, value } = await withTimeout(this.#reader!.read());
        if (done) throw new S3ConnectionError(new Error("The response ended too early"));
        this.#offset += value.length;
        return value;
      } catch (error) {
        await this.#close();
        if (this.#isCancelled) return null;
        if (failures === MAX_FAILURES) await translateS3Errors(() => Promise.reject(error));
      }
    }
  }

  async #open(): Promise<void> {
    const isPart = this.#offset > 0;
    const { status, headers, body } = await this.#client.send({
      method: "GET",
      key: this.#key,
      headers: isPart ? { range: `bytes=${this.#offset}-` } : {},
      accepts: [404, 416],
    });
    const length = status === 416 ? 0 : Number(headers.get("content-length") ?? NaN);
    this.#size = this.#offset + length;
    if (body !== null && length > 0 && status === (isPart ? 206 : 200)) {
      this.#reader = body.getReader();
      return;
    }
    await body?.cancel();
    if (status === 404) throw missingBlob(this.#key.split("/").at(-1)!);
    if (length !== 0) throw new S3Error(status, "InvalidResponse", "Range is not supported");
  }

  async #close(): Promise<void> {
    const reader = this.#reader;
    this.#reader = undefined;
    // A connection that broke can't be cancelled.
    await reader?.cancel().catch(() => undefined);
  }
}
