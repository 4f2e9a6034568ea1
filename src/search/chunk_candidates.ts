/** Finding chunks by their words: the lists of the best levels of the rarest terms, added up. */

import type { Connection } from "../store/sqlite/connection.ts";
import { indexedTerm } from "../store/sqlite/text_index.ts";
import type { TagClauses } from "./filter_tags.ts";
import { type Collection, type Frequencies, matchOf, type QueryTerm, rowsOf } from "./lexical.ts";
import { Tally } from "./tally.ts";
import { LEVELS } from "./term_levels.ts";
import { CHUNK_POSTINGS } from "./weights.ts";

/**
 * The numbers of chunks that have any of the terms and a tag of every clause, best first by a
 * reckoning that needs no look at the chunks.
 *
 * @param terms rarest first
 */
export function findByLevels(
  connection: Connection,
  frequencies: Frequencies,
  collection: Collection,
  terms: readonly QueryTerm[],
  demanded: TagClauses,
  limit: number,
): number[] {
  const { index, project } = collection;
  const budget = Math.max(CHUNK_POSTINGS.share * collection.total, CHUNK_POSTINGS.least);
  const tally = new Tally();
  let read = 0;
  for (
    const [place, { term, weight }] of terms.filter(({ frequency }) => frequency > 0).entries()
  ) {
    for (const { letter, share } of LEVELS) {
      const token = letter + term;
      const size = frequencies.of(connection, collection, token);
      // The rarest term is asked for whatever it costs, until there is enough.
      const needed = place === 0 && tally.size < limit;
      if (read + size > budget && !needed) break;
      read += size;
      if (size === 0) continue;
      const match = matchOf(project, indexedTerm(project, token), demanded);
      tally.add(rowsOf(connection, index, match), weight * share);
    }
  }
  return tally.best(limit);
}
