/** Compares the search copy of a service on PostgreSQL with the records. */

import { join } from "node:path";
import sql from "sql-template-tag";
import { COPY_FOLDER } from "../../src/copies/copies.ts";
import { readStates } from "../../src/copies/state.ts";
import { searchCopyProblems } from "../../src/server/doctor/search_copy.ts";
import { Connection } from "../../src/store/sqlite/connection.ts";
import { asReader, databasePath } from "../../src/store/sqlite/store.ts";
import { readRecords } from "../../testing/engine.ts";
import type { ServerProcess } from "../../testing/server_process.ts";
import { Violation } from "./violation.ts";

/** The project of the server's own key. */
const PROJECT = 1;

/** What a search finds, by project. */
const SEARCHED = [
  sql`select id, memory, importance, user_id, run_id from memories where project = ${PROJECT}
    order by id`,
  sql`select source_key, version_hash from document_versions
    where project = ${PROJECT} and is_head = 1 order by source_key`,
  sql`select c.seq, c.content from chunks as c join document_versions as v on v.seq = c.version
    where c.project = ${PROJECT} and is_head = 1 order by c.seq`,
];

/**
 * Searches, which brings the copy up to date, and compares it with the records. No client may be
 * working.
 *
 * @throws Violation naming the first difference
 */
export async function checkSearchCopy(directory: string, server: ServerProcess): Promise<void> {
  const body = { query: "harbour", user_id: "c0-user-0" };
  const { status, text } = await server.call("POST", "/v1/memories/search", { body });
  if (status !== 200) throw new Violation(`a search returned ${status}: ${text}`);
  const copy = new Connection(databasePath(join(directory, COPY_FOLDER)), { readOnly: true });
  try {
    await readRecords(directory, async (records) => {
      for await (const problem of searchCopyProblems(records, directory)) {
        throw new Violation(`the search copy: ${problem}`);
      }
      const end = await records.first<{ seq: number }>(
        sql`select max(seq) as seq from journal where project = ${PROJECT}`,
      );
      const state = new Map(await readStates(asReader(copy))).get(PROJECT);
      if (state?.journal !== end!.seq) {
        throw new Violation(`the search copy is at ${state?.journal}, the journal at ${end!.seq}`);
      }
      for (const query of SEARCHED) {
        const [expected, found] = [await records.all(query), copy.all(query)];
        if (JSON.stringify(found) === JSON.stringify(expected)) continue;
        const at = expected.findIndex((row, index) =>
          JSON.stringify(row) !== JSON.stringify(found[index])
        );
        throw new Violation(
          `the search copy has ${JSON.stringify(found[at])}, expected ${
            JSON.stringify(expected[at])
          }`,
        );
      }
    });
  } finally {
    copy.close();
  }
}
