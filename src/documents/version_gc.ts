/**
 * Clearing away versions that are no longer heads, or no longer there.
 *
 * States of a version's chunks: current (in the text index), retired (the head has moved, or the
 * source is deleted: nothing shows them any more, but the index still holds them), cleared (out of
 * the index; and, when the source was deleted, out of the database), purged (what the index had
 * only marked as gone is overwritten; after deletions alone). A version is retired in the unit of
 * work that moves or deletes the head. The rest happens in small units, so that nobody waits while
 * a megabyte is tokenized again or an index is rewritten. What a crash leaves is taken up after
 * the next start.
 *
 * A version that is written ahead (staging.ts) is retired from the start: `held` by this process
 * until the unit of work that makes it the head, which takes it back, or clears it by letting go.
 */

import sql from "sql-template-tag";
import type { Reader, Store, Tx } from "../store/store.ts";
import { COLUMNS } from "./repository.ts";
import { type VersionRow, versionTags } from "./row.ts";
import type { ChunkBatchQueue } from "./chunk_batch_queue.ts";

/** Steps of a merge, of 10 ms each, that a deletion waits for: half a megabyte of index is done then. */
const STEPS_PER_TURN = 2;

/** Steps after which the purges of a large index rest for one round, so that they take a tenth. */
const STEPS_PER_SKIPPED_ROUND = 50;

/** Steps that a stop waits for; what they leave is taken up after the next start. */
const MAX_STOP_STEPS = 400;

/** As many of one size FTS5 merges when it is asked to (sqlite.org/fts5.html, 'usermerge'). */
const MIN_MERGE_SEGMENTS = 4;

/** The SQL and the order of clearing. */
export class VersionGc {
  readonly #store: Store;
  readonly #batches: ChunkBatchQueue;
  #lastTurn: Promise<unknown> = Promise.resolve();
  /** False when nothing can be left to clear, except by an earlier run of the program. */
  #mayHaveGarbage = false;
  /** Whether what earlier runs left is known. */
  #checkedLeftovers = false;
  /** Versions that somebody is about to make heads. */
  readonly #pinned = new Set<number>();
  /** The purge that is under way. */
  #compaction: Compaction | undefined;
  /** Steps that the last whole one took. */
  #lastCompactionSteps = 0;
  /** Rounds that purges rest. */
  #roundsToSkip = 0;
  /** Whether a stop waits, so that a round ends. */
  #stopping = false;

  constructor(store: Store, batches: ChunkBatchQueue) {
    this.#store = store;
    this.#batches = batches;
  }

  /** The head moves on: the version stays readable, and leaves the index. */
  async supersede(tx: Tx, project: number, head: VersionRow): Promise<void> {
    this.#mayHaveGarbage = true;
    await tx.run(sql`insert into retired_versions (version, project, indexed, deleted, title, tags)
      values (${head.seq}, ${project}, ${head.chunks}, 0, ${head.title},
       ${JSON.stringify(versionTags(head))})`);
  }

  /** A version that is being written ahead stays until it is released. */
  pin(version: number): void {
    this.#pinned.add(version);
  }

  /** Takes a version back that was written ahead; false when not all of it is there any more. */
  async adopt(
    tx: Tx,
    project: number,
    { version, chunks }: { readonly version: number; readonly chunks: number },
  ): Promise<boolean> {
    return await tx.run(sql`delete from retired_versions
      where version = ${version} and project = ${project} and indexed = ${chunks}`) === 1;
  }

  /** What was held and wasn't taken back is cleared from now on. */
  unpin(version: number): void {
    this.#pinned.delete(version);
    this.#mayHaveGarbage = true;
  }

  /** Every version of a source goes, with all that is theirs. Answers the versions. */
  async deleteSource(tx: Tx, project: number, sourceKey: string): Promise<VersionRow[]> {
    this.#mayHaveGarbage = true;
    return await deleteSourceVersions(tx, project, sourceKey);
  }

  /** Resolves when everything that was retired before the call is cleared, and the index in order. */
  async collect(): Promise<void> {
    await this.#inTurn(() => this.#collectAll());
    // Whoever deletes meanwhile has its turn in between.
    while (await this.#inTurn(() => this.#mergeSegments()));
  }

  /**
   * Clears, and then overwrites what a deletion left in the index. That means writing the whole index
   * anew: when it is a large one, nobody waits, and the deletions of some seconds share it.
   */
  collectDeleted(): Promise<void> {
    return this.#inTurn(async () => {
      await this.#collectAll();
      const isLarge = this.#compaction !== undefined || this.#lastCompactionSteps > STEPS_PER_TURN;
      if (!isLarge) await this.#compactSome();
    });
  }

  /** To be called every few seconds: clears, and overwrites what nobody waited for. */
  async runRound(): Promise<void> {
    await this.collect();
    if (this.#roundsToSkip > 0) {
      this.#roundsToSkip--;
      return;
    }
    while (!this.#stopping) {
      await this.#inTurn(() => this.#compactSome());
      if (this.#compaction === undefined) return;
    }
  }

  /** The same before a stop, in about so many steps: it doesn't wait for all of a large index. */
  async stop(maxSteps = MAX_STOP_STEPS): Promise<void> {
    this.#stopping = true;
    await this.collect();
    for (let steps = 0; steps < maxSteps; steps += STEPS_PER_TURN) {
      if (!await this.#inTurn(() => this.#compactSome())) return;
    }
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#lastTurn.catch(() => undefined).then(work);
    this.#lastTurn = turn;
    return turn;
  }

  /**
   * Some steps of merging where many segments have piled up; false when it is done. Not while a
   * version is being written: whoever writes one clears afterwards, and so gets here. Nor while a
   * purge is under way: that merges too.
   */
  async #mergeSegments(): Promise<boolean> {
    const slices = this.#batches;
    for (let step = 0; step < STEPS_PER_TURN; step++) {
      const isNeeded = slices.segments >= MIN_MERGE_SEGMENTS && this.#compaction === undefined;
      if (!isNeeded || slices.isWriting || !await slices.merge(false)) return false;
    }
    return true;
  }

  /** Some steps of overwriting what deletions have left; false when they have left nothing. */
  async #compactSome(): Promise<boolean> {
    const purging = this.#compaction ?? await this.#store.read(findPendingCompaction);
    if (purging === undefined) return false;
    // After the mark is read: whatever has raised it by then is cleared before the merges begin.
    if (purging.steps === 0) await this.#collectAll();
    this.#compaction = purging;
    for (let step = 0; step < STEPS_PER_TURN; step++) {
      const isMore = await this.#batches.merge(purging.steps === 0);
      purging.steps++;
      if (isMore) continue;
      this.#compaction = undefined;
      this.#lastCompactionSteps = purging.steps;
      this.#roundsToSkip = Math.floor(purging.steps / STEPS_PER_SKIPPED_ROUND);
      // A deletion since then has raised the mark: its terms wait for the next pass.
      await this.#store.write((tx) =>
        tx.run(sql`delete from meta where name = 'unpurged_chunks' and value = ${purging.mark}`)
      );
      break;
    }
    return true;
  }

  async #collectAll(): Promise<void> {
    // What a crash left; a thread need not start for nothing.
    if (!this.#checkedLeftovers) {
      this.#mayHaveGarbage = await this.#store.read(hasGarbage) || this.#mayHaveGarbage;
    }
    this.#checkedLeftovers = true;
    while (this.#mayHaveGarbage) {
      // A unit that retires something later sets it again, and the loop goes on.
      this.#mayHaveGarbage = false;
      if (await this.#batches.collect(() => this.#pinned)) this.#mayHaveGarbage = true;
    }
  }
}

/** Every version of a source goes, with all that is theirs. Answers the versions. */
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
  await tx.run(sql`insert into meta (name, value) values ('unpurged_chunks', '1')
      on conflict (name) do update set value = cast(meta.value as integer) + 1`);
  return versions;
}

async function hasGarbage(db: Reader): Promise<boolean> {
  return await db.first(sql`select 1 from retired_versions limit 1`) !== undefined;
}

/** Overwriting what deletions have left in the index. */
interface Compaction {
  /** What the deletions had left as a mark when it began. */
  readonly mark: string;
  /** Those that are done. */
  steps: number;
}

async function findPendingCompaction(db: Reader): Promise<Compaction | undefined> {
  const row = await db.first<{ mark: string }>(
    sql`select value as mark from meta where name = 'unpurged_chunks'`,
  );
  return row === undefined ? undefined : { mark: row.mark, steps: 0 };
}
