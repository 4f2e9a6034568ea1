/**
 * Checks the subject of every commit after the one that added this file: it must start with an
 * imperative from a fixed list, have at most 72 characters, and not end with a period.
 */

import { execFileSync } from "node:child_process";
import { join } from "node:path";

const ROOT = join(import.meta.dirname!, "..");

const MAX_SUBJECT_CHARACTERS = 72;

/** Allowed first words. The first ten are the usual ones; see CONTRIBUTING.md. */
const VERBS = [
  ...["Add", "Fix", "Remove", "Rename", "Speed up", "Refactor", "Document", "Test", "Update"],
  ...["Revert", "Bump", "Drop", "Improve", "Limit", "Merge", "Move", "Reject", "Replace"],
  ...["Restore", "Simplify", "Skip", "Split", "Support", "Use", "Validate"],
];
const SUBJECT = new RegExp(`^(?:${VERBS.join("|")}) \\S.*[^.]$`);

function git(...args: string[]): string {
  return execFileSync("git", args, { cwd: ROOT, encoding: "utf8" }).trim();
}

const added = git(
  "log",
  "--diff-filter=A",
  "--format=%H",
  "-1",
  "--",
  "scripts/check_commit_subjects.ts",
);
const subjects = added === "" ? [] : git("log", "--format=%s", `${added}..HEAD`).split("\n");
const problems = subjects.filter((subject) => subject !== "").flatMap((subject) => [
  ...SUBJECT.test(subject) ? [] : [`"${subject}": begin with one of ${VERBS.join(", ")}`],
  ...subject.length <= MAX_SUBJECT_CHARACTERS
    ? []
    : [`"${subject}": at most ${MAX_SUBJECT_CHARACTERS} characters`],
]);
for (const problem of problems) Deno.stderr.writeSync(new TextEncoder().encode(problem + "\n"));
if (problems.length > 0) Deno.exit(1);
