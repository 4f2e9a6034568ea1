/** The pages that show commands are true: their commands run, and print what stands there. */

import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { NO_EMBEDDER } from "../../src/embedding/open.ts";
import { withServer } from "../harness.ts";
import { mismatch } from "./page.ts";
import { walk } from "./walk.ts";

const MINILM = { ...NO_EMBEDDER, name: "minilm" };

Deno.test("the walk of README.md can be walked, with the settings of a first start", async () => {
  await withServer(async (server) => {
    deepStrictEqual(await walk("README.md", server), { commands: 6, outputs: 5 });
  }, { embedder: MINILM });
});

for (const guide of ["chat_memory", "documents", "backup", "proxy"]) {
  Deno.test(`the commands of the guide ${guide} print what it shows`, async () => {
    await withServer(async (server) => {
      const { commands, outputs } = await walk(`docs/guides/${guide}.md`, server);
      ok(commands >= 1 && outputs >= 1, `${commands} commands, ${outputs} outputs`);
    }, { embedder: MINILM });
  });
}

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

  const known = new Map<string, string>();
  strictEqual(mismatch(a!, x!, known), null);
  deepStrictEqual([...known], [[a, x]]);
  ok(mismatch(a!, y!, known) !== null, "an id stands for the same one in later outputs");
});
