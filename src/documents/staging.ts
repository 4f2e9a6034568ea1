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
import { lengthOf } from "../search/term_counts.ts";
import type { PreparedChunk } from "./prepare.ts";
import type { Retirement } from "./retirement.ts";
import { type VersionSubstance, versionTags } from "./row.ts";
import type { Filling, Opening } from "./slice_units.ts";
import type { Slices } from "./slices.ts";

/** Up to here (UTF-8 bytes) a document is written in the unit of work that makes it the head. */
const BYTES_AT_ONCE = 56 * 1024;

/**
 * From here on segments of the index are merged between two slices. Each slice leaves one; at 16 of
 * one size FTS5 would merge them all within the slice that happens to be next.
 */
const MOST_SEGMENTS = 8;

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
  readonly #retirement: Retirement;
  readonly #slices: Slices;

  constructor(retirement: Retirement, slices: Slices) {
    this.#slices = slices;
    this.#retirement = retirement;
  }

  /**
   * Writes content and chunks of a large version, each slice as it comes; null when it was cleared
   * away meanwhile with its project. The number is held: it is to be given to `Retirement.release`
   * once the version is adopted, or will not be.
   */
  stage(
    project: number,
    document: Draft,
    slices: AsyncIterable<readonly PreparedChunk[]>,
  ): Promise<Staged | null> {
    return this.#slices.busyWith(() => this.#stage(project, document, slices));
  }

  async #stage(
    project: number,
    document: Draft,
    slices: AsyncIterable<readonly PreparedChunk[]>,
  ): Promise<Staged | null> {
    // Content is written while the first slice is made. A failure shows where it is awaited.
    const common = { project, tags: versionTags(document) };
    const opening = this.#open({ ...common, title: document.title, content: document.content });
    opening.catch(() => undefined);
    try {
      const extent = await this.#fill(opening, common, slices);
      const version = await opening;
      if (extent !== null) return { version, ...extent };
      this.#retirement.release(version);
      return null;
    } catch (error) {
      await opening.then((version) => this.#retirement.release(version), () => undefined);
      throw error;
    }
  }

  async #open(opening: Opening): Promise<number> {
    const version = await this.#slices.open(opening);
    // In time for the next slice, which clears perhaps: it begins with a turn of the event loop.
    this.#retirement.hold(version);
    return version;
  }

  /** Null when somebody has cleared the version away. */
  async #fill(
    opening: Promise<number>,
    common: Omit<Filling, "version" | "from" | "chunks">,
    slices: AsyncIterable<readonly PreparedChunk[]>,
  ): Promise<Extent | null> {
    let [count, terms] = [0, 0];
    for await (const chunks of slices) {
      const version = await opening;
      if (!await this.#slices.fill({ ...common, version, from: count, chunks })) return null;
      count += chunks.length;
      terms += extentOf(chunks).terms;
      if (this.#slices.segments >= MOST_SEGMENTS) await this.#slices.merge(false);
    }
    return { chunks: count, terms };
  }
}
