/** Writes an archive as a stream: one file after another, and at the end a list with checksums. */

import { createHash } from "node:crypto";
import { Readable } from "node:stream";

/** A file in an archive. */
export interface ArchivedFile {
  readonly name: string;
  readonly records: number;
  readonly bytes: number;
  /** SHA-256 of the content, in hex. */
  readonly sha256: string;
}

/** Texts to write one after the other, each with the number of records that it completes. */
export type Content = AsyncIterable<readonly [text: string, records: number]>;

/** The parts of yazl that we use. The package has no types of its own. */
interface ZipWriter {
  addReadStreamLazy(
    name: string,
    options: { readonly mtime: Date },
    open: (done: (error: null, stream: Readable) => void) => void,
  ): void;
  end(): void;
  on(event: "error", listener: (error: Error) => void): void;
  readonly outputStream: AsyncIterable<Uint8Array>;
}

/** An archive being written. Its bytes must be read while files are added. */
export class Archive {
  readonly #zip: ZipWriter;
  readonly #mtime: Date;
  readonly files: ArchivedFile[] = [];

  private constructor(zip: ZipWriter, mtime: Date) {
    this.#zip = zip;
    this.#mtime = mtime;
    // An error in a file's content is reported by `add`. Without a listener, it would end the
    // process.
    zip.on("error", () => undefined);
  }

  /** @param at time of all files in the archive */
  static async open(at: Date): Promise<Archive> {
    const { default: { ZipFile } } = await import("yazl");
    return new Archive(new ZipFile() as unknown as ZipWriter, at);
  }

  /** The archive's bytes. */
  get bytes(): AsyncIterable<Uint8Array> {
    return this.#zip.outputStream;
  }

  /** Adds a file. Resolves once its content has been written. */
  add(name: string, content: Content): Promise<void> {
    return new Promise((resolve, reject) => {
      const written = this.#encode(name, content, resolve);
      this.#zip.addReadStreamLazy(name, { mtime: this.#mtime }, (done) => {
        const stream = Readable.from(written);
        stream.once("error", reject);
        done(null, stream);
      });
    });
  }

  /** Ends the archive. */
  end(): void {
    this.#zip.end();
  }

  async *#encode(name: string, content: Content, onEnd: () => void): AsyncGenerator<Uint8Array> {
    const encoder = new TextEncoder();
    const digest = createHash("sha256");
    let [records, bytes] = [0, 0];
    for await (const [text, completed] of content) {
      const encoded = encoder.encode(text);
      digest.update(encoded);
      records += completed;
      bytes += encoded.length;
      yield encoded;
    }
    this.files.push({ name, records, bytes, sha256: digest.digest("hex") });
    onEnd();
  }
}
