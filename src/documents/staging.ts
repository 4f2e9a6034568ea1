/**
 * Writing a large version before its head moves. A megabyte written in one unit of work would keep
 * everybody else waiting for more than 100 ms; in slices nobody notices.
 *
 * States of such a version: staged (its number is reserved, its content and some or all of
 * its chunks are written and indexed, but there is no version row: nothing shows it), adopted (one
 * small unit of work has made it the head), or abandoned (the unit was refused, found an equal head,
 * or never came). What is staged is written down as a retired version from its first slice on, so
 * that whatever isn't adopted is cleared like any other: see retirement.ts.
 */

import { utf8Length } from "../kernel/text.ts";
import { countTerms } from "../search/lexical/term_counts.ts";
import type { PreparedChunk } from "./prepare.ts";
import type { VersionGc } from "./version_gc.ts";
import { type VersionIdentity, versionTags } from "./row.ts";
import type { StagedBatch, StagingStart } from "./batch_units.ts";
import type { ChunkBatchQueue } from "./chunk_batch_queue.ts";

/** Up to here (UTF-8 bytes) a document is written in the unit of work that makes it the head. */
const MAX_UNSTAGED_BYTES = 56 * 1024;

/**
 * From here on segments of the index are merged between two slices. Each slice leaves one; at 16 of
 * one size FTS5 would merge them all within the slice that happens to be next.
 */
const MAX_SEGMENTS = 8;

/** A version that has no row yet. */
export interface Draft extends VersionIdentity {
  readonly content: string;
}

/** How much there is of a version. */
export interface Extent {
  readonly chunks: number;
  /** Terms of all chunks, headings included. */
  readonly terms: number;
}

/** A version that is written ahead under its number. */
export interface StagedVersion extends Extent {
  readonly version: number;
}

/** Whether a document is written ahead. */
export function needsStaging({ content }: Draft): boolean {
  return utf8Length(content) > MAX_UNSTAGED_BYTES;
}

/** The extent of so many chunks. */
export function extentOf(chunks: readonly PreparedChunk[]): Extent {
  const terms = chunks.reduce((sum, chunk) => sum + countTerms(chunk.terms), 0);
  return { chunks: chunks.length, terms };
}

/** Writes large versions ahead, a slice at a time. */
export class StagedVersionWriter {
  readonly #gc: VersionGc;
  readonly #batches: ChunkBatchQueue;

  constructor(gc: VersionGc, batches: ChunkBatchQueue) {
    this.#batches = batches;
    this.#gc = gc;
  }

  /**
   * Writes content and chunks of a large version, each slice as it comes; null when it was cleared
   * away meanwhile with its project. The number is held: it is to be given to `Retirement.release`
   * once the version is adopted, or will not be.
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
    // Content is written while the first slice is made. A failure shows where it is awaited.
    const common = { project, tags: versionTags(document) };
    const opening = this.#begin({ ...common, title: document.title, content: document.content });
    opening.catch(() => undefined);
    try {
      const extent = await this.#append(opening, common, batches);
      const version = await opening;
      if (extent !== null) return { version, ...extent };
      this.#gc.unpin(version);
      return null;
    } catch (error) {
      await opening.then((version) => this.#gc.unpin(version), () => undefined);
      throw error;
    }
  }

  async #begin(start: StagingStart): Promise<number> {
    const version = await this.#batches.begin(start);
    // In time for the next slice, which clears perhaps: it begins with a turn of the event loop.
    this.#gc.pin(version);
    return version;
  }

  /** Null when somebody has cleared the version away. */
  async #append(
    opening: Promise<number>,
    common: Omit<StagedBatch, "version" | "from" | "chunks">,
    batches: AsyncIterable<readonly PreparedChunk[]>,
  ): Promise<Extent | null> {
    let [count, terms] = [0, 0];
    for await (const chunks of batches) {
      const version = await opening;
      if (!await this.#batches.append({ ...common, version, from: count, chunks })) return null;
      count += chunks.length;
      terms += extentOf(chunks).terms;
      if (this.#batches.segments >= MAX_SEGMENTS) await this.#batches.merge(false);
    }
    return { chunks: count, terms };
  }
}
