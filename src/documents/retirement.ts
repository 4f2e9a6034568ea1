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

import sql, { empty } from "sql-template-tag";
import type { Reader, Store, Tx } from "../store/store.ts";
import { ChunkIndex } from "./chunk_index.ts";
import { chunkTerms, type VersionRow, versionTags } from "./row.ts";
import { Slices } from "./slices.ts";

/** Chunks cleared in one unit of work: about 10 ms, for they are tokenized again. */
const CHUNKS_A_UNIT = 60;

/** Steps of a purge that a deletion waits for: a small index is done with fewer. */
const AWAITED_STEPS = 40;

/** The SQL and the order of clearing. */
export class Retirement {
  readonly #store: Store;
  readonly #slices: Slices;
  readonly #index: ChunkIndex;
  #last: Promise<void> = Promise.resolve();
  /** False when nothing can be left to clear. */
  #pending = true;
  /** Versions that somebody is about to make heads. */
  readonly #held = new Set<number>();

  constructor(store: Store, slices = new Slices(store)) {
    this.#store = store;
    this.#slices = slices;
    this.#index = new ChunkIndex(store);
  }

  /** The head moves on: the version stays readable, and leaves the index. */
  async retire(tx: Tx, project: number, head: VersionRow): Promise<void> {
    this.#pending = true;
    await tx.run(sql`insert into retired_versions (version, project, indexed, deleted, title, tags)
      values (${head.seq}, ${project}, ${head.chunks}, 0, ${head.title},
       ${JSON.stringify(versionTags(head))})`);
  }

  /** Notes a version that is about to be written ahead, to be cleared unless it is taken back. */
  async hold(
    tx: Tx,
    project: number,
    version: number,
    row: Pick<VersionRow, "title"> & Parameters<typeof versionTags>[0],
  ): Promise<void> {
    this.#held.add(version);
    await tx.run(sql`insert into retired_versions (version, project, indexed, deleted, title, tags)
      values (${version}, ${project}, 0, 1, ${row.title}, ${JSON.stringify(versionTags(row))})`);
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
    const versions = await tx.all<VersionRow>(sql`delete from document_versions
      where project = ${project} and source_key = ${sourceKey} returning *`);
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

  /** Resolves when everything that was retired before the call is cleared, and the index in order. */
  clear(): Promise<void> {
    return this.#inTurn(async () => {
      await this.#clearAll();
      // Not the first step of a pass: only the segments that have become many are merged.
      while (await this.#slices.write((tx) => this.#index.purgeSome(tx, false)));
    });
  }

  /** Clears, and then overwrites what deletions left in the index; of a large one only a part. */
  purge(steps = AWAITED_STEPS): Promise<void> {
    return this.#inTurn(async () => {
      await this.#clearAll();
      await this.#purge(steps);
    });
  }

  /** Clears and purges everything, however long it takes. */
  finish(): Promise<void> {
    return this.purge(Infinity);
  }

  #inTurn(work: () => Promise<void>): Promise<void> {
    const turn = this.#last.catch(() => undefined).then(work);
    this.#last = turn;
    return turn;
  }

  async #purge(steps: number): Promise<void> {
    const marked = await this.#store.read(unpurged);
    if (marked === undefined) return;
    for (let step = 0; step < steps; step++) {
      if (await this.#slices.write((tx) => this.#index.purgeSome(tx, step === 0))) continue;
      // A deletion since then has raised the mark: its terms wait for the next pass.
      await this.#store.write((tx) =>
        tx.run(sql`delete from meta where name = 'unpurged_chunks' and value = ${marked}`)
      );
      return;
    }
  }

  async #clearAll(): Promise<void> {
    while (this.#pending) {
      // A unit that retires something later sets it again, and the loop goes on.
      this.#pending = false;
      if (await this.#slices.write((tx) => this.clearSome(tx))) this.#pending = true;
    }
  }

  /** One step of clearing, of one project if it is given; false when nothing is left to clear. */
  async clearSome(tx: Tx, project?: number): Promise<boolean> {
    const ofProject = project === undefined ? empty : sql`and project = ${project}`;
    const held = JSON.stringify([...this.#held]);
    const retired = await tx.first<Retired>(sql`select version, project, indexed, deleted, title,
      tags from retired_versions
      where version not in (select value from json_each(${held})) ${ofProject}
      order by version limit 1`);
    if (retired === undefined) return false;
    if (retired.indexed > 0) await this.#unindexSome(tx, retired);
    else if (retired.deleted === 0 || await deleteSome(tx, retired.version)) {
      await tx.run(sql`delete from retired_versions where version = ${retired.version}`);
    }
    return true;
  }

  async #unindexSome(tx: Tx, { version, project, indexed, title, tags }: Retired): Promise<void> {
    const from = Math.max(0, indexed - CHUNKS_A_UNIT);
    const chunks = await tx.all<{ seq: number; heading_path: string; content: string }>(sql`
      select seq, heading_path, content from chunks
      where version = ${version} and position >= ${from} and position < ${indexed}`);
    const parsedTags = JSON.parse(tags);
    for (const { seq, heading_path, content } of chunks) {
      const terms = chunkTerms(title, JSON.parse(heading_path), content);
      await this.#index.remove(tx, project, seq, terms, parsedTags);
    }
    await tx.run(sql`update retired_versions set indexed = ${from} where version = ${version}`);
  }
}

/** The mark that deletions leave for the purge. */
async function unpurged(db: Reader): Promise<string | undefined> {
  const row = await db.first<{ value: string }>(
    sql`select value from meta where name = 'unpurged_chunks'`,
  );
  return row?.value;
}

interface Retired {
  readonly version: number;
  readonly project: number;
  readonly indexed: number;
  readonly deleted: number;
  readonly title: string;
  /** JSON text. */
  readonly tags: string;
}

/** Deletes some rows of a version that is out of the index; true when none is left. */
async function deleteSome(tx: Tx, version: number): Promise<boolean> {
  await tx.run(sql`delete from document_contents where version = ${version}`);
  return await tx.run(sql`delete from chunks where seq in (select seq from chunks
    where version = ${version} limit ${CHUNKS_A_UNIT * 5})`) === 0;
}
