/**
 * Garbage collector for document versions. See version_states.ts for the states.
 *
 * The unit of work that supersedes or deletes a version only lists it in `retired_versions`. The
 * rest happens in small units of work, so that no one has to wait for a megabyte to be tokenized
 * again or an index to be rewritten. The list survives crashes, so the next start picks up where
 * this one left off.
 */

import sql from "sql-template-tag";
import type { Reader, Store, Tx } from "../store/store.ts";
import type { ChunkBatchQueue } from "./chunk_batch_queue.ts";
import { IndexCompaction, raiseMark, STEPS_PER_TURN } from "./index_compaction.ts";
import { COLUMNS } from "./repository.ts";
import { type VersionRow, versionTags } from "./row.ts";

/** Maximum number of compaction steps to wait for on shutdown. The next start does the rest. */
const MAX_STOP_STEPS = 400;

/**
 * Minimum number of segments to merge. When asked to merge, FTS5 takes this many segments of the
 * same size (sqlite.org/fts5.html, "usermerge").
 */
const MIN_MERGE_SEGMENTS = 4;

/** Collects versions and maintains the text index, one turn at a time. */
export class VersionGc {
  readonly #store: Store;
  readonly #batches: ChunkBatchQueue;
  readonly #compaction: IndexCompaction;
  #lastTurn: Promise<unknown> = Promise.resolve();
  /** Whether this process might have left something to collect. */
  #mayHaveGarbage = false;
  /** Whether we've checked the database for garbage from processes that are gone. */
  #checkedLeftovers = false;
  /** Versions staged by this process. Skipped by the collector. */
  readonly #pinned = new Set<number>();
  #stopping = false;

  constructor(store: Store, batches: ChunkBatchQueue) {
    this.#store = store;
    this.#batches = batches;
    this.#compaction = new IndexCompaction(store, batches);
    // Not set by the units themselves: a step that doesn't see their changes yet would reset it.
    store.listen("garbage", () => this.#mayHaveGarbage = true);
  }

  /** Lists a former head for collection. The version leaves the index but stays readable. */
  async supersede(tx: Tx, project: number, head: VersionRow): Promise<void> {
    tx.notify("garbage");
    await tx.run(sql`insert into retired_versions (version, project, indexed, deleted, title, tags)
      values (${head.seq}, ${project}, ${head.chunks}, 0, ${head.title},
       ${JSON.stringify(versionTags(head))})`);
  }

  /** Protects a staged version from collection until `unpin`. */
  pin(version: number): void {
    this.#pinned.add(version);
  }

  /**
   * Takes a staged version off the work list so that it can become the head.
   *
   * @returns false if part of it was collected: by the purge of its project, or by another process
   *   that looked for leftovers
   */
  async adopt(
    tx: Tx,
    project: number,
    { version, chunks }: { readonly version: number; readonly chunks: number },
  ): Promise<boolean> {
    return await tx.run(sql`delete from retired_versions
      where version = ${version} and project = ${project} and indexed = ${chunks}`) === 1;
  }

  /**
   * Unprotects a staged version. If it was never adopted, it's collected. Must be called in any
   * case, even after `adopt`.
   */
  unpin(version: number): void {
    this.#pinned.delete(version);
    this.#mayHaveGarbage = true;
  }

  /** Deletes all versions of a source and lists them for collection. Returns those versions. */
  async deleteSource(tx: Tx, project: number, sourceKey: string): Promise<VersionRow[]> {
    tx.notify("garbage");
    return await deleteSourceVersions(tx, project, sourceKey);
  }

  /**
   * Makes the next collection look for garbage from processes that are gone. It also collects what
   * running processes have staged; these notice, and write their version again in one unit of work.
   */
  checkLeftovers(): void {
    this.#checkedLeftovers = false;
  }

  /** Collects everything listed before the call, and merges the index if necessary. */
  async collect(): Promise<void> {
    await this.#enqueue(() => this.#collectAll());
    // Each merge gets its own turn, so deletions don't have to wait for all of them.
    while (await this.#enqueue(() => this.#mergeSegments()));
  }

  /**
   * Collects, then compacts the index if that fits into one turn. Compaction rewrites the whole
   * index, so no one waits for it if the index is large, and deletions over several seconds share
   * one pass.
   */
  collectDeleted(): Promise<void> {
    return this.#enqueue(async () => {
      await this.#collectAll();
      if (!this.#compaction.isLong) await this.#compactSome();
    });
  }

  /** Collects and completes the pending compaction. Call this every few seconds. */
  async runRound(): Promise<void> {
    await this.collect();
    if (this.#compaction.skipRound()) return;
    while (!this.#stopping) {
      await this.#enqueue(() => this.#compactSome());
      if (!this.#compaction.isActive) return;
    }
  }

  /**
   * Ends a running round, then collects and compacts before the process stops.
   *
   * @param maxSteps approximate limit on compaction steps, since a large index takes minutes
   */
  async stop(maxSteps = MAX_STOP_STEPS): Promise<void> {
    this.#stopping = true;
    await this.collect();
    for (let steps = 0; steps < maxSteps; steps += STEPS_PER_TURN) {
      if (!await this.#enqueue(() => this.#compactSome())) return;
    }
  }

  #enqueue<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#lastTurn.catch(() => undefined).then(work);
    this.#lastTurn = turn;
    return turn;
  }

  /**
   * Runs a few merge steps if there are many segments. Returns false if no more steps are needed.
   *
   * No-op while a version is being written, since its writer collects afterwards, which merges too.
   * Also a no-op during a compaction, since that merges everything.
   */
  async #mergeSegments(): Promise<boolean> {
    const batches = this.#batches;
    for (let step = 0; step < STEPS_PER_TURN; step++) {
      const isNeeded = batches.segments >= MIN_MERGE_SEGMENTS && !this.#compaction.isActive;
      if (!isNeeded || batches.isWriting || !await batches.merge(false)) return false;
    }
    return true;
  }

  #compactSome(): Promise<boolean> {
    return this.#compaction.advance(() => this.#collectAll());
  }

  async #collectAll(): Promise<void> {
    // Only checked once, to avoid starting the collecting thread when there's no garbage.
    if (!this.#checkedLeftovers) {
      this.#mayHaveGarbage = await this.#store.read(hasGarbage) || this.#mayHaveGarbage;
    }
    this.#checkedLeftovers = true;
    while (this.#mayHaveGarbage) {
      // Reset before the step, since a unit of work that creates garbage in the meantime sets it
      // again.
      this.#mayHaveGarbage = false;
      try {
        if (await this.#batches.collect(() => this.#pinned)) this.#mayHaveGarbage = true;
      } catch (error) {
        this.#mayHaveGarbage = true;
        throw error;
      }
    }
  }
}

/**
 * Deletes the rows of all of a source's versions and lists these for collection. Returns the
 * versions. Runs in the caller's unit of work. A project purge calls this directly.
 */
export async function deleteSourceVersions(
  tx: Tx,
  project: number,
  sourceKey: string,
): Promise<VersionRow[]> {
  const versions = await tx.all<VersionRow>(sql`delete from document_versions
      where project = ${project} and source_key = ${sourceKey} returning ${COLUMNS}`);
  for (const version of versions) {
    await tx.run(sql`insert into retired_versions
          (version, project, indexed, deleted, title, tags)
        values (${version.seq}, ${project}, ${version.is_head === 1 ? version.chunks : 0}, 1,
         ${version.title}, ${JSON.stringify(versionTags(version))})
        on conflict (version) do update set deleted = 1`);
  }
  await raiseMark(tx);
  return versions;
}

async function hasGarbage(db: Reader): Promise<boolean> {
  return await db.first(sql`select 1 from retired_versions limit 1`) !== undefined;
}
