/**
 * Removing uploads so that nothing stays behind. The row of an upload goes in one unit of work with
 * the names of its blobs; what has to go from the disk is noted in the same unit, and crossed out
 * once it is gone. A crash in between is made good by the next call.
 */

import { rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import sql from "sql-template-tag";
import { type Blobs, unlinkBlobs } from "../store/blobs.ts";
import type { Store, Tx } from "../store/store.ts";
import { type AssetRow, deleteAsset, findCancelled } from "./repository.ts";
import type { TerminalTransition } from "./states.ts";

/** Uploads removed in one unit of work. */
const BATCH_ASSETS = 50;

interface Leftover {
  readonly project: number;
  readonly asset_id: string;
  /** JSON text. */
  readonly hashes: string;
}

/** Removes uploads: their rows first, then their files. */
export class UploadCleanup {
  readonly #deps: { readonly store: Store; readonly blobs: Blobs };
  readonly #workDirectory: string;
  #lastTurn: Promise<void> = Promise.resolve();
  /** False when nothing can be left to clear. */
  #pending = true;

  /** @param workDirectory the folder of the folders in which files are extracted */
  constructor(
    deps: { readonly store: Store; readonly blobs: Blobs },
    workDirectory: string,
  ) {
    this.#deps = deps;
    // The child process runs elsewhere: paths must not depend on where this one does.
    this.#workDirectory = resolve(workDirectory);
  }

  /** Where a file is extracted, and where a later attempt finds recognized pages. */
  workDir(asset: Pick<AssetRow, "id">): string {
    return join(this.#workDirectory, asset.id);
  }

  /** Tells that an upload was cancelled in this unit of work: the next `clear` removes its row. */
  markPending(): void {
    this.#pending = true;
  }

  /** The upload is gone with this unit of work; `clear` then removes its files. */
  async remove(tx: Tx, asset: AssetRow, transition: TerminalTransition): Promise<boolean> {
    if (!await deleteAsset(tx, asset, transition)) return false;
    await this.recordLeftovers(tx, asset);
    return true;
  }

  /** Notes the files of an upload whose row goes in this unit of work. */
  async recordLeftovers(tx: Tx, asset: AssetRow): Promise<void> {
    this.#pending = true;
    const hashes = await unlinkBlobs(tx, asset.project, asset.id);
    if (asset.artifact_id !== null) {
      hashes.push(...await unlinkBlobs(tx, asset.project, asset.artifact_id));
    }
    await tx.run(sql`insert into upload_leftovers (project, asset_id, hashes)
      values (${asset.project}, ${asset.id}, ${JSON.stringify(hashes)})`);
  }

  /** Resolves when nothing is left of what was removed or cancelled before the call. */
  run(): Promise<void> {
    const turn = this.#lastTurn.catch(() => undefined).then(() => this.#runAll());
    this.#lastTurn = turn;
    return turn;
  }

  async #runAll(): Promise<void> {
    while (this.#pending) {
      // A unit that removes something later sets it again, and the loop goes on.
      this.#pending = false;
      try {
        const cleaned = await this.#removeCancelled();
        const cleared = await this.#removeLeftovers();
        if (cleaned + cleared > 0) this.#pending = true;
      } catch (error) {
        this.#pending = true;
        throw error;
      }
    }
  }

  async #removeCancelled(): Promise<number> {
    const { store } = this.#deps;
    const cancelled = await store.read((db) => findCancelled(db, BATCH_ASSETS));
    if (cancelled.length === 0) return 0;
    await store.write(async (tx) => {
      for (const asset of cancelled) await this.remove(tx, asset, "clean");
    });
    return cancelled.length;
  }

  async #removeLeftovers(): Promise<number> {
    const { store, blobs } = this.#deps;
    const leftovers = await store.read((db) =>
      db.all<Leftover>(
        sql`select project, asset_id, hashes from upload_leftovers limit ${BATCH_ASSETS}`,
      )
    );
    for (const { project, asset_id, hashes } of leftovers) {
      await blobs.deleteUnreferenced(store, JSON.parse(hashes));
      await rm(this.workDir({ id: asset_id }), { recursive: true, force: true });
      await store.write((tx) =>
        tx.run(sql`delete from upload_leftovers
          where project = ${project} and asset_id = ${asset_id}`)
      );
    }
    return leftovers.length;
  }
}
