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
import type { Slices } from "./slices.ts";

/** Steps of a merge, of 10 ms each, that a deletion waits for: half a megabyte of index is done then. */
const AWAITED_STEPS = 2;

/** Steps after which the purges of a large index rest for one round, so that they take a tenth. */
const STEPS_A_ROUND = 50;

/** Steps that a stop waits for; what they leave is taken up after the next start. */
const LAST_STEPS = 400;

/** As many of one size FTS5 merges when it is asked to (sqlite.org/fts5.html, 'usermerge'). */
const SEGMENTS_TO_MERGE = 4;

/** The SQL and the order of clearing. */
export class Retirement {
  readonly #store: Store;
  readonly #slices: Slices;
  #last: Promise<unknown> = Promise.resolve();
  /** False when nothing can be left to clear, except by an earlier run of the program. */
  #pending = false;
  /** Whether what earlier runs left is known. */
  #looked = false;
  /** Versions that somebody is about to make heads. */
  readonly #held = new Set<number>();
  /** The purge that is under way. */
  #purging: Purge | undefined;
  /** Steps that the last whole one took. */
  #stepsNeeded = 0;
  /** Rounds that purges rest. */
  #rest = 0;
  /** Whether a stop waits, so that a round ends. */
  #ending = false;

  constructor(store: Store, slices: Slices) {
    this.#store = store;
    this.#slices = slices;
  }

  /** The head moves on: the version stays readable, and leaves the index. */
  async retire(tx: Tx, project: number, head: VersionRow): Promise<void> {
    this.#pending = true;
    await tx.run(sql`insert into retired_versions (version, project, indexed, deleted, title, tags)
      values (${head.seq}, ${project}, ${head.chunks}, 0, ${head.title},
       ${JSON.stringify(versionTags(head))})`);
  }

  /** A version that is being written ahead stays until it is released. */
  hold(version: number): void {
    this.#held.add(version);
  }

  /** Takes a version back that was written ahead; false when not all of it is there any more. */
  async takeBack(
    tx: Tx,
    project: number,
    { version, chunks }: { readonly version: number; readonly chunks: number },
  ): Promise<boolean> {
    return await tx.run(sql`delete from retired_versions
      where version = ${version} and project = ${project} and indexed = ${chunks}`) === 1;
  }

  /** What was held and wasn't taken back is cleared from now on. */
  release(version: number): void {
    this.#held.delete(version);
    this.#pending = true;
  }

  /** Every version of a source goes, with all that is theirs. Answers the versions. */
  async retireSource(tx: Tx, project: number, sourceKey: string): Promise<VersionRow[]> {
    this.#pending = true;
    return await retireSource(tx, project, sourceKey);
  }

  /** Resolves when everything that was retired before the call is cleared, and the index in order. */
  async clear(): Promise<void> {
    await this.#inTurn(() => this.#clearAll());
    // Whoever deletes meanwhile has its turn in between.
    while (await this.#inTurn(() => this.#mergeSome()));
  }

  /**
   * Clears, and then overwrites what a deletion left in the index. That means writing the whole index
   * anew: when it is a large one, nobody waits, and the deletions of some seconds share it.
   */
  purge(): Promise<void> {
    return this.#inTurn(async () => {
      await this.#clearAll();
      const isLarge = this.#purging !== undefined || this.#stepsNeeded > AWAITED_STEPS;
      if (!isLarge) await this.#purgeSome();
    });
  }

  /** To be called every few seconds: clears, and overwrites what nobody waited for. */
  async purgeRest(): Promise<void> {
    await this.clear();
    if (this.#rest > 0) {
      this.#rest--;
      return;
    }
    while (!this.#ending) {
      await this.#inTurn(() => this.#purgeSome());
      if (this.#purging === undefined) return;
    }
  }

  /** The same before a stop, in about so many steps: it doesn't wait for all of a large index. */
  async finish(most = LAST_STEPS): Promise<void> {
    this.#ending = true;
    await this.clear();
    for (let steps = 0; steps < most; steps += AWAITED_STEPS) {
      if (!await this.#inTurn(() => this.#purgeSome())) return;
    }
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#last.catch(() => undefined).then(work);
    this.#last = turn;
    return turn;
  }

  /**
   * Some steps of merging where many segments have piled up; false when it is done. Not while a
   * version is being written: whoever writes one clears afterwards, and so gets here. Nor while a
   * purge is under way: that merges too.
   */
  async #mergeSome(): Promise<boolean> {
    const slices = this.#slices;
    for (let step = 0; step < AWAITED_STEPS; step++) {
      const isNeeded = slices.segments >= SEGMENTS_TO_MERGE && this.#purging === undefined;
      if (!isNeeded || slices.isBusy || !await slices.merge(false)) return false;
    }
    return true;
  }

  /** Some steps of overwriting what deletions have left; false when they have left nothing. */
  async #purgeSome(): Promise<boolean> {
    const purging = this.#purging ?? await this.#store.read(unpurged);
    if (purging === undefined) return false;
    // After the mark is read: whatever has raised it by then is cleared before the merges begin.
    if (purging.steps === 0) await this.#clearAll();
    this.#purging = purging;
    for (let step = 0; step < AWAITED_STEPS; step++) {
      const isMore = await this.#slices.merge(purging.steps === 0);
      purging.steps++;
      if (isMore) continue;
      this.#purging = undefined;
      this.#stepsNeeded = purging.steps;
      this.#rest = Math.floor(purging.steps / STEPS_A_ROUND);
      // A deletion since then has raised the mark: its terms wait for the next pass.
      await this.#store.write((tx) =>
        tx.run(sql`delete from meta where name = 'unpurged_chunks' and value = ${purging.mark}`)
      );
      break;
    }
    return true;
  }

  async #clearAll(): Promise<void> {
    // What a crash left; a thread need not start for nothing.
    if (!this.#looked) this.#pending = await this.#store.read(isAnyRetired) || this.#pending;
    this.#looked = true;
    while (this.#pending) {
      // A unit that retires something later sets it again, and the loop goes on.
      this.#pending = false;
      if (await this.#slices.clear(() => this.#held)) this.#pending = true;
    }
  }
}

/** Every version of a source goes, with all that is theirs. Answers the versions. */
export async function retireSource(
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

async function isAnyRetired(db: Reader): Promise<boolean> {
  return await db.first(sql`select 1 from retired_versions limit 1`) !== undefined;
}

/** Overwriting what deletions have left in the index. */
interface Purge {
  /** What the deletions had left as a mark when it began. */
  readonly mark: string;
  /** Those that are done. */
  steps: number;
}

async function unpurged(db: Reader): Promise<Purge | undefined> {
  const row = await db.first<{ mark: string }>(
    sql`select value as mark from meta where name = 'unpurged_chunks'`,
  );
  return row === undefined ? undefined : { mark: row.mark, steps: 0 };
}
