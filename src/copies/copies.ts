/**
 * Search copies: what searches read of the projects that this process serves, in SQLite databases
 * of its own. Before a search, the copy is brought up to the project's records. Afterwards it
 * follows them every few seconds, so that it doesn't keep what has been deleted. It can be deleted
 * at any time.
 */

import { ApiError } from "../kernel/errors.ts";
import { type Clock, DAY_MS, timestamp } from "../kernel/clock.ts";
import { systemTimers, waitAtMost } from "../kernel/timers.ts";
import type { SearchGround } from "../search/ground.ts";
import type { CopyStatus } from "../store/membership.ts";
import type { Store } from "../store/store.ts";
import { COPY_START, findChanges, isPositionOf, projectEnd, readBatches } from "./feed.ts";
import { type CopyFolder, lockCopyFolder } from "./folder.ts";
import { CopyFollower } from "./follower.ts";
import type { CopyImages } from "./images.ts";
import { OpenCopies } from "./open_copies.ts";
import { isCurrent } from "./state.ts";
import { CopyUses } from "./uses.ts";
import { continueVectors } from "./vector_position.ts";

/** Folder of the copies in the data directory. */
export const COPY_FOLDER = "search-copy";

/** How long a search waits for its copy, in milliseconds. Filling goes on afterwards. */
const MAX_WAIT_MS = 20_000;

/** How long after it began a search may be reading its copy, in milliseconds. */
const MAX_READING_MS = 60_000;

/** How long a round waits for work that can take longer and then goes on, in milliseconds. */
const MAX_ROUND_WAIT_MS = 2_000;

/** Copies that haven't been used for this long are removed, in milliseconds. */
const MAX_UNUSED_MS = 7 * DAY_MS;

/** Default for the size of all copies, in bytes. The same as the default of `--search-copy-mb`. */
const MAX_BYTES = 20 * 2 ** 30;

/**
 * Number of memories and chunks beyond which a project gets a file of its own. Filling these takes
 * two seconds.
 */
const MAX_SHARED_RECORDS = 10_000;

/** Options for the copies. */
export interface CopyOptions {
  /**
   * Size beyond which the least recently used copies are removed, in bytes. The one in use stays,
   * however large it is.
   */
  readonly maxBytes?: number | undefined;
  /** Number of records beyond which a project gets a file of its own. */
  readonly maxSharedRecords?: number;
}

/** Work on a project's copy. */
interface RunningWork {
  readonly done: Promise<void>;
  /** Whether the copy is being removed. */
  readonly isRemoval: boolean;
}

/** The copies of all projects in one database. */
export class SearchCopies implements SearchGround {
  /** If undefined, each copy is filled from the records. */
  images: CopyImages | undefined;
  readonly #records: Store;
  readonly #root: string;
  readonly #clock: Clock;
  readonly #maxBytes: number;
  readonly #maxSharedRecords: number;
  #folder: CopyFolder | undefined;
  #opening: Promise<OpenCopies> | undefined;
  #closing: Promise<void> | undefined;
  /** Work on the copies of projects, each once at a time. */
  readonly #running = new Map<number, RunningWork>();
  readonly #uses = new CopyUses();
  readonly #follower = new CopyFollower((project) => this.#catchUp(project));
  #maintenance: Promise<void> = Promise.resolve();
  /** End of the part of the journal that has been read for changes. Undefined at first. */
  #followedTo: number | undefined;
  /** Projects with changes up to there that their copies may lack. */
  #behind: ReadonlySet<number> = new Set();
  /** Set once they are open. */
  #copies: OpenCopies | undefined;
  #onRemoved = (_database: string) => {};
  readonly #filling = new Set<number>();
  #currentAt: number | null = null;

  /** @param root path of the folder for the copies. Created and locked when it's needed */
  constructor(records: Store, root: string, clock: Clock, options: CopyOptions = {}) {
    this.#records = records;
    this.#root = root;
    this.#clock = clock;
    this.#maxBytes = options.maxBytes ?? MAX_BYTES;
    this.#maxSharedRecords = options.maxSharedRecords ?? MAX_SHARED_RECORDS;
  }

  database(project: number): string {
    return this.#copies!.database(project);
  }

  onRemoved(listener: (database: string) => void): void {
    this.#onRemoved = listener;
  }

  /** How far the copies are. */
  get status(): CopyStatus {
    return {
      projects: this.#copies?.states.size ?? 0,
      filling: this.#filling.size,
      bytes: this.#copies?.bytes ?? 0,
      current_at: this.#currentAt === null ? null : timestamp(this.#currentAt),
    };
  }

  async ready(project: number): Promise<void> {
    if (this.#closing !== undefined) throw new Error("The search copies are closed");
    this.#uses.record(project, this.#clock.now());
    if (await waitAtMost(systemTimers, MAX_WAIT_MS, this.#catchUp(project))) return;
    throw new ApiError(
      "STORAGE_UNAVAILABLE",
      "The search copy of this project is being filled; search again in a few seconds",
      { retryAfter: 2 },
    );
  }

  /**
   * Brings copies up to what has changed, removes those that aren't used any more, and those of
   * projects that have been deleted. Call this every few seconds.
   */
  maintain(): Promise<void> {
    this.#maintenance = this.#maintenance.catch(() => undefined).then(() => this.#maintain());
    return this.#maintenance;
  }

  /** Makes images of large copies that have changed enough. Call this every minute. */
  async updateImages(): Promise<void> {
    if (this.#closing !== undefined) return;
    const copies = await this.#open();
    const complete = copies.large().filter(({ project, bytes }) =>
      !this.#filling.has(project) && copies.bytes + bytes <= this.#maxBytes
    );
    await this.images?.update(complete, this.#folder!.path);
  }

  /**
   * Brings copies in use up to changes of other processes, so that the next search has less to wait
   * for. If this fails, that search does it.
   *
   * @param projects the projects that have changed, or null if these are too many
   */
  follow(projects: readonly number[] | null): void {
    const used = this.#uses.recent(this.#clock.now());
    this.#follower.follow((projects ?? [...used]).filter((project) => used.has(project)));
  }

  close(): Promise<void> {
    return this.#closing ??= this.#close();
  }

  async #close(): Promise<void> {
    this.#follower.stop();
    await this.images?.stop();
    await this.#maintenance.catch(() => undefined);
    await Promise.allSettled([...this.#running.values()].map(({ done }) => done));
    const opened = await this.#opening?.catch(() => undefined);
    await opened?.close();
    this.#folder?.release();
  }

  /** Resolves when the copy has everything that was acknowledged before the call. */
  async #catchUp(project: number): Promise<void> {
    // One that has begun earlier may have read the records before the latest change.
    await this.#running.get(project)?.done.catch(() => undefined);
    for (let work; (work = this.#running.get(project))?.isRemoval;) {
      await work.done.catch(() => undefined);
    }
    await this.#exclusive(project, () => this.#bringUpOrRebuild(project));
  }

  /** Removes a project's copy, unless it's being brought up. */
  #remove(copies: OpenCopies, project: number): Promise<void> {
    return this.#exclusive(project, () => {
      this.#uses.delete(project);
      return copies.clear(project);
    }, true);
  }

  /** Runs work on a project's copy, or waits for the work that's running. */
  #exclusive(project: number, work: () => Promise<void>, isRemoval = false): Promise<void> {
    const running = this.#running.get(project);
    if (running !== undefined) return running.done;
    const done = work().finally(() => this.#running.delete(project));
    this.#running.set(project, { done, isRemoval });
    return done;
  }

  /** A copy that can't be changed is removed and filled again, from the records alone. */
  async #bringUpOrRebuild(project: number): Promise<void> {
    try {
      await this.#bringUp(project, this.images);
    } catch (error) {
      if (error instanceof ApiError) throw error;
      await (await this.#open()).clear(project);
      await this.#bringUp(project, undefined);
    }
  }

  async #bringUp(project: number, images: CopyImages | undefined): Promise<void> {
    this.#requireOpen();
    const copies = await this.#open();
    let known = copies.states.get(project);
    const end = await projectEnd(this.#records, project, known ?? COPY_START);
    if (known !== undefined && !isPositionOf(known, end)) known = undefined;
    known &&= await continueVectors(this.#records, project, known, end);
    const usedAt = this.#uses.lastUse(project) ?? known?.usedAt ?? this.#clock.now();
    // When the copy was used is stored along with a change, or once a day.
    const isUseStored = usedAt - (known?.usedAt ?? 0) < DAY_MS;
    const isLarge = end.records > this.#maxSharedRecords;
    const isWellPlaced = !isLarge || copies.hasOwnFile(project);
    if (known !== undefined && isWellPlaced && isCurrent(known, end) && isUseStored) return;
    // What is left of a copy without a state could be anything.
    if (known === undefined) await copies.clear(project);
    try {
      if (isLarge && !copies.hasOwnFile(project)) {
        this.#filling.add(project);
        known = await copies.startOwnFile(
          project,
          this.#clock.now(),
          async (folder) => await images?.download(project, folder) ?? false,
        );
        // The image can be from before a restore.
        const imageEnd = known && await projectEnd(this.#records, project, known);
        known &&= await continueVectors(this.#records, project, known, imageEnd!);
      }
      for await (const batch of readBatches(this.#records, project, known ?? COPY_START)) {
        if (batch.more) this.#filling.add(project);
        // The next start continues.
        this.#requireOpen();
        const state = { ...batch.position, models: end.models, usedAt };
        await copies.apply({ apply: batch, project, state });
        while (copies.bytes > this.#maxBytes) {
          if (!await this.#removeLeastRecentlyUsed(copies, project)) break;
        }
      }
    } finally {
      this.#filling.delete(project);
    }
  }

  #requireOpen(): void {
    if (this.#closing === undefined) return;
    throw new ApiError("STORAGE_UNAVAILABLE", "The service is stopping", { retryAfter: 1 });
  }

  async #maintain(): Promise<void> {
    if (this.#closing !== undefined) return;
    const copies = await this.#open();
    const startedAt = this.#clock.now();
    const failures = await this.#removeRests(copies);
    if (copies.projects.length > 0) await this.#followAll(copies);
    if (this.#behind.size === 0) this.#currentAt = startedAt;
    if (failures.length > 0) throw failures[0];
  }

  /** Removes what changes, earlier removals and moves have left. Returns the errors. */
  async #removeRests(copies: OpenCopies): Promise<readonly unknown[]> {
    const failures: unknown[] = [];
    const attempt = (work: Promise<void>) => work.catch((error) => void failures.push(error));
    for (const file of copies.unused) await attempt(copies.removeFile(file));
    for (const project of copies.movedBefore(this.#clock.now() - MAX_READING_MS)) {
      await attempt(this.#exclusive(project, () => copies.clearMoved(project)));
    }
    await waitAtMost(systemTimers, MAX_ROUND_WAIT_MS, attempt(copies.removeOldModels()));
    return failures;
  }

  /** Brings all copies up to what has changed, and removes those that aren't needed any more. */
  async #followAll(copies: OpenCopies): Promise<void> {
    const end = await this.#records.journalEnd();
    // Searches can add copies from now on, which this round leaves alone.
    const { projects } = copies;
    const from = this.#followedTo;
    const { existing, changed } = await findChanges(this.#records, projects, from, end);
    this.#followedTo = end;
    const behind = new Set(
      projects.filter((project) =>
        changed === null || changed.has(project) || this.#behind.has(project)
      ),
    );
    this.#behind = behind;
    const failures: unknown[] = [];
    for (const project of projects) {
      const isUnused = this.#clock.now() - this.#lastUse(copies, project) > MAX_UNUSED_MS;
      const isRemoved = !existing.has(project) || isUnused;
      if (isRemoved) behind.add(project);
      // Filling a large copy must not hold up what has been deleted from the others.
      else if (!behind.has(project) || this.#filling.has(project)) continue;
      const work = isRemoved ? this.#remove(copies, project) : this.#catchUp(project);
      const done = work.then(() => {
        // A removal may only have waited for the copy to be filled.
        if (!isRemoved || !copies.projects.includes(project)) behind.delete(project);
      }, (error) => failures.push(error));
      await waitAtMost(systemTimers, MAX_ROUND_WAIT_MS, done);
    }
    if (failures.length > 0) throw failures[0];
  }

  /** Returns when a project was last searched, in milliseconds since 1970. */
  #lastUse({ states }: OpenCopies, project: number): number {
    return Math.max(states.get(project)?.usedAt ?? 0, this.#uses.lastUse(project) ?? 0);
  }

  /**
   * Removes the copy that was used least recently, except for one project's and those that a search
   * may be reading. Returns false if there's none.
   */
  async #removeLeastRecentlyUsed(copies: OpenCopies, kept: number): Promise<boolean> {
    const before = this.#clock.now() - MAX_READING_MS;
    const [oldest] = copies.projects
      .filter((project) => project !== kept && !this.#running.has(project))
      .filter((project) => this.#lastUse(copies, project) < before)
      .sort((a, b) => this.#lastUse(copies, a) - this.#lastUse(copies, b));
    if (oldest !== undefined) await this.#remove(copies, oldest);
    return oldest !== undefined;
  }

  #open(): Promise<OpenCopies> {
    return this.#opening ??= this.#openFolder().catch((error: unknown) => {
      this.#opening = undefined;
      throw error;
    });
  }

  async #openFolder(): Promise<OpenCopies> {
    try {
      const folder = this.#folder ??= lockCopyFolder(this.#root);
      const copies = await OpenCopies.open(folder.path);
      copies.onRemoved = (database) => this.#onRemoved(database);
      return this.#copies = copies;
    } catch (error) {
      if (error instanceof ApiError) throw error;
      const message = "The search copy can't be opened; nothing was changed";
      throw new ApiError("STORAGE_UNAVAILABLE", message, { retryAfter: 1, cause: error });
    }
  }
}
