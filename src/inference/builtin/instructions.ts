/** Reads sentences that say how to respond from now on. */
import { expand } from "./clauses/normalize.ts";
import { instructions } from "./rules/instruct.ts";
import type { Context } from "./sentence_facts.ts";
import type { Statement } from "./statements.ts";
import { MIN_INSTRUCTION } from "./tagged/thresholds.ts";

/**
 * Returns the statements of a sentence that says how to respond. Null if it doesn't, or if the
 * tagger sees an order for this once ("Write a handover, very short").
 */
export async function instructed(
  text: string,
  { tagger, turn }: Context,
): Promise<readonly Statement[] | null> {
  const wanted = instructions(expand(text));
  if (wanted.length === 0) return null;
  const tags = await tagger?.tag(text) ?? null;
  if (tags !== null && tags.store < MIN_INSTRUCTION) return null;
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
