/** Units of work that write and collect large versions, one batch of chunks at a time. */

import sql from "sql-template-tag";
import type { Owner, Tx, WriteStore } from "../store/store.ts";
import { collectSome, type GcSelection } from "./gc_steps.ts";
import type { PreparedChunk } from "./prepare.ts";
import { insertChunks, insertContent } from "./repository.ts";

/** The start of a staged version. */
export interface StagingStart {
  readonly project: number;
  readonly title: string;
  readonly tags: readonly string[];
  readonly content: string;
}

/** Consecutive chunks of a staged version. */
export interface StagedBatch {
  readonly project: number;
  readonly version: number;
  readonly tags: readonly string[];
  /** Position of the first chunk. */
  readonly from: number;
  readonly chunks: readonly PreparedChunk[];
}

/** One unit of work, as sent to the thread. */
export type BatchRequest =
  | { readonly begin: StagingStart }
  | { readonly append: StagedBatch }
  | { readonly collect: GcSelection }
  | { readonly merge: { readonly first: boolean } };

/** For `begin`, the new version's number. For the others, whether there was anything to do. */
export type BatchResponse = number | boolean;

/** Executes batch requests. */
export class BatchUnits {
  readonly #store: WriteStore;

  constructor(store: WriteStore) {
    this.#store = store;
  }

  run(request: BatchRequest): Promise<BatchResponse> {
    return this.#store.write<BatchResponse>(ownerOf(request), (tx) => {
      if ("begin" in request) return this.#begin(tx, request.begin);
      if ("append" in request) return this.#append(tx, request.append);
      if ("collect" in request) return collectSome(tx, this.#store.index.chunks, request.collect);
      return this.#store.index.chunks.mergeStep(tx, request.merge.first);
    });
  }

  /** Writes the content. The version stays on the collector's work list until adopted. */
  async #begin(tx: Tx, { project, title, tags, content }: StagingStart): Promise<number> {
    const version = await this.#store.reserve(tx, "document_versions", 1);
    await tx.run(sql`insert into retired_versions (version, project, indexed, deleted, title, tags)
      values (${version}, ${project}, 0, 1, ${title}, ${JSON.stringify(tags)})`);
    await insertContent(tx, project, version, content);
    return version;
  }

  /** Writes and indexes chunks. Returns false if part of the version has already been collected. */
  async #append(tx: Tx, { project, version, tags, from, chunks }: StagedBatch): Promise<boolean> {
    const updated = await tx.run(sql`update retired_versions set indexed = ${from + chunks.length}
      where version = ${version} and indexed = ${from}`);
    if (updated === 0) return false;
    const seqs = await insertChunks(tx, project, version, from, chunks);
    for (const [offset, chunk] of chunks.entries()) {
      const indexed = { seq: seqs[offset]!, version, position: from + offset };
      await this.#store.index.chunks.add(tx, project, indexed, chunk, tags);
    }
    return true;
  }
}

function ownerOf(request: BatchRequest): Owner {
  if ("begin" in request) return request.begin.project;
  if ("append" in request) return request.append.project;
  return "maintenance";
}
