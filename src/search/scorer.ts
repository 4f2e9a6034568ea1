/** The full scores of candidates: relevance times all else that speaks for a memory. */

import { bestFirst, seqOf } from "./best_first.ts";
import type { QueryTerm } from "./lexical.ts";
import type { MemoryRows, Row } from "./memory_rows.ts";
import type { MemorySearch } from "./request.ts";
import { type QueryForm, readQuery, type SignalName, signalsOf } from "./signals.ts";
import type { Scored } from "./trace.ts";

/** A candidate with what speaks for it so far. */
export interface Scorable {
  readonly seq: number;
  /** As in `Evidence`. */
  readonly words: number;
  readonly similarity: number | null;
  /** Both of them together. */
  readonly relevance: number;
}

/** A memory that may be shown, with its factors. */
interface Read {
  readonly row: Row;
  readonly signals: Partial<Record<SignalName, number>>;
}

/** Scores the candidates of one search. */
export class Scorer {
  readonly #rows: MemoryRows;
  readonly #query: QueryForm;
  readonly #options: { readonly typed: boolean; readonly now: number };
  /** By number, those that may be shown. */
  readonly #read = new Map<number, Read>();

  constructor(request: MemorySearch, terms: readonly QueryTerm[], rows: MemoryRows) {
    this.#rows = rows;
    this.#query = readQuery(request.query, terms, request.now);
    this.#options = { typed: request.mode === "typed", now: request.now };
  }

  /** Reads memories, and what speaks for those that may be shown, as far as it wasn't done yet. */
  read(seqs: readonly number[]): void {
    for (const row of this.#rows.shown(seqs, seqs.length)) {
      if (this.#read.has(row.seq)) continue;
      this.#read.set(row.seq, { row, signals: signalsOf(this.#query, row, this.#options) });
    }
  }

  /** The scores, in [0, 1], of the `most` most relevant that may be shown; best first. */
  score(candidates: readonly Scorable[], most: number): Scored[] {
    const scored: Scored[] = [];
    for (const piece of bestFirst(candidates, most, relevanceOf)) {
      this.read(piece.map(seqOf));
      for (const candidate of piece) {
        const known = this.#read.get(candidate.seq);
        if (known !== undefined && scored.length < most) scored.push(scoreOf(candidate, known));
      }
      if (scored.length === most) break;
    }
    return scored.sort((a, b) => b.score - a.score || b.row.seq - a.row.seq);
  }
}

const relevanceOf = ({ relevance }: Scorable) => relevance;

function scoreOf({ words, similarity, relevance }: Scorable, { row, signals }: Read): Scored {
  const factors = { relevance, ...signals };
  const product = Object.values(factors).reduce((all, part) => all * part, 1);
  const parts = { words, ...(similarity === null ? {} : { similarity }), ...factors };
  // tanh keeps the order, maps a full match to .76, and never leaves [0, 1].
  return { id: row.id, score: Math.tanh(product), parts, row };
}
