/** What search keeps of the chunks of heads: their rows in the text index, and terms for scoring. */

import sql from "sql-template-tag";
import type { TextIndex, Tx, WriteStore } from "../store/store.ts";
import type { ChunkTerms } from "./row.ts";

/** Where a chunk stands. */
export interface IndexedChunk {
  /** Its number. */
  readonly seq: number;
  readonly version: number;
  readonly position: number;
}

/** Both change together, so that what is found can be scored. */
export class ChunkIndex {
  readonly #index: TextIndex;

  constructor(store: Pick<WriteStore, "textIndex">) {
    this.#index = store.textIndex("chunks");
  }

  /** @param tags see `versionTags` */
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

  /** Takes out what was added; terms and tags must be those given to `add`. */
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

  /** One step of overwriting what was removed; see `TextIndex.mergeStep`. */
  mergeStep(tx: Tx, first: boolean): Promise<boolean> {
    return this.#index.mergeStep(tx, first);
  }

  /** Empties both. */
  async clear(tx: Tx): Promise<void> {
    await tx.run(sql`delete from chunk_terms`);
    await this.#index.clear(tx);
  }
}
