/** Completes a clause with the object or the verb of the one before it. */
import type { Statement } from "../statements.ts";

const OBJECT_PRONOUN =
  /^(I (?:now |still |also |really |do |actually )*(?:love|like|enjoy|adore|hate|detest|dislike|avoid|eat|drink|use|prefer)) (?:it|them)$/i;

/** "I hated olives as a kid": a former taste, which isn't claimed. */
const OF_THEN =
  /^I (?:really |always )?(?:loved|liked|enjoyed|adored|hated|detested|disliked) (?!it\b|them\b)(.+?),? (?:as an? |when I was |back then|in those days|in my )/iu;

/**
 * Replaces a pronoun by the object of the clause before ("I used to hate olives but now I love
 * them").
 */
export function withObject(body: string, before: readonly Statement[]): string {
  const m = OBJECT_PRONOUN.exec(body);
  const said = m &&
    before.at(-1)?.drafts.find((draft) =>
      /^(?:likes|dislikes|avoids|uses|hobby|prefers)$/.test(draft.attribute)
    );
  const object = said?.value ?? (m && OF_THEN.exec(before.at(-1)?.text ?? "")?.[1]);
  return object ? `${m![1]} ${object}` : body;
}

const OF_A_HOME = /\b(?:moved|relocated|used to (?:live|be)|lived|living|left|spent)\b/i;
const OF_A_JOB =
  /\b(?:switched|changed) (?:jobs|employers|companies)\b|\bwork(?:ed|ing)? (?:at|for)\b/i;

/**
 * Names the verb of a present home or employer after a former one ("I used to live in Nice, now I'm
 * in Lille").
 */
export function withPresent(body: string, before: readonly Statement[]): string {
  const last = before.at(-1);
  if (!last) return body;
  if (OF_A_HOME.test(last.text)) {
    return body.replace(/^I am (?:now )?in (?=\p{Lu})/u, "I live in ");
  }
  return OF_A_JOB.test(last.text)
    ? body.replace(/^I am (?:now )?(?:at|with) (?=\p{Lu})/u, "I work at ")
    : body;
}
