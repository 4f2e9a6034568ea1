/** The thread in which large documents are prepared, a slice at each question. */

import { serveRequests } from "../kernel/worker_client.ts";
import { type ChunkBatch, type ChunkInput, prepareBatches } from "./prepare.ts";

/** For the first slice of a document, for the next one, or for none any more. */
export type PrepareRequest =
  | { readonly requestId: number; readonly begin: ChunkInput }
  | { readonly requestId: number; readonly goOn: boolean };

const batchIterators = new Map<number, Iterator<ChunkBatch, void>>();

serveRequests((question: PrepareRequest): ChunkBatch => {
  const { requestId } = question;
  if ("begin" in question) batchIterators.set(requestId, prepareBatches(question.begin));
  else if (!question.goOn) {
    batchIterators.delete(requestId);
    return { chunks: [], last: true };
  }
  const slice = batchIterators.get(requestId)?.next().value;
  if (!slice) throw new Error("A thread was asked for more of a document that it doesn't know");
  if (slice.last) batchIterators.delete(requestId);
  return slice;
});
