/**
 * Checks an instance on PostgreSQL and reports problems: the server, the records' own invariants,
 * and the search copy in the data directory. Never changes anything.
 */

import { createHash } from "node:crypto";
import sql from "sql-template-tag";
import { NO_REPORT, type ReportStep } from "../../kernel/progress.ts";
import { systemRandom } from "../../kernel/ids.ts";
import type { BlobAddress } from "../../store/blobs/address.ts";
import { type Blobs, hashInName } from "../../store/blobs/blobs.ts";
import { markOf } from "../../store/blobs/mark.ts";
import { openBlobs } from "../../store/blobs/open.ts";
import { connectProblem, type PgAddress, PgConnection } from "../../store/postgres/connection.ts";
import { PG_SCHEMA_VERSION } from "../../store/postgres/migrations.ts";
import { schemaState } from "../../store/postgres/schema_state.ts";
import { requireSafeServer, requireSession } from "../../store/postgres/server_checks.ts";
import { asReader } from "../../store/postgres/store.ts";
import type { Reader } from "../../store/store.ts";
import { type CheckResult, MAX_REPORTED_PROBLEMS } from "./doctor.ts";
import { CHECKED_COLUMNS, type CheckedVersion, CHUNK_RULE, versionProblem } from "./chunks.ts";
import type { Rule } from "./rules.ts";
import { searchCopyProblems } from "./search_copy.ts";
import { TOTALS_RULE } from "./totals.ts";
import { VECTOR_RULES } from "./vectors.ts";

/** Versions read at a time. Each can have megabytes of content. */
const BATCH_VERSIONS = 4;

/** How long a check's statement can take, in milliseconds. */
const MAX_STATEMENT_MS = 600_000;

/** An instance to check. */
export interface PostgresInstance {
  /** The data directory. */
  readonly directory: string;
  readonly database: PgAddress;
  /** Where the files are. If undefined, in the data directory. */
  readonly blobs?: BlobAddress | undefined;
}

/** Yields one line per problem. */
type Check = (db: Reader, instance: PostgresInstance) => AsyncIterable<string>;

const CHECKS: readonly (readonly [name: string, okDetail: string, check: Check])[] = [
  ["vectors", "exactly one for each embedded text", vectorProblems],
  ["totals", "match the memories", (db) => ruleProblems(db, TOTALS_RULE)],
  ["chunks", "match the content of their documents", chunkProblems],
  ["blobs", "all files exist and are undamaged", blobProblems],
  ["search copy", "matches the records", (db, { directory }) => searchCopyProblems(db, directory)],
];

/**
 * Runs all checks, even if some of them fail.
 *
 * @param report called before each check
 */
export async function runPostgresDoctor(
  instance: PostgresInstance,
  report: ReportStep = NO_REPORT,
): Promise<CheckResult[]> {
  const { database: address } = instance;
  let connection: PgConnection;
  try {
    connection = await PgConnection.open(address, MAX_STATEMENT_MS);
  } catch (error) {
    return [{ name: "server", ok: false, detail: connectProblem(error, address) }];
  }
  try {
    const server = await runCheck("server", "durable", async function* () {
      await requireSafeServer(connection);
      await requireSession(connection, address);
      yield* [];
    });
    const schema = await runCheck(
      "schema",
      `version ${PG_SCHEMA_VERSION}, current`,
      async function* () {
        const { version } = await schemaState(connection);
        if (version !== PG_SCHEMA_VERSION) {
          yield `version ${version}, expected ${PG_SCHEMA_VERSION}`;
        }
      },
    );
    if (!schema.ok) return [server, schema];
    await connection.exec("set idle_in_transaction_session_timeout to 0");
    const results = [server, schema];
    for (const [name, okDetail, check] of CHECKS) {
      report(`Checking the ${name}`);
      // A check sees one moment. If its statement fails, its transaction has ended.
      await connection.exec("begin isolation level repeatable read read only");
      results.push(await runCheck(name, okDetail, () => check(asReader(connection), instance)));
      await connection.exec("rollback");
    }
    return results;
  } finally {
    await connection.close();
  }
}

async function runCheck(
  name: string,
  okDetail: string,
  check: () => AsyncIterable<string>,
): Promise<CheckResult> {
  const found: string[] = [];
  try {
    for await (const problem of check()) {
      found.push(problem);
      if (found.length === MAX_REPORTED_PROBLEMS) break;
    }
  } catch (error) {
    found.push((error as Error).message);
  }
  return { name, ok: found.length === 0, detail: found.join("; ") || okDetail };
}

/** Yields what is wrong with the first rows that break a rule. */
async function* ruleProblems<Row>(
  db: Reader,
  { query, problem }: Rule<Row>,
): AsyncGenerator<string> {
  for (const row of await db.all<Row>(sql`${query} limit ${MAX_REPORTED_PROBLEMS}`)) {
    yield problem(row);
  }
}

async function* vectorProblems(db: Reader): AsyncGenerator<string> {
  for (const rule of VECTOR_RULES) yield* ruleProblems(db, rule);
}

async function* chunkProblems(db: Reader): AsyncGenerator<string> {
  for (let after = 0;;) {
    const versions = await db.all<CheckedVersion>(sql`select ${CHECKED_COLUMNS}
      from document_versions where seq > ${after} order by seq limit ${BATCH_VERSIONS}`);
    for (const version of versions) {
      const found = await db.all<{ content: string }>(
        sql`select content from chunks where version = ${version.seq} order by position`,
      );
      const problem = versionProblem(version, found.map(({ content }) => content));
      if (problem !== null) yield problem;
    }
    if (versions.length < BATCH_VERSIONS) break;
    after = versions.at(-1)!.seq;
  }
  yield* ruleProblems(db, CHUNK_RULE);
}

async function* blobProblems(
  db: Reader,
  { directory, database, blobs: address }: PostgresInstance,
): AsyncGenerator<string> {
  const names = await db.all<{ hash: string }>(sql`select distinct hash from blob_names`);
  if (names.length === 0) return;
  const random = systemRandom();
  const blobs = await openBlobs({ directory, address, mark: () => markOf(db), random });
  for (const { hash: name } of names) {
    const hash = await hashOf(blobs, name);
    if (hash === null) {
      // The service may have deleted it after this check began.
      if (await isReferencedNow(database, name)) yield `${name} is missing`;
    } else if (hash !== hashInName(name)) yield `${name} is damaged`;
  }
}

/** Checks whether a file belongs to a record now, rather than at the time that a check sees. */
async function isReferencedNow(address: PgAddress, name: string): Promise<boolean> {
  const connection = await PgConnection.open(address, MAX_STATEMENT_MS);
  try {
    const query = sql`select 1 from blob_names where hash = ${name} limit 1`;
    return await asReader(connection).first(query) !== undefined;
  } finally {
    await connection.close();
  }
}

/** Returns the SHA-256 of a file's content, or null if it doesn't exist. */
async function hashOf(blobs: Blobs, name: string): Promise<string | null> {
  if (await blobs.size(name) === null) return null;
  const digest = createHash("sha256");
  try {
    for await (const bytes of blobs.stream(name)) digest.update(bytes);
  } catch (error) {
    if (await blobs.size(name) === null) return null;
    throw error;
  }
  return digest.digest("hex");
}
