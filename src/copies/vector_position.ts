/** Notices that numbers of vectors have been given out again, after a restore to an earlier moment. */

import sql, { type Sql } from "sql-template-tag";
import { VECTOR_KINDS } from "../search/vectors/vector_store.ts";
import type { Store } from "../store/store.ts";
import { type CopyPosition, type ProjectEnd, VECTOR_ANCHOR } from "./feed.ts";

/**
 * Returns a position from which to go on with the vectors. That's the start if the copy's last
 * vector isn't one of these records: the journal can be the same although vectors are missing, e.g.
 * those of a model that was in use later.
 *
 * @param end where the records end for this position
 */
export async function continueVectors<Position extends CopyPosition>(
  store: Pick<Store, "queryOne">,
  project: number,
  position: Position,
  { vectorAnchor: anchor }: Pick<ProjectEnd, "vectorAnchor">,
): Promise<Position> {
  const { vectors, vectorAnchor, journal } = position;
  if (vectors === 0 || anchor === vectorAnchor) return position;
  const start = { ...position, vectors: 0, vectorAnchor: "" };
  if (anchor !== undefined) return start;
  const [, kind, seq] = vectorAnchor.split(" ").map(Number);
  // A change of a text deletes its vectors. Otherwise, none is deleted on its own.
  const text = kind === VECTOR_KINDS.memory
    ? memoryUnchangedSince(project, seq!, journal)
    : sql`chunks join document_versions on document_versions.seq = chunks.version
        where chunks.project = ${project} and chunks.seq = ${seq} and is_head = 1`;
  const last = await store.queryOne<{ number: number; anchor: string; unchanged: number | null }>(
    sql`select number, ${VECTOR_ANCHOR} as anchor, (select 1 from ${text}) as unchanged
      from vector_signs where project = ${project} and number < ${vectors}
      order by number desc limit 1`,
  );
  if (last === undefined || last.unchanged !== null) return start;
  return { ...position, vectors: last.number, vectorAnchor: last.anchor };
}

function memoryUnchangedSince(project: number, seq: number, journal: number): Sql {
  return sql`memories where project = ${project} and seq = ${seq} and not exists (
    select 1 from journal where journal.project = ${project} and journal.seq > ${journal}
      and journal.kind = 'memory' and record_id = memories.id)`;
}
