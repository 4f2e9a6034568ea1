/** The thread that writes slices, and copies the log: what would hold up the event loop. */

import { answerQuestions } from "../kernel/worker_client.ts";
import { ThreadStore } from "../store/sqlite/thread_store.ts";
import { type SliceQuestion, SliceUnits } from "./slice_units.ts";

export type SlicesQuestion = SliceQuestion | "copy the log";

/** Nothing for the log; for slices see `SliceUnits.run`. */
export type SlicesAnswer = number | boolean | void;

/** The database file. */
const path = (self as unknown as { name: string }).name;

/** Opened by the first question, so that a database that can't be opened is that one's answer. */
let rooms: { readonly store: ThreadStore; readonly units: SliceUnits } | undefined;

function open() {
  const store = new ThreadStore(path);
  return { store, units: new SliceUnits(store) };
}

answerQuestions(async (question: SlicesQuestion): Promise<SlicesAnswer> => {
  const { store, units } = rooms ??= open();
  return question === "copy the log" ? store.copyLog() : await units.run(question);
});
