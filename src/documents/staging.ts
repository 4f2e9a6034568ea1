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
import { utf8Length } from "../kernel/text.ts";
import { lengthOf } from "../search/term_counts.ts";
import type { Store, Tx } from "../store/store.ts";
import { ChunkIndex } from "./chunk_index.ts";
import type { PreparedChunk } from "./prepare.ts";
import { insertChunk, insertContent } from "./repository.ts";
import type { Retirement } from "./retirement.ts";
import { type VersionSubstance, versionTags } from "./row.ts";
import type { Slices } from "./slices.ts";

/** Up to here (UTF-8 bytes) a document is written in the unit of work that makes it the head. */
const BYTES_AT_ONCE = 56 * 1024;

/**
 * Slices between two steps of merging. Each slice leaves a segment in the index; at 16 of one size
 * FTS5 would merge them all within the slice that happens to be next.
 */
const SLICES_A_MERGE = 4;

/** A version that has no row yet. */
export interface Draft extends VersionSubstance {
  readonly content: string;
}

/** How much there is of a version. */
export interface Extent {
  readonly chunks: number;
  /** Terms of all chunks, headings included. */
  readonly terms: number;
}

/** A version that is written ahead under its number. */
export interface Staged extends Extent {
  readonly version: number;
}

/** What the slices of a version have in common. */
interface Stage {
  readonly version: number;
  readonly project: number;
  readonly tags: readonly string[];
}

/** Whether a document is written ahead. */
export function isLarge({ content }: Draft): boolean {
  return utf8Length(content) > BYTES_AT_ONCE;
}

/** The extent of so many chunks. */
export function extentOf(chunks: readonly PreparedChunk[]): Extent {
  const terms = chunks.reduce((sum, chunk) => sum + lengthOf(chunk.terms), 0);
  return { chunks: chunks.length, terms };
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
   * Writes content and chunks of a large version, each slice as it comes; null when it was cleared
   * away meanwhile with its project. The number is held: it is to be given to `Retirement.release`
   * once the version is adopted, or will not be.
   */
  async stage(
    project: number,
    document: Draft,
    slices: AsyncIterable<readonly PreparedChunk[]>,
  ): Promise<Staged | null> {
    // Content is written while the first slice is made. A failure shows where it is awaited.
    const opening = this.#slices.write((tx) => this.#open(tx, project, document));
    opening.catch(() => undefined);
    try {
      const extent = await this.#fill(opening, slices);
      const { version } = await opening;
      if (extent !== null) return { version, ...extent };
      this.#retirement.release(version);
      return null;
    } catch (error) {
      await opening.then(({ version }) => this.#retirement.release(version), () => undefined);
      throw error;
    }
  }

  async #open(tx: Tx, project: number, document: Draft): Promise<Stage> {
    const version = await this.#store.reserve(tx, "document_versions", 1);
    await this.#retirement.hold(tx, project, version, document);
    await insertContent(tx, project, version, document.content);
    return { version, project, tags: versionTags(document) };
  }

  /** Null when somebody has cleared the version away. */
  async #fill(
    opening: Promise<Stage>,
    slices: AsyncIterable<readonly PreparedChunk[]>,
  ): Promise<Extent | null> {
    let [chunks, terms, turn] = [0, 0, 0];
    for await (const slice of slices) {
      const [stage, from] = [await opening, chunks];
      if (!await this.#slices.write((tx) => this.#write(tx, stage, from, slice))) return null;
      chunks += slice.length;
      terms += extentOf(slice).terms;
      if (++turn % SLICES_A_MERGE === 0) {
        await this.#slices.write((tx) => this.#index.purgeSome(tx, false));
      }
    }
    return { chunks, terms };
  }

  async #write(
    tx: Tx,
    { version, project, tags }: Stage,
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
