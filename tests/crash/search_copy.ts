/** Compares the search copies of services on PostgreSQL with the records. */

import { join } from "node:path";
import sql from "sql-template-tag";
import { COPY_FOLDER } from "../../src/copies/copies.ts";
import { readStates } from "../../src/copies/state.ts";
import { searchCopyProblems } from "../../src/server/doctor/search_copy.ts";
import { Connection } from "../../src/store/sqlite/connection.ts";
import { asReader, databasePath } from "../../src/store/sqlite/store.ts";
import type { Reader } from "../../src/store/store.ts";
import { readRecords } from "../../testing/engine.ts";
import type { ServerProcess } from "../../testing/server_process.ts";
import { Violation } from "./violation.ts";

/** A service, and its data directory. */
export interface CopyingService {
  readonly directory: string;
  readonly process: ServerProcess;
}

/** The project of the server's own key. */
const PROJECT = 1;

/** What a search finds. */
const SEARCHED = [
  sql`select id, memory, importance, user_id, run_id from memories where project = ${PROJECT}
    order by id`,
  sql`select source_key, version_hash from document_versions
    where project = ${PROJECT} and is_head = 1 order by source_key`,
  sql`select c.seq, c.content from chunks as c join document_versions as v on v.seq = c.version
    where c.project = ${PROJECT} and is_head = 1 order by c.seq`,
];

/** The records that each copy must have. */
interface Expected {
  readonly journal: number;
  /** One list for each query of {@linkcode SEARCHED}. */
  readonly rows: readonly (readonly string[])[];
}

/**
 * Searches with each service, which brings its copy up to date, and compares the copies with the
 * records. No client may be working.
 *
 * @param whole whether to compare each column and the text indexes as well, like the doctor does.
 *   This takes longer than everything else
 * @throws Violation naming the first difference
 */
export async function checkSearchCopies(
  services: readonly CopyingService[],
  whole = true,
): Promise<void> {
  for (const { process } of services) await search(process);
  await readRecords(services[0]!.directory, async (records) => {
    const expected = await readExpected(records);
    for (const { directory } of services) {
      await checkCopy(directory, expected);
      if (!whole) continue;
      for await (const problem of searchCopyProblems(records, directory)) {
        throw new Violation(`the search copy: ${problem}`);
      }
    }
  });
}

async function search(process: ServerProcess): Promise<void> {
  const body = { query: "harbour", user_id: "c0-user-0" };
  const { status, text } = await process.call("POST", "/v1/memories/search", { body });
  if (status !== 200) throw new Violation(`a search returned ${status}: ${text}`);
}

async function readExpected(records: Reader): Promise<Expected> {
  const end = await records.first<{ seq: number }>(
    sql`select max(seq) as seq from journal where project = ${PROJECT}`,
  );
  const rows = [];
  for (const query of SEARCHED) rows.push(linesOf(await records.all(query)));
  return { journal: end!.seq, rows };
}

async function checkCopy(directory: string, { journal, rows }: Expected): Promise<void> {
  const copy = new Connection(databasePath(join(directory, COPY_FOLDER)), { readOnly: true });
  try {
    const state = new Map(await readStates(asReader(copy))).get(PROJECT);
    if (state?.journal !== journal) {
      throw new Violation(`the search copy is at ${state?.journal}, the journal at ${journal}`);
    }
    for (const [index, expected] of rows.entries()) {
      const found = linesOf(copy.all(SEARCHED[index]!));
      for (let at = 0; at < Math.max(expected.length, found.length); at++) {
        if (found[at] === expected[at]) continue;
        throw new Violation(`the search copy has ${found[at]}, expected ${expected[at]}`);
      }
    }
  } finally {
    copy.close();
  }
}

function linesOf(rows: readonly unknown[]): string[] {
  return rows.map((row) => JSON.stringify(row));
}
