/**
 * Runs the program the way users do: in a child process, with the permissions granted by its tasks.
 */

import { join } from "node:path";
import { databaseEnvironment } from "./engine.ts";
import config from "../deno.json" with { type: "json" };

const root = join(import.meta.dirname!, "..");

/** Variables needed by a child process. It inherits no others. */
const INHERITED_VARIABLES = ["PATH", "HOME", "DENO_DIR", "TMPDIR"];

/** The result of an exited process. */
export interface CommandResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Prefix that runs a command line on a pseudo terminal. It needs `python3`. */
export const ON_TERMINAL: readonly string[] = [
  "python3",
  "-c",
  "import pty, sys; sys.exit(pty.spawn(sys.argv[1:]) >> 8)",
];

/** Options for a single run. */
export interface RunOptions {
  readonly environment?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /**
   * Makes a write that exceeds the file size limit fail as if the disk were full, instead of ending
   * the process.
   */
  readonly ignoreFileSizeSignal?: boolean;
  /** A built executable to run instead of the source. */
  readonly executable?: string;
  /** A folder with the source of another version to run. Defaults to this one's. */
  readonly source?: string;
  /** Standard input for the command. Empty by default. */
  readonly stdin?: string;
  /** Words to put before the command line, e.g. a program that drops privileges. */
  readonly prefix?: readonly string[];
  /** Options for the runtime, placed before the program's own. Needed by e.g. a profiler. */
  readonly runtime?: readonly string[];
}

/** Returns the `deno` arguments up to `main.ts`, as defined by the task in deno.json. */
function taskArgs(task: "serve" | "commonplace", source = root): string[] {
  // The task gets Deno's own path from a shell command, but we have no shell here.
  const line = config.tasks[task].command.replace(/\$\(.*?\)'\)/, Deno.execPath());
  const [, ...args] = line.replaceAll('"', "").split(" ");
  const end = args.indexOf("main.ts");
  return [...args.slice(0, end), "--config", join(source, "deno.json"), join(source, "main.ts")];
}

function createCommand(commandArgs: readonly string[], options: RunOptions) {
  const { environment = {}, cwd, ignoreFileSizeSignal = false } = options;
  const task = commandArgs[0] === "serve" ? "serve" : "commonplace";
  const [run, ...rest] = taskArgs(task, options.source);
  const line = [
    ...options.prefix ?? [],
    ...options.executable === undefined
      ? [Deno.execPath(), run!, ...options.runtime ?? [], ...rest]
      : [options.executable],
    ...commandArgs,
  ];
  const [program, ...args] = ignoreFileSizeSignal
    ? ["sh", "-c", `trap '' XFSZ; exec "$@"`, "sh", ...line]
    : line;
  const data = commandArgs[commandArgs.indexOf("--data") + 1];
  const inherited = INHERITED_VARIABLES.flatMap((name) => {
    const value = Deno.env.get(name);
    return value === undefined ? [] : [[name, value]];
  });
  return new Deno.Command(program!, {
    args,
    clearEnv: true,
    // Embedding is off by default: it's slow, and only tests that involve meaning need it.
    env: {
      COMMONPLACE_EMBEDDER: "none",
      ...(commandArgs.includes("--data") ? databaseEnvironment(data!) : {}),
      ...Object.fromEntries(inherited),
      ...environment,
    },
    ...(cwd === undefined ? {} : { cwd }),
    stdin: options.stdin === undefined ? "null" : "piped",
    stdout: "piped",
    stderr: "piped",
  });
}

/** Runs a command line and waits for it to exit. */
export async function run(
  args: readonly string[],
  options: RunOptions = {},
): Promise<CommandResult> {
  const child = createCommand(args, options).spawn();
  const output = child.output();
  if (options.stdin !== undefined) {
    const writer = child.stdin.getWriter();
    await writer.write(new TextEncoder().encode(options.stdin));
    await writer.close();
  }
  const { code, stdout, stderr } = await output;
  const decoder = new TextDecoder();
  return { code, stdout: decoder.decode(stdout), stderr: decoder.decode(stderr) };
}

/** Starts a command line without waiting for it to exit. */
export function spawn(args: readonly string[], options: RunOptions = {}): Deno.ChildProcess {
  return createCommand(args, options).spawn();
}

/** Sends a signal. No-op if the process has already exited. */
export function sendSignal(child: Deno.ChildProcess, name: Deno.Signal): void {
  try {
    child.kill(name);
  } catch (error) {
    if (!(error instanceof TypeError) && !(error instanceof Deno.errors.NotFound)) throw error;
  }
}

/** Minimum number of log characters to keep. A server under load writes more than anyone reads. */
const MIN_LOG_CHARACTERS = 1_000_000;

function truncateLog(log: string): string {
  return log.length > 2 * MIN_LOG_CHARACTERS ? log.slice(-MIN_LOG_CHARACTERS) : log;
}

/** A complete ready line. A read from the pipe can end mid-line. */
const READY_LINE = /^commonplace listening on (\S+)\n/m;

/** A process that runs `serve`. */
export class ServeProcess {
  readonly #child: Deno.ChildProcess;
  readonly #reading: Promise<unknown>;
  #stdout = "";
  #stderr = "";
  #wake: () => void = () => {};
  #open = 2;

  private constructor(child: Deno.ChildProcess) {
    this.#child = child;
    this.#reading = Promise.all([
      this.#gather(child.stdout, (text) => this.#stdout += text),
      this.#gather(child.stderr, (text) => this.#stderr = truncateLog(this.#stderr + text)),
    ]);
  }

  /** Starts `serve` on a free port and waits for its ready line. */
  static async serve(directory: string, args: readonly string[] = [], options: RunOptions = {}) {
    const program = ServeProcess.spawn(directory, args, options);
    await program.ready();
    return program;
  }

  /** Starts `serve` on a free port without waiting for it to be ready. */
  static spawn(directory: string, args: readonly string[] = [], options: RunOptions = {}) {
    const child = createCommand(["serve", "--data", directory, "--port", "0", ...args], options)
      .spawn();
    return new ServeProcess(child);
  }

  /** Waits for the ready line. Throws if the process exits first. */
  async ready(): Promise<void> {
    await this.#until(() => READY_LINE.test(this.#stdout));
  }

  get pid(): number {
    return this.#child.pid;
  }

  get stdout(): string {
    return this.#stdout;
  }

  get stderr(): string {
    return this.#stderr;
  }

  /** The URL in the ready line. */
  get url(): string {
    return READY_LINE.exec(this.#stdout)![1]!;
  }

  /** The key printed by the first start. */
  get apiKey(): string {
    return /^API key {2}(cpl_\S+)$/m.exec(this.#stdout)![1]!;
  }

  /** The sign-in link printed by the first start. */
  get dashboardUrl(): string {
    return /^Dashboard {2}(\S+)$/m.exec(this.#stdout)![1]!;
  }

  /** Sends a signal. No-op if the process has already exited. */
  signal(name: Deno.Signal): void {
    sendSignal(this.#child, name);
  }

  /** Waits for the process to exit. First sends it a signal, unless `signal` is null. */
  async stop(signal: Deno.Signal | null = "SIGTERM"): Promise<CommandResult> {
    if (signal !== null) this.#child.kill(signal);
    const { code } = await this.#child.status;
    await this.#reading;
    return { code, stdout: this.#stdout, stderr: this.#stderr };
  }

  /** Kills a process left running by a failed test. */
  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#open > 0) this.#child.kill("SIGKILL");
    await this.#child.status;
    await this.#reading;
  }

  async #gather(stream: ReadableStream<Uint8Array>, add: (text: string) => void): Promise<void> {
    const texts = stream.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string>);
    for await (const text of texts) {
      add(text);
      this.#wake();
    }
    this.#open--;
    this.#wake();
  }

  /** Waits until `isDone` returns true. Throws if the process exits first. */
  async #until(isDone: () => boolean): Promise<void> {
    while (!isDone()) {
      if (this.#open === 0) throw new Error(`The process exited: ${this.#stderr}`);
      await new Promise<void>((resolve) => this.#wake = resolve);
    }
  }
}
