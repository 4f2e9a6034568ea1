/**
 * Walks through a page: runs every command in a shell and compares the output with what's shown.
 */

import { ok } from "node:assert/strict";
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { call } from "../../testing/harness.ts";
import { makeTempDirSync, rm } from "../../testing/temp_dir.ts";
import { NOT_WALKED } from "./not_walked.ts";
import { type Block, blocksOf, mismatch, withIds } from "./page.ts";
import { type RunningServer, Shell } from "./shell.ts";
import { waitUntil } from "../../testing/wait_until.ts";

const ROOT = join(import.meta.dirname!, "../..");

/** The service's address on the pages. */
const DOCUMENTED_URL = "http://127.0.0.1:8420";

/** Files and folders missing from a fresh clone of the repository. */
const NOT_CLONED = /^(\.git|dist|commonplace-data)$/;

/**
 * Installs the packages as `deno task serve` does, once. It removes files that the program doesn't
 * use, for which it has no permission in a folder with a link to the packages.
 */
const packagesInstalled = new Deno.Command(Deno.execPath(), {
  args: ["task", "--quiet", "packages"],
  cwd: ROOT,
}).output();

/** Checks whether a page starts its own server first, so it doesn't need one. */
export function startsServer(blocks: readonly Block[]): boolean {
  const first = blocks.find(({ language }) => language === "sh");
  return first !== undefined && /^(?:deno task|commonplace) serve\b/m.test(first.text);
}

/** Returns a page's blocks, except for those in `NOT_WALKED`. */
export function walkedBlocks(page: string): Block[] {
  const listed = NOT_WALKED.filter((entry) => entry.page === page);
  return blocksOf(readFileSync(join(ROOT, page), "utf8"))
    .filter(({ text }) => !listed.some(({ beginning }) => text.startsWith(beginning)));
}

/**
 * Runs a page from its first block to its last in a single shell, in a folder that looks like a
 * clone of the repository.
 *
 * - `sh`: run with `URL`, `KEY` and `commonplace` defined. A command with an exit code other than 0
 *   fails the test. `serve` returns once the service is ready, and ends with the walk.
 * - a block with a file name after its language: written to that file.
 * - any other block: compared with the output of the commands before it.
 *
 * Waits for the server's background work after each block of commands.
 *
 * @param server the server to use; undefined if the page starts one itself
 * @param variables more environment variables for the shell
 */
export async function walk(
  page: string,
  server: RunningServer | undefined,
  variables: Readonly<Record<string, string>> = {},
): Promise<void> {
  ok((await packagesInstalled).success, "The packages can't be installed");
  const folder = makeTempDirSync();
  for (const entry of readdirSync(ROOT).filter((name) => !NOT_CLONED.test(name))) {
    symlinkSync(join(ROOT, entry), join(folder, entry));
  }
  const shell = new Shell(folder, server, variables);
  const ids = new Map<string, string>();
  try {
    let running = server;
    let printed: string | undefined;
    for (const { language, note, text } of walkedBlocks(page)) {
      if (note !== "") {
        mkdirSync(dirname(join(folder, note)), { recursive: true });
        writeFileSync(join(folder, note), text);
      } else if (language === "sh") {
        const output = await shell.run(localize(withIds(text, ids), folder, running));
        running ??= shell.startedServer(output);
        if (running !== undefined) await waitUntilIdle(running);
        printed = output.replaceAll(running?.url ?? DOCUMENTED_URL, DOCUMENTED_URL).replaceAll(
          folder,
          "",
        );
      } else {
        ok(
          printed !== undefined,
          `${page}: no command prints this, and it is not in NOT_WALKED:\n${text}`,
        );
        const pattern = mismatch(installed(text), installed(printed), ids);
        ok(pattern === null, `${page} shows\n${text}\nbut its commands print\n${printed}`);
        printed = undefined;
      }
    }
  } finally {
    await shell.close();
    await rm(folder);
  }
}

/** Replaces values from the reader's machine with ours. */
function localize(text: string, folder: string, server: RunningServer | undefined): string {
  return text.replaceAll(DOCUMENTED_URL, server?.url ?? DOCUMENTED_URL).replaceAll(
    "cpl_…",
    server?.key ?? "cpl_…",
  )
    .replaceAll("--port 8420", "--port 0").replaceAll(/(?<=[ =])\/srv\b/g, `${folder}/srv`);
}

/** Replaces the command of a clone with that of the installed program, which most pages show. */
function installed(text: string): string {
  return text.replaceAll("deno task commonplace", "commonplace");
}

/** Resolves once there's no background work left. */
async function waitUntilIdle({ url, key }: RunningServer): Promise<void> {
  await waitUntil(
    () => call(url, "GET", "/v1/health", { key }),
    ({ json: { operations, projections, tasks } }) =>
      [
        operations.pending,
        tasks.pending,
        projections.vector_pending,
        projections.derived_pending,
      ].every((pending) => pending === 0),
  );
}
