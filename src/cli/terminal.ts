/** The real terminal: standard output, environment variables and user confirmation. */

import { type Terminal, UsageError } from "./command.ts";
import { readSystemError } from "./system_error.ts";

/** Time between two attempts to write to a full pipe that doesn't block, in milliseconds. */
const RETRY_MS = 5;

/** Maximum length of a line with the reply to a question. */
const MAX_REPLY_BYTES = 1_024;

/**
 * Thrown when the reader of standard output is gone, e.g. `head`, which has read enough. This is not
 * a failure: the command ends without a message.
 */
export class OutputClosedError extends Error {
  override readonly name = "OutputClosedError";
}

export const terminal: Terminal = {
  print: (line) => writeOutput(new TextEncoder().encode(line + "\n")),
  environment: (name) => Deno.env.get(name),
  confirm(question) {
    if (!Deno.stdin.isTerminal()) return null;
    // Deno's own `confirm` writes to standard output, which can be a file.
    Deno.stderr.writeSync(new TextEncoder().encode(`${question} [y/N] `));
    const line = new Uint8Array(MAX_REPLY_BYTES);
    const length = Deno.stdin.readSync(line) ?? 0;
    return /^y(es)?$/i.test(new TextDecoder().decode(line.subarray(0, length)).trim());
  },
};

/**
 * Writes all bytes to standard output. Blocks until a reader has accepted them.
 *
 * @param write writes at least one byte and returns how many it has written, or throws
 * @throws OutputClosedError if the reader is gone
 * @throws UsageError if the bytes can't be written for another reason, e.g. to a full disk
 */
export function writeOutput(
  bytes: Uint8Array,
  write: (bytes: Uint8Array) => number = (bytes) => Deno.stdout.writeSync(bytes),
): void {
  for (let written = 0; written < bytes.length;) {
    try {
      written += write(bytes.subarray(written));
    } catch (error) {
      if (error instanceof Deno.errors.BrokenPipe) throw new OutputClosedError();
      // Another program that has the same pipe, e.g. Node, made it one that doesn't block.
      if (error instanceof Deno.errors.WouldBlock) sleep(RETRY_MS);
      else {
        const { message } = error as Error;
        throw new UsageError(`standard output: ${readSystemError(message)?.reason ?? message}`);
      }
    }
  }
}

/** Prints a message to standard error, unless that's impossible: no one could read why. */
export function printMessage(text: string): void {
  try {
    Deno.stderr.writeSync(new TextEncoder().encode(`commonplace: ${text}\n`));
  } catch {
    // The exit code says whether the command failed.
  }
}

function sleep(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
}
