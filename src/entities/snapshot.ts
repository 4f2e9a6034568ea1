/**
 * Writes scope entities to snapshots and checks their memory counts against the memories in the
 * snapshot.
 */

import sql from "sql-template-tag";
import { storedTimestamp } from "../contract/stored_fields.ts";
import { type PagePosition, snapshotSection } from "../contract/snapshot.ts";
import type { Reader } from "../store/store.ts";
import { type Entity, entitySchema } from "./schema.ts";

const entityRecord = entitySchema.extend({
  created_at: storedTimestamp,
  updated_at: storedTimestamp,
});

/** Snapshot section for entities. A restore recounts the memories. */
export const entitySection = snapshotSection<Entity>({
  name: "entities",
  schema: entityRecord,
  declaredTotal: ({ type, id, total_memories }) => ({
    total: `${type} ${id}`,
    field: "total_memories",
    count: total_memories,
  }),
  async page(db: Reader, project: number, after: PagePosition | null, count: number) {
    const records = await db.all<Entity>(sql`select id, type, total_memories, created_at, updated_at
      from scope_totals where project = ${project} and type <> 'project'
        and (type, id) > (${after?.[0] ?? ""}, ${after?.[1] ?? ""})
      order by type, id limit ${count}`);
    const last = records.at(-1);
    return { records, next: records.length < count || !last ? null : [last.type, last.id] };
  },
});
