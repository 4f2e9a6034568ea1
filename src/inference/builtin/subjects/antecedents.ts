/**
 * Resolves the pronoun at the start of a sentence, since the tagger finds little in "She lives in Reading".
 */
import type { Mention } from "../rules/rule.ts";
import { isOtherGender } from "./pronouns.ts";

/** Someone whom the first words of a sentence mean. */
export interface Antecedent {
  readonly mention: Mention;
  /** Length of these words. */
  readonly length: number;
}

/** A sentence that begins with a pronoun, and whom it means. */
export interface Referring extends Antecedent {
  /** With the relation in place of the pronoun: "my manager Priya lives in Reading". */
  readonly related: { readonly text: string; readonly length: number };
  /** With the name in place of the pronoun, if there is one. */
  readonly named: string;
}

const PRONOUN = /^(?:(?:and|but|so),? )?(he|she|his|her)(?= \p{L})/iu;

/** Verbs of saying. A report of someone's words isn't a statement about them. */
const REPORTS =
  /^(?:he|she) (?:\p{L}+ )?(?:says?|said|tells?|told|asks?|asked|thinks?|thought|wrote|writes|claims?|claimed|suggested|reckons?)\b/iu;

/**
 * Returns a sentence with the only person or animal that its first pronoun can mean. Null if there
 * is no such pronoun, or if it can't mean exactly one. Expects "she is" for "she's".
 */
export function referring(sentence: string, mentions: readonly Mention[]): Referring | null {
  const found = PRONOUN.exec(sentence);
  if (found === null) return null;
  const pronoun = found[1]!;
  const rest = sentence.slice(found[0].length);
  if (REPORTS.test(pronoun + rest)) return null;
  const meant = new Map(
    mentions.filter((one) => one.kind !== "thing" && !isOtherGender(pronoun, one))
      .map((one) => [one.subject, one] as const),
  );
  if (meant.size !== 1) return null;
  const [mention] = [...meant.values()] as [Mention];
  if (mention.isOfAnother) return null;
  const word = mention.relation ?? mention.species;
  const isNamed = !/^my /i.test(mention.display);
  const words = isNamed && word !== undefined ? `my ${word} ${mention.display}` : mention.display;
  const owner = /^(?:his|her)$/i.test(pronoun) ? "'s" : "";
  return {
    mention,
    length: found[0].length,
    related: { text: `${words}${owner}${rest}`, length: words.length },
    named: `${mention.display}${owner}${rest}`,
  };
}
