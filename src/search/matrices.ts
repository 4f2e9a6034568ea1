/** The sign matrices that a search worker holds: loaded when first needed, kept up, bounded. */

import sql from "sql-template-tag";
import type { Connection } from "../store/sqlite/connection.ts";
import type { VectorSource } from "./vector_list.ts";
import { SignMatrix } from "./sign_matrix.ts";

/** Numbers of `vector_signs` read at once: a few megabytes of text. */
const NUMBERS_AT_ONCE = 16_384;

interface Held {
  readonly matrix: SignMatrix;
  /** The last number of `vector_signs` that was looked at. */
  last: number;
}

/** Matrices by project and model; the one used longest ago goes when there is too much. */
export class Matrices {
  readonly #connection: Connection;
  readonly #most: number;
  readonly #held = new Map<string, Held>();

  /** @param most bytes that all matrices together may take */
  constructor(connection: Connection, most: number) {
    this.#connection = connection;
    this.#most = most;
  }

  /**
   * The matrix of a project with everything in it that the connection's snapshot holds; null when
   * it would take more memory than there may be.
   */
  of(source: VectorSource, model: number, width: number): SignMatrix | null {
    const { project, kind, total: rows } = source;
    if (rows * (width + 4) > this.#most) return null;
    const key = `${project} ${model} ${kind}`;
    const held = this.#held.get(key) ?? { matrix: new SignMatrix(width), last: 0 };
    this.#held.delete(key);
    this.#held.set(key, held);
    this.#catchUp(held, source, model);
    this.#bound(key);
    // Many rewritten memories leave many rows that lead nowhere: then it is made anew.
    if (held.matrix.rows > 2 * rows + NUMBERS_AT_ONCE) {
      this.#held.delete(key);
      return this.of(source, model, width);
    }
    return held.matrix;
  }

  #catchUp(held: Held, { project, kind }: VectorSource, model: number): void {
    const end = this.#connection.first<{ number: number | null }>(
      sql`select max(number) as number from vector_signs`,
    )?.number ?? 0;
    while (held.last < end) {
      const to = Math.min(end, held.last + NUMBERS_AT_ONCE);
      // One long text instead of a row object each: reading a million takes a moment, not seconds.
      const read = this.#connection.first<{ seqs: string | null; signs: string | null }>(sql`
        select group_concat(seq, ',' order by number) as seqs,
          group_concat(hex(signs), '' order by number) as signs
        from vector_signs where number > ${held.last} and number <= ${to}
          and +project = ${project} and +model = ${model}
          and +kind = ${kind}`);
      if (read?.seqs && read.signs) {
        held.matrix.add(read.seqs.split(",").map(Number), Uint8Array.fromHex(read.signs));
      }
      held.last = to;
    }
  }

  #bound(kept: string): void {
    let size = 0;
    for (const { matrix } of this.#held.values()) size += matrix.size;
    for (const [key, { matrix }] of this.#held) {
      if (size <= this.#most || key === kept) return;
      this.#held.delete(key);
      size -= matrix.size;
    }
  }
}
