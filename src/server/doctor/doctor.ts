/** Checks a data directory and reports problems. Never changes anything. */

import sql from "sql-template-tag";
import { hashFile, referencedBlobs } from "../../backup/copy.ts";
import { NO_REPORT, type ReportStep } from "../../kernel/progress.ts";
import { hashInName } from "../../store/blobs/blobs.ts";
import { blobFolder, blobPath } from "../../store/blobs/folder.ts";
import { Connection } from "../../store/sqlite/connection.ts";
import { SCHEMA_VERSION, schemaVersion } from "../../store/sqlite/migrations.ts";
import { isForeign } from "../../store/sqlite/own_database.ts";
import { databasePath, dataDirectoryProblem } from "../../store/sqlite/store.ts";
import { chunkProblems } from "./chunks.ts";
import { ruleProblems } from "./rules.ts";
import { chunkIndexProblems, memoryIndexProblems } from "./text_index.ts";
import { TOTALS_RULE } from "./totals.ts";
import { vectorProblems } from "./vectors.ts";

/** The result of a check. */
export interface CheckResult {
  readonly name: string;
  readonly ok: boolean;
  readonly detail: string;
}

/** Yields one line per problem. */
type Check = (connection: Connection, directory: string) => Iterable<string>;

type NamedCheck = readonly [name: string, okDetail: string, check: Check];

const ANY_SCHEMA: readonly NamedCheck[] = [
  ["database", "no damaged pages", databaseProblems],
  ["foreign keys", "all referenced rows exist", foreignKeyProblems],
];

const CHECKS: readonly NamedCheck[] = [
  ...ANY_SCHEMA,
  ["memory index", "matches the memories", memoryIndexProblems],
  ["chunk index", "matches the current chunks", chunkIndexProblems],
  ["vectors", "exactly one for each embedded text", vectorProblems],
  ["totals", "match the memories", (connection) => ruleProblems(connection, TOTALS_RULE)],
  ["chunks", "match the content of their documents", chunkProblems],
  ["blobs", "all files exist and are undamaged", blobProblems],
];

/** Maximum number of problems reported per check. A single damaged page can cause thousands. */
export const MAX_REPORTED_PROBLEMS = 5;

/**
 * Runs all checks, even if some of them fail.
 *
 * @param report called before each check
 * @throws the error of the file system if the directory can't be read
 */
export function runDoctor(directory: string, report: ReportStep = NO_REPORT): CheckResult[] {
  const problem = dataDirectoryProblem(directory);
  if (problem !== null) return [{ name: "database", ok: false, detail: problem }];
  const schema = runCheck(
    "schema",
    `version ${SCHEMA_VERSION}, current`,
    directory,
    schemaProblems,
  );
  // Other schema versions may have different tables, so we can only check the database itself.
  const checks = schema.ok ? CHECKS : ANY_SCHEMA;
  return [
    schema,
    ...checks.map(([name, okDetail, check]) => {
      report(`Checking the ${name}`);
      return runCheck(name, okDetail, directory, check);
    }),
  ];
}

function runCheck(name: string, okDetail: string, directory: string, check: Check): CheckResult {
  const problems = problemsOf(directory, check);
  return { name, ok: problems.length === 0, detail: problems.join("; ") || okDetail };
}

function problemsOf(directory: string, check: Check): string[] {
  const found: string[] = [];
  let connection: Connection | undefined;
  try {
    connection = new Connection(databasePath(directory), { readOnly: true });
    for (const problem of check(connection, directory)) {
      found.push(problem);
      if (found.length === MAX_REPORTED_PROBLEMS) break;
    }
  } catch (error) {
    // If SQLite can't read the database, its error is the problem to report.
    found.push((error as Error).message);
  } finally {
    connection?.close();
  }
  return found;
}

function* schemaProblems(connection: Connection): Generator<string> {
  const found = schemaVersion(connection);
  if (isForeign(connection)) {
    yield "the database is another program's";
  } else if (found > SCHEMA_VERSION) {
    yield `version ${found}, of a newer Commonplace; this one supports version ${SCHEMA_VERSION}`;
  } else if (found < SCHEMA_VERSION) {
    yield `version ${found}, of an older Commonplace; start \`serve\`, which keeps a copy of the ` +
      `database and migrates it to version ${SCHEMA_VERSION}, and run doctor again for all checks`;
  }
}

function* databaseProblems(connection: Connection): Generator<string> {
  for (
    const row of connection.iterate<{ integrity_check: string }>(sql`pragma integrity_check(5)`)
  ) {
    // Rows can contain several lines, preceded by one with the database name.
    yield* row.integrity_check.split("\n").filter((line) => !/^(ok$|\*\*\* )/.test(line));
  }
}

function* foreignKeyProblems(connection: Connection): Generator<string> {
  const rows = connection.iterate<{ table: string; rowid: number; parent: string }>(
    sql`pragma foreign_key_check`,
  );
  for (const { table, rowid, parent } of rows) {
    yield `row ${rowid} of ${table} refers to a row of ${parent} that doesn't exist`;
  }
}

function* blobProblems(_: Connection, directory: string): Generator<string> {
  for (const { hash } of referencedBlobs(directory)) {
    const found = hashIfExists(blobPath(blobFolder(directory), hash));
    if (found === null) {
      // The service may have deleted it since the list was read.
      const isReferenced = referencedBlobs(directory).some((blob) => blob.hash === hash);
      if (isReferenced) yield `${hash} is missing`;
    } else if (found !== hashInName(hash)) yield `${hash} is damaged`;
  }
}

function hashIfExists(path: string): string | null {
  try {
    return hashFile(path);
  } catch (error) {
    if ((error as { code?: string }).code === "ENOENT") return null;
    throw error;
  }
}
