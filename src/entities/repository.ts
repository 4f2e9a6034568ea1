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
 * Returns entities, newest first by the time of their first memory. Ties are broken by type, then
 * id.
 */
export function listEntities(
  db: Reader,
  project: number,
  type: Entity["type"] | undefined,
  after: Position | null,
  count: number,
): Promise<Entity[]> {
  const ofType = type === undefined ? sql`and type <> 'project'` : sql`and type = ${type}`;
  const later = after === null
    ? empty
    : sql`and (created_at, type, id) < (${after[0]}, ${after[1]}, ${after[2]})`;
  return db.all<Entity>(sql`select id, type, total_memories, created_at, updated_at
    from scope_totals where project = ${project} ${ofType} ${later}
    order by created_at desc, type desc, id desc limit ${count}`);
}
