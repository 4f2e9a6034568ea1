/** Finding chunks by their words: the lists of the best levels of the rarest terms, added up. */

import type { Connection } from "../../store/sqlite/connection.ts";
import { indexedTerm } from "../../store/sqlite/text_index.ts";
import type { TagClauses } from "../query/filter_tags.ts";
import {
  type Collection,
  type DocumentFrequencies,
  matchExpression,
  matchingRows,
  type QueryTerm,
} from "./term_search.ts";
import { ScoreAccumulator } from "./score_accumulator.ts";
import { IMPACT_LEVELS } from "./impacts.ts";
import { CHUNK_POSTINGS } from "../ranking/weights.ts";

/**
 * The numbers of chunks that have any of the terms and a tag of every clause, best first by a
 * reckoning that needs no look at the chunks.
 *
 * @param terms rarest first
 */
export function findByImpact(
  connection: Connection,
  frequencies: DocumentFrequencies,
  collection: Collection,
  terms: readonly QueryTerm[],
  requiredTags: TagClauses,
  limit: number,
): number[] {
  const { index, project } = collection;
  const budget = Math.max(CHUNK_POSTINGS.share * collection.total, CHUNK_POSTINGS.minPostings);
  const tally = new ScoreAccumulator();
  let read = 0;
  for (
    const [place, { term, weight }] of terms.filter(({ frequency }) => frequency > 0).entries()
  ) {
    for (const { letter, share } of IMPACT_LEVELS) {
      const token = letter + term;
      const size = frequencies.get(connection, collection, token);
      // The rarest term is asked for whatever it costs, until there is enough.
      const needed = place === 0 && tally.size < limit;
      if (read + size > budget && !needed) break;
      read += size;
      if (size === 0) continue;
      const match = matchExpression(project, indexedTerm(project, token), requiredTags);
      tally.add(matchingRows(connection, index, match), weight * share);
    }
  }
  return tally.top(limit);
}
