/**
 * Reads the development half of LoCoMo. Only questions with evidence in categories 1 to 4 are used.
 */

import { readLines } from "./data.ts";
import type { Dialogues, Question, Turn } from "./dialogues.ts";

/** Returns the questions with evidence, except for adversarial ones. */
export function readQuestions(): Question[] {
  return readLines<Question>("locomo/questions.jsonl")
    .filter((question) => question.cat <= 4 && question.ev.length > 0);
}

/** Returns all turns and questions. */
export function readLocomo(): Dialogues {
  const turns = readLines<Turn>("locomo/memories.jsonl")
    .map((turn) => ({ ...turn, date: isoDate(turn.date) }));
  return { turns, questions: readQuestions() };
}

/** Converts a date like `1:56 pm on 8 May, 2023` to an ISO date. */
function isoDate(text: string): string {
  const [, day, month, year] = /on (\d+) (\w+), (\d{4})/.exec(text)!;
  return new Date(`${day} ${month} ${year} UTC`).toISOString().slice(0, 10);
}
