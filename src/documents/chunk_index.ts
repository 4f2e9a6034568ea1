/** The search index for heads' chunks: their text index entries, and their terms for scoring. */

import sql from "sql-template-tag";
import type { TextIndex, Tx, WriteStore } from "../store/store.ts";
import type { ChunkTerms } from "./row.ts";

/** The position of a chunk. */
export interface IndexedChunk {
  /** The chunk's row number. */
  readonly seq: number;
  readonly version: number;
  readonly position: number;
}

/** Adds and removes both parts together, so that every chunk found can be scored. */
export class ChunkIndex {
  readonly #index: TextIndex;

  constructor(store: Pick<WriteStore, "textIndex">) {
    this.#index = store.textIndex("chunks");
  }

  /**
   * Adds a chunk.
   *
   * @param tags see `versionTags`
   */
  async add(
    tx: Tx,
    project: number,
    { seq, version, position }: IndexedChunk,
    { impactTerms, terms }: ChunkTerms,
    tags: readonly string[],
  ): Promise<void> {
    await tx.run(sql`insert into chunk_terms (seq, project, version, position, terms)
      values (${seq}, ${project}, ${version}, ${position}, ${terms})`);
    await this.#index.add(tx, project, seq, { terms: impactTerms, tags, prefixed: true });
  }

  /** Removes a chunk. Takes the same terms and tags that were passed to `add`. */
  async remove(
    tx: Tx,
    project: number,
    seq: number,
    { impactTerms }: ChunkTerms,
    tags: readonly string[],
  ): Promise<void> {
    await tx.run(sql`delete from chunk_terms where seq = ${seq} and project = ${project}`);
    await this.#index.remove(tx, project, seq, { terms: impactTerms, tags, prefixed: true });
  }

  /** Runs one merge step. See `TextIndex.mergeStep`. */
  mergeStep(tx: Tx, first: boolean): Promise<boolean> {
    return this.#index.mergeStep(tx, first);
  }

  /** Removes all chunks. */
  async clear(tx: Tx): Promise<void> {
    await tx.run(sql`delete from chunk_terms`);
    await this.#index.clear(tx);
  }
}
