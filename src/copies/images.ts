/**
 * Images of large search copies, in the storage of files. Another process begins with the image of a
 * project and follows the journal from there, instead of filling its copy from the start.
 *
 * Nothing depends on an image: without one that can be used, copies are filled.
 */

import { createHash } from "node:crypto";
import { createReadStream, mkdirSync, renameSync, rmSync } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { type Clock, HOUR_MS } from "../kernel/clock.ts";
import { describeError, type Log } from "../kernel/log.ts";
import { systemTimers, waitAtMost } from "../kernel/timers.ts";
import { WorkerClient } from "../kernel/process/worker_client.ts";
import { type Blobs, hashInName } from "../store/blobs/blobs.ts";
import { writeAll } from "../store/blobs/work_folder.ts";
import type { Membership } from "../store/membership.ts";
import { databasePath } from "../store/sqlite/store.ts";
import type { Store } from "../store/store.ts";
import { VERSION } from "../version.ts";
import { type CopyPosition, isPositionOf, projectEnd } from "./feed.ts";
import {
  type CopyImage,
  countAfter,
  deleteImage,
  isProject,
  isUsable,
  readImages,
  writeImage,
} from "./image_rows.ts";
import type { ImageRequest } from "./image_worker.ts";
import type { LargeCopy } from "./open_copies.ts";
import { IMAGE_FOLDER } from "./own_files.ts";
import { readOwnFile } from "./writer.ts";

/**
 * An image that lacks this many journal entries and vectors in total is replaced. Filling these
 * takes two seconds.
 */
const MAX_BEHIND = 10_000;

/**
 * How often an image is replaced for being behind, at most, and how long after a failure the next
 * one is made, in milliseconds.
 */
const MIN_AGE_MS = 10 * 60_000;

/** An image from before this time is replaced after any change, since it may have been a deletion. */
const MAX_AGE_MS = 12 * HOUR_MS;

/** How long the thread that copies files is kept, in milliseconds. */
const IDLE_TIMEOUT_MS = 10_000;

/** How long to wait for an upload at the end, in milliseconds. */
const MAX_STOP_MS = 5_000;

/** What images need. */
export interface ImageDeps {
  readonly records: Store;
  readonly blobs: Blobs;
  readonly membership: Pick<Membership, "claim">;
  readonly clock: Clock;
}

/** Thrown for an image that no process can use. */
class UnusableImageError extends Error {
  override readonly name = "UnusableImageError";
}

/** Makes and uses images. */
export class CopyImages {
  /** Gets a line for each image that's made, used, or can't be used. */
  log: Log | undefined;
  readonly #deps: ImageDeps;
  readonly #worker: WorkerClient<ImageRequest, undefined>;
  #isStopped = false;
  #updating: Promise<void> = Promise.resolve();
  /** When an image of a project couldn't be made, in milliseconds since 1970. */
  readonly #failedAt = new Map<number, number>();

  constructor(deps: ImageDeps) {
    this.#deps = deps;
    const url = new URL("./image_worker.ts", import.meta.url);
    this.#worker = new WorkerClient(url, "", IDLE_TIMEOUT_MS);
  }

  /**
   * Ends what is running, which fails. An upload that can't be ended soon goes on until the process
   * exits.
   */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#worker.close();
    await waitAtMost(systemTimers, MAX_STOP_MS, this.#updating.catch(() => undefined));
  }

  /**
   * Puts the image of a project into a folder, as a copy with a position that the records have.
   *
   * @returns false if there's none that can be used
   */
  async download(project: number, folder: string): Promise<boolean> {
    const { records } = this.#deps;
    const image = await this.#find(project);
    if (image === undefined) return false;
    try {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      await this.#write(image, databasePath(folder));
      const state = (await readOwnFile(folder, project))?.state;
      if (state === undefined) throw new UnusableImageError("it isn't a copy of the project");
      if (!isPositionOf(state, await projectEnd(records, project, state))) {
        throw new UnusableImageError("the records went back to an earlier moment");
      }
      this.log?.info("image of a search copy used", { project });
      return true;
    } catch (error) {
      rmSync(folder, { recursive: true, force: true });
      if (this.#isStopped) return false;
      const latest = await this.#find(project);
      if (latest !== undefined && latest.file !== image.file) {
        return await this.download(project, folder);
      }
      this.log?.warn("image of a search copy not used", { project, error: describeError(error) });
      // The next one is made once the copy has been filled. Any other error is a problem of this
      // process alone.
      if (error instanceof UnusableImageError || await this.#isGone(image)) {
        await this.#remove(image);
      }
      return false;
    }
  }

  async #isGone({ file }: CopyImage): Promise<boolean> {
    return await this.#deps.blobs.size(file).catch(() => undefined) === null;
  }

  /**
   * Makes images of copies that have changed enough since their last one. A failure doesn't keep
   * the others from being made. To be called again when this has ended.
   *
   * @param root path of the folder of the copies
   */
  update(copies: readonly LargeCopy[], root: string): Promise<void> {
    return this.#updating = this.#update(copies, root);
  }

  async #update(copies: readonly LargeCopy[], root: string): Promise<void> {
    if (copies.length === 0) return;
    const images = await this.#deps.records.read(readImages);
    const ofProject = new Map(images.filter(isUsable).map((image) => [image.project, image]));
    const failures: unknown[] = [];
    for (const copy of copies) {
      if (this.#isStopped || this.#hasFailed(copy.project)) continue;
      try {
        if (await this.#isDue(copy, ofProject.get(copy.project))) {
          await this.#claimAndMake(copy, join(root, IMAGE_FOLDER));
        }
        this.#failedAt.delete(copy.project);
      } catch (error) {
        this.#failedAt.set(copy.project, this.#deps.clock.now());
        failures.push(error);
      }
    }
    if (failures.length > 0) throw failures[0];
  }

  #hasFailed(project: number): boolean {
    return this.#deps.clock.now() - (this.#failedAt.get(project) ?? -Infinity) < MIN_AGE_MS;
  }

  async #claimAndMake(copy: LargeCopy, scratch: string): Promise<void> {
    const claim = await this.#deps.membership.claim("image of search copy", copy.project);
    if (claim === null) return;
    try {
      // Another process may have made one just now.
      if (await this.#isDue(copy, await this.#find(copy.project))) await this.#make(copy, scratch);
    } finally {
      claim.release();
    }
  }

  async #find(project: number): Promise<CopyImage | undefined> {
    const images = await this.#deps.records.read(readImages);
    return images.find((image) => image.project === project && isUsable(image));
  }

  async #isDue({ project, state }: LargeCopy, image: CopyImage | undefined): Promise<boolean> {
    if (image === undefined) return true;
    if (state.journal <= image.journal && state.vectors <= image.vectors) return false;
    const age = this.#deps.clock.now() - image.at;
    if (age > MAX_AGE_MS) return true;
    if (age < MIN_AGE_MS) return false;
    return await this.#isFarBehind(project, image);
  }

  async #isFarBehind(
    project: number,
    position: Pick<CopyPosition, "journal" | "vectors">,
  ): Promise<boolean> {
    const { records } = this.#deps;
    return await records.read((db) => countAfter(db, project, position, MAX_BEHIND)) >= MAX_BEHIND;
  }

  async #make({ project, folder }: LargeCopy, scratch: string): Promise<void> {
    const { records, blobs, clock } = this.#deps;
    if (!await records.read((db) => isProject(db, project)) || this.#isStopped) return;
    rmSync(scratch, { recursive: true, force: true });
    mkdirSync(scratch, { mode: 0o700 });
    try {
      const at = clock.now();
      await this.#worker.request({ from: folder, to: scratch });
      const state = (await readOwnFile(scratch, project))?.state;
      // Filling it may have failed halfway.
      if (state === undefined || await this.#isFarBehind(project, state)) return;
      const blob = await blobs.put(this.#pieces(() => createReadStream(databasePath(scratch))));
      let isRecorded = false;
      try {
        const { journal, vectors } = state;
        const image = { file: blob.name, project, version: VERSION, journal, vectors, at };
        isRecorded = !this.#isStopped && await this.#record(image);
      } finally {
        blob.release();
        await blobs.deleteIfUnreferenced(records, blob.name);
      }
      if (isRecorded) this.log?.info("image of a search copy made", { project, bytes: blob.size });
    } finally {
      rmSync(scratch, { recursive: true, force: true });
    }
  }

  /** Replaces the image of a project. Returns false if the project has been deleted. */
  async #record(image: CopyImage): Promise<boolean> {
    const { records, blobs } = this.#deps;
    const { project } = image;
    const replaced = await records.write(project, async (tx) => {
      // The project may be being deleted, and its images have been.
      if (!await isProject(tx, project)) return null;
      const old = (await readImages(tx)).filter((each) =>
        each.project === project && isUsable(each)
      );
      for (const each of old) await deleteImage(tx, each);
      await writeImage(tx, image);
      return old.map(({ file }) => file);
    });
    await blobs.deleteUnreferenced(records, replaced ?? []);
    return replaced !== null;
  }

  async #remove(image: CopyImage): Promise<void> {
    const { records, blobs } = this.#deps;
    await records.write("rows", (tx) => deleteImage(tx, image));
    await blobs.deleteUnreferenced(records, [image.file]);
  }

  /** Writes an image to a file, which only gets its name once it's complete. */
  async #write({ file: name }: CopyImage, path: string): Promise<void> {
    const digest = createHash("sha256");
    const partial = `${path}.partial`;
    const file = await open(partial, "w", 0o600);
    try {
      for await (const bytes of this.#pieces(() => this.#deps.blobs.stream(name))) {
        digest.update(bytes);
        await writeAll(file, bytes);
      }
      // Otherwise, a power failure could leave it damaged.
      await file.sync();
    } finally {
      await file.close();
    }
    if (digest.digest("hex") !== hashInName(name)) {
      throw new UnusableImageError("the file is damaged");
    }
    renameSync(partial, path);
  }

  /** @param open called once the first piece is needed, so that what it opens is also closed */
  async *#pieces(open: () => AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const bytes of open()) {
      if (this.#isStopped) throw new Error("the service is stopping");
      yield bytes;
    }
  }
}
