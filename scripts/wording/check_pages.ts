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

/**
 * Returns a `file:line: message` for every avoided word in a page's prose. An exception covers the
 * lines after it, up to the end of the next paragraph or table.
 */
export function findProblems(page: string, text: string): string[] {
  const problems: string[] = [];
  let inCode = false;
  let exception: "none" | "announced" | "active" = "none";
  for (const [index, line] of text.split("\n").entries()) {
    if (line.trimStart().startsWith("```")) inCode = !inCode;
    if (EXCEPTION.test(line)) exception = "announced";
    else if (line !== "" && exception === "announced") exception = "active";
    else if (line === "" && exception === "active") exception = "none";
    if (inCode || exception !== "none") continue;
    const prose = line.replace(/`[^`]*`/g, (code) => " ".repeat(code.length));
    for (const { word, instead } of avoidedWordsIn(prose)) {
      problems.push(`${page}:${index + 1}: Avoid "${word}". Write: ${instead}`);
    }
  }
  return problems;
}

if (import.meta.main) {
  const pages = execFileSync("git", ["ls-files", "*.md"], { cwd: ROOT, encoding: "utf8" })
    .trim().split("\n");
  const problems = pages.flatMap((page) =>
    findProblems(page, readFileSync(join(ROOT, page), "utf8"))
  );
  for (const problem of problems) Deno.stderr.writeSync(new TextEncoder().encode(problem + "\n"));
  if (problems.length > 0) Deno.exit(1);
}
