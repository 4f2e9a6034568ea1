/**
 * Makes sure that queries for a few rows don't scan the whole project. By default, SQLite picks the
 * index that begins with the project, no matter how many rows that leaves.
 */

import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import sql, { type Sql } from "sql-template-tag";
import { listSlots } from "../../src/dashboard/browse/repository.ts";
import { deleteEndedRuns, journalAfter } from "../../src/derived/repository.ts";
import { listHeads } from "../../src/documents/repository.ts";
import { listEntities } from "../../src/entities/repository.ts";
import { claimsOfPage, claimsOfSlot, unclaimedOfPage } from "../../src/memories/claims/claims.ts";
import {
  activeMemories,
  deleteMemoryRows,
  listMemories,
  removeMemories,
  supersededBy,
} from "../../src/memories/repository.ts";
import type { MemoryRow } from "../../src/memories/row.ts";
import { scopePages } from "../../src/memories/scope_pages.ts";
import { tableStep } from "../../src/projects/purge.ts";
import { MemoryRows } from "../../src/search/workers/memory_rows.ts";
import { queryRecords } from "../../src/search/workers/record_query.ts";
import type { MemorySearchRequest } from "../../src/search/query/memory_request.ts";
import { changedMemories } from "../../src/store/journal.ts";
import type { Store, Tx } from "../../src/store/store.ts";
import { Connection } from "../../src/store/sqlite/connection.ts";
import { SqliteStore } from "../../src/store/sqlite/store.ts";
import { TaskQueue } from "../../src/tasks/queue.ts";
import { type OperationFileDeps, operationFileJobs } from "../../src/tasks/files.ts";
import type { TaskContext } from "../../src/tasks/handler.ts";
import { countTasks, listTasks, rankUnfinished, tasksAt } from "../../src/tasks/repository.ts";
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

  override first<Row>(query: Sql): Row | undefined {
    this.#record(query);
    return super.first<Row>(query);
  }

  override iterate<Row>(query: Sql): Generator<Row, void> {
    this.#record(query);
    return super.iterate<Row>(query);
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

/** A user and an agent. Either of them can have most of the memories. */
const OWNED = { user_id: "ana", agent_id: "bot" } as const;

const OWNED_TAGS = { project: 1, tags: ["user_id=ana", "agent_id=bot"] } as const;

const OWNED_QUERIES: Readonly<Record<string, (tx: Tx, db: Connection) => unknown>> = {
  "listMemories()": (tx) => listMemories(tx, 1, OWNED, null, 20),
  "activeMemories()": (tx) => activeMemories(tx, 1, OWNED, "2026", 20),
  "supersededBy()": (tx) =>
    supersededBy(tx, 1, { id: "mem_a", run_id: null, ...OWNED } as MemoryRow),
  "claimsOfPage()": async (tx) => {
    for await (const page of scopePages(tx, 1, OWNED)) await claimsOfPage(tx, page);
  },
  "unclaimedOfPage()": async (tx) => {
    for await (const page of scopePages(tx, 1, OWNED)) await unclaimedOfPage(tx, page, "2026", 20);
  },
  "claimsOfSlot() of a slot that all users have": async (tx) => {
    await tx.run(sql`insert into memory_claims select 1, 'mem_' || value, 0, '', 'user', 'lives_in',
      '', 'assert', 'text' from json_each('[1,2,3,4,5]')`);
    await claimsOfSlot(tx, 1, OWNED, { subject_key: "user", attribute: "lives_in" });
  },
  "MemoryRows.scanMatching()": (_tx, db) =>
    new MemoryRows(db, { ...FILTERED, ...OWNED_TAGS }).scanMatching(10),
  "queryRecords()": (_tx, db) =>
    queryRecords(db, {
      ...OWNED_TAGS,
      records: "memories",
      filters: undefined,
      orderBy: "created_at",
      direction: "desc",
      after: null,
      limit: 20,
      count: true,
    }),
};

for (const [name, work] of Object.entries(OWNED_QUERIES)) {
  Deno.test(`${name} uses the index of the owner with the fewest memories`, async () => {
    for (const [user, agent, index] of [[2, 9, "memories_of_user"], [9, 2, "memories_of_agent"]]) {
      const steps = await stepsOf(async (tx, db) => {
        await tx.run(sql`insert into scope_totals values
          (1, 'user', 'ana', ${user}, '', ''), (1, 'agent', 'bot', ${agent}, '', '')`);
        await work(tx, db);
      });
      const used = steps.map(({ detail }) => /memories_of_\w+/.exec(detail)?.[0]);
      deepStrictEqual([...new Set(used.filter((index) => index !== undefined))], [index]);
    }
  });
}

Deno.test("listHeads() uses the index of the owner with the fewest documents", async () => {
  for (const [user, owner] of [["ana", "user"], ["all", "agent"]]) {
    const plans = await plansOf(async (tx) => {
      await tx.run(
        sql`insert into projects (number, id, name, created_at) values (1, 'a', 'a', '')`,
      );
      await tx.run(sql`insert into document_versions (project, id, source_key, content_hash,
          version_hash, title, mime_type, user_id, agent_id, metadata, size_bytes, chunks, terms,
          chunker_version, chunked_as, created_at, is_head)
        select 1, 'doc_' || value, value, '', '', '', '', iif(value = 7, 'ana', 'all'),
          iif(value < 2, 'bot', null), '{}', 0, 0, 0, 0, '', '', 1
        from json_each('[0,1,2,3,4,5,6,7,8,9]')`);
      await listHeads(tx, 1, { user_id: user, agent_id: "bot", run_id: undefined }, null, 20);
    });
    strictEqual(
      plans.filter((detail) => detail.includes("document_versions")).at(-1),
      `SEARCH document_versions USING INDEX document_heads_of_${owner} (project=? AND ${owner}_id=?)`,
    );
  }
});

Deno.test("activeMemories() looks up given memories by their ids", async () => {
  const plans = await plansOf((tx) => activeMemories(tx, 1, OWNED, "2026", new Set(["mem_a"])));
  deepStrictEqual(plans.filter((detail) => detail.includes("memories")), [
    "SEARCH memories USING INDEX memories_by_id (project=? AND id=?)",
  ]);
});

Deno.test("claimsOfSlot() of a slot starts with its claims if the scope has more memories", async () => {
  const plans = await plansOf(async (tx) => {
    await tx.run(sql`insert into scope_totals values (1, 'user', 'ana', 9, '', '')`);
    await claimsOfSlot(tx, 1, { user_id: "ana" }, { subject_key: "user", attribute: "lives_in" });
  });
  const [first] = plans.filter((detail) => / (c|m) /.test(detail)).slice(-3);
  strictEqual(
    first,
    "SEARCH c USING COVERING INDEX memory_claims_of_slot " +
      "(project=? AND subject_key=? AND attribute=?)",
  );
});

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

Deno.test("listEntities() of a type with few entities doesn't read those of other types", async () => {
  const plans = await plansOf((tx) => listEntities(tx, 1, "agent", ["2026", "agent", "bot"], 20));
  deepStrictEqual([...new Set(plans)], [
    "SEARCH scope_totals USING PRIMARY KEY (project=? AND type=?)",
    "USE TEMP B-TREE FOR ORDER BY",
  ]);
});

Deno.test("operationFileJobs() reads only tasks of their kind and state", async () => {
  const plans = await plansOf(async (tx) => {
    const context = {
      commit: (work: (tx: Tx) => Promise<unknown>) => work(tx),
      signal: new AbortController().signal,
    } as TaskContext;
    const deps = { clock: { now: () => 0 }, blobs: { deleteUnreferenced: () => undefined } };
    for (const job of operationFileJobs(deps as unknown as OperationFileDeps)) {
      await job.run(context);
    }
  });
  deepStrictEqual([...new Set(plans.filter((detail) => / t /.test(detail)))], [
    "SEARCH t USING INDEX tasks_newest (project=? AND kind=? AND status=? AND created_at<?)",
  ]);
});

Deno.test("tasksAt() sorts no more than what its page ends with", async () => {
  const steps = await stepsOf((tx) => tasksAt(tx, 1, "memory_infer", { offset: 50, limit: 50 }));
  const reads = steps.map(({ detail }) => detail).filter((detail) => detail.includes("tasks"));
  deepStrictEqual([...new Set(reads)], [
    "SEARCH tasks USING COVERING INDEX tasks_newest (project=? AND kind=?)",
    "SEARCH tasks USING INTEGER PRIMARY KEY (rowid=?)",
    "SEARCH tasks USING COVERING INDEX tasks_newest (project=? AND kind=? AND status=?)",
  ]);
});

Deno.test("countTasks() counts by an index, and reads only the tasks that have waited longest", async () => {
  const steps = await stepsOf(async (tx) => {
    await tx.run(sql`insert into tasks
      (project, id, kind, status, max_attempts, payload, created_at, updated_at)
      values (1, 'task_a', 'export', 'pending', 5, '{}', '', '')`);
    await countTasks(tx, 1, ["export", "import"]);
  });
  const reads = steps.map(({ detail }) => detail).filter((detail) => detail.includes(" tasks "));
  deepStrictEqual([...new Set(reads)], [
    "SEARCH tasks USING COVERING INDEX tasks_newest (project=? AND kind=? AND status=?)",
    "SEARCH tasks USING INTEGER PRIMARY KEY (rowid=?)",
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
