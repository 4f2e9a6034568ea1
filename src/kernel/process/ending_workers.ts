/**
 * Ends worker threads that run native code. If a thread or the process ends while a model is being
 * loaded, the process crashes: 3 of 24 stops soon after a start did, with Deno 2.9.6 and the ONNX
 * runtime 1.30.0.
 */

import { systemTimers, waitAtMost } from "../timers.ts";

/** How long a worker may take for what it was sent, in milliseconds. */
const MAX_ENDING_MS = 10_000;

const ending = new Set<Promise<void>>();

/**
 * Terminates a worker once it has responded to what it was sent. The responses are dropped.
 *
 * @param responses number of messages that the worker hasn't responded to yet
 */
export function terminateWhenDone(worker: Worker, responses: number): void {
  if (responses === 0) return worker.terminate();
  const done = Promise.withResolvers<void>();
  let left = responses;
  worker.onmessage = () => {
    left--;
    if (left === 0) done.resolve();
  };
  worker.onerror = (event) => {
    event.preventDefault();
    done.resolve();
  };
  const ended = waitAtMost(systemTimers, MAX_ENDING_MS, done.promise).then(() => {
    worker.terminate();
    ending.delete(ended);
  });
  ending.add(ended);
}

/** Resolves when no worker is about to be terminated. */
export async function allWorkersEnded(): Promise<void> {
  await Promise.all(ending);
}
