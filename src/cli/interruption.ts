/** Signals that end a command, e.g. that of Ctrl-C. */

/** The signals and their numbers. SIGHUP isn't one of them, since `nohup` ignores it. */
const SIGNALS = [["SIGINT", 2], ["SIGTERM", 15]] as const;

const NEWLINE = new TextEncoder().encode("\n");

/**
 * Calls `handle` for each signal, which then no longer ends the process, with the exit code of a
 * process that it ends: 128 plus its number. Returns a function that undoes this.
 */
export function onSignal(handle: (exitCode: number) => void): () => void {
  const undo = SIGNALS.map(([signal, number]) => {
    const listener = () => handle(128 + number);
    Deno.addSignalListener(signal, listener);
    return () => Deno.removeSignalListener(signal, listener);
  });
  return () => undo.forEach((remove) => remove());
}

/**
 * Runs `work`. If a signal arrives in the meantime, runs `cleanUp` and exits.
 *
 * `work` must not block the event loop for long, since it also blocks the signal.
 *
 * @param cleanUp can return a promise. `work` goes on until that is resolved, but its caller doesn't
 */
export async function withCleanup<T>(
  cleanUp: () => unknown,
  work: () => Promise<T>,
): Promise<T> {
  let interrupted = false;
  const undo = onSignal(async (exitCode) => {
    interrupted = true;
    try {
      // The terminal shows ^C after the line with the progress.
      if (Deno.stderr.isTerminal()) Deno.stderr.writeSync(NEWLINE);
      await cleanUp();
    } finally {
      Deno.exit(exitCode);
    }
  });
  try {
    return await work();
  } finally {
    // Otherwise, the command would end with the exit code of `work` before it is cleaned up.
    if (interrupted) await new Promise(() => {});
    undo();
  }
}
