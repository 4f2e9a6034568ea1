/**
 * Writes structured logs to standard error, one JSON object per line. They never contain content or
 * keys.
 */

import { setImmediate } from "node:timers";
import { type Clock, timestamp } from "./clock.ts";

/** Log levels, from most verbose to none at all. */
export const LOG_LEVELS = ["debug", "info", "warn", "error", "off"] as const;

/** Minimum level to log. Each level includes the ones after it. */
export type LogLevel = typeof LOG_LEVELS[number];

/** Fields in a log line. Only scalars are allowed, so no one can log a record by accident. */
export type LogFields = Readonly<Record<string, string | number | boolean | null | undefined>>;

/** Writes log lines. `flush` writes any still buffered. */
export interface Log {
  debug(event: string, fields?: LogFields): void;
  info(event: string, fields?: LogFields): void;
  warn(event: string, fields?: LogFields): void;
  error(event: string, fields?: LogFields): void;
  flush(): void;
}

/**
 * Creates a log that buffers lines for one turn of the event loop and writes them together. One
 * write per request would cost more than the request's own work.
 *
 * @param level events below this level are dropped
 */
export function jsonLog(clock: Clock, level: LogLevel, write: (text: string) => void): Log {
  const threshold = LOG_LEVELS.indexOf(level);
  let buffered = "";
  const flush = () => {
    const text = buffered;
    buffered = "";
    if (text !== "") write(text);
  };
  const logAt = (lineLevel: LogLevel) => (event: string, fields: LogFields = {}) => {
    if (LOG_LEVELS.indexOf(lineLevel) < threshold) return;
    if (buffered === "") setImmediate(flush);
    buffered +=
      JSON.stringify({ time: timestamp(clock.now()), level: lineLevel, event, ...fields }) + "\n";
  };
  return {
    debug: logAt("debug"),
    info: logAt("info"),
    warn: logAt("warn"),
    error: logAt("error"),
    flush,
  };
}

/**
 * Creates a log that writes to standard error. Lines that can't be written are lost and counted: a
 * full disk or a reader that is gone must not stop the service.
 */
export function stderrLog(clock: Clock, level: LogLevel): Log {
  const encoder = new TextEncoder();
  let lost = 0;
  const log = jsonLog(clock, level, (text) => {
    try {
      Deno.stderr.writeSync(encoder.encode(text));
    } catch {
      lost += text.split("\n").length - 1;
      return;
    }
    if (lost === 0) return;
    const lines = lost;
    lost = 0;
    log.warn("log lines were lost", { lines });
  });
  return log;
}

/**
 * Returns the stack of a thrown value and of its causes, for the log.
 *
 * @example
 * ```ts
 * import { describeError } from "./log.ts";
 * import { match, strictEqual } from "node:assert/strict";
 *
 * strictEqual(describeError("broken"), "broken");
 * match(describeError(new Error("a", { cause: "b" })), /^Error: a[^]*; caused by b$/);
 * ```
 */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const causes = error instanceof AggregateError ? [...error.errors] : [];
  if (error.cause !== undefined) causes.push(error.cause);
  const described = causes.map((cause) => `; caused by ${describeError(cause)}`).join("");
  return `${error.stack ?? error.message}${described}`;
}
