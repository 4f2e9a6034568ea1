/** A server that is measured or killed: a process of its own with a key that is known. */

import { clearTimeout, setTimeout } from "node:timers";
import { call, type Reply, type RequestOptions } from "./harness.ts";
import { ServeProcess } from "./program.ts";

/** The full-permission key of every server that is started here. */
export const SERVER_KEY = "cpl_test-key-of-a-server-process";

/** A start slower than this is a failure, whatever the machine is busy with. */
const START_TIMEOUT_SECONDS = 120;

/** What a start may have beside its data directory. */
export interface StartOptions {
  readonly logLevel?: string;
  /** Which model embeds; none when left out. */
  readonly embedder?: string;
  /** Further flags of `serve`. */
  readonly flags?: readonly string[];
  /** Options of the runtime, before the program's own, e.g. of a profiler. */
  readonly runtime?: readonly string[];
  /** Called with the process as soon as it exists, before it is ready. */
  readonly onSpawn?: (server: ServerProcess) => void;
}

/** One run of `serve` on a data directory. */
export class ServerProcess {
  readonly #program: ServeProcess;
  #readyMs = 0;
  #killed = false;

  private constructor(program: ServeProcess) {
    this.#program = program;
  }

  /** Resolves at the ready line, or as soon as the process was killed through `onSpawn`. */
  static async start(directory: string, options: StartOptions = {}): Promise<ServerProcess> {
    const began = performance.now();
    const { logLevel = "warn", embedder = "none", flags = [], runtime = [] } = options;
    const environment = { COMMONPLACE_API_KEY: SERVER_KEY, COMMONPLACE_EMBEDDER: embedder };
    const words = ["--log-level", logLevel, ...flags];
    const program = ServeProcess.spawn(directory, words, { environment, runtime });
    const server = new ServerProcess(program);
    options.onSpawn?.(server);
    const timer = setTimeout(() => program.signal("SIGKILL"), START_TIMEOUT_SECONDS * 1_000);
    try {
      await program.ready();
      server.#readyMs = performance.now() - began;
    } catch (error) {
      if (!server.#killed) throw error;
    } finally {
      clearTimeout(timer);
    }
    return server;
  }

  get url(): string {
    return this.#program.url;
  }

  get pid(): number {
    return this.#program.pid;
  }

  /** Milliseconds from the start of the process to its ready line. */
  get readyMs(): number {
    return this.#readyMs;
  }

  /** One request, with the full key unless another is given. */
  readonly call = (method: string, path: string, options: RequestOptions = {}): Promise<Reply> =>
    call(this.url, method, path, { key: SERVER_KEY, ...options });

  /** What was written to standard error. */
  get log(): string {
    return this.#program.stderr;
  }

  /** Ends the process at once, whatever it is doing, and waits until it is gone. */
  async kill(): Promise<void> {
    this.#killed = true;
    this.#signal("SIGKILL");
    await this.#program.stop(null);
  }

  /** Asks the process to stop and waits until it has; answers its exit code. */
  async stop(): Promise<number> {
    this.#signal("SIGTERM");
    return (await this.#program.stop(null)).code;
  }

  /** Asks the process to stop, and doesn't wait for it. */
  beginStop(): void {
    this.#signal("SIGTERM");
  }

  /** A signal that comes after the end of the process is none. */
  #signal(signal: "SIGKILL" | "SIGTERM"): void {
    try {
      this.#program.signal(signal);
    } catch (error) {
      if (!(error instanceof TypeError) && !(error instanceof Deno.errors.NotFound)) throw error;
    }
  }
}
