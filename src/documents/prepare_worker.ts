/** Prepares large documents in a thread, one batch per request. */

import { serveRequests } from "../kernel/process/worker_client.ts";
import { type ChunkBatch, type ChunkInput, prepareBatches } from "./prepare.ts";

/** Requests a document's first or next batch, or to forget the document. */
export type PrepareRequest =
  | { readonly requestId: number; readonly start: ChunkInput }
  | { readonly requestId: number; readonly wantsMore: boolean };

const batchIterators = new Map<number, Iterator<ChunkBatch, void>>();

serveRequests((request: PrepareRequest): ChunkBatch => {
  const { requestId } = request;
  if ("start" in request) batchIterators.set(requestId, prepareBatches(request.start));
  else if (!request.wantsMore) {
    batchIterators.delete(requestId);
    return { chunks: [], last: true };
  }
  const batch = batchIterators.get(requestId)?.next().value;
  if (!batch) throw new Error("More batches were requested of an unknown document");
  if (batch.last) batchIterators.delete(requestId);
  return batch;
});
