/** Has the tagger read the sentences of a turn, each with those around it. */

import type { SentenceTags, Tagger } from "../../tagger/mod.ts";
import type { Sentence } from "../message/sentences.ts";
import type { Antecedent, Referring } from "../subjects/antecedents.ts";
import { withRelations } from "./people.ts";
import { ALONE, DOUBTED, IMPERSONAL } from "./thresholds.ts";

/** A sentence with its tags. */
export interface Reading {
  /** The words that the tags are of. */
  readonly text: string;
  readonly tags: SentenceTags;
  readonly antecedent: Antecedent | null;
}

/** Tags the sentences of a turn, one after another. */
export class TurnTagger {
  readonly #tagger: Tagger;
  readonly #texts: readonly string[];
  /** The same with question marks, which sentences have lost by now. */
  readonly #inputs: readonly string[];
  #position = 0;

  constructor(tagger: Tagger, sentences: readonly Pick<Sentence, "text" | "question">[]) {
    this.#tagger = tagger;
    this.#texts = sentences.map(({ text }) => text);
    this.#inputs = sentences.map(({ text, question }) => question ? `${text}?` : text);
  }

  /** Moves to the sentence at `position`. */
  moveTo(position: number): void {
    this.#position = position;
  }

  /**
   * Returns the tags of the current sentence, or of a text that replaces it, such as one of its clauses.
   * If a sentence may be worth storing, but nothing is marked in it among the others, it's read on its
   * own: the tagger is less sure of plain statements next to unlike ones ("I live in Porto. Where do
   * you live?").
   */
  async tag(text: string): Promise<SentenceTags> {
    const position = this.#position;
    if (text !== this.#texts[position]) {
      const inputs = [...this.#inputs.slice(Math.max(0, position - 1), position), text];
      return await this.#tagger.tag(inputs, inputs.length - 1);
    }
    const tags = within(text, await this.#tagger.tag(this.#inputs, position));
    const isMarked = tags.spans.length > 0 ||
      tags.labels.some(({ confidence }) => confidence >= ALONE.label);
    if (isMarked || tags.store < DOUBTED.among || this.#inputs.length === 1) return tags;
    const alone = within(text, await this.#tagger.tag([this.#inputs[position]!], 0));
    if (tags.store >= ALONE.store) return { ...alone, store: tags.store };
    return alone.store >= DOUBTED.alone ? alone : tags;
  }
}

/** Returns tags without what is behind a text, which is its question mark. */
function within(text: string, tags: SentenceTags): SentenceTags {
  const isInside = ({ end }: { readonly end: number }) => end <= text.length;
  return { ...tags, spans: tags.spans.filter(isInside), words: tags.words.filter(isInside) };
}

/**
 * Tags a sentence as it was said or, if the tagger isn't sure that it's worth storing, with the one
 * whom its pronoun means.
 */
export async function readSentence(
  said: string,
  meant: Referring | null,
  tagger: TurnTagger,
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
