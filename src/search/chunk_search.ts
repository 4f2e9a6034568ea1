/** One search of documents, from the query to the ranked chunks of current versions. */

import sql from "sql-template-tag";
import type { Connection } from "../store/sqlite/connection.ts";
import type { ChunkSearch, ChunkSearchOutcome } from "./chunk_request.ts";
import { type Collection, findByTerms, Frequencies, weighTerms } from "./lexical.ts";
import { type PassageTotals, type ScoredPassage, scorePassages } from "./passages.ts";
import { CHUNK_COLUMNS, CHUNK_POSTINGS } from "./weights.ts";

/** Matches that get their full score: those asked for, and those that may yet rank above them. */
const SPARE = 50;

/** Searches on one connection; keeps what is worth keeping between searches. */
export class ChunkSearcher {
  readonly #connection: Connection;
  readonly #frequencies = new Frequencies();

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** Everything is read from one snapshot: what is found belongs to the heads of that moment. */
  search(request: ChunkSearch): ChunkSearchOutcome {
    this.#connection.exec("begin");
    try {
      return { found: this.#search(request) };
    } finally {
      this.#connection.exec("commit");
    }
  }

  // A second list, by vectors, joins here: both lists are fused before the cut to `limit`.
  #search({ project, query, tags, limit }: ChunkSearch): ScoredPassage[] {
    const totals = this.#totals(project);
    const collection: Collection = { index: "chunks", project, total: totals.chunks };
    const terms = weighTerms(
      this.#connection,
      this.#frequencies,
      collection,
      CHUNK_POSTINGS,
      query,
    );
    // A match may belong to a version that is retired; when too many do, more are looked at.
    for (let width = limit + SPARE;; width *= 8) {
      const matches = findByTerms(this.#connection, collection, CHUNK_COLUMNS, terms, tags, width);
      const scored = scorePassages(this.#connection, project, totals, terms, matches);
      if (scored.length >= limit || matches.length < width) return scored.slice(0, limit);
    }
  }

  #totals(project: number): PassageTotals {
    return this.#connection.first<PassageTotals>(
      sql`select sources, chunks, terms from document_totals where project = ${project}`,
    ) ?? { sources: 0, chunks: 0, terms: 0 };
  }
}
