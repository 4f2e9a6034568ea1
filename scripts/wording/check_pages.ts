/**
 * `deno task wording`: reports the words from `words.ts` in Markdown pages. Code is checked by the
 * lint plugin instead (`lint_plugin.ts`). To make an exception, put a line with a reason, `<!--
 * wording: REASON -->`, before the paragraph or table.
 */

import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { avoidedWordsIn } from "./words.ts";

const ROOT = join(import.meta.dirname!, "../..");
const EXCEPTION = /^<!-- wording: \S.*-->$/;

/** Returns a `file:line: message` for every avoided word in a page's prose. */
function problemsOf(page: string): string[] {
  const problems: string[] = [];
  let inCode = false;
  let isExcepted = false;
  for (const [index, line] of readFileSync(join(ROOT, page), "utf8").split("\n").entries()) {
    if (line.trimStart().startsWith("```")) inCode = !inCode;
    if (EXCEPTION.test(line)) isExcepted = true;
    else if (line === "" && index > 0) isExcepted &&= problems.length < 0;
    if (inCode || isExcepted) continue;
    const prose = line.replace(/`[^`]*`/g, (code) => " ".repeat(code.length));
    for (const { word, instead } of avoidedWordsIn(prose)) {
      problems.push(`${page}:${index + 1}: Avoid "${word}". Write: ${instead}`);
    }
  }
  return problems;
}

const pages = execFileSync("git", ["ls-files", "*.md"], { cwd: ROOT, encoding: "utf8" })
  .trim().split("\n");
const problems = pages.flatMap(problemsOf);
for (const problem of problems) Deno.stderr.writeSync(new TextEncoder().encode(problem + "\n"));
if (problems.length > 0) Deno.exit(1);
