/** Has the tagger read a sentence that may begin with a pronoun. */

import type { SentenceTags, Tagger } from "../../tagger/mod.ts";
import type { Antecedent, Referring } from "../subjects/antecedents.ts";
import { withRelations } from "./people.ts";
import { IMPERSONAL } from "./thresholds.ts";

/** A sentence with its tags. */
export interface Reading {
  /** The words that the tags are of. */
  readonly text: string;
  readonly tags: SentenceTags;
  readonly antecedent: Antecedent | null;
}

/**
 * Tags a sentence as it was said or, if the tagger isn't sure that it's worth storing, with the one
 * whom its pronoun means.
 */
export async function readSentence(
  said: string,
  meant: Referring | null,
  tagger: Tagger,
): Promise<Reading> {
  const tags = await tagger.tag(said);
  if (meant === null || tags.store >= IMPERSONAL.store) {
    return { text: said, tags: withRelations(said, tags), antecedent: meant };
  }
  const { text, length } = meant.related;
  const related = await tagger.tag(text);
  // What is marked in the words for the pronoun isn't said here.
  const spans = related.spans.filter(({ start }) => start >= length);
  return {
    text,
    tags: withRelations(text, { ...related, spans }),
    antecedent: { mention: meant.mention, length },
  };
}
