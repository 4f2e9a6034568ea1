/** Runs a server in a child process with a known key, so that it can be measured or killed. */

import { clearTimeout, setTimeout } from "node:timers";
import { call, type Reply, type RequestOptions } from "./harness.ts";
import { ServeProcess } from "./program.ts";

/** A key with every permission, shared by all servers started here. */
export const SERVER_KEY = "cpl_test-key-of-a-server-process";

/**
 * Time limit for a start, in seconds. Anything slower is a failure, however busy the machine is.
 */
const START_TIMEOUT_SECONDS = 120;

/** Options for a start. */
export interface StartOptions {
  readonly logLevel?: string;
  /** The embedder to use. Defaults to none. */
  readonly embedder?: string;
  /** Additional variables. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Additional flags for `serve`. */
  readonly flags?: readonly string[];
  /** Options for the runtime, placed before the program's own. Needed by e.g. a profiler. */
  readonly runtime?: readonly string[];
  /** A folder with the source of another version to run. */
  readonly source?: string;
  /** Called as soon as the process exists, before it's ready. */
  readonly onSpawn?: (server: ServerProcess) => void;
}

/** A single `serve` run on a data directory. */
export class ServerProcess {
  readonly #program: ServeProcess;
  #readyMs = 0;
  #killed = false;

  private constructor(program: ServeProcess) {
    this.#program = program;
  }

  /** Resolves on the ready line, or as soon as the process is killed through `onSpawn`. */
  static async start(directory: string, options: StartOptions = {}): Promise<ServerProcess> {
    const began = performance.now();
    const { logLevel = "warn", embedder = "none", flags = [], runtime = [] } = options;
    const environment = {
      COMMONPLACE_API_KEY: SERVER_KEY,
      COMMONPLACE_EMBEDDER: embedder,
      ...options.environment,
    };
    const args = ["--log-level", logLevel, ...flags];
    const source = options.source === undefined ? {} : { source: options.source };
    const program = ServeProcess.spawn(directory, args, { environment, runtime, ...source });
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

  /** Time from process start to ready line, in milliseconds. */
  get readyMs(): number {
    return this.#readyMs;
  }

  /** Sends one request, with the full key by default. */
  readonly call = (method: string, path: string, options: RequestOptions = {}): Promise<Reply> =>
    call(this.url, method, path, { key: SERVER_KEY, ...options });

  /** What the process wrote to standard error. */
  get log(): string {
    return this.#program.stderr;
  }

  /** Kills the process immediately and waits for it to be gone. */
  async kill(): Promise<void> {
    this.#killed = true;
    this.#program.signal("SIGKILL");
    await this.#program.stop(null);
  }

  /** Asks the process to stop, waits for it to exit, and returns its exit code. */
  async stop(): Promise<number> {
    this.#program.signal("SIGTERM");
    return (await this.#program.stop(null)).code;
  }

  /** Asks the process to stop without waiting for it. */
  beginStop(): void {
    this.#program.signal("SIGTERM");
  }
}
