/** The shell of a reader, in which the program is at hand. */

import { join } from "node:path";

const ROOT = join(import.meta.dirname!, "../..");

/** A service that commands of a page talk to. */
export interface RunningServer {
  readonly url: string;
  readonly key: string;
}

/**
 * `commonplace` is the program, and a task of Deno doesn't tell what it runs. `serve` goes on in the
 * background, in a process group of its own, once it has printed that it is ready, and ends with the
 * shell. A command that fails ends it too.
 */
const SHELL_FUNCTIONS = `
commonplace() {
  case $1 in serve) serving "$DENO" run -A --quiet "$ROOT/main.ts" "$@" ;;
    *) "$DENO" run -A --quiet "$ROOT/main.ts" "$@" ;; esac
}
deno() {
  case "$1 $2" in
    'task serve') shift; serving "$DENO" task --quiet "$@" ;;
    'task '*) shift; "$DENO" task --quiet "$@" ;;
    *) "$DENO" "$@" ;;
  esac
}
served=
serving() {
  COMMONPLACE_PORT=0 COMMONPLACE_DATA="$SERVED_DATA" setsid "$@" > served 2> served.log < /dev/null &
  served="$served $!"
  for _ in $(seq 1200); do
    grep -q '^commonplace listening on' served && { cat served; return 0; }
    sleep 0.1
  done
  cat served.log; return 1
}
end() { for each in $served; do kill -TERM -$each && wait $each || :; done; }
trap end EXIT
set -e
`;

/** What stands where the output of a block ends. */
const END_MARKER = "<end of block>";

/** One shell, which keeps its variables, functions and folder from command to command. */
export class Shell {
  readonly #child: Deno.ChildProcess;
  readonly #input: WritableStreamDefaultWriter<Uint8Array>;
  readonly #output: ReadableStreamDefaultReader<string>;
  #read = "";

  /** @param server what is running; undefined: commands share the data of what they start */
  constructor(folder: string, server: RunningServer & { readonly directory?: string } | undefined) {
    const own = join(folder, "commonplace-data");
    const command = new Deno.Command("sh", {
      clearEnv: true,
      env: {
        PATH: Deno.env.get("PATH")!,
        HOME: Deno.env.get("HOME") ?? folder,
        NO_COLOR: "1",
        DENO: Deno.execPath(),
        ROOT,
        SERVED_DATA: own,
        COMMONPLACE_DATA: server?.directory ?? own,
        ...server === undefined ? {} : { URL: server.url, KEY: server.key },
      },
      cwd: folder,
      stdin: "piped",
      stdout: "piped",
      stderr: "inherit",
    });
    this.#child = command.spawn();
    this.#input = this.#child.stdin.getWriter();
    const text = this.#child.stdout.pipeThrough(
      new TextDecoderStream() as ReadableWritablePair<string>,
    );
    this.#output = text.getReader();
    void this.#send(SHELL_FUNCTIONS);
  }

  /** Runs commands and answers what they have printed. @throws Error when one fails */
  async run(command: string): Promise<string> {
    await this.#send(`{ ${command.trimEnd()}\n} 2>&1; printf '\\n${END_MARKER}'\n`);
    while (!this.#read.endsWith(END_MARKER)) {
      const { value, done } = await this.#output.read();
      if (done) throw new Error(`The shell ended in\n${command}\n${this.#read}`);
      this.#read += value;
    }
    const printed = this.#read.slice(0, -END_MARKER.length);
    this.#read = "";
    return printed;
  }

  /** What a first start has told of itself; later commands find it as `URL` and `KEY`. */
  startedServer(printed: string): RunningServer | undefined {
    const url = /^commonplace listening on (\S+)$/m.exec(printed)?.[1];
    const key = /^API key +(\S+)$/m.exec(printed)?.[1];
    if (url === undefined || key === undefined) return undefined;
    void this.#send(`export URL=${url} KEY=${key}\n`);
    return { url, key };
  }

  async close(): Promise<void> {
    await this.#input.close();
    await this.#output.cancel();
    await this.#child.status;
  }

  async #send(text: string): Promise<void> {
    await this.#input.write(new TextEncoder().encode(text));
  }
}
