/**
 * Evaluates turn retrieval on conversations: does a search find the turns with the evidence for a
 * question? Each turn becomes a memory, each conversation a user, and each session a run.
 */

import type { TestServer } from "../../testing/harness.ts";
import { meanMetrics, type RankMetrics, rankMetrics } from "./metrics.ts";

/** A turn. Its id is unique in its conversation. */
export interface Turn {
  readonly conv: number;
  readonly id: string;
  readonly session: number;
  /** ISO date of the session. */
  readonly date: string;
  readonly speaker: string;
  readonly text: string;
}

export interface Question {
  readonly conv: number;
  readonly q: string;
  readonly cat: number;
  readonly ev: readonly string[];
}

/** Conversations, and questions about them. */
export interface Dialogues {
  readonly turns: readonly Turn[];
  readonly questions: readonly Question[];
}

/** How to store the turns of a session. */
export type StorageMode = "messages of one add" | "one by one";

/** Mean metrics, across all questions and per category. */
export interface DialogueMetrics extends RankMetrics {
  readonly byCategory: Readonly<Record<number, RankMetrics>>;
  /** Turn ids, keyed by memory id. */
  readonly turnOf: ReadonlyMap<string, string>;
}

/** Returns the user id that a conversation's turns are stored under. */
export function userOf(mode: StorageMode, conversation: number): string {
  return `${mode === "one by one" ? "single" : "joined"}-${conversation}`;
}

/** Stores the turns on a server, runs all questions, and returns the mean metrics. */
export async function evaluateDialogues(
  server: TestServer,
  { turns, questions }: Dialogues,
  mode: StorageMode,
  dated: boolean,
): Promise<DialogueMetrics> {
  const turnOf = await storeTurns(server, turns, mode, dated);
  await server.waitForEmbeddings();
  const measured: (RankMetrics & { cat: number })[] = [];
  for (const question of questions) {
    const reply = await server.call("POST", "/v1/memories/search", {
      body: { query: question.q, user_id: userOf(mode, question.conv), top_k: 50 },
    });
    const found = reply.json.results.map(({ id }: { id: string }) => turnOf.get(id));
    measured.push({ ...rankMetrics(found, question.ev), cat: question.cat });
  }
  const categories = [...Map.groupBy(measured, ({ cat }) => cat)]
    .sort(([a], [b]) => a - b)
    .map(([cat, ofCategory]) => [cat, meanMetrics(ofCategory)] as const);
  return { ...meanMetrics(measured), byCategory: Object.fromEntries(categories), turnOf };
}

/** Stores all turns and returns their ids, keyed by memory id. */
async function storeTurns(
  server: TestServer,
  turns: readonly Turn[],
  mode: StorageMode,
  dated: boolean,
): Promise<Map<string, string>> {
  const turnOf = new Map<string, string>();
  const sessions = Map.groupBy(turns, (turn) => `${turn.conv} ${turn.session}`);
  for (const session of sessions.values()) {
    const adds = mode === "one by one" ? session.map((turn) => [turn]) : [session];
    for (const add of adds) {
      const { conv, session: number, date } = add[0]!;
      const body = {
        messages: add.map(({ speaker, text }) => ({
          role: "user",
          content: `${speaker}: ${text}`,
        })),
        user_id: userOf(mode, conv),
        run_id: `session-${number}`,
        infer: false,
        ...(dated ? { event_date: date } : {}),
      };
      const reply = await server.call("POST", "/v1/memories", { body });
      reply.json.results.forEach(({ id }: { id: string }, index: number) =>
        turnOf.set(id, add[index]!.id)
      );
    }
  }
  return turnOf;
}
