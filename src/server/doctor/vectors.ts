/** Checks vectors against their records and models. */

import sql from "sql-template-tag";
import type { Connection } from "../../store/sqlite/connection.ts";

interface VectorKey {
  readonly kind: number;
  readonly seq: number;
}

/**
 * Checks that every vector has a record, sign bits and its model's number of dimensions, and that
 * every record already reached by the serving model in the journal has a vector. The numbers in a
 * vector can't be checked without the model. Each query reads a single point in time because a
 * server can write to the database in the meantime.
 */
export function* vectorProblems(connection: Connection): Generator<string> {
  const stray = connection.iterate<VectorKey>(sql`select kind, seq from vectors
    where (kind = 0 and not exists (select 1 from memories
        where memories.seq = vectors.seq and memories.project = vectors.project))
      or (kind = 1 and not exists (select 1 from chunks
        where chunks.seq = vectors.seq and chunks.project = vectors.project))`);
  for (const key of stray) yield `${rowName(key)} has a vector but doesn't exist`;

  const misshapen = connection.iterate<VectorKey & { bytes: number; dims: number | null }>(sql`
    select kind, seq, length(vector) as bytes, dims
    from vectors left join embedding_models on number = model
    where dims is null or length(vector) <> dims`);
  for (const { bytes, dims, ...key } of misshapen) {
    yield dims === null
      ? `the vector of ${rowName(key)} belongs to an unknown model`
      : `the vector of ${rowName(key)} has ${bytes} dimensions, expected ${dims}`;
  }

  const columns = sql`project, model, kind, seq`;
  const halves = connection.iterate<VectorKey>(sql`
    select kind, seq from (select ${columns} from vectors except select ${columns} from vector_signs)
    union all
    select kind, seq from (select ${columns} from vector_signs except select ${columns} from vectors)`);
  for (const key of halves) yield `${rowName(key)} has a vector or sign bits, but not both`;

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
  for (const key of missing) yield `${rowName(key)} has no vector`;
}

function rowName({ kind, seq }: VectorKey): string {
  return `row ${seq} of ${kind === 0 ? "memories" : "chunks"}`;
}
