/** Keeps sentences that ask to be remembered although nothing in them is understood. */
import type { ExtractedFact } from "../extractor.ts";
import { withSubject } from "./clauses/ellipsis.ts";
import { expand, singular } from "./clauses/normalize.ts";
import { capitalize } from "../../kernel/text.ts";
import { gate } from "./message/gates.ts";
import { isEnglish } from "./message/retention.ts";
import { type Context, factOf } from "./sentence_facts.ts";
import { languageOf } from "./tagged/languages.ts";

/** Hypotheses contrary to fact, unlike conditions and guesses ("if it rains, …", "might"). */
const UNREAL =
  /\b(?:I|we|he|she|it|they) (?:would|wish(?:es)?(?! to\b))\b|\b(?:if only|what if|suppos(?:e|ing)|imagine(?= (?:that|if|I|you|we|he|she|it|they|an?|the)\b)|pretend|hypothetically)\b/i;

function isExcluded(text: string): boolean {
  const stopped = gate(text, false, true);
  return stopped === "service" || stopped === "hypothesis" && UNREAL.test(expand(text));
}

/**
 * Returns the fact that is kept of such a sentence. Empty if it's about "the user", what the
 * service lets the user do, contrary to fact, or in a language that isn't read.
 */
export function verbatimFact(text: string, context: Context): ExtractedFact[] {
  const speaker = context.turn.speaker.subject === "user";
  // People don't call themselves "the user", but instructions hidden in a text do.
  if (!speaker || /\bthe user\b/i.test(text) || isExcluded(text)) return [];
  const isForeign = languageOf(text) !== null || !isEnglish(text);
  if (isForeign && !context.readers.tagger?.multilingual) return [];
  const statement = {
    text: withSubject(singular(expand(text))),
    drafts: [],
    type: null,
    negative: false,
    matched: false,
    speaker,
    join: "",
  };
  const fact = factOf(statement, context);
  return [isForeign ? { ...fact, memory: capitalize(text) } : fact];
}
