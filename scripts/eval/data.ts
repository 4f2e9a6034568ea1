/** Reads the labelled data, which lives alongside the repository and never in it. */

import { readFileSync } from "node:fs";
import { join } from "node:path";

const EVAL_DATA = join(import.meta.dirname!, "..", "..", "..", "shared", "eval");

/** Returns the rows in a JSON Lines file. */
export function readLines<Row>(path: string): Row[] {
  return readFileSync(join(EVAL_DATA, path), "utf8").trim().split("\n").map((line) =>
    JSON.parse(line)
  );
}

/** Returns the rows in a tab-separated file. */
export function readTable(path: string): string[][] {
  return readFileSync(join(EVAL_DATA, path), "utf8").trim().split("\n").map((line) =>
    line.split("\t")
  );
}
