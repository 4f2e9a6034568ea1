/** Runs third-party programs, and waits for what they print. */

/** A running program. */
export interface RunningProgram {
  /** Resolves with the first group of a pattern as soon as the program has printed it. */
  waitFor(pattern: RegExp): Promise<string>;
  /** Returns everything printed so far. */
  output(): string;
  exitCode(): Promise<number>;
  stop(): void;
}

/** Starts a program and collects both of its outputs. */
export function startProgram(
  command: string,
  args: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>> = {},
): RunningProgram {
  const child = new Deno.Command(command, {
    args: [...args],
    cwd,
    env,
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  let printed = "";
  let waiting: (() => void)[] = [];
  const wake = () => {
    for (const resume of waiting) resume();
    waiting = [];
  };
  const collect = async (stream: ReadableStream<Uint8Array>) => {
    for await (const text of stream.pipeThrough(new TextDecoderStream())) {
      printed += text;
      wake();
    }
  };
  const ended = Promise.all([
    child.status,
    collect(child.stdout),
    collect(child.stderr),
  ]);
  let exited = false;
  void ended.then(() => {
    exited = true;
    wake();
  });
  return {
    async waitFor(pattern) {
      for (;;) {
        const found = pattern.exec(printed)?.[1];
        if (found !== undefined) return found;
        if (exited) {
          throw new Error(
            `${command} exited without printing ${pattern}:\n${printed}`,
          );
        }
        await new Promise<void>((resume) => void waiting.push(resume));
      }
    },
    output: () => printed,
    exitCode: async () => (await ended)[0].code,
    stop: () => child.kill(),
  };
}

/** Runs a program to its end. */
export async function runConformance(
  command: readonly string[],
  args: readonly string[],
  cwd: string,
): Promise<{ readonly code: number; readonly output: string }> {
  const program = startProgram(Deno.execPath(), [...command, ...args], cwd);
  const code = await program.exitCode();
  return { code, output: program.output() };
}
