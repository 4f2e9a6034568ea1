/**
 * Opens the file to import: a single file, or a zip archive whose files are read one by one without
 * unpacking them. Names are only used as keys, never as paths on this machine.
 */

import { open } from "node:fs/promises";
import type { Readable } from "node:stream";
import { ApiError } from "../kernel/errors.ts";
import { LIMITS } from "../kernel/limits.ts";

/** Size of the read buffer, in bytes. */
const READ_BUFFER_BYTES = 256 * 1024;

/** First bytes of a zip archive with files, and of an empty one. */
const ZIP_SIGNATURES = ["504b0304", "504b0506"];

/** A file in a source. */
export interface SourceFile {
  /** Path within the archive, with forward slashes, or the name of a single file. */
  readonly name: string;
  readonly size: number;
  /** When the file was changed, in milliseconds since the Unix epoch, or null if unknown. */
  readonly modifiedAt: number | null;
  /** Yields the content, from the start. A chunk is only valid until the next one is requested. */
  bytes(): AsyncIterable<Uint8Array>;
}

/** The files of a source. */
export interface SourceFiles {
  readonly files: readonly SourceFile[];
  readonly isArchive: boolean;
  close(): Promise<void>;
}

/** The parts of yauzl that we use. The package has no types of its own. */
interface ZipFile {
  eachEntry(): AsyncIterable<ZipEntry>;
  openReadStreamPromise(entry: ZipEntry): Promise<Readable>;
  close(): void;
}

interface ZipEntry {
  readonly fileName: string;
  readonly uncompressedSize: number;
  readonly compressionMethod: number;
  isEncrypted(): boolean;
  getLastModDate(): Date;
}

interface Yauzl {
  openPromise(path: string, options: object): Promise<ZipFile>;
}

/**
 * Opens a source.
 *
 * @param path file on this machine
 * @param name name to use for a single file
 * @throws {ApiError} INVALID_IMPORT if it's a damaged or oversized archive
 */
export async function openSource(path: string, name: string): Promise<SourceFiles> {
  const { signature, size } = await readHead(path);
  if (ZIP_SIGNATURES.includes(signature)) return await openArchive(path);
  const file: SourceFile = {
    name,
    size,
    modifiedAt: null,
    bytes: () => readInto(new Uint8Array(READ_BUFFER_BYTES), path),
  };
  return { files: [file], isArchive: false, close: () => Promise.resolve() };
}

/**
 * Yields a file's content through one buffer. With a new one per chunk, as streams have it, more
 * than 50 MB of them wait to be collected.
 */
async function* readInto(buffer: Uint8Array, path: string): AsyncGenerator<Uint8Array> {
  const file = await open(path);
  try {
    for (;;) {
      const { bytesRead } = await file.read(buffer, 0, buffer.length, null);
      if (bytesRead === 0) return;
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    await file.close();
  }
}

async function readHead(path: string): Promise<{ signature: string; size: number }> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(new Uint8Array(4), 0, 4, 0);
    const { size } = await file.stat();
    return { signature: buffer.subarray(0, bytesRead).toHex(), size };
  } finally {
    await file.close();
  }
}

async function openArchive(path: string): Promise<SourceFiles> {
  let zip: ZipFile | undefined;
  try {
    const { default: yauzl }: { default: Yauzl } = await import("yauzl");
    // Checks every name: an absolute one, or one with "..", is an error.
    zip = await yauzl.openPromise(path, { autoClose: false });
    const files = await listFiles(zip);
    return {
      files,
      isArchive: true,
      close: () => Promise.resolve(zip!.close()),
    };
  } catch (error) {
    zip?.close();
    throw damagedArchive(error);
  }
}

async function listFiles(zip: ZipFile): Promise<SourceFile[]> {
  const files: SourceFile[] = [];
  let total = 0;
  for await (const entry of zip.eachEntry()) {
    if (entry.fileName.endsWith("/") || entry.fileName.startsWith("__MACOSX/")) continue;
    total += entry.uncompressedSize;
    if (files.length >= LIMITS.importArchiveFiles) {
      throw invalidImport(`The archive has more than ${LIMITS.importArchiveFiles} files`);
    }
    if (total > LIMITS.importArchiveBytes) {
      throw invalidImport(
        `The archive decompresses to more than ${LIMITS.importArchiveBytes} bytes`,
      );
    }
    if (entry.isEncrypted()) {
      throw invalidImport("The archive is password-protected; import it without a password");
    }
    files.push(archivedFile(zip, entry));
  }
  return files;
}

function archivedFile(zip: ZipFile, entry: ZipEntry): SourceFile {
  return {
    name: entry.fileName,
    size: entry.uncompressedSize,
    modifiedAt: modificationTime(entry),
    async *bytes() {
      try {
        // yauzl fails if there is more or less than the declared size.
        yield* await zip.openReadStreamPromise(entry) as AsyncIterable<Uint8Array>;
      } catch (error) {
        throw damagedArchive(error, entry.fileName);
      }
    },
  };
}

/** Returns null for the date that programs write if they don't know one. */
function modificationTime(entry: ZipEntry): number | null {
  const time = entry.getLastModDate().getTime();
  return Number.isNaN(time) || time < Date.UTC(1980, 0, 2) ? null : time;
}

function damagedArchive(error: unknown, name?: string): ApiError {
  if (error instanceof ApiError) return error;
  const which = name === undefined ? "The archive" : `"${name}" in the archive`;
  return invalidImport(`${which} can't be read: ${(error as Error).message}`, error);
}

/**
 * Returns a single file, or the files of an archive whose names match.
 *
 * @param wanted what to call these files, e.g. `conversations.json`
 * @throws {ApiError} INVALID_IMPORT if an archive has none of them
 */
export function filesNamed(
  source: SourceFiles,
  name: RegExp,
  wanted: string,
): readonly SourceFile[] {
  if (!source.isArchive) return source.files;
  const files = source.files.filter((file) => name.test(file.name));
  if (files.length === 0) throw invalidImport(`The archive has no ${wanted}`);
  return files;
}

/** Returns the error for a source that can't be read as a whole. */
export function invalidImport(message: string, cause?: unknown): ApiError {
  return new ApiError("INVALID_IMPORT", message, { cause });
}
