/** A few power cuts in every test run. `deno task powerloss` draws many more. */

import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { SeededRandom } from "../../testing/seeded_random.ts";
import { SEED } from "../../testing/seed.ts";
import { makeTempDirSync, rm } from "../../testing/temp_dir.ts";
import { testWith } from "../../testing/tools.ts";
import { Disk } from "./disk.ts";
import { runPowerLoss } from "./powerloss.ts";
import type { Call } from "./shim.ts";

testWith(
  ["gcc"],
  "runPowerLoss() finds no acknowledged change lost, duplicated or half done after power cuts",
  async () => {
    try {
      await runPowerLoss({ images: 60, seed: SEED, commands: 15 });
    } catch (error) {
      throw new Error(`The campaign failed with --seed ${SEED}`, { cause: error });
    }
  },
);

const bytesOf = (text: string) => new TextEncoder().encode(text);

/** Returns every outcome found in 300 draws: files with their text, ordered by name. */
async function outcomes(calls: readonly Call[]): Promise<Set<string>> {
  const disk = new Disk();
  for (const call of calls) disk.apply(call);
  const [random, found] = [new SeededRandom(7), new Set<string>()];
  for (let count = 0; count < 300; count++) {
    const folder = makeTempDirSync();
    disk.draw(random, folder);
    const names = readdirSync(folder, { recursive: true, encoding: "utf8" }).sort();
    const texts = names.map((name) => {
      const entry = Deno.statSync(join(folder, name));
      return entry.isDirectory ? `${name}/` : `${name}=${readFileSync(join(folder, name), "utf8")}`;
    });
    found.add(texts.join(" "));
    await rm(folder);
  }
  return found;
}

Deno.test("Disk.draw() can lose anything that was not synced, but nothing that was", async () => {
  const made: Call[] = [
    { kind: "create", file: 1, path: "/a" },
    { kind: "write", file: 1, offset: 0, bytes: bytesOf("one") },
  ];
  deepStrictEqual([...await outcomes(made)].sort(), ["", "a=", "a=one"]);
  const named: Call[] = [...made, { kind: "sync_folder", path: "/" }];
  deepStrictEqual([...await outcomes(named)].sort(), ["a=", "a=one"]);
  const sure: Call[] = [...named, { kind: "sync", file: 1 }];
  deepStrictEqual([...await outcomes(sure)], ["a=one"]);
  const rewritten: Call[] = [
    ...sure,
    { kind: "write", file: 1, offset: 1, bytes: bytesOf("X") },
    { kind: "truncate", file: 1, size: 2 },
  ];
  deepStrictEqual([...await outcomes(rewritten)].sort(), ["a=oX", "a=oXe", "a=on", "a=one"]);
});

Deno.test("Disk.draw() keeps a renamed file under at least one of its names, and tears writes by sector", async () => {
  const written: Call[] = [
    { kind: "create", file: 1, path: "/a" },
    { kind: "mkdir", path: "/shelf" },
    { kind: "sync_folder", path: "/" },
  ];
  const renamed: Call[] = [...written, { kind: "rename", path: "/a", to: "/shelf/b" }];
  deepStrictEqual([...await outcomes(renamed)].sort(), ["a= shelf/", "shelf/ shelf/b="]);
  const removed: Call[] = [...renamed, { kind: "sync_folder", path: "/" }];
  deepStrictEqual([...await outcomes(removed)], ["shelf/ shelf/b="]);
  const torn = await outcomes([...written, {
    kind: "write",
    file: 1,
    offset: 0,
    bytes: bytesOf("x".repeat(2_048)),
  }]);
  const lengths = new Set([...torn].map((outcome) => /a=([^ ]*)/.exec(outcome)![1]!.length));
  ok(lengths.has(0) && lengths.has(512) && lengths.has(1_536) && lengths.has(2_048));
  strictEqual([...lengths].every((length) => length % 512 === 0), true);
});
