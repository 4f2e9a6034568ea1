// deno-lint-ignore-file commonplace/wording no-console -- prints a table of the words to avoid
/**
 * `deno task wording:table`: prints how often words occur in comments and pages, per 10,000 words,
 * alongside the same figures for denoland/std and riverqueue/river (comments only, measured on
 * 2026-11-23).
 */

import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { withoutQuotes } from "./words.ts";

const ROOT = join(import.meta.dirname!, "../..");

/** A word, and how often it occurs in std and River. */
interface Row {
  readonly word: string;
  readonly pattern: RegExp;
  readonly std: number;
  readonly river: number;
}

const ROWS: readonly Row[] = [
  { word: "tell, told", pattern: /\b(?:tells?|told|telling)\b/gi, std: 0.3, river: 0.7 },
  { word: "stand(s)", pattern: /\b(?:stands?|stood|standing)\b/gi, std: 0, river: 0 },
  { word: "answer(s)", pattern: /\banswer(?:s|ed|ing)?\b/gi, std: 0, river: 0.2 },
  { word: "nobody, somebody", pattern: /\b(?:no|some|every)body\b/gi, std: 0, river: 0.2 },
  { word: "is no X", pattern: /\b(?:is|are) no (?!longer|more|one)/gi, std: 3.1, river: 0.5 },
  { word: "whoever, whatever", pattern: /\b(?:who|what)ever\b/gi, std: 0.1, river: 0.3 },
  { word: "beside", pattern: /\bbeside\b/gi, std: 0, river: 0 },
  {
    word: "anew, mend, so many",
    pattern: /\b(?:anew|mend(?:s|ed)?|so many)\b/gi,
    std: 0.1,
    river: 0.3,
  },
  { word: "returns", pattern: /\breturns?\b/gi, std: 99, river: 51 },
  { word: "if", pattern: /\bif\b/gi, std: 105, river: 86 },
  { word: "check", pattern: /\bchecks?\b/gi, std: 24, river: 12 },
  { word: "error", pattern: /\berrors?\b/gi, std: 22, river: 20 },
  { word: "default", pattern: /\bdefaults?\b/gi, std: 30, river: 25 },
];

const COMMENT = /\/\*\*?(.*?)\*\/|(?:^|\s)\/\/(?!\s*deno-)(.*?)$/gms;
const CODE_BLOCK = /```.*?```/gs;

function proseOf(path: string): string {
  const text = readFileSync(join(ROOT, path), "utf8");
  if (path.endsWith(".md")) return text.replace(CODE_BLOCK, "");
  return [...text.matchAll(COMMENT)].map(([, block, line]) =>
    withoutQuotes((block ?? line!).replace(/^\s*\*/gm, "").replace(CODE_BLOCK, ""))
  ).join("\n");
}

/** Returns how often a word occurs per 10,000 words. */
function frequency(prose: string, pattern: RegExp): number {
  const words = prose.match(/[A-Za-z']+/g)?.length ?? 1;
  return (prose.match(pattern)?.length ?? 0) / words * 10_000;
}

const files = execFileSync("git", ["ls-files", "*.ts", "*.tsx", "*.md"], {
  cwd: ROOT,
  encoding: "utf8",
}).trim().split("\n");
const code = files.filter((path) => !path.endsWith(".md")).map(proseOf).join("\n");
const pages = files.filter((path) => path.endsWith(".md")).map(proseOf).join("\n");
const columns = (cells: readonly (string | number)[]) =>
  cells.map((cell, index) =>
    typeof cell === "number"
      ? cell.toFixed(1).padStart(9)
      : index === 0
      ? cell.padEnd(22)
      : cell.padStart(9)
  ).join("");
console.log(columns(["per 10,000 words", "comments", "pages", "both", "std", "river"]));
for (const { word, pattern, std, river } of ROWS) {
  const counted = [code, pages, `${code}\n${pages}`].map((prose) => frequency(prose, pattern));
  console.log(columns([word, ...counted, std, river]));
}
