/** Checks the claims of the rules against what the tagger sees in the same words. */

import { stemmer } from "stemmer";
import type { Claim } from "../../extractor.ts";
import { type SentenceTags, TAGGED_ATTRIBUTES } from "../../tagger/mod.ts";
import { comparable, tidyValue } from "../../vocabulary.ts";
import type { Draft } from "../rules/rule.ts";
import type { Statement } from "../statements.ts";
import { CLAUSES, normalized } from "../claim_values.ts";
import { PEOPLE } from "./people.ts";
import { VERIFIED } from "./thresholds.ts";

/** The parts of a claim that are checked. */
type CheckedClaim = Pick<Claim, "attribute" | "value">;

/** Attributes that are easily taken for one another. The rules decide between those of a line. */
const RELATED: readonly ReadonlySet<string>[] = [
  "uses editor os browser shell programming_language framework database owns decision plan",
  "works_at worked_at employment job_title studies_at studied_at",
  "lives_in lived_in from address nationality",
  "studies_at studied_at studies degree learning",
  "likes favorite prefers hobby habit",
  "plan goal todo decision learning habit",
  "spouse partner friend child sibling parent grandparent relative colleague name",
  "name nickname handle",
  "avoids dislikes allergic_to diet medication condition",
  "nationality religion native_language speaks identity",
  "pet species breed name",
].map((line) => new Set(line.split(" ")));

/** Returns the tagger's name of an attribute: `favorite` for `favorite_color`. */
const taggedName = (attribute: string) =>
  /^(?:favorite(?=_)|decision(?=:))/.exec(attribute)?.[0] ?? attribute;

/** Checks whether the tagger can find values of an attribute. It can't for "my neighbour Ahmed". */
export const isTagged = (attribute: string) => TAGGED_ATTRIBUTES.includes(taggedName(attribute));

function related(attribute: string): ReadonlySet<string> {
  const name = taggedName(attribute);
  return new Set([name, ...RELATED.filter((line) => line.has(name)).flatMap((line) => [...line])]);
}

/**
 * Checks whether the tagger sees a value of a related attribute in any word of a claim's value, or
 * of its own attribute if that is a habit or a hobby. True for values whose words aren't in the
 * sentence, e.g. numbers, and for those that it states as a whole.
 */
export function isSupported(claim: CheckedClaim, sentence: string, tags: SentenceTags): boolean {
  const attributes = related(claim.attribute);
  if (isTakenForAnother(claim, sentence, tags)) return false;
  if (tags.labels.some((label) => attributes.has(label.attribute))) return true;
  const value = new Set(comparable(claim.value).split(/[^\p{L}\p{N}]+/u).map(stemmer));
  const words = tags.words.filter(({ start, end }) =>
    value.has(stemmer(sentence.slice(start, end)))
  );
  const own = VERIFIED.ownOf[claim.attribute];
  return words.length === 0 || words.some(({ likely }) => {
    if (own !== undefined) return (likely[claim.attribute] ?? 0) >= own;
    let sum = 0;
    for (const attribute of attributes) sum += likely[attribute] ?? 0;
    return sum >= VERIFIED.support;
  });
}

/** Attributes that a claim of the rules may have where the tagger sees the other one. */
const COUNTERPARTS: Readonly<Record<string, string>> = {
  worked_at: "works_at",
  lived_in: "lives_in",
  studied_at: "studies_at",
  name: "nickname",
  nickname: "name",
};

/**
 * Checks whether the tagger is sure that the words of a value belong to another attribute, and sees
 * nothing of the claim's own ("I mean to see Rome": a goal, not a plan).
 */
function isTakenForAnother(
  claim: CheckedClaim,
  sentence: string,
  { spans, words }: SentenceTags,
): boolean {
  const name = taggedName(claim.attribute);
  const value = ` ${comparable(claim.value)} `;
  const isInValue = (words: string) => words !== "" && value.includes(` ${words} `);
  return spans.some(({ attribute, start, end, confidence }) =>
    confidence >= VERIFIED.contradicting && attribute !== name &&
    attribute !== COUNTERPARTS[name] &&
    isInValue(comparable(sentence.slice(start, end))) &&
    words.every((word) =>
      word.end <= start || word.start >= end || (word.likely[name] ?? 0) < VERIFIED.own
    )
  );
}

/** Attributes whose values the rules reword, and names, whose ends the rules know. */
const UNCUT = new Set([
  ..."decision age birthday diet employment name nickname ex".split(" "),
  ...PEOPLE,
]);

/** Words before a marked value that a value of the rules may begin with ("me pay the bill"). */
const MAX_BEFORE = 2;

/** Separators of a list, whose items the rules know. */
const LISTED = /[,;&]| (?:and|or) /;

/**
 * Returns a claim's value as the words that the tagger marked as a value of the same attribute: all of
 * them if it's sure ("red-green colour-blind"), or without the end that it didn't mark ("read Gibbon
 * before my eyes give out") if it marked the beginning and nothing else, or another clause after a comma.
 */
export function fitToSpan(claim: CheckedClaim, sentence: string, tags: SentenceTags): string {
  const name = taggedName(claim.attribute);
  if (UNCUT.has(name)) return claim.value;
  const wider = tags.spans
    .filter(({ attribute, confidence }) =>
      attribute === name && confidence >= VERIFIED.contradicting
    )
    .map(({ start, end }) => normalized(name, sentence.slice(start, end))?.value ?? "")
    .find((marked) =>
      !LISTED.test(marked) && ` ${comparable(marked)} `.includes(` ${comparable(claim.value)} `)
    );
  if (wider !== undefined) return wider;
  const words = claim.value.split(/\s+/);
  const stems = words.flatMap((word, i) => stemsOf(word).map((stem) => ({ stem, i })));
  const ends = tags.spans
    .filter(({ attribute, confidence }) => attribute === name && confidence >= VERIFIED.cutting)
    .flatMap(({ start, end }): number[] => {
      const marked = stemsOf(sentence.slice(start, end));
      const at = stems.findIndex((_, i) => marked.every((stem, j) => stems[i + j]?.stem === stem));
      if (at < 0 || marked.length === 0) return [];
      return [stems[at]!.i > MAX_BEFORE ? words.length : stems[at + marked.length - 1]!.i + 1];
    });
  // "Save up for a house, hoping to buy": two goals.
  const cutAt = Math.min(...ends);
  const isCut = ends.length === 1 ||
    CLAUSES.has(name) && words[cutAt - 1]?.endsWith(",") && /ing$/i.test(words[cutAt] ?? "");
  return isCut ? tidyValue(words.slice(0, cutAt).join(" ")) : claim.value;
}

/** Returns the stems of words, without articles: the rules make "rowing" of "row". */
const stemsOf = (words: string): readonly string[] =>
  comparable(words).split(" ").filter((word) => word !== "").map(stemmer);

/** "I no longer speak Greek": words of an end that the rules know. The tagger is unsure of many. */
const NO_LONGER = /\b(?:no longer|any ?more)\b/i;

/** Checks whether two claims are of one list ("allergic to eggs, soy and nuts"). */
const isListedWith = (one: Draft, other: Draft) =>
  one.rule === other.rule && one.attribute === other.attribute && one.subject === other.subject;

/**
 * Returns the statements of a sentence with those claims of the rules that the tagger supports. If it
 * supports several of a list, the others are kept, too, unless it takes them for something else. A
 * statement that loses all of its claims is left only if the sentence is worth storing, and so are
 * claims of attributes that the tagger doesn't know.
 */
export function verifiedStatements(
  statements: readonly Statement[],
  sentence: string,
  tags: SentenceTags,
  isWorthStoring: boolean,
): readonly Statement[] {
  return statements.flatMap((statement): Statement[] => {
    const supported = statement.drafts.filter((draft) => {
      if (!isTagged(draft.attribute)) return isWorthStoring;
      if (draft.op === "end" && isWorthStoring && NO_LONGER.test(sentence)) {
        return !isTakenForAnother(draft, sentence, tags);
      }
      return isSupported(draft, sentence, tags);
    });
    const drafts = statement.drafts
      .filter((draft) =>
        supported.includes(draft) ||
        supported.filter((one) => isListedWith(one, draft)).length >= VERIFIED.listed &&
          !isTakenForAnother(draft, sentence, tags)
      )
      .map((draft) => ({ ...draft, value: fitToSpan(draft, sentence, tags) }));
    if (drafts.length === statement.drafts.length) return [{ ...statement, drafts }];
    if (drafts.length === 0 && !isWorthStoring) return [];
    // The rules' type may be that of a claim that was dropped.
    return [{ ...statement, drafts, type: null, matched: drafts.length > 0 }];
  });
}
