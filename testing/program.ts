/** The program as people run it: a child process with the permissions that its tasks give it. */

import { join } from "node:path";
import config from "../deno.json" with { type: "json" };

const root = join(import.meta.dirname!, "..");

/** Environment that a child process can't do without; nothing of ours comes through by itself. */
const INHERITED_VARIABLES = ["PATH", "HOME", "DENO_DIR", "TMPDIR"];

/** How a finished process ended. */
export interface CommandResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Settings of one run. */
export interface RunOptions {
  readonly environment?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** Lets a write past the limit on file sizes fail, as on a full disk, rather than end the process. */
  readonly ignoreFileSizeSignal?: boolean;
  /** The built executable to run in place of the source. */
  readonly executable?: string;
  /** What a command reads on its standard input; nothing unless given. */
  readonly stdin?: string;
  /** Words before the command line, e.g. of a program that takes its rights away. */
  readonly prefix?: readonly string[];
  /** Options of the runtime, before the program's own, e.g. of a profiler. */
  readonly runtime?: readonly string[];
}

/** `deno run …` up to `main.ts`, as the task of the project file has it. */
function taskArgs(task: "serve" | "commonplace"): string[] {
  // The shell of tasks asks Deno for its own path; there is no shell here.
  const line = config.tasks[task].command.replace(/\$\(.*?\)'\)/, Deno.execPath());
  const [, ...words] = line.replaceAll('"', "").split(" ");
  const end = words.indexOf("main.ts");
  return [...words.slice(0, end), "--config", join(root, "deno.json"), join(root, "main.ts")];
}

function createCommand(commandArgs: readonly string[], options: RunOptions) {
  const { environment = {}, cwd, ignoreFileSizeSignal = false } = options;
  const [run, ...rest] = taskArgs(commandArgs[0] === "serve" ? "serve" : "commonplace");
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
  const kept = INHERITED_VARIABLES.flatMap((name) => {
    const value = Deno.env.get(name);
    return value === undefined ? [] : [[name, value]];
  });
  return new Deno.Command(program!, {
    args,
    clearEnv: true,
    // Tests about anything but meaning don't embed, nor do they pay for it.
    env: { COMMONPLACE_EMBEDDER: "none", ...Object.fromEntries(kept), ...environment },
    ...(cwd === undefined ? {} : { cwd }),
    stdin: options.stdin === undefined ? "null" : "piped",
    stdout: "piped",
    stderr: "piped",
  });
}

/** Runs a command line to its end. */
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

/** Begins a command line and doesn't wait for its end. */
export function spawn(args: readonly string[], options: RunOptions = {}): Deno.ChildProcess {
  return createCommand(args, options).spawn();
}

/** Characters kept of a log, at least: a server under load writes more than anybody reads. */
const MIN_LOG_CHARACTERS = 1_000_000;

function truncateLog(log: string): string {
  return log.length > 2 * MIN_LOG_CHARACTERS ? log.slice(-MIN_LOG_CHARACTERS) : log;
}

/** The ready line, to its end: what is read of a pipe may stop amid it. */
const READY_LINE = /^commonplace listening on (\S+)\n/m;

/** A serving process. */
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

  /** Starts `serve` on a free port, and doesn't wait for it. */
  static spawn(directory: string, args: readonly string[] = [], options: RunOptions = {}) {
    const child = createCommand(["serve", "--data", directory, "--port", "0", ...args], options)
      .spawn();
    return new ServeProcess(child);
  }

  /** Waits for the ready line; throws when the process ends before it. */
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

  /** Where it listens, by its ready line. */
  get url(): string {
    return READY_LINE.exec(this.#stdout)![1]!;
  }

  /** The key that the first start printed. */
  get apiKey(): string {
    return /^API key {2}(cpl_\S+)$/m.exec(this.#stdout)![1]!;
  }

  signal(name: Deno.Signal): void {
    this.#child.kill(name);
  }

  /** Waits for the end of the process; asks for it first, unless told not to. */
  async stop(signal: Deno.Signal | null = "SIGTERM"): Promise<CommandResult> {
    if (signal !== null) this.#child.kill(signal);
    const { code } = await this.#child.status;
    await this.#reading;
    return { code, stdout: this.#stdout, stderr: this.#stderr };
  }

  /** Ends a process that a failed test has left behind. */
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

  /** Waits until what has been printed fits; throws when the process ends before. */
  async #until(fits: () => boolean): Promise<void> {
    while (!fits()) {
      if (this.#open === 0) throw new Error(`The program ended: ${this.#stderr}`);
      await new Promise<void>((resolve) => this.#wake = resolve);
    }
  }
}
