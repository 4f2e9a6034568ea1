/** Structured logs: one JSON object a line on standard error. Never content, never keys. */

import { setImmediate } from "node:timers";
import { type Clock, timestamp } from "./clock.ts";

/** From the most talkative to none at all. */
export const LOG_LEVELS = ["debug", "info", "warn", "error", "off"] as const;

/** How much is logged; each level includes the ones after it. */
export type LogLevel = typeof LOG_LEVELS[number];

/** What a log line may carry: scalars only, so that no record can slip in. */
export type LogFields = Readonly<Record<string, string | number | boolean | null | undefined>>;

/** Writes log lines. `flush` hands over what is still held back. */
export interface Log {
  debug(event: string, fields?: LogFields): void;
  info(event: string, fields?: LogFields): void;
  warn(event: string, fields?: LogFields): void;
  error(event: string, fields?: LogFields): void;
  flush(): void;
}

/**
 * Lines are gathered for a turn of the event loop and written at once: a write for each request
 * would cost more than the request's own work.
 */
export function jsonLog(clock: Clock, level: LogLevel, write: (text: string) => void): Log {
  const threshold = LOG_LEVELS.indexOf(level);
  let held = "";
  const flush = () => {
    const text = held;
    held = "";
    if (text !== "") write(text);
  };
  const line = (rank: LogLevel) => (event: string, fields: LogFields = {}) => {
    if (LOG_LEVELS.indexOf(rank) < threshold) return;
    if (held === "") setImmediate(flush);
    held += JSON.stringify({ time: timestamp(clock.now()), level: rank, event, ...fields }) + "\n";
  };
  return {
    debug: line("debug"),
    info: line("info"),
    warn: line("warn"),
    error: line("error"),
    flush,
  };
}

/** A log on standard error. */
export function stderrLog(clock: Clock, level: LogLevel): Log {
  const encoder = new TextEncoder();
  return jsonLog(clock, level, (text) => void Deno.stderr.writeSync(encoder.encode(text)));
}

/** The stack of anything thrown, for the log. */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause === undefined ? "" : `; caused by ${describeError(error.cause)}`;
  return `${error.stack ?? error.message}${cause}`;
}
