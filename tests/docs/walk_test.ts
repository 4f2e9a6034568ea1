/** Runs the commands on every page and checks that they print the output shown. */

import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { NO_EMBEDDER } from "../../src/embedding/open.ts";
import { withServer } from "../../testing/harness.ts";
import { startPostgres } from "../../testing/postgres.ts";
import { pythonEnvironment } from "../../testing/python.ts";
import { requireTool, testWith, type Tool } from "../../testing/tools.ts";
import { NEED_PACKAGES, NOT_WALKED } from "./not_walked.ts";
import { type Block, blocksOf, mismatch } from "./page.ts";
import { startsServer, walk, walkedBlocks } from "./walk.ts";

const ROOT = join(import.meta.dirname!, "../..");

/** The embedder for a first start. */
const MINILM = { ...NO_EMBEDDER, name: "minilm" };

/** Every page except generated ones. `reference_test.ts` checks those. */
const PAGES = [
  ...readdirSync(ROOT).filter((name) => name.endsWith(".md")),
  ...readdirSync(join(ROOT, "docs"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".md") && !name.startsWith("reference"))
    .map((name) => join("docs", name)),
].filter((page) => !(page in NEED_PACKAGES)).toSorted();

/** Returns the programs called by a page's commands. */
function toolsOf(blocks: readonly Block[]): Tool[] {
  const commands = blocks.filter(({ language }) => language === "sh").map(({ text }) => text);
  const called = (["curl", "jq", "openssl"] as const)
    .filter((tool) => new RegExp(`(?:^|[\\s(|;&])${tool}\\s`, "m").test(commands.join("\n")));
  // Used by the shell in these tests to start servers.
  const starts = /^(?:deno task|commonplace) serve\b/m.test(commands.join("\n"));
  const tools: Tool[] = starts ? [...called, "setsid"] : called;
  if (usesPostgres(blocks)) tools.push("initdb", "setpriv");
  return usesPython(blocks) ? [...tools, "python3"] : tools;
}

function usesPostgres(blocks: readonly Block[]): boolean {
  return blocks.some(({ language, text }) => language === "sh" && /^psql\s/m.test(text));
}

/** Walks a page with a new PostgreSQL server, where `psql` and the others find it. */
async function walkWithPostgres(page: string): Promise<void> {
  const server = await startPostgres();
  try {
    await walk(page, undefined, {
      PATH: `${Deno.env.get("PATH")}:${dirname(requireTool("initdb"))}`,
      PGHOST: "127.0.0.1",
      PGPORT: String(server.port),
      PGUSER: "postgres",
    });
  } finally {
    await server.close();
  }
}

function usesPython(blocks: readonly Block[]): boolean {
  return blocks.some(({ language, text }) => language === "sh" && /^python\s/m.test(text));
}

/** Returns the variables that make `python` find the client of this repository. */
async function pythonVariables(): Promise<Record<string, string>> {
  const client = join(ROOT, "clients/python");
  const { bin } = await pythonEnvironment("client", join(client, "requirements-dev.txt"));
  return { PYTHON: join(bin, "python"), PYTHONPATH: join(client, "src") };
}

for (const page of PAGES) {
  const blocks = walkedBlocks(page);
  if (blocks.length === 0) continue;
  testWith(toolsOf(blocks), `commands in ${page} print the output that it shows`, async () => {
    if (usesPostgres(blocks)) return await walkWithPostgres(page);
    const variables = usesPython(blocks) ? await pythonVariables() : {};
    if (startsServer(blocks)) await walk(page, undefined, variables);
    else await withServer((server) => walk(page, server, variables), { embedder: MINILM });
  });
}

Deno.test("NOT_WALKED names blocks that exist exactly once", () => {
  for (const { page, beginning } of NOT_WALKED) {
    const matching = blocksOf(readFileSync(join(ROOT, page), "utf8"))
      .filter(({ text }) => text.startsWith(beginning));
    strictEqual(matching.length, 1, `${page}: ${beginning}`);
  }
});

Deno.test("mismatch() compares output with a page, including where each id appears", () => {
  const [a, b] = ["a", "b"].map((letter) => `mem_01m7ytf6b422rkwbjcap216w8${letter}`);
  const [x, y] = ["x", "y"].map((letter) => `mem_01n0000000000000000000000${letter}`);
  const matches = (shown: string, printed: string) => mismatch(shown, printed, new Map()) === null;
  ok(matches(`{ "id": "${a}",\n "text": "two  blanks" }`, `{"id":"${x}","text":"two  blanks"}`));
  ok(!matches(`{ "text": "two  blanks" }`, `{"text":"two blanks"}`));
  ok(!matches(`{ "count": 1 }`, `{"count":2}`));
  ok(matches(`{"first":1,…}`, `{"first":1,"second":[2]}`));
  ok(matches(`["${a}","${b}","${a}"]`, `["${x}","${y}","${x}"]`));
  ok(!matches(`["${a}","${b}","${a}"]`, `["${x}","${y}","${y}"]`));
  const [shown, made] = ["A", "b-"].map((letter) => `cpl_${letter.padEnd(43, "_")}`);
  ok(matches(`key ${shown}`, `key ${made}`));
  ok(!matches(`key ${shown}`, "key cpl_short"));

  const known = new Map<string, string>();
  strictEqual(mismatch(a!, x!, known), null);
  deepStrictEqual([...known], [[a, x]]);
  ok(mismatch(a!, y!, known) !== null, "an id matches the same id in later outputs");
});
