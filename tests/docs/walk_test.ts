/** The pages are true: their commands run, and print what stands there. */

import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { NO_EMBEDDER } from "../../src/embedding/open.ts";
import { withServer } from "../../testing/harness.ts";
import { testWith, type Tool } from "../../testing/tools.ts";
import { NOT_WALKED } from "./not_walked.ts";
import { type Block, blocksOf, mismatch } from "./page.ts";
import { startsServer, walk, walkedBlocks } from "./walk.ts";

const ROOT = join(import.meta.dirname!, "../..");

/** The embedder of a first start. */
const MINILM = { ...NO_EMBEDDER, name: "minilm" };

/** Every page but those that are written from the code, which `reference_test.ts` holds to it. */
const PAGES = [
  ...readdirSync(ROOT).filter((name) => name.endsWith(".md")),
  ...readdirSync(join(ROOT, "docs"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".md") && !name.startsWith("reference"))
    .map((name) => join("docs", name)),
].toSorted();

/** Returns the programs that the commands of a page call. */
function toolsOf(blocks: readonly Block[]): Tool[] {
  const commands = blocks.filter(({ language }) => language === "sh").map(({ text }) => text);
  return (["curl", "jq", "openssl"] as const)
    .filter((tool) => new RegExp(`(?:^|[\\s(|;&])${tool}\\s`, "m").test(commands.join("\n")));
}

for (const page of PAGES) {
  const blocks = walkedBlocks(page);
  if (blocks.length === 0) continue;
  testWith(toolsOf(blocks), `${page}: its commands print the output it shows`, async () => {
    if (startsServer(blocks)) await walk(page, undefined);
    else await withServer((server) => walk(page, server), { embedder: MINILM });
  });
}

Deno.test("the table of blocks that are not walked names each of them once", () => {
  for (const { page, begins } of NOT_WALKED) {
    const meant = blocksOf(readFileSync(join(ROOT, page), "utf8"))
      .filter(({ text }) => text.startsWith(begins));
    strictEqual(meant.length, 1, `${page}: ${begins}`);
  }
});

Deno.test("an output is held to what a page shows, down to which id stands where", () => {
  const [a, b] = ["a", "b"].map((letter) => `mem_01m7ytf6b422rkwbjcap216w8${letter}`);
  const [x, y] = ["x", "y"].map((letter) => `mem_01n0000000000000000000000${letter}`);
  const fits = (shown: string, printed: string) => mismatch(shown, printed, new Map()) === null;
  ok(fits(`{ "id": "${a}",\n "text": "two  blanks" }`, `{"id":"${x}","text":"two  blanks"}`));
  ok(!fits(`{ "text": "two  blanks" }`, `{"text":"two blanks"}`));
  ok(!fits(`{ "count": 1 }`, `{"count":2}`));
  ok(fits(`{"first":1,…}`, `{"first":1,"second":[2]}`));
  ok(fits(`["${a}","${b}","${a}"]`, `["${x}","${y}","${x}"]`));
  ok(!fits(`["${a}","${b}","${a}"]`, `["${x}","${y}","${y}"]`));
  const [shown, made] = ["A", "b-"].map((letter) => `cpl_${letter.padEnd(43, "_")}`);
  ok(fits(`key ${shown}`, `key ${made}`));
  ok(!fits(`key ${shown}`, "key cpl_short"));

  const known = new Map<string, string>();
  strictEqual(mismatch(a!, x!, known), null);
  deepStrictEqual([...known], [[a, x]]);
  ok(mismatch(a!, y!, known) !== null, "an id stands for the same one in later outputs");
});
