/** Tests that training refuses options that would quietly train something else. */

import { doesNotMatch, match, strictEqual } from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { testWith } from "../../testing/tools.ts";

const ROOT = join(import.meta.dirname!, "../..");

/** Runs an expression with the functions of scripts/train/options.py. */
function python(expression: string): { readonly code: number | null; readonly output: string } {
  const program = `from options import *; print(${expression})`;
  const { status, stdout, stderr } = spawnSync("python3", ["-c", program], {
    cwd: join(ROOT, "scripts/train"),
    env: { ...process.env, PYTHONDONTWRITEBYTECODE: "1" },
    encoding: "utf8",
  });
  return { code: status, output: stdout + stderr };
}

testWith(["python3"], "--new accepts authors of training files, and no other names", () => {
  strictEqual(python(`sorted(authors_of("nadia, quill"))`).output, "['nadia', 'quill']\n");
  strictEqual(python(`len(authors_of(""))`).output, "0\n");
  const { code, output } = python(`authors_of("nadia,qill")`);
  strictEqual(code, 1);
  match(output, /no training file by qill; authors: .*quill/);
});

testWith(["python3"], "--continue accepts a tagger of the same trunk, and no other", () => {
  const start = (trunk: string) =>
    python(`check_start("../../assets/inference/tagger-minilm", "${trunk}")`);
  strictEqual(start("all-minilm-l6-v2-int8").output, "None\n");
  match(start("multilingual-e5-small-int8").output, /was trained on all-minilm-l6-v2-int8/);
});

testWith(["python3"], "--teachers groups taggers by their model", () => {
  const teachers = (...names: readonly string[]) =>
    python(`by_model(${JSON.stringify(names.map((name) => `../../assets/inference/${name}`))})`);
  strictEqual(
    teachers("tagger-e5", "tagger-minilm", "tagger-e5").output,
    "{'e5': ['../../assets/inference/tagger-e5', '../../assets/inference/tagger-e5'], " +
      "'minilm': ['../../assets/inference/tagger-minilm']}\n",
  );
});

testWith(["python3"], "messages without marks are lines, which are split into sentences", () => {
  const path = "training/inference/unmarked/dunja.txt";
  const read = (value: string) =>
    python(`[${value} for m in markup.read_unmarked("../../${path}")]`).output;
  const lines = readFileSync(join(ROOT, path), "utf8").split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"));
  strictEqual(read("len(m)").split(",").length, lines.length);
  match(read("len(m) > 1"), /True/);
  doesNotMatch(read("m"), /Span\(/);
});
