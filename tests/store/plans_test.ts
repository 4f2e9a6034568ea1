/**
 * A few rows of a project are found without going through the project: SQLite, left to choose, takes
 * the index whose first column is the project, however many rows that leaves.
 */

import { deepStrictEqual, ok } from "node:assert/strict";
import sql, { type Sql } from "sql-template-tag";
import { listSlots } from "../../src/dashboard/browse/repository.ts";
import { deleteEndedRuns } from "../../src/derived/repository.ts";
import { deleteMemoryRows, removeMemories } from "../../src/memories/repository.ts";
import type { MemoryRow } from "../../src/memories/row.ts";
import { tableStep } from "../../src/projects/purge.ts";
import { MemoryRows } from "../../src/search/workers/memory_rows.ts";
import type { MemorySearchRequest } from "../../src/search/query/memory_request.ts";
import type { Tx } from "../../src/store/store.ts";
import { Connection } from "../../src/store/sqlite/connection.ts";
import { SqliteStore } from "../../src/store/sqlite/store.ts";
import { listTasks } from "../../src/tasks/repository.ts";
import { uploadPurge } from "../../src/uploads/purge.ts";
import type { UploadCleanup } from "../../src/uploads/cleanup.ts";
import { makeTempDirSync, rm } from "../../testing/temp_dir.ts";

interface Step {
  /** 0 for what a statement itself does, and not a query within it. */
  readonly parent: number;
  readonly detail: string;
}

/** A connection that notes how SQLite goes about each statement. */
class RecordingConnection extends Connection {
  readonly plans: string[] = [];

  override all<Row>(query: Sql): Row[] {
    this.#note(query);
    return super.all<Row>(query);
  }

  override run(query: Sql): number {
    this.#note(query);
    return super.run(query);
  }

  #note(query: Sql): void {
    const steps = super.all<Step>(sql`explain query plan ${query}`);
    this.plans.push(...steps.filter(({ parent }) => parent === 0).map(({ detail }) => detail));
  }
}

/** The same as a unit of work sees it. */
function unitOf(db: Connection): Tx {
  return {
    all: (query) => Promise.resolve(db.all(query)),
    first: (query) => Promise.resolve(db.first(query)),
    run: (query) => Promise.resolve(db.run(query)),
    insert: (query) => Promise.resolve(db.insert(query)),
    notify: () => undefined,
  };
}

const ROWS = [{ seq: 1, id: "mem_a" }, { seq: 2, id: "mem_b" }] as MemoryRow[];

const FILTERED = {
  project: 1,
  tags: [],
  filters: { NOT: { importance: 0.5 } },
} as unknown as MemorySearchRequest;

const SCENARIOS: Readonly<Record<string, (tx: Tx, db: Connection) => unknown>> = {
  "a page of tasks": (tx) => listTasks(tx, 1, { kinds: [], statuses: [] }, null, 20),
  "deleting some memories": (tx) => deleteMemoryRows(tx, 1, ROWS),
  "deleting the next memories of a project": (tx) => removeMemories(tx, 1, 200),
  "forgetting the runs of derivation that ended": (tx) => deleteEndedRuns(tx, 1),
  "a filter over a project": (_tx, db) => new MemoryRows(db, FILTERED).scanMatching(10),
  "a filter over a user": (_tx, db) =>
    new MemoryRows(db, { ...FILTERED, tags: ["user_id=ana"] }).scanMatching(10),
  "a filter over what tags leave": (_tx, db) =>
    new MemoryRows(db, { ...FILTERED, filters: { importance: 0.5 } }).queryMatching(10, [1, 2]),
  "purging uploads": (tx) => uploadPurge({} as UploadCleanup).run(tx, 1, 200),
  "the attributes that a user's latest memories speak of": (tx) =>
    listSlots(tx, 1, { user_id: "ana" }),
  ...Object.fromEntries(
    ["tasks", "memory_history", "journal", "credit_entries"].map((table) => [
      `purging ${table}`,
      (tx: Tx) => tableStep(table, "seq").run(tx, 1, 200),
    ]),
  ),
};

for (const [name, work] of Object.entries(SCENARIOS)) {
  Deno.test(`${name} doesn't go through the project`, async () => {
    const directory = makeTempDirSync();
    const store = new SqliteStore(directory);
    const db = new RecordingConnection(store.path);
    try {
      await work(unitOf(db), db);
      ok(db.plans.length > 0);
      const whole = db.plans.filter((detail) =>
        // What a query within the statement has found, which is bounded, may be gone through.
        detail.startsWith("SCAN") && !db.plans.includes(detail.replace("SCAN", "CO-ROUTINE")) ||
        /^SEARCH .*\(project=\?\)$/.test(detail)
      );
      deepStrictEqual(whole, []);
    } finally {
      db.close();
      await store.close();
      await rm(directory);
    }
  });
}
