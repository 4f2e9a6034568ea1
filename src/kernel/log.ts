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

const NEWLINE = 10;

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
    buffered += formatLine(clock, lineLevel, event, fields);
  };
  return {
    debug: logAt("debug"),
    info: logAt("info"),
    warn: logAt("warn"),
    error: logAt("error"),
    flush,
  };
}

function formatLine(clock: Clock, level: LogLevel, event: string, fields: LogFields): string {
  return JSON.stringify({ time: timestamp(clock.now()), level, event, ...fields }) + "\n";
}

/**
 * Creates a log that writes to standard error. Lines that can't be written are lost and counted: a
 * full disk or a reader that is gone must not stop the service.
 *
 * @param write writes at least one byte and returns how many it has written, or throws
 */
export function stderrLog(
  clock: Clock,
  level: LogLevel,
  write: (bytes: Uint8Array) => number = (bytes) => Deno.stderr.writeSync(bytes),
): Log {
  const encoder = new TextEncoder();
  let lost = 0;
  /** Whether the end of the last line is missing. */
  let isCut = false;
  /** Returns the number of lines that were lost. */
  const writeLines = (text: string) => {
    const bytes = encoder.encode(text);
    let written = 0;
    try {
      while (written < bytes.length) written += write(bytes.subarray(written));
    } catch {
      if (written > 0) isCut = bytes[written - 1] !== NEWLINE;
    }
    return countLines(bytes.subarray(written));
  };
  return jsonLog(clock, level, (text) => {
    if (lost > 0) {
      const note = formatLine(clock, "warn", "log lines were lost", { lines: lost });
      if (writeLines(isCut ? `\n${note}` : note) > 0) {
        lost += countLines(encoder.encode(text));
        return;
      }
      isCut = false;
    }
    lost = writeLines(text);
  });
}

function countLines(bytes: Uint8Array): number {
  return bytes.reduce((count, byte) => byte === NEWLINE ? count + 1 : count, 0);
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
