/** Tests that changes of code are reported if they can change its results. */

import { deepStrictEqual, notStrictEqual, ok, strictEqual } from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { stop } from "esbuild";
import { checksumOf } from "../../scripts/versions/checksum.ts";
import {
  type Action,
  compareVersions,
  type RecordedVersions,
  VERSIONED_CODE,
} from "../../scripts/versions/versions.ts";
import { makeTempDirSync, rm } from "../../testing/temp_dir.ts";

const ROOT = join(import.meta.dirname!, "../..");

const HELPER = "export function half(value: number): number {\n  return value / 2;\n}\n";
const CODE = `import saxes from "saxes";
import { half } from "./helper.ts";

/** Version of the code. */
export const VERSION = 7;

/** Doubles. */
const double = (value: number) => value * 2;

export const results = (value: number) => [double(value), half(value), saxes];
`;
const DENO_JSON = '{"imports":{"saxes":"npm:saxes@6.0.0","other":"npm:other@1.0.0"}}';
const FILES = { "code.ts": CODE, "helper.ts": HELPER, "deno.json": DENO_JSON, "data.txt": "1" };

const CHECKED = {
  constant: "VERSION",
  file: "code.ts",
  results: "a number",
  entries: ["code.ts"],
  data: ["data.txt"],
};

Deno.test.afterAll(stop);

async function withFiles(
  work: (
    root: string,
    change: (file: keyof typeof FILES, from: string, to: string) => void,
  ) => Promise<void>,
): Promise<void> {
  const root = makeTempDirSync();
  try {
    for (const [name, text] of Object.entries(FILES)) writeFileSync(join(root, name), text);
    await work(root, (file, from, to) => {
      ok(FILES[file].includes(from));
      writeFileSync(join(root, file), FILES[file].replaceAll(from, to));
    });
  } finally {
    await rm(root);
  }
}

for (
  const [what, file, from, to] of [
    ["a comment", "code.ts", "Doubles.", "Returns the double. Doubles."],
    ["the format", "helper.ts", "\n  return", " return"],
    ["a type", "helper.ts", "value: number", "value: 1 | 2"],
    ["the name of a variable", "helper.ts", "value", "dividend"],
    ["unused code", "helper.ts", HELPER, `${HELPER}export const third = () => 1 / 3;\n`],
    ["another package", "deno.json", "other@1.0.0", "other@1.0.1"],
  ] as const
) {
  Deno.test(`checksumOf() stays the same if ${what} changes`, async () => {
    await withFiles(async (root, change) => {
      const before = await checksumOf(root, CHECKED);
      change(file, from, to);
      strictEqual(await checksumOf(root, CHECKED), before);
    });
  });
}

for (
  const [what, file, from, to] of [
    ["the code", "code.ts", "* 2", "* 3"],
    ["what it imports", "helper.ts", "/ 2", "/ 3"],
    ["one of its packages", "deno.json", "saxes@6.0.0", "saxes@6.0.1"],
    ["its data", "data.txt", "1", "2"],
  ] as const
) {
  Deno.test(`checksumOf() changes with ${what}`, async () => {
    await withFiles(async (root, change) => {
      const before = await checksumOf(root, CHECKED);
      change(file, from, to);
      notStrictEqual(await checksumOf(root, CHECKED), before);
    });
  });
}

Deno.test("compareVersions() reports changed code until it has a new version or the same results", async () => {
  await withFiles(async (root, change) => {
    let recorded: RecordedVersions = {};
    const compare = async (action: Action) => {
      const { versions, problems } = await compareVersions(root, [CHECKED], recorded, action);
      if (action !== "report") recorded = versions;
      return problems.length;
    };
    const version = () => /VERSION = (\d+)/.exec(readFileSync(join(root, "code.ts"), "utf8"))![1];
    strictEqual(await compare("report"), 1);
    await compare("raise");
    deepStrictEqual([await compare("report"), version()], [0, "7"]);

    change("helper.ts", "/ 2", "/ 3");
    strictEqual(await compare("report"), 1);
    await compare("same");
    deepStrictEqual([await compare("report"), version()], [0, "7"]);

    change("helper.ts", "/ 2", "/ 4");
    await compare("raise");
    deepStrictEqual([await compare("report"), version()], [0, "8"]);
    await compare("raise");
    strictEqual(version(), "8");

    // Raised by hand, as in a merge.
    change("code.ts", "VERSION = 7", "VERSION = 9");
    strictEqual(await compare("report"), 1);
    await compare("raise");
    deepStrictEqual([await compare("report"), version()], [0, "9"]);
  });
});

Deno.test("VERSIONED_CODE names constants and files that exist", async () => {
  const { versions } = await compareVersions(ROOT, VERSIONED_CODE, {}, "report");
  deepStrictEqual(Object.keys(versions), VERSIONED_CODE.map(({ constant }) => constant));
});
