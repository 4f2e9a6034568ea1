/** Looks a data directory over and says what is wrong with it. Changes nothing. */

import { existsSync } from "node:fs";
import sql, { raw } from "sql-template-tag";
import { hashFile, referencedBlobs } from "../../backup/copy.ts";
import { SCOPE_TYPES } from "../../memories/scope_counters.ts";
import { blobFolder, blobPath } from "../../store/blobs.ts";
import { Connection } from "../../store/sqlite/connection.ts";
import { SCHEMA_VERSION, schemaVersion } from "../../store/sqlite/migrations.ts";
import { databasePath } from "../../store/sqlite/store.ts";
import { chunkProblems } from "./chunks.ts";
import { chunkIndexProblems, memoryIndexProblems } from "./text_index.ts";
import { vectorProblems } from "./vectors.ts";

/** What one check found. */
export interface CheckResult {
  readonly name: string;
  readonly ok: boolean;
  readonly detail: string;
}

/** A check answers what is wrong, a line each; nothing when all is well. */
type Check = (connection: Connection, directory: string) => Iterable<string>;

type NamedCheck = readonly [name: string, sound: string, check: Check];

const ANY_SCHEMA: readonly NamedCheck[] = [
  ["database", "every page is sound", databaseProblems],
  ["foreign keys", "every row that is named is there", foreignKeyProblems],
];

const CHECKS: readonly NamedCheck[] = [
  ...ANY_SCHEMA,
  ["memory index", "holds the words of every memory and no others", memoryIndexProblems],
  ["chunk index", "holds the words of every current chunk and no others", chunkIndexProblems],
  ["vectors", "one for every text that was embedded, and no others", vectorProblems],
  ["totals", "are those of the memories", totalProblems],
  ["chunks", "give back the content of every document", chunkProblems],
  ["blobs", "every file is there and what its name says", blobProblems],
];

/** Faults that one check reports at most; a damaged page can have thousands. */
const MAX_REPORTED_PROBLEMS = 5;

/** Runs every check, whatever the ones before it found. */
export function runDoctor(directory: string): CheckResult[] {
  if (!existsSync(databasePath(directory))) {
    const detail = `"${directory}" is no data directory: it has no ${databasePath("")}`;
    return [{ name: "database", ok: false, detail }];
  }
  const schema = runCheck(
    "schema",
    `is ${SCHEMA_VERSION}, this program's`,
    directory,
    schemaProblems,
  );
  // Of another schema than its own the program knows no more than that it is a database.
  const checks = schema.ok ? CHECKS : ANY_SCHEMA;
  return [schema, ...checks.map(([name, sound, check]) => runCheck(name, sound, directory, check))];
}

function runCheck(name: string, okDetail: string, directory: string, check: Check): CheckResult {
  const faults = problemsOf(directory, check);
  return { name, ok: faults.length === 0, detail: faults.join("; ") || okDetail };
}

function problemsOf(directory: string, check: Check): string[] {
  const found: string[] = [];
  let connection: Connection | undefined;
  try {
    connection = new Connection(databasePath(directory), { readOnly: true });
    for (const fault of check(connection, directory)) {
      found.push(fault);
      if (found.length === MAX_REPORTED_PROBLEMS) break;
    }
  } catch (error) {
    // What SQLite can't even read is the finding.
    found.push((error as Error).message);
  } finally {
    connection?.close();
  }
  return found;
}

function* schemaProblems(connection: Connection): Generator<string> {
  const found = schemaVersion(connection);
  if (found > SCHEMA_VERSION) {
    yield `is ${found}, of a newer Commonplace; this one knows ${SCHEMA_VERSION}`;
  } else if (found < SCHEMA_VERSION) {
    yield `is ${found}, of an older Commonplace; \`serve\` copies the database and brings it to ` +
      `${SCHEMA_VERSION}, and then all checks can be made`;
  }
}

function* databaseProblems(connection: Connection): Generator<string> {
  for (
    const row of connection.iterate<{ integrity_check: string }>(sql`pragma integrity_check(5)`)
  ) {
    // A row may hold several lines, below one that names the database.
    yield* row.integrity_check.split("\n").filter((line) => !/^(ok$|\*\*\* )/.test(line));
  }
}

function* foreignKeyProblems(connection: Connection): Generator<string> {
  const rows = connection.iterate<{ table: string; rowid: number; parent: string }>(
    sql`pragma foreign_key_check`,
  );
  for (const { table, rowid, parent } of rows) {
    yield `row ${rowid} of ${table} names a row of ${parent} that is not there`;
  }
}

function* totalProblems(connection: Connection): Generator<string> {
  type Total = { project: number; type: string; id: string; n: number };
  const counted = new Map<string, number>();
  const key = ({ project, type, id }: Total) => JSON.stringify([project, type, id]);
  for (const [type, column] of Object.entries({ project: null, ...SCOPE_TYPES })) {
    const id = column === null ? sql`''` : raw(column);
    const rows = connection.iterate<{ project: number; id: string | null }>(
      sql`select project, ${id} as id from memories`,
    );
    for (const { project, id } of rows) {
      if (id === null) continue;
      const totalKey = key({ project, type, id, n: 0 });
      counted.set(totalKey, (counted.get(totalKey) ?? 0) + 1);
    }
  }
  const stored = connection.iterate<Total>(
    sql`select project, type, id, total_memories as n from scope_totals`,
  );
  for (const total of stored) {
    const n = counted.get(key(total)) ?? 0;
    if (n !== total.n) yield `${total.type} "${total.id}" counts ${total.n} memories, and has ${n}`;
    counted.delete(key(total));
  }
  for (const [totalKey, n] of counted) yield `${totalKey} has ${n} memories and is not counted`;
}

function* blobProblems(_: Connection, directory: string): Generator<string> {
  for (const { hash } of referencedBlobs(directory)) {
    const path = blobPath(blobFolder(directory), hash);
    if (!existsSync(path)) yield `${hash} is missing`;
    else if (hashFile(path) !== hash) yield `${hash} is damaged`;
  }
}
