/** Reads sentences that say how to respond from now on. */
import { comparable } from "../vocabulary.ts";
import { expand } from "./clauses/normalize.ts";
import { instructions } from "./rules/instruct.ts";
import type { Context } from "./sentence_facts.ts";
import type { Statement } from "./statements.ts";
import { ALONE, MIN_INSTRUCTION } from "./tagged/thresholds.ts";
import { isSupported } from "./tagged/verify.ts";

/**
 * Returns the statements of a sentence that says how to respond. Null if it doesn't, if the tagger
 * sees an order for this once ("Write a handover, very short"), or if it sees a wish in other words
 * than the rules, which is then read as in any sentence.
 */
export async function instructed(
  text: string,
  { tagger, turn }: Context,
): Promise<readonly Statement[] | null> {
  const wanted = instructions(expand(text));
  if (wanted.length === 0) return null;
  const tags = await tagger?.tag(text) ?? null;
  if (tags !== null) {
    const claims = wanted.flatMap(({ drafts }) => drafts);
    if (tags.store < MIN_INSTRUCTION || !claims.some((one) => isSupported(one, text, tags))) {
      return null;
    }
    const marked = tags.spans.filter(({ confidence }) => confidence >= ALONE.span)
      .map(({ start, end }) => text.slice(start, end));
    if (
      marked.length > 0 && !marked.some((words) => claims.some((one) => agree(one.value, words)))
    ) {
      return null;
    }
  }
  return wanted.map(({ drafts, text }) => ({
    text,
    drafts: drafts.map((draft) => ({ ...draft, subject: turn.speaker.subject })),
    type: "preference",
    negative: false,
    matched: true,
    speaker: true,
    join: "",
  }));
}

/**
 * Checks whether a value has all of the marked words, or only some of them without being cut off
 * behind them ("day" of "day before month").
 */
function agree(value: string, marked: string): boolean {
  const [said, words] = [value, marked].map((text) => ` ${comparable(text)} `) as [string, string];
  return said.includes(words) ||
    !words.startsWith(said) && said.trim().split(" ").every((word) => words.includes(` ${word} `));
}
