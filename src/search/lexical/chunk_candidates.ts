/**
 * Finds chunks by their words: adds up the postings for the rarest terms, starting with the highest
 * impact levels.
 */

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
 * Returns the `seq`s of the chunks that contain any of the terms and have a tag from every clause,
 * best first. The scores are estimates from the impact levels alone, so no chunks are read.
 *
 * @param terms query terms, rarest first
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
  const scores = new ScoreAccumulator();
  let postingsRead = 0;
  for (
    const [rank, { term, weight }] of terms.filter(({ frequency }) => frequency > 0).entries()
  ) {
    for (const { letter, share } of IMPACT_LEVELS) {
      const token = letter + term;
      const size = frequencies.get(connection, collection, token);
      // Read the rarest term's best levels until there are enough candidates, even if that blows
      // the budget.
      const isRequired = rank === 0 && scores.size < limit;
      if (postingsRead + size > budget && !isRequired) break;
      postingsRead += size;
      if (size === 0) continue;
      const match = matchExpression(project, indexedTerm(project, token), requiredTags);
      scores.add(matchingRows(connection, index, match), weight * share);
    }
  }
  return scores.top(limit);
}
