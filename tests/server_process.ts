/** The service as its users run it: a process of its own, which can be killed. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { clearTimeout, setTimeout } from "node:timers";

/** The full-permission key of every server that is started here. */
export const SERVER_KEY = "cpl_test-key-of-a-server-process";

/** A start slower than this is a failure, whatever the machine is busy with. */
const START_SECONDS = 60;

const ROOT = join(import.meta.dirname!, "..");

/** What a start may have beside its data directory. */
export interface StartOptions {
  readonly logLevel?: string;
  /** Options of the runtime, before the program's own, e.g. of a profiler. */
  readonly runtime?: readonly string[];
  /** Called with the process as soon as it exists, before it is ready. */
  readonly onSpawn?: (process: ServerProcess) => void;
}

/** A server that ended before it was ready. */
export class StartFailedError extends Error {
  override readonly name = "StartFailedError";
}

/** One run of `serve` on a data directory. */
export class ServerProcess {
  readonly #child: Deno.ChildProcess;
  readonly #began = performance.now();
  #url = "";
  #readyMs = 0;
  #log = "";

  private constructor(child: Deno.ChildProcess) {
    this.#child = child;
    void this.#keepLog();
  }

  /** Resolves at the ready line. @throws StartFailedError when the process ends before it */
  static async start(directory: string, options: StartOptions = {}): Promise<ServerProcess> {
    const [program, ...args] = serveCommand(options.runtime ?? []);
    const child = new Deno.Command(program!, {
      args: [
        ...args,
        "--data",
        directory,
        "--port",
        "0",
        "--log-level",
        options.logLevel ?? "warn",
      ],
      env: { COMMONPLACE_API_KEY: SERVER_KEY },
      cwd: ROOT,
      stdin: "null",
      stdout: "piped",
      stderr: "piped",
    }).spawn();
    const server = new ServerProcess(child);
    options.onSpawn?.(server);
    await server.#awaitReadyLine();
    return server;
  }

  get url(): string {
    return this.#url;
  }

  get pid(): number {
    return this.#child.pid;
  }

  /** Milliseconds from the start of the process to its ready line. */
  get readyMs(): number {
    return this.#readyMs;
  }

  /** The end of what was written to standard error. */
  get log(): string {
    return this.#log;
  }

  /** Ends the process at once, as a power cut would, and waits until it is gone. */
  async kill(): Promise<void> {
    this.signal("SIGKILL");
    await this.#child.status;
  }

  /** Asks the process to stop; answers its exit code. */
  async stop(): Promise<number> {
    this.signal("SIGTERM");
    return (await this.#child.status).code;
  }

  /** Sends a signal; one that comes too late is none. */
  signal(signal: "SIGKILL" | "SIGTERM"): void {
    try {
      this.#child.kill(signal);
    } catch (error) {
      if (!(error instanceof TypeError) && !(error instanceof Deno.errors.NotFound)) throw error;
    }
  }

  async #awaitReadyLine(): Promise<void> {
    const timer = setTimeout(() => this.signal("SIGKILL"), START_SECONDS * 1_000);
    let text = "";
    const reader = this.#child.stdout.pipeThrough(new TextDecoderStream()).getReader();
    while (true) {
      const { value, done } = await reader.read();
      text += value ?? "";
      const url = /^commonplace listening on (\S+)\n/m.exec(text)?.[1];
      if (url !== undefined) {
        this.#readyMs = performance.now() - this.#began;
        this.#url = url;
        break;
      }
      if (done) {
        clearTimeout(timer);
        const { code, signal } = await this.#child.status;
        throw new StartFailedError(
          `The server ended before it was ready (${signal ?? code}): ${text}${this.#log}`,
        );
      }
    }
    clearTimeout(timer);
    void reader.cancel();
  }

  async #keepLog(): Promise<void> {
    for await (const part of this.#child.stderr.pipeThrough(new TextDecoderStream())) {
      this.#log = (this.#log + part).slice(-4_000);
    }
  }
}

/** The command of `deno task serve`, so that what is tested has the permissions that users give. */
function serveCommand(runtime: readonly string[]): string[] {
  const tasks = JSON.parse(readFileSync(join(ROOT, "deno.json"), "utf8")).tasks;
  const [, run, ...rest] = (tasks.serve.command as string).replaceAll('"', "").split(" ");
  return [Deno.execPath(), run!, "--cached-only", ...runtime, ...rest];
}
