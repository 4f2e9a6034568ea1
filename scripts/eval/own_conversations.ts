/**
 * Reads the conversations of `training/search` that the encoder of memory queries isn't trained on.
 * See the README there for the format.
 */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Dialogues, Question, Turn } from "./dialogues.ts";

const FOLDER = join(import.meta.dirname!, "..", "..", "training", "search");

/** Categories as in LoCoMo: several pieces of evidence, or one. */
const SEVERAL = 1, SINGLE = 4;

/** Returns all turns and questions by an author. */
export function readOwnConversations(author: string): Dialogues {
  const path = join(FOLDER, `${author}.txt`);
  const turns: Turn[] = [];
  const questions: Question[] = [];
  let [conv, session, date] = [-1, 0, ""];
  for (const line of readFileSync(path, "utf8").split("\n")) {
    const question = /^\? (.+) = ([\d, ]+)$/.exec(line);
    const turn = /^(\d+) ([^:]+): (.+)$/.exec(line);
    if (line.startsWith("# ")) conv++;
    else if (line.startsWith("## ")) {
      session++;
      date = line.slice(3, 13);
    } else if (question !== null) {
      const ev = question[2]!.split(",").map((number) => number.trim());
      questions.push({ conv, q: question[1]!, cat: ev.length > 1 ? SEVERAL : SINGLE, ev });
    } else if (turn !== null) {
      const [, id, speaker, text] = turn as unknown as [string, string, string, string];
      turns.push({ conv, id, session, date, speaker, text });
    } else if (line !== "") throw new Error(`${path}: neither a turn nor a question: ${line}`);
  }
  return { turns, questions };
}
