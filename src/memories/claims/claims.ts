/**
 * Reads memory claims for other modules. Inference compares new facts with them, and derived views
 * are built entirely from them.
 */

import sql, { type Sql } from "sql-template-tag";
import type { Scope } from "../../contract/fields.ts";
import { inScope } from "../../contract/scope_condition.ts";
import { texts } from "../../store/sql.ts";
import type { Reader } from "../../store/store.ts";
import type { MemoryClaim } from "./claim_rows.ts";
import type { MemoryType } from "../schema.ts";
import { smallestScope } from "../scope_counters.ts";

export type { MemoryClaim };

/** A claim with its memory's id. */
export interface StoredClaim extends MemoryClaim {
  readonly memory_id: string;
}

/** Returns the given memories' claims, in order within each memory. */
export function claimsOfMemories(
  db: Reader,
  project: number,
  ids: readonly string[],
): Promise<StoredClaim[]> {
  if (ids.length === 0) return Promise.resolve([]);
  return db.all<StoredClaim>(sql`select memory_id, subject, subject_key, attribute, value, op
    from memory_claims where project = ${project}
      and memory_id in ${texts(ids)}
    order by memory_id, position`);
}

/** Returns the claims found by inference, keyed by memory id. */
export async function inferredClaims(
  db: Reader,
  project: number,
  ids: readonly string[],
): Promise<ReadonlyMap<string, readonly MemoryClaim[]>> {
  if (ids.length === 0) return new Map();
  const rows = await db.all<StoredClaim>(
    sql`select memory_id, subject, subject_key, attribute, value, op from memory_claims
    where project = ${project} and memory_id in ${texts(ids)} and origin = 'inference'
    order by memory_id, position`,
  );
  const claims = new Map<string, MemoryClaim[]>();
  for (const { memory_id, ...claim } of rows) {
    claims.set(memory_id, [...claims.get(memory_id) ?? [], claim]);
  }
  return claims;
}

/** What claims are about. */
type Slot = Pick<MemoryClaim, "subject_key" | "attribute">;

/** Maximum number of claims to read about a single slot without checking the scope. */
const MAX_SLOT_CLAIMS = 2_000;

/**
 * Returns the ids of memories with claims about the given slots. Includes all such memories in the
 * scope, and possibly some from other scopes.
 */
export async function memoriesOfSlots(
  db: Reader,
  project: number,
  scope: Scope,
  slots: readonly Slot[],
): Promise<ReadonlySet<string>> {
  const ids = new Set<string>();
  for (const slot of slots) {
    let rows = await db.all<{ memory_id: string }>(sql`select c.memory_id from memory_claims c
      where ${isAbout(project, slot)} limit ${MAX_SLOT_CLAIMS + 1}`);
    if (rows.length > MAX_SLOT_CLAIMS) {
      const { tables, condition } = await slotInScope(db, project, scope, slot);
      rows = await db.all<{ memory_id: string }>(
        sql`select c.memory_id from ${tables} where ${condition}`,
      );
    }
    for (const { memory_id } of rows) ids.add(memory_id);
  }
  return ids;
}

function isAbout(project: number, { subject_key, attribute }: Slot): Sql {
  return sql`c.project = ${project} and c.subject_key = ${subject_key}
    and c.attribute = ${attribute}`;
}

/** Memories `m` with their claims `c`, and which of them are selected. */
interface Selection {
  readonly tables: Sql;
  readonly condition: Sql;
}

/**
 * Selects a scope's memories and their claims about a slot. Starts with whichever are fewer: all
 * users have claims about some slots (e.g. `lives_in`), and a user can have many memories with few
 * claims about a slot.
 */
async function slotInScope(
  db: Reader,
  project: number,
  scope: Scope,
  slot: Slot,
): Promise<Selection> {
  const about = isAbout(project, slot);
  const { condition, size } = await smallestScope(db, project, scope);
  const hasFewerClaims = size === Infinity || await db.first(
        sql`select 1 from memory_claims c where ${about} limit 1 offset ${size}`,
      ) === undefined;
  if (!hasFewerClaims) {
    return {
      tables: MEMORIES_FIRST,
      condition: sql`m.project = ${project} ${condition} and ${about}`,
    };
  }
  return {
    // SQLite only uses the index of slots for columns in it. It would otherwise read all claims.
    tables: sql`(select c.memory_id, c.position from memory_claims c where ${about}) as found
      cross join memories m on m.project = ${project} and m.id = found.memory_id
      cross join memory_claims c on c.project = m.project and c.memory_id = m.id
        and c.position = found.position`,
    condition: sql`m.project = ${project} ${inScope(scope, [])}`,
  };
}

/**
 * SQLite joins in this order. It would otherwise start with all claims in the project (0.2 s for
 * 100,000 claims).
 */
const MEMORIES_FIRST = sql`memories m
  cross join memory_claims c on c.project = m.project and c.memory_id = m.id`;

/** A claim plus the memory fields needed by views. */
export interface ClaimWithMemory extends StoredClaim {
  readonly memory: string;
  readonly memory_type: MemoryType;
  readonly importance: number;
  readonly run_id: string | null;
  /** The last inference task to add or change the memory. Null for verbatim memories. */
  readonly operation_id: string | null;
  readonly created_at: string;
  readonly event_date: string | null;
  readonly valid_from: string | null;
  readonly valid_to: string | null;
  /** The memory that invalidated this one and the previous `valid_to`, or null. */
  readonly ended_by: string | null;
  readonly valid_to_before: string | null;
}

/** Returns a scope's claims about a slot, oldest memory first. */
export async function claimsOfSlot(
  db: Reader,
  project: number,
  scope: Scope,
  slot: Slot,
): Promise<ClaimWithMemory[]> {
  return await readClaims(db, await slotInScope(db, project, scope, slot));
}

/** Returns the claims of a page of memories; see {@linkcode scopePages}. Oldest memory first. */
export async function claimsOfPage(db: Reader, page: Sql): Promise<ClaimWithMemory[]> {
  return await readClaims(db, { tables: MEMORIES_FIRST, condition: page });
}

/** The subquery checks `valid_to` first, to avoid reading the history of memories that haven't ended. */
function readClaims(db: Reader, { tables, condition }: Selection): Promise<ClaimWithMemory[]> {
  return db.all<ClaimWithMemory>(sql`select c.memory_id, c.subject, c.subject_key, c.attribute,
      c.value, c.op, m.memory, m.memory_type, m.importance, m.run_id, m.created_at, m.event_date,
      m.valid_from, m.valid_to,
      ended.changes -> 'superseded_by' ->> 'to' as ended_by,
      ended.changes -> 'valid_to' ->> 'from' as valid_to_before,
      (select max(s.operation_id) from memory_sources s
        where s.project = m.project and s.memory_id = m.id) as operation_id
    from ${tables}
    left join memory_history ended on ended.seq = (select max(h.seq) from memory_history h
      where m.valid_to is not null
        and h.project = m.project and h.memory_id = m.id and h.event = 'INVALIDATE')
    where ${condition} order by m.created_at, m.id, c.position`);
}

/** A memory without claims, as shown in a profile. */
export interface UnclaimedMemory {
  readonly id: string;
  readonly memory: string;
  readonly memory_type: MemoryType;
  readonly importance: number;
  readonly created_at: string;
  readonly event_date: string | null;
}

/** Returns a page's active memories without claims, most important first. */
export function unclaimedOfPage(
  db: Reader,
  page: Sql,
  at: string,
  count: number,
): Promise<UnclaimedMemory[]> {
  return db.all<UnclaimedMemory>(
    sql`select id, memory, memory_type, importance, created_at, event_date
    from memories m
    where ${page} and (valid_to is null or valid_to > ${at})
      and not exists (select 1 from memory_claims c where c.project = m.project and c.memory_id = m.id)
    order by importance desc, created_at desc, id desc limit ${count}`,
  );
}
