/** Walks through a page: every command is run by a shell, every output held against what it shows. */

import { ok } from "node:assert/strict";
import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { followed } from "../derived_service/views.ts";
import type { TestServer } from "../harness.ts";
import { makeTempDirSync, rm } from "../temporary.ts";
import { blocksOf, mismatch, withIds } from "./page.ts";

const ROOT = join(import.meta.dirname!, "../..");

/** What a walk has gone through. */
export interface Walked {
  readonly commands: number;
  readonly outputs: number;
}

/**
 * Runs a page from its first block to its last in one shell, against a server.
 *
 * - `sh`: run, in a folder of its own with `URL` and `KEY` set and `commonplace` at hand; a command
 *   that ends with another code than 0 fails the test. `sh by hand` is not run.
 * - `json` and `text` after it: what it has printed.
 * - any block with a file's name after its language: is that file.
 *
 * Between two blocks the work of the server in the background comes to its end.
 */
export async function walk(page: string, server: TestServer): Promise<Walked> {
  const folder = makeTempDirSync();
  const shell = new Shell(folder, server);
  const ids = new Map<string, string>();
  const walked = { commands: 0, outputs: 0 };
  try {
    let printed: string | undefined;
    for (const { language, note, text } of blocksOf(readFileSync(join(ROOT, page), "utf8"))) {
      if (note === "by hand") printed = undefined;
      else if (note !== "") writeFileSync(join(folder, note), text);
      else if (language === "sh") {
        printed = await shell.run(localized(withIds(text, ids), server));
        walked.commands++;
        await followed(server);
        await server.embedded();
      } else if (printed !== undefined && (language === "json" || language === "text")) {
        const pattern = mismatch(text, printed, ids);
        ok(pattern === null, `${page} shows\n${text}\nand what was printed is\n${printed}`);
        walked.outputs++;
      }
    }
  } finally {
    await shell.close();
    await rm(folder);
  }
  return walked;
}

/** The page's address and key, which are those of a server at home, as those of this one. */
function localized(text: string, { url, key }: TestServer): string {
  return text.replaceAll("http://127.0.0.1:8420", url).replaceAll("cpl_…", key);
}

/** One shell, which keeps its variables, functions and folder from command to command. */
class Shell {
  readonly #child: Deno.ChildProcess;
  readonly #input: WritableStreamDefaultWriter<Uint8Array>;
  readonly #output: ReadableStreamDefaultReader<string>;
  #read = "";

  constructor(folder: string, { url, key, directory }: TestServer) {
    const program = join(folder, "commonplace");
    writeFileSync(
      program,
      `#!/bin/sh\nexec "${Deno.execPath()}" run -A --quiet "${join(ROOT, "main.ts")}" "$@"\n`,
    );
    chmodSync(program, 0o755);
    const env = {
      PATH: `${folder}:${join(Deno.execPath(), "..")}:${Deno.env.get("PATH")}`,
      HOME: Deno.env.get("HOME") ?? folder,
      URL: url,
      KEY: key,
      COMMONPLACE_DATA: directory,
      COMMONPLACE_EMBEDDER: "none",
    };
    const command = new Deno.Command("sh", {
      clearEnv: true,
      env,
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
  }

  /** Runs a command and answers what it has printed. @throws Error when it fails */
  async run(command: string): Promise<string> {
    const line = `{ ${command.trimEnd()}\n} 2>&1; printf '\\n<end of block %s>\\n' $?\n`;
    await this.#input.write(new TextEncoder().encode(line));
    let ended: RegExpExecArray | null;
    while ((ended = /\n<end of block (\d+)>\n/.exec(this.#read)) === null) {
      const { value, done } = await this.#output.read();
      if (done) throw new Error(`The shell ended in\n${command}\n${this.#read}`);
      this.#read += value;
    }
    const printed = this.#read.slice(0, ended.index);
    this.#read = this.#read.slice(ended.index + ended[0].length);
    if (ended[1] !== "0") throw new Error(`Code ${ended[1]} of\n${command}\n${printed}`);
    return printed;
  }

  async close(): Promise<void> {
    await this.#input.close();
    await this.#output.cancel();
    await this.#child.status;
  }
}
