/** The index of chunks: an FTS5 table, and the terms for scoring in a table of their own. */

import sql from "sql-template-tag";
import type { ChunkIndex, ChunkTerms, IndexedChunk, TextIndex, Tx } from "../store.ts";

/** Writes both parts. */
export class SqliteChunkIndex implements ChunkIndex {
  readonly #index: TextIndex;

  constructor(index: TextIndex) {
    this.#index = index;
  }

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

  mergeStep(tx: Tx, first: boolean): Promise<boolean> {
    return this.#index.mergeStep(tx, first);
  }

  async clear(tx: Tx): Promise<void> {
    await tx.run(sql`delete from chunk_terms`);
    await this.#index.clear(tx);
  }
}
