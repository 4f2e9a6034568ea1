/** SQL that lists scope entities from the totals maintained by memories. */

import sql, { empty } from "sql-template-tag";
import type { Position } from "../kernel/http/cursor.ts";
import type { Reader } from "../store/store.ts";
import type { Entity } from "./schema.ts";

/** Returns a page of entities by its offset, newest first, with the number of all entities. */
export async function entitiesAt(
  db: Reader,
  project: number,
  { offset, limit }: { readonly offset: number; readonly limit: number },
): Promise<{ readonly results: Entity[]; readonly count: number }> {
  const owners = sql`from scope_totals where project = ${project} and type <> 'project'`;
  const total = await db.first<{ count: number }>(sql`select count(*) as count ${owners}`);
  const results = await db.all<Entity>(sql`select id, type, total_memories, created_at, updated_at
    ${owners} order by created_at desc, type desc, id desc limit ${limit} offset ${offset}`);
  return { results, count: total!.count };
}

/**
 * Maximum number of entities of a type to read and sort for a page. If there are more, a page reads
 * all types in order instead.
 */
const MAX_SORTED_ENTITIES = 1_000;

/**
 * Returns entities, newest first by the time of their first memory. Ties are broken by type, then
 * id.
 */
export async function listEntities(
  db: Reader,
  project: number,
  type: Entity["type"] | undefined,
  after: Position | null,
  count: number,
): Promise<Entity[]> {
  // There can be a few agents among a million runs. The plus sign makes SQLite use the key, which
  // begins with the type, rather than the index of all types by time.
  const isRare = type !== undefined && await db.first(sql`select 1 from scope_totals
    where project = ${project} and type = ${type} limit 1 offset ${MAX_SORTED_ENTITIES}`) ===
      undefined;
  const time = isRare ? sql`+created_at` : sql`created_at`;
  const ofType = type === undefined ? sql`and type <> 'project'` : sql`and type = ${type}`;
  const later = after === null
    ? empty
    : sql`and (${time}, type, id) < (${after[0]}, ${after[1]}, ${after[2]})`;
  return await db.all<Entity>(sql`select id, type, total_memories, created_at, updated_at
    from scope_totals where project = ${project} ${ofType} ${later}
    order by ${time} desc, type desc, id desc limit ${count}`);
}
