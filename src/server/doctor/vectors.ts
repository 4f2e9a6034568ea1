/** Vectors against the records that they were made of, and against the models that made them. */

import sql from "sql-template-tag";
import type { Connection } from "../../store/sqlite/connection.ts";

interface VectorKey {
  readonly kind: number;
  readonly seq: number;
}

/**
 * What a vector is, its numbers say nothing of: they are compared by those who have the model. Here
 * every vector has its record, its model's dimensions and its sign bits, and no record that the
 * serving model has passed in the journal is without. Each query is one point in time, since a
 * server may be writing.
 */
export function* vectorProblems(connection: Connection): Generator<string> {
  const stray = connection.iterate<VectorKey>(sql`select kind, seq from vectors
    where (kind = 0 and not exists (select 1 from memories
        where memories.seq = vectors.seq and memories.project = vectors.project))
      or (kind = 1 and not exists (select 1 from chunks
        where chunks.seq = vectors.seq and chunks.project = vectors.project))`);
  for (const place of stray) yield `${rowName(place)} has a vector, and is not there`;

  const misshapen = connection.iterate<VectorKey & { bytes: number; dims: number | null }>(sql`
    select kind, seq, length(vector) as bytes, dims
    from vectors left join embedding_models on number = model
    where dims is null or length(vector) <> dims`);
  for (const { bytes, dims, ...place } of misshapen) {
    yield dims === null
      ? `the vector of ${rowName(place)} is of a model that is not there`
      : `the vector of ${rowName(place)} has ${bytes} dimensions of ${dims}`;
  }

  const key = sql`project, model, kind, seq`;
  const halves = connection.iterate<VectorKey>(sql`
    select kind, seq from (select ${key} from vectors except select ${key} from vector_signs)
    union all
    select kind, seq from (select ${key} from vector_signs except select ${key} from vectors)`);
  for (const place of halves) yield `${rowName(place)} has a vector or sign bits, not both`;

  const missing = connection.iterate<VectorKey>(sql`
    with serving as (select number, position from embedding_models where serving = 1),
      behind as (select kind, record_id from journal
        where seq > (select position from serving))
    select 0 as kind, seq from memories, serving
      where not exists (select 1 from vectors as known where known.project = memories.project
          and known.model = number and known.kind = 0 and known.seq = memories.seq)
        and id not in (select record_id from behind where kind = 'memory')
    union all
    select 1, chunks.seq from chunks, serving
      join document_versions as head on head.seq = chunks.version and is_head = 1
      where not exists (select 1 from vectors as known where known.project = chunks.project
          and known.model = number and known.kind = 1 and known.seq = chunks.seq)
        and head.id not in (select record_id from behind where kind = 'document')`);
  for (const place of missing) yield `${rowName(place)} has no vector`;
}

function rowName({ kind, seq }: VectorKey): string {
  return `row ${seq} of ${kind === 0 ? "memories" : "chunks"}`;
}
