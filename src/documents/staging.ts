/**
 * Stages large versions, i.e. writes them ahead of the unit of work that makes them the head.
 * Writing a megabyte in one unit of work would block all other writers for more than 100 ms. In
 * batches, no one notices.
 *
 * A staged version has a reserved number, its content and some or all of its chunks, but no version
 * row, so it isn't visible anywhere. It's either published by a small unit of work, or abandoned
 * because that unit failed, found an equal head, or never came. See version_states.ts.
 */

import { utf8Length } from "../kernel/text.ts";
import { countTerms } from "../search/lexical/term_counts.ts";
import type { PreparedChunk } from "./prepare.ts";
import type { VersionGc } from "./version_gc.ts";
import { type VersionIdentity, versionTags } from "./row.ts";
import type { StagedBatch, StagingStart } from "./batch_units.ts";
import type { ChunkBatchQueue } from "./chunk_batch_queue.ts";

/**
 * Maximum size of a document written in the unit of work that makes it the head, in UTF-8 bytes.
 */
const MAX_UNSTAGED_BYTES = 56 * 1024;

/**
 * Number of index segments that triggers a merge between two batches. Each batch leaves one
 * segment. At 16 segments of the same size, FTS5 would merge them all within the next batch.
 */
const MAX_SEGMENTS = 8;

/** A version without a row yet. */
export interface Draft extends VersionIdentity {
  readonly content: string;
}

/** Size of a version. */
export interface Extent {
  readonly chunks: number;
  /** Number of terms in all chunks, including headings. */
  readonly terms: number;
}

/** A version being written under a reserved number. */
export interface StagedVersion extends Extent {
  readonly version: number;
}

/** Checks whether a document is large enough to be staged. */
export function needsStaging({ content }: Draft): boolean {
  return utf8Length(content) > MAX_UNSTAGED_BYTES;
}

/** Returns the number of chunks and the number of terms in them. */
export function extentOf(chunks: readonly PreparedChunk[]): Extent {
  const terms = chunks.reduce((sum, chunk) => sum + countTerms(chunk.terms), 0);
  return { chunks: chunks.length, terms };
}

/** Writes staged versions. */
export class StagedVersionWriter {
  readonly #gc: VersionGc;
  readonly #batches: ChunkBatchQueue;

  constructor(gc: VersionGc, batches: ChunkBatchQueue) {
    this.#batches = batches;
    this.#gc = gc;
  }

  /**
   * Writes the content and chunks of a large version, each batch as soon as it's ready. The version
   * is pinned. The caller must pass its number to `VersionGc.unpin` once it has been adopted, or
   * won't be.
   *
   * @returns null if the version was collected in the meantime
   */
  stage(
    project: number,
    document: Draft,
    batches: AsyncIterable<readonly PreparedChunk[]>,
  ): Promise<StagedVersion | null> {
    return this.#batches.whileWriting(() => this.#stage(project, document, batches));
  }

  async #stage(
    project: number,
    document: Draft,
    batches: AsyncIterable<readonly PreparedChunk[]>,
  ): Promise<StagedVersion | null> {
    // The content is written while the first batch is being prepared. If that fails, awaiting it
    // throws.
    const common = { project, tags: versionTags(document) };
    const begun = this.#begin({ ...common, title: document.title, content: document.content });
    begun.catch(() => undefined);
    try {
      const extent = await this.#append(begun, common, batches);
      const version = await begun;
      if (extent !== null) return { version, ...extent };
      this.#gc.unpin(version);
      return null;
    } catch (error) {
      await begun.then((version) => this.#gc.unpin(version), () => undefined);
      throw error;
    }
  }

  async #begin(start: StagingStart): Promise<number> {
    const version = await this.#batches.begin(start);
    // This is in time for the next unit of work, even if it collects: it begins with a turn of the
    // event loop and only then reads the pins.
    this.#gc.pin(version);
    return version;
  }

  /** Returns null if part of the version has already been collected. */
  async #append(
    begun: Promise<number>,
    common: Omit<StagedBatch, "version" | "from" | "chunks">,
    batches: AsyncIterable<readonly PreparedChunk[]>,
  ): Promise<Extent | null> {
    let [count, terms] = [0, 0];
    for await (const chunks of batches) {
      const version = await begun;
      if (!await this.#batches.append({ ...common, version, from: count, chunks })) return null;
      count += chunks.length;
      terms += extentOf(chunks).terms;
      if (this.#batches.segments >= MAX_SEGMENTS) await this.#batches.merge(false);
    }
    return { chunks: count, terms };
  }
}
