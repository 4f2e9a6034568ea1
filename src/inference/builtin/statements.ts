/** Splits a sentence into statements: clauses with their subjects, and the claims that the rules find. */
import type { MemoryType } from "../../memories/schema.ts";
import { tidyValue } from "../vocabulary.ts";
import { expand, singular, withoutAdverbs } from "./clauses/normalize.ts";
import { withObject, withPresent } from "./clauses/anaphora.ts";
import { readClause } from "./clause_claims.ts";
import { type Clause, clauses } from "./clauses/clauses.ts";
import { withSubject } from "./clauses/ellipsis.ts";
import { frame } from "./clauses/frames.ts";
import { splitPossessions } from "./clauses/split_possessions.ts";
import { plainOrder } from "./clauses/inversions.ts";
import { splitFrontedClause } from "./clauses/fronted_clauses.ts";
import { isAgeOfUser } from "./claim_values.ts";
import { tellsHow } from "./lexicon/qualities.ts";
import {
  forget,
  introduced,
  namedRelatives,
  remember,
  rememberOthers,
} from "./subjects/mentions.ts";
import { splitDescription } from "./rules/being.ts";
import type { Draft, Mention } from "./rules/rule.ts";
import { resolve, type Speaker } from "./subjects/subjects.ts";
import { unfolded } from "./clauses/subordinate.ts";

/** A clause with its claims. */
export interface Statement {
  /** First-person text, fronted phrases at the end. */
  readonly text: string;
  /** The fronted phrases at its end. */
  readonly front?: string;
  readonly drafts: readonly (Draft & { readonly subject: string })[];
  /** Type that a rule decided; null leaves it to the first claim or to the clause. */
  readonly type: MemoryType | null;
  /** True if the clause denies or ends something. */
  readonly negative: boolean;
  /** True if claims were found in the clause. */
  readonly matched: boolean;
  readonly speaker: boolean;
  readonly join: string;
}

/** People and things that were brought up in a message, oldest first. */
export type Mentions = Mention[];

/** Returns a clause with its subject resolved and its accepted claims. Updates `mentions`. */
function statement(
  clause: Clause,
  body: string,
  mentions: Mentions,
  who: Speaker,
  anchor: number,
): Statement {
  const passing = namedRelatives(`${clause.front} ${body}`, who);
  for (const one of namedRelatives(clause.front, who)) remember(mentions, one.mention);
  const framed = /^(?:I|who)\b/.test(body) ? body : frame(withoutAdverbs(body));
  const resolved = framed !== body && /^(?:I|people call me)\b/.test(framed)
    ? { subjects: [who.subject], key: framed, drafts: [], text: body, mention: null, speaker: true }
    : resolve(body, mentions, who);
  const front = clause.front ? ` ${lower(clause.front)}` : "";
  const said = `${resolved.key ?? body}${front}`;
  const found = resolved.key === null || !resolved.subjects.length
    ? { drafts: [], type: null, text: null, negative: false }
    : readClause(resolved.key, {
      subject: resolved.subjects[0]!,
      speaker: resolved.speaker,
      said,
      anchor,
    });
  const closing = [...resolved.drafts, ...found.drafts].filter((draft) => draft.op === "end");
  const drafts = [
    ...resolved.drafts.map((draft) => ({ ...draft, subject: draft.subject ?? who.subject })),
    ...passing.flatMap((one) => one.drafts),
    ...found.drafts.flatMap((draft) =>
      draft.subject
        ? [{ ...draft, subject: draft.subject }]
        : resolved.subjects.map((subject) => ({ ...draft, subject }))
    ),
  ].filter((draft, i, all) =>
    sound(draft, resolved.speaker) &&
    // "My dog Rex is an old labrador": a word that ends like a job.
    !(draft.attribute === "job_title" && resolved.mention?.kind === "pet") &&
    !tellsHow(draft.attribute, draft.value, body) &&
    !isEnded(draft, closing) &&
    all.findIndex((one) =>
        one.subject === draft.subject && one.attribute === draft.attribute &&
        one.value === draft.value && one.op === draft.op
      ) === i
  );
  const mention = resolved.mention ?? (resolved.speaker ? introduced(body, who) : null);
  if (mention) {
    if (resolved.unnamed !== undefined) forget(mentions, resolved.unnamed);
    remember(mentions, mention);
  }
  for (const one of passing) {
    if (!mentions.some((known) => known.subject === one.mention.subject)) {
      remember(mentions, one.mention);
    }
  }
  rememberOthers(`${clause.front} ${clause.body}`, mentions);
  const text = found.text ?? resolved.text;
  return {
    text: `${text}${front}`,
    front: clause.front,
    drafts,
    type: resolved.drafts.length ? null : found.type,
    negative: found.negative,
    matched: drafts.length > 0,
    speaker: resolved.speaker,
    join: clause.join,
  };
}

/** Checks whether a claim is ended by the same clause ("We lost our cat Tilly"). */
const isEnded = (draft: Draft, closing: readonly Draft[]): boolean =>
  draft.op !== "end" &&
  closing.some((other) => other.attribute === draft.attribute && other.value === draft.value);

/** Checks whether a claim's value is plausible. Only the speaker has todos. */
function sound(draft: Draft, speaker: boolean): boolean {
  const value = tidyValue(draft.value);
  if (
    !value || !/[\p{L}\p{N}]/u.test(value) || value.includes("¤") || value.split(/\s+/).length > 18
  ) return false;
  if (!speaker && draft.attribute === "todo") return false;
  if (speaker && draft.attribute === "age" && !isAgeOfUser(value)) return false;
  // "I hate phone calls, email me instead": a request, not a value.
  if (/^\p{Ll}+ me\b/u.test(value) && !/^(?:todo|goal|plan|habit)$/.test(draft.attribute)) {
    return false;
  }
  return !/^(?:I|you|your|me)$/i.test(value) && !/^I \p{Ll}|\b(?:I am|I have|you)\b/u.test(value);
}

const lower = (text: string) =>
  /^(?:I\b|(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day|(?:January|February|March|April|May|June|July|August|September|October|November|December|Christmas|Easter)\b|[A-Z]{2})/
      .test(text)
    ? text
    : text.charAt(0).toLowerCase() + text.slice(1);

/** "I can't eat nuts because I'm allergic": reason and rule are one fact. */
const ALLERGIC_BECAUSE = /(?:\b(?:because|as|since)\b|,).* allerg/i;

/** "I switched to Linux but went back": undoes the clause before. */
const UNDOES =
  /^(?:I (?:(?:then|soon|later|quickly|have) )*(?:went|gone|switched|moved|changed|came) (?:right |straight )?back(?: again)?|I changed my mind|it did not (?:last|work out))$/i;
/**
 * Checks whether a statement is about the past, which can't be undone ("I lived in Rome but moved
 * back").
 */
const isHistory = (one: Statement): boolean =>
  one.drafts.every(({ attribute }) => /^(?:lived_in|worked_at|studied_at|degree)$/.test(attribute));
const withoutUndone = (said: readonly Statement[]): readonly Statement[] =>
  said.map((one, i) =>
    UNDOES.test(said[i + 1]?.text ?? "") && !isHistory(one)
      ? { ...one, drafts: [], matched: false }
      : one
  );

/** Returns the statements of a sentence that passed the gates. */
export function statements(
  sentence: string,
  mentions: Mentions,
  who: Speaker,
  anchor: number,
): readonly Statement[] {
  const canonical = plainOrder(unfolded(withSubject(capitalI(singular(expand(sentence))))));
  const out: Statement[] = [];
  const fronted = splitFrontedClause(canonical);
  const rest = fronted?.rest ?? canonical;
  if (fronted?.said) {
    out.push(
      ...splitPossessions(fronted.said).flatMap(splitDescription).map((one) =>
        statement({ body: one, front: "", join: "" }, one, mentions, who, anchor)
      ).filter((one) => one.drafts.length),
    );
  }
  if (ALLERGIC_BECAUSE.test(rest) && !/\b(?:and|but)\b/.test(rest)) {
    const whole = statement({ body: rest, front: "", join: "" }, rest, [...mentions], who, anchor);
    const drafts = whole.drafts.filter((draft) => draft.attribute === "allergic_to");
    if (drafts.length) return [...out, { ...whole, drafts }];
  }
  for (const clause of clauses(rest)) {
    for (
      const body of splitPossessions(clause.body).flatMap((one) =>
        splitDescription(unadverbed(one))
      )
    ) {
      out.push(statement(clause, withPresent(withObject(body, out), out), mentions, who, anchor));
    }
  }
  return withoutUndone(out);
}
const unadverbed = (body: string) => {
  const bare = withoutAdverbs(body);
  return /^I (?:am|was) /.test(bare) && splitDescription(frame(bare)).length > 1
    ? frame(bare)
    : body;
};
const capitalI = (text: string) =>
  /^(?:my|we|our|the|for|one|his|her|their)\b/i.test(text)
    ? text.charAt(0).toLowerCase() + text.slice(1)
    : text;

/**
 * Returns the text of a statement with its fronted phrase in front again if it has several parts, since
 * the phrase would be read with the last one ("I say the same, and it's Prosecco every January").
 */
export function inOrder({ text, front }: Pick<Statement, "text" | "front">): string {
  const end = front ? ` ${front}`.toLowerCase() : "";
  const body = text.slice(0, text.length - end.length);
  const isMoved = end !== "" && text.toLowerCase().endsWith(end);
  return isMoved && /[,;]/.test(body) && !/\byou\b/.test(end) ? `${front}, ${body}` : text;
}
