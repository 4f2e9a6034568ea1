/** Walks through a page: every command is run by a shell, every output held against what it shows. */

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

/** Where the service of a reader stands. */
const DOCUMENTED_URL = "http://127.0.0.1:8420";

/** What a clone of the repository doesn't have. */
const NOT_CLONED = /^(\.git|dist|commonplace-data)$/;

/** Whether a page begins by starting a server, and so wants none that is there already. */
export function startsServer(blocks: readonly Block[]): boolean {
  const first = blocks.find(({ language }) => language === "sh");
  return first !== undefined && /^(?:deno task|commonplace) serve\b/m.test(first.text);
}

/** The blocks of a page that are walked; what is in the table of others is left out. */
export function walkedBlocks(page: string): Block[] {
  const listed = NOT_WALKED.filter((each) => each.page === page);
  return blocksOf(readFileSync(join(ROOT, page), "utf8"))
    .filter(({ text }) => !listed.some(({ begins }) => text.startsWith(begins)));
}

/**
 * Runs a page from its first block to its last in one shell, in a folder that looks like a clone of
 * the repository.
 *
 * - `sh`: run with `URL` and `KEY` set and `commonplace` at hand; a command that ends with another
 *   code than 0 fails the test. `serve` returns once the service is ready, and ends with the walk.
 * - a block with a file's name after its language: is that file.
 * - any other block is what the commands before it have printed.
 *
 * Between two blocks the work of the server in the background comes to its end.
 *
 * @param server what answers; undefined when the page starts it by itself
 */
export async function walk(page: string, server: RunningServer | undefined): Promise<void> {
  const folder = makeTempDirSync();
  for (const entry of readdirSync(ROOT).filter((name) => !NOT_CLONED.test(name))) {
    symlinkSync(join(ROOT, entry), join(folder, entry));
  }
  const shell = new Shell(folder, server);
  const ids = new Map<string, string>();
  try {
    let served = server;
    let printed: string | undefined;
    for (const { language, note, text } of walkedBlocks(page)) {
      if (note !== "") {
        mkdirSync(dirname(join(folder, note)), { recursive: true });
        writeFileSync(join(folder, note), text);
      } else if (language === "sh") {
        const output = await shell.run(localize(withIds(text, ids), folder, served));
        served ??= shell.startedServer(output);
        if (served !== undefined) await waitUntilIdle(served);
        printed = output.replaceAll(served?.url ?? DOCUMENTED_URL, DOCUMENTED_URL).replaceAll(
          folder,
          "",
        );
      } else {
        ok(printed !== undefined, `${page}: nothing prints this, and the table lacks it:\n${text}`);
        const pattern = mismatch(text, printed, ids);
        ok(pattern === null, `${page} shows\n${text}\nand what was printed is\n${printed}`);
        printed = undefined;
      }
    }
  } finally {
    await shell.close();
    await rm(folder);
  }
}

/** What the page says of a reader's machine, as it is on this one. */
function localize(text: string, folder: string, served: RunningServer | undefined): string {
  return text.replaceAll(DOCUMENTED_URL, served?.url ?? DOCUMENTED_URL).replaceAll(
    "cpl_…",
    served?.key ?? "cpl_…",
  )
    .replaceAll("--port 8420", "--port 0").replaceAll(/(?<=[ =])\/srv\b/g, `${folder}/srv`);
}

/** Resolves once nothing is left to do in the background. */
async function waitUntilIdle({ url, key }: RunningServer): Promise<void> {
  await waitUntil(
    () => call(url, "GET", "/v1/health", { key }),
    ({ json: { operations, projections, tasks } }) =>
      [operations.pending, tasks.pending, ...Object.values(projections)].every((each) =>
        each === 0
      ),
  );
}
