/** Invariants that hold for every database at any moment. */

import sql, { raw } from "sql-template-tag";
import { SCOPE_TYPES } from "../../src/memories/scope_counters.ts";
import { Connection } from "../../src/store/sqlite/connection.ts";
import { databasePath } from "../../src/store/sqlite/store.ts";
import type { Reader } from "../../src/store/store.ts";
import { readRecords, testDatabase } from "../../testing/engine.ts";
import { Violation } from "./violation.ts";
import { compareTextIndex } from "./text_index.ts";

/**
 * Checks all invariants of a data directory.
 *
 * @param postings whether to compare each posting, which takes longer than everything else combined
 * @throws Violation naming the broken invariant
 */
export async function checkInvariants(directory: string, postings = true): Promise<void> {
  await readRecords(directory, checkRecords);
  if (testDatabase(directory) !== undefined) return;
  const db = new Connection(databasePath(directory));
  try {
    checkFiles(db);
    if (postings) await compareTextIndex(db);
  } finally {
    db.close();
  }
}

/**
 * Checks what the doctor doesn't.
 *
 * @throws Violation naming the broken invariant
 */
export async function checkRecords(db: Reader): Promise<void> {
  for (const [name, query] of Object.entries(VIOLATION_QUERIES)) {
    const rows = await db.all(query);
    if (rows.length > 0) throw new Violation(`${name}: ${JSON.stringify(rows.slice(0, 3))}`);
  }
  await checkJournal(db);
  await checkTotals(db);
}

function checkFiles(db: Connection): void {
  const faults = db.all<{ integrity_check: string }>(sql`pragma integrity_check`);
  if (faults[0]?.integrity_check !== "ok") {
    throw new Violation(`integrity_check: ${JSON.stringify(faults.slice(0, 5))}`);
  }
  const orphans = db.all(sql`pragma foreign_key_check`);
  if (orphans.length > 0) throw new Violation(`foreign_key_check: ${JSON.stringify(orphans[0])}`);
  // Throws if the index is broken.
  db.exec("insert into memories_fts (memories_fts) values ('integrity-check')");
}

/** Queries that must return no rows. */
const VIOLATION_QUERIES = {
  "a memory exists if and only if its history doesn't end with DELETE": sql`
    select h.memory_id, h.event from memory_history h
    where h.seq = (select max(seq) from memory_history
      where project = h.project and memory_id = h.memory_id and event <> 'FEEDBACK')
    and (h.event = 'DELETE') = exists (select 1 from memories m
      where m.project = h.project and m.id = h.memory_id)`,
  "a memory equals the result of its last change": sql`
    select m.id, m.updated_at, h.created_at from memories m
    left join memory_history h on h.seq = (select max(seq) from memory_history
      where project = m.project and memory_id = m.id and event <> 'FEEDBACK')
    where h.new_memory is distinct from m.memory
      or h.created_at is distinct from m.updated_at`,
  "a history begins with ADD when the memory was created": sql`
    select h.memory_id, h.event from memory_history h
    left join memories m on m.project = h.project and m.id = h.memory_id
    where h.seq = (select min(seq) from memory_history
      where project = h.project and memory_id = h.memory_id)
    and (h.event <> 'ADD' or h.created_at <> coalesce(m.created_at, h.created_at))`,
  "each change starts from the result of the one before it": sql`
    select memory_id, event, old_memory from (
      select *, lag(new_memory) over trail as before, lag(created_at) over trail as earlier,
        row_number() over trail as number
      from memory_history where event <> 'FEEDBACK'
      window trail as (partition by project, memory_id order by seq)) as changes
    where old_memory is distinct from before or (number > 1 and created_at <= earlier)`,
  "feedback equals the last feedback in the history": sql`
    select f.memory_id, f.rating, h.feedback from memory_feedback f
    left join memory_history h on h.seq = (select max(seq) from memory_history
      where project = f.project and memory_id = f.memory_id and event = 'FEEDBACK')
    where (h.feedback ->> 'rating') is distinct from f.rating`,
  "a deleted memory has no feedback and no access times": sql`
    select memory_id from memory_feedback f where not exists
      (select 1 from memories m where m.project = f.project and m.id = f.memory_id)
    union all select memory_id from memory_access a where not exists
      (select 1 from memories m where m.project = a.project and m.id = a.memory_id)`,
  "an inferred add stored exactly the memories in its result": sql`
    with stored as materialized (
      select project, source ->> 'operation_id' as operation, count(*) as n
      from memory_history group by 1, 2)
    select id, reported, stored from (select tasks.id, coalesce(n, 0) as stored,
        coalesce(json_array_length(result -> 'results'), 0) as reported
      from tasks left join stored on stored.project = tasks.project and operation = tasks.id
      where kind = 'memory_infer') as adds where reported <> stored`,
  "an upload is ready if and only if its extraction has succeeded": sql`
    select asset.id, asset.status as upload, tasks.status from source_assets as asset
    join tasks on tasks.project = asset.project and tasks.id = asset.operation_id
    where (asset.status = 'ready') <> (tasks.status = 'success')`,
  "totals of documents count the heads, their chunks and their terms": sql`
    select t.*, n, n_chunks, n_terms from document_totals as t left join
      (select project, count(*) as n, sum(chunks) as n_chunks, sum(terms) as n_terms
       from document_versions where is_head = 1 group by project) as heads
      on heads.project = t.project
    where sources <> coalesce(n, 0) or t.chunks <> coalesce(n_chunks, 0)
      or t.terms <> coalesce(n_terms, 0)`,
  "a source has one head": sql`
    select project, source_key from document_versions where is_head = 1
    group by project, source_key having count(*) > 1`,
  "a vector has its sign bits and belongs to an existing text": sql`
    select kind, seq from vectors where not exists (select 1 from vector_signs as signs
      where signs.project = vectors.project and signs.model = vectors.model
        and signs.kind = vectors.kind and signs.seq = vectors.seq)
    union all select kind, seq from vector_signs where kind = 0
      and seq not in (select seq from memories)
    union all select kind, seq from vector_signs where kind = 1 and seq not in
      (select seq from chunks
       where version in (select seq from document_versions where is_head = 1)
         -- Chunks of a deleted document that wait for removal; no search returns them.
         or version in (select version from retired_versions))`,
  "memories of a thread have distinct positions": sql`
    select project, thread, position from memories where thread is not null
    group by project, thread, position having count(*) > 1`,
};

/** Projects populated by an import. To anyone following the journal, all their records are new. */
const IMPORTED = sql`select project from tasks where kind = 'import'`;

/** Checks that the journal has every change from the history, in order within each project. */
async function checkJournal(db: Reader): Promise<void> {
  type Change = { readonly change: string };
  const journal = await db.all<Change>(
    sql`select project || ' ' || record_id || ' ' || change as change
      from journal where kind = 'memory' and project not in (${IMPORTED}) order by project, seq`,
  );
  const history = await db.all<Change>(
    sql`select project || ' ' || memory_id || ' ' || event as change
      from memory_history where project not in (${IMPORTED}) order by project, seq`,
  );
  const length = Math.max(journal.length, history.length);
  for (let index = 0; index < length; index++) {
    const [recorded, actual] = [journal[index]?.change, history[index]?.change];
    if (recorded !== actual) {
      throw new Violation(`the journal records ${recorded} instead of ${actual}`);
    }
  }
}

/** Checks the totals. Scope totals include timestamps; project totals are just counts. */
async function checkTotals(db: Reader): Promise<void> {
  for (const [type, column] of Object.entries(SCOPE_TYPES)) {
    const live = sql`select project, ${raw(column)} as id, count(*) as total_memories,
        min(created_at) as created_at, max(updated_at) as updated_at
      from memories where ${raw(column)} is not null group by project, ${raw(column)}`;
    const stored = sql`select project, id, total_memories, created_at, updated_at
      from scope_totals where type = ${type}`;
    const wrong = await db.all(sql`select 'stored' as side, s.* from (${stored} except ${live}) as s
      union all select 'live', l.* from (${live} except ${stored}) as l`);
    if (wrong.length > 0) {
      throw new Violation(`totals of ${type}: ${JSON.stringify(wrong.slice(0, 4))}`);
    }
  }
  const projects = await db.all(sql`select * from (select project, total_memories,
      (select count(*) from memories m where m.project = t.project) as live
    from scope_totals t where type = 'project') as totals where total_memories <> live`);
  if (projects.length > 0) throw new Violation(`totals of projects: ${JSON.stringify(projects)}`);
}
