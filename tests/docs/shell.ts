/** The reader's shell, with a `commonplace` command. */

import { join } from "node:path";

const ROOT = join(import.meta.dirname!, "../..");

/** The service used by a page's commands. */
export interface RunningServer {
  readonly url: string;
  readonly key: string;
}

/**
 * Defines `commonplace`, and makes `deno task` run without printing its command. `node` is Deno with
 * the client of this repository; `deno task integrations clients` runs the same pages on Node. Once `serve`
 * prints its ready line, it moves to the background in its own process group, and ends together
 * with the shell. A failing command ends the shell too.
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
node() { "$DENO" run -A --quiet "$@"; }
python() { "$PYTHON" "$@"; }
pip() { "$PYTHON" -m pip --quiet --disable-pip-version-check "$@"; }
served=
serving() {
  : > served
  COMMONPLACE_PORT=0 COMMONPLACE_DATA="$SERVED_DATA" setsid "$@" > served 2> served.log < /dev/null &
  served="$served $!"
  for _ in $(seq 1200); do
    grep -q '^commonplace listening on' served && { cat served; return 0; }
    sleep 0.1
  done
  cat served.log; return 1
}
end() { for group in $served; do kill -TERM -$group && wait $group || :; done; }
trap end EXIT
set -e
`;

/** Returns where Deno keeps what it has downloaded (docs.deno.com/runtime/reference/env_variables). */
function denoDirectory(): string {
  const home = Deno.env.get("HOME") ?? "/";
  const cache = Deno.build.os === "darwin"
    ? join(home, "Library/Caches")
    : Deno.env.get("XDG_CACHE_HOME") || join(home, ".cache");
  return Deno.env.get("DENO_DIR") || join(cache, "deno");
}

/** Marks where the output of a block ends. */
const END_MARKER = "<end of block>";

/** A shell that keeps its variables, functions and working directory between commands. */
export class Shell {
  readonly #child: Deno.ChildProcess;
  readonly #input: WritableStreamDefaultWriter<Uint8Array>;
  readonly #output: ReadableStreamDefaultReader<string>;
  #read = "";

  /**
   * @param server a running server; if undefined, commands share the data of the server they start
   * @param variables more environment variables; `python` runs the program in `PYTHON`
   */
  constructor(
    folder: string,
    server: RunningServer & { readonly directory?: string } | undefined,
    variables: Readonly<Record<string, string>> = {},
  ) {
    const dataDirectory = join(folder, "commonplace-data");
    const command = new Deno.Command("sh", {
      clearEnv: true,
      env: {
        PATH: Deno.env.get("PATH")!,
        // Programs write their settings here, and pages show this path.
        HOME: join(folder, "home/ana"),
        DENO_DIR: denoDirectory(),
        NO_COLOR: "1",
        DENO: Deno.execPath(),
        ROOT,
        SERVED_DATA: dataDirectory,
        COMMONPLACE_DATA: server?.directory ?? dataDirectory,
        ...server === undefined ? {} : { URL: server.url, KEY: server.key },
        ...variables,
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

  /**
   * Runs commands and returns their output.
   *
   * @throws Error if a command fails
   */
  async run(command: string): Promise<string> {
    await this.#send(`{ ${command.trimEnd()}\n} 2>&1; printf '\\n${END_MARKER}'\n`);
    while (!this.#read.endsWith(END_MARKER)) {
      const { value, done } = await this.#output.read();
      if (done) throw new Error(`The shell exited in\n${command}\n${this.#read}`);
      this.#read += value;
    }
    const printed = this.#read.slice(0, -END_MARKER.length);
    this.#read = "";
    return printed;
  }

  /**
   * Returns the URL and key printed by a first start, or undefined if nothing was printed. Later
   * commands find them in `URL` and `KEY`.
   */
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
