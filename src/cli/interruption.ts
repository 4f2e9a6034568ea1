/** Cleans up when a signal ends a command. */

/** Signals that end a command, and their numbers. Not SIGHUP, which `nohup` ignores. */
const SIGNALS = [["SIGINT", 2], ["SIGTERM", 15]] as const;

const NEWLINE = new TextEncoder().encode("\n");

/**
 * Runs `work`. If a signal arrives in the meantime, e.g. from Ctrl-C, runs `cleanUp` and exits as
 * after that signal: with 128 plus its number.
 *
 * `work` must not block the event loop for long, since it also blocks the signal.
 */
export async function withCleanup<T>(cleanUp: () => void, work: () => Promise<T>): Promise<T> {
  const listeners = SIGNALS.map(([signal, number]) => {
    const listener = () => {
      try {
        // The terminal shows ^C after the line with the progress.
        if (Deno.stderr.isTerminal()) Deno.stderr.writeSync(NEWLINE);
        cleanUp();
      } finally {
        Deno.exit(128 + number);
      }
    };
    Deno.addSignalListener(signal, listener);
    return () => Deno.removeSignalListener(signal, listener);
  });
  try {
    return await work();
  } finally {
    listeners.forEach((remove) => remove());
  }
}
