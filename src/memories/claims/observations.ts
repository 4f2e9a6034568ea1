/** Reads when and by what each memory was stated. */

import sql from "sql-template-tag";
import { texts } from "../../store/sql.ts";
import type { Reader } from "../../store/store.ts";

/** One occasion on which a memory's content was stated. A repeated memory has several. */
export interface Observation {
  readonly memory_id: string;
  /** Sequence number of the inference task, or null for a direct write. */
  readonly task: number | null;
  /** For a direct write, whether it added the memory or changed its text. Otherwise null. */
  readonly event: "ADD" | "UPDATE" | null;
  /** The request's date, or null if it had none. */
  readonly event_date: string | null;
  readonly accepted_at: string;
}

/**
 * Returns which of the given memories were stated by inferred adds accepted after a task.
 *
 * @param task the task's sequence number
 */
export async function observedAfter(
  db: Reader,
  project: number,
  ids: readonly string[],
  task: number,
): Promise<ReadonlySet<string>> {
  const rows = await db.all<{ memory_id: string }>(sql`select o.memory_id
    from memory_tellings o
    cross join tasks t on t.project = o.project and t.id = o.operation_id
    where o.project = ${project} and o.memory_id in ${texts(ids)}
      and t.kind = 'memory_infer' and t.seq > ${task}`);
  return new Set(rows.map(({ memory_id }) => memory_id));
}

/**
 * Returns all observations of the given memories, from inferred adds, verbatim adds and text
 * updates.
 */
export function observationsOf(
  db: Reader,
  project: number,
  ids: readonly string[],
): Promise<Observation[]> {
  if (ids.length === 0) return Promise.resolve([]);
  const isRequested = sql`in ${texts(ids)}`;
  return db.all<Observation>(sql`select o.memory_id, t.seq as task, null as event, o.event_date,
      t.created_at as accepted_at
    from memory_tellings o
    join tasks t on t.project = o.project and t.id = o.operation_id
    where o.project = ${project} and o.memory_id ${isRequested}
    union all
    select h.memory_id, null, h.event, case when h.event = 'ADD' then m.event_date end, h.created_at
    from memory_history h join memories m on m.project = h.project and m.id = h.memory_id
    where h.project = ${project} and h.memory_id ${isRequested} and h.event in ('ADD', 'UPDATE')
      and h.new_memory is distinct from h.old_memory and h.source ->> 'kind' <> 'inference'`);
}
