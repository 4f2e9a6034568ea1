/** Writes the files of a process's search copies, one step at a time. */

import { statSync } from "node:fs";
import { join } from "node:path";
import { ApiError } from "../kernel/errors.ts";
import { LruCache } from "../kernel/caches/lru_cache.ts";
import {
  type CopyFile,
  copyPath,
  IMAGE_FOLDER,
  listOwnFiles,
  type OwnFile,
  removeOwnFile,
  SHARED_FILE,
} from "./own_files.ts";
import { type CopyChange, type CopyContent, CopyWriter, readOwnFile } from "./writer.ts";

/**
 * Maximum number of files of large projects to keep open. Each can take up to 32 MB of memory for
 * its pages.
 */
const MAX_OPEN_FILES = 16;

/** A copy, and where it is. */
export interface FoundCopy extends CopyContent {
  readonly project: number;
  readonly file: CopyFile;
}

/** Steps of the writers. */
export type CopyRequest =
  | { readonly open: true }
  | CopyChange & { readonly file: CopyFile }
  /** Removes a part of a project from the shared file. */
  | { readonly clear: number }
  /** Removes some vectors of a model that is gone from the records. */
  | { readonly removeVectors: CopyFile }
  | { readonly remove: CopyFile }
  /** Reads the state of a file that has been put there. */
  | { readonly inspect: CopyFile; readonly project: number }
  | { readonly close: true };

/** What the steps return. */
export interface CopyResponse {
  /** Size of all copies, in bytes. */
  readonly bytes: number;
  /** For `open`, all copies. For `inspect`, the one in the file, if it can be used. */
  readonly copies?: readonly FoundCopy[];
  /** For `clear` and `removeVectors`, whether there is more to remove. */
  readonly more?: boolean;
  /** For a change, whether its file has models that are gone from the records. */
  readonly hasOldModels?: boolean;
}

/** The writers of all files in a folder. */
export class CopyWriters {
  readonly #root: string;
  readonly #shared: CopyWriter;
  /** Open files of large projects. */
  readonly #own = new LruCache<CopyFile, CopyWriter>(Infinity);
  /** Sizes of the files of large projects, in bytes. */
  readonly #ownBytes = new Map<CopyFile, number>();
  #last: Promise<unknown> = Promise.resolve();

  private constructor(root: string, shared: CopyWriter) {
    this.#root = root;
    this.#shared = shared;
  }

  /** Opens the copies in a folder. Those that can't be used are removed. */
  static async open(root: string): Promise<CopyWriters> {
    const writers = new CopyWriters(root, await CopyWriter.open(root));
    for (const { file } of listOwnFiles(root)) writers.#measure(file);
    return writers;
  }

  /** Runs a step after those before it. */
  run(request: CopyRequest): Promise<CopyResponse> {
    const result = this.#last.then(() => this.#run(request));
    this.#last = result.catch(() => undefined);
    return result;
  }

  async #run(request: CopyRequest): Promise<CopyResponse> {
    if ("close" in request) {
      await this.#close();
      return { bytes: 0 };
    }
    const result = await this.#change(request);
    let bytes = await this.#shared.bytes();
    for (const own of this.#ownBytes.values()) bytes += own;
    return { bytes, ...result };
  }

  async #change(
    request: Exclude<CopyRequest, { readonly close: true }>,
  ): Promise<Omit<CopyResponse, "bytes">> {
    if ("open" in request) return { copies: await this.#findCopies() };
    if ("clear" in request) return { more: await this.#shared.clearSome(request.clear) };
    if ("removeVectors" in request) {
      const writer = await this.#writerOf(request.removeVectors);
      return { more: await writer.removeOldVectors() };
    }
    if ("remove" in request) {
      await this.#closeOwn(request.remove);
      removeOwnFile(this.#root, request.remove);
      this.#ownBytes.delete(request.remove);
      return {};
    }
    if ("inspect" in request) {
      const { inspect: file, project } = request;
      return { copies: await this.#findOwn({ file, project }) };
    }
    const { file } = request;
    const hasOldModels = await (await this.#writerOf(file)).apply(request);
    if (file !== SHARED_FILE) this.#measure(file);
    return { hasOldModels };
  }

  async #findCopies(): Promise<FoundCopy[]> {
    // Left by a process that was killed.
    removeOwnFile(this.#root, IMAGE_FOLDER);
    const found = new Map<number, FoundCopy>();
    for (const own of listOwnFiles(this.#root)) {
      let copy: FoundCopy | undefined;
      try {
        [copy] = await this.#findOwn(own);
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        // The next start may be able to read it.
        continue;
      }
      const unusable = copy === undefined ? own.file : found.get(own.project)?.file;
      if (unusable !== undefined) await this.#change({ remove: unusable });
      if (copy !== undefined) found.set(own.project, copy);
    }
    const hasOldModels = await this.#shared.hasOldModels();
    const shared = (await this.#shared.states()).map(([project, state]) => ({
      project,
      file: SHARED_FILE,
      state,
      hasOldModels,
    }));
    return [...shared, ...found.values()];
  }

  async #findOwn({ file, project }: Pick<OwnFile, "file" | "project">): Promise<FoundCopy[]> {
    const content = await readOwnFile(join(this.#root, file), project);
    if (content === undefined) return [];
    this.#measure(file);
    return [{ project, file, ...content }];
  }

  async #writerOf(file: CopyFile): Promise<CopyWriter> {
    if (file === SHARED_FILE) return this.#shared;
    const known = this.#own.get(file);
    if (known !== undefined) return known;
    const writer = await CopyWriter.open(join(this.#root, file));
    this.#own.set(file, writer);
    if (this.#own.size > MAX_OPEN_FILES) await this.#closeOwn(this.#own.keys().next().value!);
    return writer;
  }

  async #closeOwn(file: CopyFile): Promise<void> {
    const writer = this.#own.get(file);
    this.#own.delete(file);
    await writer?.close();
  }

  #measure(file: CopyFile): void {
    const path = copyPath(this.#root, file);
    const sizes = [path, `${path}-wal`].map((each) =>
      statSync(each, { throwIfNoEntry: false })?.size ?? 0
    );
    this.#ownBytes.set(file, sizes[0]! + sizes[1]!);
  }

  async #close(): Promise<void> {
    for (const file of [...this.#own.keys()]) await this.#closeOwn(file);
    await this.#shared.close();
  }
}
