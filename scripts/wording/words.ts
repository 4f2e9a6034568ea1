/** Words we avoid in prose, and what to write instead. */

/** One word or phrase to avoid. */
export interface AvoidedWord {
  /** Matches the word and its inflections. */
  readonly pattern: RegExp;
  /** What to write instead. */
  readonly instead: string;
}

/** All avoided words. Most are literal translations that trip up English readers. */
const AVOIDED_WORDS: readonly AvoidedWord[] = [
  { pattern: /\b(?:tell(?:s|ing)?|told)\b/i, instead: "report, say, return, specify, record" },
  { pattern: /\b(?:stand(?:s|ing)?|stood)\b/i, instead: "be, appear, be stored, be listed" },
  { pattern: /\banswer(?:s|ed|ing)?\b/i, instead: "return, respond; response, result" },
  { pattern: /\b(?:held|holds?|holding) against\b/i, instead: "check against, compare with" },
  { pattern: /\bmend(?:s|ed|ing)?\b/i, instead: "fix, repair" },
  { pattern: /\bbeside\b/i, instead: "next to, in addition to, with, during" },
  { pattern: /\bamid(?:st)?\b/i, instead: "during, while, in the middle of" },
  { pattern: /\bso many\b/i, instead: "N, this many, a number of" },
  {
    pattern: /(?<!\bthere[\s*]+)\b(?:is|are|was|were) no (?!longer\b|more\b|one\b|need\b)/i,
    instead: "is not a, isn't",
  },
  { pattern: /\b(?:who|what)ever\b/i, instead: "anyone who, callers, anything that" },
  { pattern: /\bbec(?:omes?|ame) of\b/i, instead: "the outcome of, what happens to" },
  { pattern: /\banew\b/i, instead: "again, rebuilt" },
  { pattern: /\bmeanwhile\b/i, instead: "in the meantime, while" },
  { pattern: /\b(?:given?|gives|gave|giving) back\b/i, instead: "release, return" },
  {
    pattern: /\b(?:no|some|every)body\b/i,
    instead: "no one, someone, everyone, or the role: client, caller",
  },
  {
    pattern: /\b(?:be they|be it|save for|lest)\b/i,
    instead: "either … or, except, so that … not",
  },
  { pattern: /\bbut for\b/i, instead: "except for" },
];

/** Replaces quoted text with blanks, which keeps the offsets of the rest. */
export function withoutQuotes(text: string): string {
  return text.replace(/"[^"]*"|`[^`]*`/g, (quoted) => " ".repeat(quoted.length));
}

/** Returns every avoided word in a text, with its offset in UTF-16 code units. */
export function avoidedWordsIn(
  text: string,
): { readonly offset: number; readonly word: string; readonly instead: string }[] {
  return AVOIDED_WORDS.flatMap(({ pattern, instead }) =>
    [...text.matchAll(new RegExp(pattern, "gi"))].map((match) => ({
      offset: match.index,
      word: match[0].trim(),
      instead,
    }))
  );
}
