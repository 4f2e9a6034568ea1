/** The units of work in which large versions are written and cleared away, a slice at a time. */

import sql from "sql-template-tag";
import type { Tx, WriteStore } from "../store/store.ts";
import { ChunkIndex } from "./chunk_index.ts";
import { collectSome, type GcSelection } from "./gc_steps.ts";
import type { PreparedChunk } from "./prepare.ts";
import { insertChunk, insertContent } from "./repository.ts";

/** A version about to be written ahead. */
export interface StagingStart {
  readonly project: number;
  readonly title: string;
  readonly tags: readonly string[];
  readonly content: string;
}

/** Some chunks of a version that is written ahead. */
export interface StagedBatch {
  readonly project: number;
  readonly version: number;
  readonly tags: readonly string[];
  /** The position of the first of them. */
  readonly from: number;
  readonly chunks: readonly PreparedChunk[];
}

/** One unit of work, as it crosses to the thread that writes it. */
export type BatchRequest =
  | { readonly open: StagingStart }
  | { readonly fill: StagedBatch }
  | { readonly clear: GcSelection }
  | { readonly merge: { readonly first: boolean } };

/** The number of the version that was opened; of the others whether there was anything to do. */
export type BatchResponse = number | boolean;

/** Carries out what slices ask for. */
export class BatchUnits {
  readonly #store: WriteStore;
  readonly #index: ChunkIndex;

  constructor(store: WriteStore) {
    this.#store = store;
    this.#index = new ChunkIndex(store);
  }

  run(request: BatchRequest): Promise<BatchResponse> {
    return this.#store.write<BatchResponse>((tx) => {
      if ("open" in request) return this.#begin(tx, request.open);
      if ("fill" in request) return this.#append(tx, request.fill);
      if ("clear" in request) return collectSome(tx, this.#index, request.clear);
      return this.#index.mergeStep(tx, request.merge.first);
    });
  }

  /** Noted as retired from the start, to be cleared unless it is taken back. */
  async #begin(tx: Tx, { project, title, tags, content }: StagingStart): Promise<number> {
    const version = await this.#store.reserve(tx, "document_versions", 1);
    await tx.run(sql`insert into retired_versions (version, project, indexed, deleted, title, tags)
      values (${version}, ${project}, 0, 1, ${title}, ${JSON.stringify(tags)})`);
    await insertContent(tx, project, version, content);
    return version;
  }

  /** False when somebody has cleared the version away. */
  async #append(tx: Tx, { project, version, tags, from, chunks }: StagedBatch): Promise<boolean> {
    const there = await tx.run(sql`update retired_versions set indexed = ${from + chunks.length}
      where version = ${version} and indexed = ${from}`);
    if (there === 0) return false;
    for (const [offset, chunk] of chunks.entries()) {
      const position = from + offset;
      const seq = await insertChunk(tx, project, version, position, chunk);
      await this.#index.add(tx, project, { seq, version, position }, chunk, tags);
    }
    return true;
  }
}
