/**
 * Writes episodes to snapshots. An episode is the outcome of an inferred add, without its input.
 */

import sql from "sql-template-tag";
import { z } from "zod";
import { scopeFields } from "../contract/fields.ts";
import { storedId, storedText, storedTimestamp } from "../contract/stored_fields.ts";
import { snapshotSection } from "../contract/snapshot.ts";
import { writeResult } from "../memories/schema.ts";
import { taskError } from "../operations/schema.ts";
import { nextRowBatch } from "../store/row_batches.ts";
import type { Tx } from "../store/store.ts";
import { COLUMNS as TASK_COLUMNS, insertFinishedTask, type TaskRow } from "../tasks/repository.ts";
import { inferenceWarning, writeSummary } from "./schema.ts";
import type { InferenceResult } from "./service.ts";

const episodeRecord = z.object({
  id: storedId,
  status: z.enum(["success", "dead", "cancelled"]),
  scope: z.object(scopeFields),
  results: z.array(writeResult.pick({ id: true, event: true })),
  write_summary: writeSummary.nullable(),
  warnings: z.array(inferenceWarning).optional(),
  attempts: z.int().min(0),
  max_attempts: z.int().min(0),
  error: taskError
    .extend({ code: storedText, message: storedText, occurred_at: storedTimestamp }).nullable(),
  created_at: storedTimestamp,
  updated_at: storedTimestamp,
  started_at: storedTimestamp.nullable(),
  completed_at: storedTimestamp.nullable(),
});

type Episode = z.output<typeof episodeRecord>;

/**
 * Snapshot section for episodes, i.e. inferred adds that have ended. Unfinished ones are left out,
 * since they still contain their input.
 */
export const episodeSection = snapshotSection<Episode>({
  name: "episodes",
  schema: episodeRecord,
  rows: { table: "tasks", kind: "episode", condition: sql`and kind = 'memory_infer'` },
  async page(db, project, after, count) {
    const { rows, next } = await nextRowBatch<TaskRow>(db, {
      table: "tasks",
      columns: TASK_COLUMNS,
      project,
      after,
      count,
      condition: sql`and kind = 'memory_infer' and status in ('success', 'dead', 'cancelled')`,
    });
    return { records: rows.map(toEpisode), next };
  },
  defines: ({ id }) => [{ kind: "episode", id }],
  refersTo: ({ results }) =>
    results.map(({ id }, index) => ({ field: `results.${index}.id`, kind: "memory", id })),
  async insert(tx, project, records, first) {
    for (const [offset, record] of records.entries()) {
      const result = await restoredResult(tx, project, record);
      const { results: _, write_summary: __, warnings: ___, ...fields } = record;
      const task = {
        ...fields,
        kind: "memory_infer",
        scope: JSON.stringify(record.scope),
        result: result === null ? null : JSON.stringify(result),
        error: record.error === null ? null : JSON.stringify(record.error),
      } as const;
      await insertFinishedTask(tx, project, task, first + offset);
    }
    return 0;
  },
});

function toEpisode(row: TaskRow): Episode {
  const result = row.result === null ? null : JSON.parse(row.result) as InferenceResult;
  return {
    id: row.id,
    status: row.status as Episode["status"],
    scope: JSON.parse(row.scope),
    results: (result?.results ?? []).map(({ id, event }) => ({ id, event })),
    write_summary: result?.write_summary ?? null,
    ...(result?.warnings === undefined ? {} : { warnings: result.warnings }),
    attempts: row.attempts,
    max_attempts: row.max_attempts,
    error: row.error === null ? null : JSON.parse(row.error),
    created_at: row.created_at,
    updated_at: row.updated_at,
    started_at: row.started_at,
    completed_at: row.completed_at,
  };
}

/** Returns an episode's result. Memory texts come from the memory history. */
async function restoredResult(
  tx: Tx,
  project: number,
  { id, results, write_summary, warnings }: Episode,
) {
  if (write_summary === null) return null;
  const restored = [];
  for (const { id: memoryId, event } of results) {
    const entry = await tx.first<{ memory: string | null }>(sql`
      select coalesce(new_memory, old_memory) as memory from memory_history
      where project = ${project} and memory_id = ${memoryId} and event = ${event}
        and source ->> 'operation_id' = ${id} limit 1`);
    restored.push({ id: memoryId, memory: entry?.memory ?? "", event });
  }
  return { results: restored, write_summary, ...(warnings === undefined ? {} : { warnings }) };
}
