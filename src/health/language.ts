/** Checks whether the embedder suits the language that a project's texts are written in. */

import sql, { raw } from "sql-template-tag";
import { BUILTIN_MODELS } from "../embedding/builtin_models.ts";
import { programName } from "../kernel/process/program_name.ts";
import { stopWords } from "../kernel/stop_words.ts";
import type { Reader } from "../store/store.ts";

/** Number of the latest memories to check. */
const MAX_TEXTS = 100;

/** Number of characters of each to judge by. */
const MAX_CHARACTERS = 500;

/** Minimum number of texts to judge by. */
const MIN_TEXTS = 10;

/** Minimum number of letters to judge a text by its script. */
const MIN_LETTERS = 8;

/** Common function words of other languages in Latin script. */
const FOREIGN_WORDS: ReadonlySet<string> = new Set(
  `aber auf auch das dem den der des die ein eine einen für habe hat ich im ist mit nicht sich sie
    und von war wurde zu zum
    con de del el en es está la las los mi muy para pero por que se su un una y
    au aux avec dans depuis du elle est et il je le les ma mes pas pour qui sa sur une
    ao com da do dos é em foi mais meu minha na não no nos o os uma
    ci di gli ho lo nel nella non per sono
    een het ik maar met niet op van voor zijn`.trim().split(/\s+/),
);

/** English function words that mean something else in one of these languages. */
const AMBIGUOUS_WORDS = [
  "am",
  "an",
  "as",
  "at",
  "has",
  "he",
  "in",
  "is",
  "me",
  "of",
  "so",
  "us",
  "was",
  "we",
];

const ENGLISH_WORDS: ReadonlySet<string> = new Set(
  [...stopWords(
    "articles",
    "auxiliaries",
    "modals",
    "negations",
    "thirdPersonPronouns",
    "pronouns",
    "demonstratives",
    "questionWords",
    "conjunctions",
    "prepositions",
  )].filter((word) => !FOREIGN_WORDS.has(word) && !AMBIGUOUS_WORDS.includes(word)),
);

const ENGLISH_MODELS: readonly string[] = [
  BUILTIN_MODELS.minilm.id,
  BUILTIN_MODELS.minilm.table.id,
];

/**
 * Returns what to change if most of a project's latest texts aren't in English but the model only
 * reads English, or null.
 */
export async function languageAdvice(
  db: Reader,
  project: number,
  model: string | null,
): Promise<string | null> {
  if (model === null || !ENGLISH_MODELS.includes(model)) return null;
  const rows = await db.all<{ text: string }>(sql`select
      substr(memory, 1, ${raw(`${MAX_CHARACTERS}`)}) as text from memories
    where project = ${project} order by id desc limit ${MAX_TEXTS}`);
  const judged = rows.map(({ text }) => isEnglish(text)).filter((english) => english !== null);
  const others = judged.filter((english) => !english).length;
  if (judged.length < MIN_TEXTS || others <= judged.length / 2) return null;
  const command = `${programName()} embedder use multilingual-e5-small`;
  return "Most texts aren't in English, and this model only reads English; run " +
    `\`${command}\`, which embeds them again in the background`;
}

/** Checks whether a text is in English. Returns null if its words don't show it. */
export function isEnglish(text: string): boolean | null {
  const letters = text.match(/\p{L}/gu) ?? [];
  const latin = text.match(/\p{Script=Latin}/gu) ?? [];
  if (letters.length >= MIN_LETTERS && latin.length < letters.length / 2) return false;
  const words = text.toLowerCase().match(/\p{L}+/gu) ?? [];
  const count = (known: ReadonlySet<string>) => words.filter((word) => known.has(word)).length;
  const difference = count(ENGLISH_WORDS) - count(FOREIGN_WORDS);
  return difference === 0 ? null : difference > 0;
}
