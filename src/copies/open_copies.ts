/** The open copies of a process: which projects they have, how far they are, and in which files. */

import { statSync } from "node:fs";
import { join } from "node:path";
import { ApiError } from "../kernel/errors.ts";
import { WorkerClient } from "../kernel/process/worker_client.ts";
import { type CopyFile, copyPath, listOwnFiles, ownFile, SHARED_FILE } from "./own_files.ts";
import type { CopyState } from "./state.ts";
import type { CopyChange } from "./writer.ts";
import type { CopyRequest, CopyResponse, FoundCopy } from "./writers.ts";

/** A copy in a file of its own. */
export interface LargeCopy {
  readonly project: number;
  readonly folder: string;
  readonly bytes: number;
  readonly state: CopyState;
}

/** Copies in a folder, and the thread that writes them. */
export class OpenCopies {
  /** How far the copies are. */
  readonly states = new Map<number, CopyState>();
  /** Called with the path of each database file that has been removed. */
  onRemoved = (_database: string) => {};
  readonly #root: string;
  readonly #writer: WorkerClient<CopyRequest, CopyResponse>;
  /** Files of large projects. The others are in the shared file. */
  readonly #files = new Map<number, CopyFile>();
  /**
   * Projects that have moved to a file of their own while the shared one still has them too, and
   * when they did, in milliseconds since 1970. Also those whose removal has failed.
   */
  readonly #moved = new Map<number, number>();
  /** Files whose removal has failed. */
  readonly #unused = new Set<CopyFile>();
  /** Files with models that are gone from the records. */
  readonly #withOldModels = new Set<CopyFile>();
  #modelRemoval: Promise<void> | undefined;
  #isClosing = false;
  #lastNumber = 0;
  #bytes = 0;

  private constructor(root: string) {
    this.#root = root;
    this.#writer = new WorkerClient(new URL("./copy_worker.ts", import.meta.url), root);
  }

  /** Opens the copies in a folder that this process has locked. */
  static async open(root: string): Promise<OpenCopies> {
    const copies = new OpenCopies(root);
    try {
      copies.#lastNumber = listOwnFiles(root).at(-1)?.number ?? 0;
      const { copies: found } = await copies.#send({ open: true });
      for (const { project, file, state, hasOldModels } of found!) {
        if (hasOldModels) copies.#withOldModels.add(file);
        if (file !== SHARED_FILE) {
          if (copies.states.has(project)) copies.#moved.set(project, 0);
          copies.#files.set(project, file);
        }
        copies.states.set(project, state);
      }
      return copies;
    } catch (error) {
      copies.#writer.close();
      throw error;
    }
  }

  /** Size of all copies, in bytes. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Projects that have a copy, or a file for it. */
  get projects(): readonly number[] {
    return [...new Set([...this.states.keys(), ...this.#files.keys()])];
  }

  /** Returns the path of the database with a project. */
  database(project: number): string {
    return copyPath(this.#root, this.#files.get(project) ?? SHARED_FILE);
  }

  hasOwnFile(project: number): boolean {
    return this.#files.has(project);
  }

  /** Returns the copies in files of their own. */
  large(): readonly LargeCopy[] {
    return [...this.#files].flatMap(([project, file]) => {
      const state = this.states.get(project);
      const bytes = statSync(copyPath(this.#root, file), { throwIfNoEntry: false })?.size;
      return state === undefined || bytes === undefined
        ? []
        : [{ project, folder: join(this.#root, file), bytes, state }];
    });
  }

  async apply(change: Omit<CopyChange, "after">): Promise<void> {
    const { project, state } = change;
    const after = this.states.get(project);
    const file = this.#files.get(project) ?? SHARED_FILE;
    try {
      const { hasOldModels } = await this.#send({ ...change, after, file });
      if (hasOldModels) this.#withOldModels.add(file);
    } catch (error) {
      // An ApiError says that nothing was changed. After others, how far the copy got is unknown.
      if (!(error instanceof ApiError)) this.states.delete(project);
      throw error;
    }
    this.states.set(project, state);
  }

  /** Removes a project's copy. */
  async clear(project: number): Promise<void> {
    this.states.delete(project);
    const file = this.#files.get(project);
    this.#files.delete(project);
    try {
      if (file !== undefined) await this.removeFile(file);
      await this.#clearShared(project);
    } catch (error) {
      this.#moved.set(project, -Infinity);
      throw error;
    }
  }

  /** Removes what the shared file has of a project, if it doesn't need that any more. */
  async clearMoved(project: number): Promise<void> {
    if (this.#moved.has(project)) await this.#clearShared(project);
  }

  /** Files whose removal has failed. To be tried again. */
  get unused(): readonly CopyFile[] {
    return [...this.#unused];
  }

  /**
   * Removes models that are gone from the records, and their vectors. Returns the removal that is
   * running, if there's one. If it fails, the next one continues.
   */
  removeOldModels(): Promise<void> {
    return this.#modelRemoval ??= this.#removeOldModels()
      .finally(() => this.#modelRemoval = undefined);
  }

  async #removeOldModels(): Promise<void> {
    for (const file of this.#withOldModels) {
      try {
        // Between two steps, the file may be removed.
        while (!this.#isClosing && this.#withOldModels.has(file)) {
          const { more } = await this.#send({ removeVectors: file });
          if (!more) this.#withOldModels.delete(file);
        }
      } catch (error) {
        // The next removal begins with the other files.
        if (this.#withOldModels.delete(file)) this.#withOldModels.add(file);
        throw error;
      }
    }
  }

  /** Removes the file of a project that has it no more. */
  async removeFile(file: CopyFile): Promise<void> {
    this.#withOldModels.delete(file);
    try {
      await this.#send({ remove: file });
      this.#unused.delete(file);
    } catch (error) {
      this.#unused.add(file);
      throw error;
    } finally {
      // Not before: a search could open it once more.
      this.onRemoved(copyPath(this.#root, file));
    }
  }

  /**
   * Gives a project that has none a file of its own. What the shared one has stays for now, since
   * searches may be reading it.
   *
   * @param now milliseconds since 1970
   * @param fill puts a database into the folder, if there's one to begin with
   * @returns how far the copy in the file is, if that can be used
   */
  async startOwnFile(
    project: number,
    now: number,
    fill: (folder: string) => Promise<boolean>,
  ): Promise<CopyState | undefined> {
    const { file } = ownFile(project, ++this.#lastNumber);
    // If this fails, the project keeps what it has.
    const isFilled = await fill(join(this.#root, file));
    const state = isFilled ? await this.#inspect(project, file) : undefined;
    if (this.states.delete(project)) this.#moved.set(project, now);
    this.#files.set(project, file);
    if (state !== undefined) this.states.set(project, state);
    return state;
  }

  /** Returns the projects that haven't needed the shared file since a time, and are still in it. */
  movedBefore(time: number): readonly number[] {
    return [...this.#moved].filter(([, at]) => at < time).map(([project]) => project);
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    await this.#writer.request({ close: true }).catch(() => undefined);
    this.#writer.close();
  }

  /** Returns the state of a project in a file that has been put there. Removes one without it. */
  async #inspect(project: number, file: CopyFile): Promise<CopyState | undefined> {
    let found: FoundCopy | undefined;
    try {
      [found] = (await this.#send({ inspect: file, project })).copies!;
      if (found?.hasOldModels) this.#withOldModels.add(file);
      return found?.state;
    } finally {
      if (found === undefined) await this.removeFile(file);
    }
  }

  async #clearShared(project: number): Promise<void> {
    while ((await this.#send({ clear: project })).more);
    this.#moved.delete(project);
  }

  async #send(request: CopyRequest): Promise<CopyResponse> {
    const response = await this.#writer.request(request);
    this.#bytes = response.bytes;
    return response;
  }
}
