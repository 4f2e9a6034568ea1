/** The thread that writes slices: a megabyte of them would hold up the event loop. */

import { answerQuestions } from "../kernel/worker_client.ts";
import { ThreadStore } from "../store/sqlite/thread_store.ts";
import { type SliceAnswer, type SliceQuestion, SliceUnits } from "./slice_units.ts";

/** The database file. */
const path = (self as unknown as { name: string }).name;

/** Opened by the first question, so that a database that can't be opened is that one's answer. */
let units: SliceUnits | undefined;

answerQuestions((question: SliceQuestion): Promise<SliceAnswer> => {
  units ??= new SliceUnits(new ThreadStore(path));
  return units.run(question);
});
