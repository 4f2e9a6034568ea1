/** The program as a process of its own, which a test can kill. */

import { join } from "node:path";
import { textLineStream } from "./text_lines.ts";
import { call, type Reply, type RequestOptions } from "./harness.ts";

const MAIN = join(import.meta.dirname!, "..", "main.ts");

/** Arguments of Deno for any verb. */
export const COMMAND: readonly string[] = ["run", "--quiet", "--allow-all", MAIN];

/** A key for the first start of a server process. */
export const PROCESS_KEY = "cpl_test-key-of-a-server-process";

/** A server in a process of its own. */
export interface ServerProcess {
  readonly url: string;
  readonly pid: number;
  call(method: string, path: string, options?: RequestOptions): Promise<Reply>;
  /** SIGKILL: nothing is finished, nothing is cleaned up. */
  kill(): Promise<void>;
  /** SIGTERM, and the exit code. */
  stop(): Promise<number>;
}

/** Starts a server on a directory and waits until it accepts requests. */
export async function startProcess(
  directory: string,
  ...flags: readonly string[]
): Promise<ServerProcess> {
  const child = new Deno.Command(Deno.execPath(), {
    args: [
      ...COMMAND,
      "serve",
      "--data",
      directory,
      "--port",
      "0",
      "--log-level",
      "warn",
      ...flags,
    ],
    env: { COMMONPLACE_API_KEY: PROCESS_KEY, COMMONPLACE_EMBEDDER: "none" },
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  const lines = child.stdout.pipeThrough(new TextDecoderStream()).pipeThrough(textLineStream());
  const reader = lines.getReader();
  for (;;) {
    const { value, done } = await reader.read();
    if (done) {
      throw new Error(`The server ended before it was ready (${(await child.status).code})`);
    }
    const url = /^commonplace listening on (\S+)$/.exec(value)?.[1];
    if (url === undefined) continue;
    return {
      url,
      pid: child.pid,
      call: (method, path, options = {}) =>
        call(url, method, path, { key: PROCESS_KEY, ...options }),
      async kill() {
        child.kill("SIGKILL");
        await child.status;
        await reader.cancel();
      },
      async stop() {
        child.kill("SIGTERM");
        const { code } = await child.status;
        await reader.cancel();
        return code;
      },
    };
  }
}

/** What a run of the command line left behind. */
export interface CommandOutcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a verb to its end. */
export async function commonplace(...args: readonly string[]): Promise<CommandOutcome> {
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [...COMMAND, ...args],
  }).output();
  const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  return { code, stdout: text(stdout), stderr: text(stderr) };
}

/** Asks until the answer satisfies, at most for `seconds`. */
export async function until<T>(
  ask: () => Promise<T>,
  satisfies: (answer: T) => boolean,
  seconds = 10,
): Promise<T> {
  const deadline = performance.now() + seconds * 1_000;
  for (;;) {
    const answer = await ask();
    if (satisfies(answer)) return answer;
    if (performance.now() > deadline) {
      throw new Error(`Not within ${seconds} s; the last answer was ${JSON.stringify(answer)}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
