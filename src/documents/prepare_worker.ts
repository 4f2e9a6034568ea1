/** The thread in which large documents are prepared, a slice at each question. */

import { answerQuestions } from "../kernel/worker_client.ts";
import { type PreparedSlice, prepareSlices, type Unprepared } from "./prepare.ts";

/** For the first slice of a document, for the next one, or for none any more. */
export type PrepareQuestion =
  | { readonly ticket: number; readonly begin: Unprepared }
  | { readonly ticket: number; readonly goOn: boolean };

const begun = new Map<number, Iterator<PreparedSlice, void>>();

answerQuestions((question: PrepareQuestion): PreparedSlice => {
  const { ticket } = question;
  if ("begin" in question) begun.set(ticket, prepareSlices(question.begin));
  else if (!question.goOn) {
    begun.delete(ticket);
    return { chunks: [], last: true };
  }
  const slice = begun.get(ticket)?.next().value;
  if (!slice) throw new Error("A thread was asked for more of a document that it doesn't know");
  if (slice.last) begun.delete(ticket);
  return slice;
});
