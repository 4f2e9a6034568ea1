/**
 * Shows how far long work is: a line on standard error that is rewritten on a terminal, otherwise
 * an event in the log every now and then.
 */

import type { Log } from "./log.ts";

/** Reports what the work is at, e.g. `Checking the chunks`. */
export type ReportStep = (step: string) => void;

/** For work whose progress is of no interest. */
export const NO_REPORT: ReportStep = () => {};

/** Minimum time between two numbers of the same step, in milliseconds. */
const LINE_INTERVAL_MS = 100;

/** Time before the first event and between two events, in milliseconds. */
const EVENT_INTERVAL_MS = 10_000;

/** Where the line appears, and the time. */
export interface ProgressOutput {
  readonly isTerminal: boolean;
  /** Width of the terminal, in characters. It can change while the line is shown. */
  columns(): number;
  write(text: string): void;
  /** Milliseconds since any point in time. */
  now(): number;
}

function standardError(): ProgressOutput {
  return {
    isTerminal: Deno.stderr.isTerminal(),
    // Some terminals don't know their width, and have none.
    columns: () => Deno.consoleSize().columns || Infinity,
    write: (text) => void Deno.stderr.writeSync(new TextEncoder().encode(text)),
    now: () => performance.now(),
  };
}

/** Progress of one piece of work. */
export class Progress {
  readonly #log: Log | undefined;
  readonly #output: ProgressOutput;
  #width = 0;
  /** The step shown, without its numbers. */
  #kind = "";
  #shownAt = -Infinity;
  #loggedAt: number;

  /** @param log log for the events. Without a log, only the line is shown. */
  constructor(log?: Log, output: ProgressOutput = standardError()) {
    this.#log = log;
    this.#output = output;
    this.#loggedAt = output.now();
  }

  /** Shows a step instead of the previous one. Can be called as often as you like. */
  readonly update: ReportStep = (step) => {
    const now = this.#output.now();
    if (this.#output.isTerminal) {
      // A new step is always shown: it may block the event loop until it's done.
      const kind = step.replaceAll(/\d+/g, "");
      if (kind === this.#kind && now - this.#shownAt < LINE_INTERVAL_MS) return;
      this.#kind = kind;
      this.#shownAt = now;
      // A longer line would wrap, and only its last part could be rewritten.
      const maxWidth = this.#output.columns() - 1;
      const line = step.slice(0, maxWidth).padEnd(Math.min(this.#width, maxWidth));
      this.#width = line.length;
      this.#output.write(`\r${line}`);
    } else if (now - this.#loggedAt >= EVENT_INTERVAL_MS) {
      this.#loggedAt = now;
      this.#log?.info("progress", { step });
    }
  };

  /** Removes the line. */
  end(): void {
    if (this.#width > 0) this.#output.write(`\r${" ".repeat(this.#width)}\r`);
    this.#width = 0;
  }
}

/** Returns megabytes for a progress line, e.g. `12 MB`. */
export function formatMegabytes(bytes: number): string {
  return `${Math.ceil(bytes / 1_000_000)} MB`;
}
