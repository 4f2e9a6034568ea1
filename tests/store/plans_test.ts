/**
 * Makes sure that queries for a few rows don't scan the whole project. By default, SQLite picks the
 * index that begins with the project, no matter how many rows that leaves.
 */

import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import sql, { type Sql } from "sql-template-tag";
import { listSlots } from "../../src/dashboard/browse/repository.ts";
import { deleteEndedRuns, journalAfter } from "../../src/derived/repository.ts";
import { deleteMemoryRows, listMemories, removeMemories } from "../../src/memories/repository.ts";
import type { MemoryRow } from "../../src/memories/row.ts";
import { tableStep } from "../../src/projects/purge.ts";
import { MemoryRows } from "../../src/search/workers/memory_rows.ts";
import type { MemorySearchRequest } from "../../src/search/query/memory_request.ts";
import { changedMemories } from "../../src/store/journal.ts";
import type { Store, Tx } from "../../src/store/store.ts";
import { Connection } from "../../src/store/sqlite/connection.ts";
import { SqliteStore } from "../../src/store/sqlite/store.ts";
import { TaskQueue } from "../../src/tasks/queue.ts";
import { listTasks, rankUnfinished } from "../../src/tasks/repository.ts";
import { uploadPurge } from "../../src/uploads/purge.ts";
import type { UploadCleanup } from "../../src/uploads/cleanup.ts";
import { makeTempDirSync, rm } from "../../testing/temp_dir.ts";

interface Step {
  /** 0 for a step in the statement itself rather than a subquery. */
  readonly parent: number;
  readonly detail: string;
}

/** A connection that records every statement's query plan. */
class RecordingConnection extends Connection {
  readonly steps: Step[] = [];

  override all<Row>(query: Sql): Row[] {
    this.#record(query);
    return super.all<Row>(query);
  }

  override run(query: Sql): number {
    this.#record(query);
    return super.run(query);
  }

  #record(query: Sql): void {
    this.steps.push(...super.all<Step>(sql`explain query plan ${query}`));
  }
}

/** Returns the connection as a transaction for a unit of work. */
function asTx(db: Connection): Tx {
  return {
    all: (query) => Promise.resolve(db.all(query)),
    first: (query) => Promise.resolve(db.first(query)),
    run: (query) => Promise.resolve(db.run(query)),
    post: (query) => void db.run(query),
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
  "listTasks()": (tx) => listTasks(tx, 1, { kinds: [], statuses: [] }, null, 20),
  "deleteMemoryRows()": (tx) => deleteMemoryRows(tx, 1, ROWS),
  "deleteMemoryRows() of one memory": (tx) => deleteMemoryRows(tx, 1, ROWS.slice(0, 1)),
  "listMemories()": (tx) => listMemories(tx, 1, { user_id: "ana" }, ["2026", "mem_a"], 20),
  "removeMemories()": (tx) => removeMemories(tx, 1, 200),
  "deleteEndedRuns()": (tx) => deleteEndedRuns(tx, 1),
  "MemoryRows.scanMatching() of a project": (_tx, db) =>
    new MemoryRows(db, FILTERED).scanMatching(10),
  "MemoryRows.scanMatching() of a user": (_tx, db) =>
    new MemoryRows(db, { ...FILTERED, tags: ["user_id=ana"] }).scanMatching(10),
  "MemoryRows.queryMatching()": (_tx, db) =>
    new MemoryRows(db, { ...FILTERED, filters: { importance: 0.5 } }).queryMatching(10, [1, 2]),
  "uploadPurge()": (tx) => uploadPurge({} as UploadCleanup).run(tx, 1, 200),
  "changedMemories()": (tx) => changedMemories(tx, 1, 0, 200),
  "journalAfter()": (tx) => journalAfter(tx, 1, 0, 200),
  "listSlots()": (tx) => listSlots(tx, 1, { user_id: "ana" }),
  ...Object.fromEntries(
    ["tasks", "memory_history", "journal", "credit_entries"].map((table) => [
      `tableStep() of ${table}`,
      (tx: Tx) => tableStep(table, "seq").run(tx, 1, 200),
    ]),
  ),
};

for (const [name, work] of Object.entries(SCENARIOS)) {
  Deno.test(`${name} does not scan the whole project`, async () => {
    const plans = await plansOf(work);
    const scans = plans.filter((detail) =>
      // Scanning a subquery's result is fine, since it's bounded.
      detail.startsWith("SCAN") && !plans.includes(detail.replace("SCAN", "CO-ROUTINE")) ||
      /^SEARCH .*\(project=\?\)$/.test(detail)
    );
    deepStrictEqual(scans, []);
  });
}

Deno.test("TaskQueue.claim() finds the next tasks by an index that has them in turn", async () => {
  const plans = await plansOf(async (tx) => {
    const store = { write: (_owner: unknown, work: (tx: Tx) => Promise<unknown>) => work(tx) };
    const queue = new TaskQueue({
      store: store as unknown as Store,
      clock: { now: () => 0 },
      random: Math.random,
      bootId: "a",
    });
    const capacity = new Map([["memory_infer", 2]] as const);
    for (const project of [1, 2]) {
      await tx.run(sql`insert into tasks (project, id, kind, status, max_attempts, payload, scope,
          created_at, updated_at)
        values (${project}, 'task', 'memory_infer', 'pending', 5, '{}', '{}', '', '')`);
    }
    strictEqual((await queue.claim(capacity)).length, 2);
    strictEqual((await queue.claim(capacity)).length, 0);
  });
  deepStrictEqual(plans.filter((detail) => !detail.includes("INTEGER PRIMARY KEY")), [
    "SEARCH tasks USING INDEX tasks_waiting_of_project (kind=?)",
    "SEARCH tasks USING INDEX tasks_waiting_of_project (kind=? AND project>?)",
    "SEARCH tasks USING INDEX tasks_waiting_of_project (kind=? AND project<?)",
  ]);
});

Deno.test("rankUnfinished() reads only the unfinished and failed tasks", async () => {
  const steps = await stepsOf((tx) => rankUnfinished(tx));
  deepStrictEqual(steps.map(({ detail }) => detail).filter((detail) => detail.includes("tasks")), [
    "SEARCH tasks USING INDEX tasks_waiting_of_project (kind>?)",
    "SEARCH tasks USING INDEX tasks_leased (lease_expires_at>?)",
    "SCAN tasks USING INDEX tasks_with_error",
  ]);
});

/** Returns the plans of statements, without their subqueries. */
async function plansOf(work: (tx: Tx, db: Connection) => unknown): Promise<readonly string[]> {
  const steps = await stepsOf(work);
  return steps.filter(({ parent }) => parent === 0).map(({ detail }) => detail);
}

/** Returns all steps of the statements that some work executes in an empty database. */
async function stepsOf(work: (tx: Tx, db: Connection) => unknown): Promise<readonly Step[]> {
  const directory = makeTempDirSync();
  const store = new SqliteStore(directory);
  const db = new RecordingConnection(store.path);
  try {
    await work(asTx(db), db);
    ok(db.steps.length > 0);
    return db.steps;
  } finally {
    db.close();
    await store.close();
    await rm(directory);
  }
}
