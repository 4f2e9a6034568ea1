/**
 * Removes uploads without leaving anything behind. One unit of work deletes an upload's row and
 * blob references, and records which files to delete. The records go after the files, so after a
 * crash the next call picks up where this one left off.
 */

import { rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import sql from "sql-template-tag";
import { throwAll } from "../kernel/errors.ts";
import type { Blobs } from "../store/blobs/blobs.ts";
import { tryRemoval } from "../store/blobs/referenced_blobs.ts";
import { unlinkBlobs } from "../store/blobs/references.ts";
import type { Store, Tx } from "../store/store.ts";
import { type AssetRow, deleteAsset, findCancelled } from "./repository.ts";
import type { TerminalTransition } from "./states.ts";

/** Number of uploads removed per unit of work. */
const BATCH_ASSETS = 50;

interface Leftover {
  readonly project: number;
  readonly asset_id: string;
  /** JSON text. */
  readonly hashes: string;
}

/** Removes uploads: first their rows, then their files. */
export class UploadCleanup {
  readonly #deps: { readonly store: Store; readonly blobs: Blobs };
  readonly #workDirectory: string;
  #lastTurn: Promise<void> = Promise.resolve();
  /** Whether there might be something to remove. */
  #pending = true;

  /** @param workDirectory parent of the folders where files are extracted */
  constructor(
    deps: { readonly store: Store; readonly blobs: Blobs },
    workDirectory: string,
  ) {
    this.#deps = deps;
    // Absolute, since the child process has a different working directory.
    this.#workDirectory = resolve(workDirectory);
    // Not set by the units themselves: a step that doesn't see their changes yet would reset it.
    deps.store.listen("leftovers", () => this.#pending = true);
  }

  /** Returns the folder a file is extracted to. Later attempts find the recognized pages there. */
  workDir(asset: Pick<AssetRow, "id">): string {
    return join(this.#workDirectory, asset.id);
  }

  /** Makes the next `run` look for what processes that are gone have left to remove. */
  checkLeftovers(): void {
    this.#pending = true;
  }

  /** Makes a `run` after this unit of work remove the rows of cancelled uploads. */
  removeCancelled(tx: Tx): void {
    tx.notify("leftovers");
  }

  /**
   * Deletes an upload's row in this unit of work. `run` deletes the files later. Returns false if
   * the transition isn't allowed.
   */
  async remove(tx: Tx, asset: AssetRow, transition: TerminalTransition): Promise<boolean> {
    if (!await deleteAsset(tx, asset, transition)) return false;
    await this.recordLeftovers(tx, asset);
    return true;
  }

  /** Records the files of an upload whose row is deleted in this unit of work. */
  async recordLeftovers(tx: Tx, asset: AssetRow): Promise<void> {
    tx.notify("leftovers");
    const hashes = await unlinkBlobs(tx, asset.project, asset.id);
    if (asset.artifact_id !== null) {
      hashes.push(...await unlinkBlobs(tx, asset.project, asset.artifact_id));
    }
    await tx.run(sql`insert into upload_leftovers (project, asset_id, hashes)
      values (${asset.project}, ${asset.id}, ${JSON.stringify(hashes)})`);
  }

  /**
   * Resolves once everything removed or cancelled before the call is gone. A file that can't be
   * deleted doesn't stop the others.
   */
  run(): Promise<void> {
    const turn = this.#lastTurn.catch(() => undefined).then(() => this.#runAll());
    this.#lastTurn = turn;
    return turn;
  }

  /** Like `run`, but only fails if it leaves files of this project. */
  async runFor(project: number): Promise<void> {
    try {
      await this.run();
    } catch (error) {
      const leftover = await this.#deps.store.queryOne(
        sql`select 1 from upload_leftovers where project = ${project} limit 1`,
      );
      if (leftover !== undefined) throw error;
    }
  }

  async #runAll(): Promise<void> {
    while (this.#pending) {
      // Reset before the step, since a unit of work that removes something in the meantime sets it
      // again.
      this.#pending = false;
      try {
        const removed = await this.#removeCancelled() + await this.#removeLeftovers();
        if (removed > 0) this.#pending = true;
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
    await store.write("rows", async (tx) => {
      for (const asset of cancelled) await this.remove(tx, asset, "clean");
    });
    return cancelled.length;
  }

  /**
   * Deletes the files of removed uploads. Fails at the end if some of them can't be deleted. Then
   * their records are left for the next call.
   */
  async #removeLeftovers(): Promise<number> {
    const failures: unknown[] = [];
    let removed = 0;
    let last = { project: -1, asset_id: "" };
    while (true) {
      const leftovers = await this.#leftoversAfter(last);
      for (const leftover of leftovers) {
        if (await tryRemoval(() => this.#removeLeftover(leftover), failures)) removed++;
      }
      if (leftovers.length < BATCH_ASSETS) break;
      last = leftovers.at(-1)!;
    }
    throwAll(failures);
    return removed;
  }

  #leftoversAfter({ project, asset_id }: Pick<Leftover, "project" | "asset_id">) {
    return this.#deps.store.read((db) =>
      db.all<Leftover>(sql`select project, asset_id, hashes from upload_leftovers
        where (project, asset_id) > (${project}, ${asset_id})
        order by project, asset_id limit ${BATCH_ASSETS}`)
    );
  }

  async #removeLeftover({ project, asset_id, hashes }: Leftover): Promise<boolean> {
    const { store, blobs } = this.#deps;
    await blobs.deleteUnreferenced(store, JSON.parse(hashes));
    await rm(this.workDir({ id: asset_id }), { recursive: true, force: true });
    await store.write(project, (tx) =>
      tx.run(sql`delete from upload_leftovers
        where project = ${project} and asset_id = ${asset_id}`));
    return true;
  }
}
