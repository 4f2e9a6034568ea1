/**
 * Writing a large version before its head moves. A megabyte written in one unit of work would keep
 * everybody else waiting for more than 100 ms; in slices nobody notices.
 *
 * States of a version on this way: staged (its number is reserved, its content and some or all of
 * its chunks are written and indexed, but there is no version row: nothing shows it), adopted (one
 * small unit of work has made it the head), or abandoned (the unit was refused, found an equal head,
 * or never came). What is staged is written down as a retired version from its first slice on, so
 * that whatever isn't adopted is cleared like any other: see retirement.ts.
 */

import sql from "sql-template-tag";
import type { Store, Tx } from "../store/store.ts";
import { ChunkIndex } from "./chunk_index.ts";
import type { PreparedChunk } from "./prepare.ts";
import { insertChunk, insertContent } from "./repository.ts";
import type { Retirement } from "./retirement.ts";
import { type VersionSubstance, versionTags } from "./row.ts";
import type { Slices } from "./slices.ts";

/**
 * Chunks written in one unit of work: about 9 ms and a commit. Each unit costs an fsync and leaves a
 * segment in the index that has to be merged: of 24 chunks, those cost more than the writing.
 */
const CHUNKS_A_SLICE = 200;

/** Up to here a document is written in the unit of work that makes it the head. */
const CHUNKS_AT_ONCE = 48;

/**
 * Slices between two steps of merging. Each slice leaves a segment in the index; at 16 of one size
 * FTS5 would merge them all within the slice that happens to be next.
 */
const SLICES_A_MERGE = 4;

/** A version that has no row yet. */
export interface Draft extends VersionSubstance {
  readonly content: string;
}

/** What the slices of a version have in common. */
interface Stage {
  readonly version: number;
  readonly project: number;
}

/** Writes large versions ahead, a slice at a time. */
export class Staging {
  readonly #store: Store;
  readonly #index: ChunkIndex;
  readonly #retirement: Retirement;
  readonly #slices: Slices;

  constructor(store: Store, retirement: Retirement, slices: Slices) {
    this.#store = store;
    this.#slices = slices;
    this.#index = new ChunkIndex(store);
    this.#retirement = retirement;
  }

  /**
   * Writes content and chunks of a large version; answers the number that it has then, and null
   * when it is small, or was cleared away meanwhile with its project. The number is held: it is to
   * be given to `Retirement.release` once the version is adopted, or will not be.
   */
  async stage(
    project: number,
    document: Draft,
    chunks: readonly PreparedChunk[],
  ): Promise<number | null> {
    if (chunks.length <= CHUNKS_AT_ONCE) return null;
    const version = await this.#slices.write((tx) => this.#open(tx, project, document));
    try {
      const stage = { version, project };
      if (await this.#fill(stage, versionTags(document), chunks)) return version;
    } catch (error) {
      this.#retirement.release(version);
      throw error;
    }
    this.#retirement.release(version);
    return null;
  }

  async #open(tx: Tx, project: number, document: Draft): Promise<number> {
    const version = await this.#store.reserve(tx, "document_versions", 1);
    await this.#retirement.hold(tx, project, version, document);
    await insertContent(tx, project, version, document.content);
    return version;
  }

  /** False when somebody has cleared the version away. */
  async #fill(
    stage: Stage,
    tags: readonly string[],
    chunks: readonly PreparedChunk[],
  ): Promise<boolean> {
    for (let from = 0, slices = 1; from < chunks.length; from += CHUNKS_A_SLICE, slices++) {
      const slice = chunks.slice(from, from + CHUNKS_A_SLICE);
      if (!await this.#slices.write((tx) => this.#write(tx, stage, tags, from, slice))) {
        return false;
      }
      if (slices % SLICES_A_MERGE === 0) {
        await this.#slices.write((tx) => this.#index.purgeSome(tx, false));
      }
    }
    return true;
  }

  async #write(
    tx: Tx,
    { version, project }: Stage,
    tags: readonly string[],
    from: number,
    slice: readonly PreparedChunk[],
  ): Promise<boolean> {
    const there = await tx.run(sql`update retired_versions set indexed = ${from + slice.length}
      where version = ${version} and indexed = ${from}`);
    if (there === 0) return false;
    for (const [offset, chunk] of slice.entries()) {
      const position = from + offset;
      const seq = await insertChunk(tx, project, version, position, chunk);
      await this.#index.add(tx, project, { seq, version, position }, chunk, tags);
    }
    return true;
  }
}
