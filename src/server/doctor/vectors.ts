/** Checks vectors against their records and models. */

import sql from "sql-template-tag";
import type { Connection } from "../../store/sqlite/connection.ts";
import { type Rule, ruleProblems } from "./rules.ts";

/** A row that breaks a rule. `bytes` and `dims` are those of a vector and its model. */
interface VectorProblemRow {
  readonly kind: number;
  readonly seq: number;
  readonly bytes: number;
  readonly dims: number | null;
}

const SIGN_COLUMNS = sql`project, model, kind, seq`;

/**
 * Every vector has a record, sign bits and its model's number of dimensions, and every record
 * already reached by the serving model in the journal has a vector. The numbers in a vector can't be
 * checked without the model. Each query reads a single point in time because a server can write to
 * the database in the meantime.
 */
export const VECTOR_RULES: readonly Rule<VectorProblemRow>[] = [
  {
    query: sql`select kind, seq from vectors
      where (kind = 0 and not exists (select 1 from memories
          where memories.seq = vectors.seq and memories.project = vectors.project))
        or (kind = 1 and not exists (select 1 from chunks
          where chunks.seq = vectors.seq and chunks.project = vectors.project))`,
    problem: (row) => `${rowName(row)} has a vector but doesn't exist`,
  },
  {
    query: sql`select kind, seq, length(vector) as bytes, dims
      from vectors left join embedding_models on number = model
      where dims is null or length(vector) <> dims`,
    problem: ({ bytes, dims, ...row }) =>
      dims === null
        ? `the vector of ${rowName(row)} belongs to an unknown model`
        : `the vector of ${rowName(row)} has ${bytes} dimensions, expected ${dims}`,
  },
  {
    query: sql`select kind, seq from (
        select ${SIGN_COLUMNS} from vectors except select ${SIGN_COLUMNS} from vector_signs
      ) as without_signs
      union all
      select kind, seq from (
        select ${SIGN_COLUMNS} from vector_signs except select ${SIGN_COLUMNS} from vectors
      ) as without_vector`,
    problem: (row) => `${rowName(row)} has a vector or sign bits, but not both`,
  },
  {
    query: sql`
      with serving as (select number, position from embedding_models where serving = 1),
        behind as (select kind, record_id from journal
          where seq > (select position from serving))
      select 0 as kind, seq from memories, serving
        where not exists (select 1 from vectors as known where known.project = memories.project
            and known.model = number and known.kind = 0 and known.seq = memories.seq)
          and id not in (select record_id from behind where kind = 'memory')
      union all
      select 1, chunks.seq from chunks
        join document_versions as head on head.seq = chunks.version and is_head = 1
        join serving on true
        where not exists (select 1 from vectors as known where known.project = chunks.project
            and known.model = number and known.kind = 1 and known.seq = chunks.seq)
          and head.id not in (select record_id from behind where kind = 'document')`,
    problem: (row) => `${rowName(row)} has no vector`,
  },
];

/** Yields what is wrong with the vectors of a data directory. */
export function* vectorProblems(connection: Connection): Generator<string> {
  for (const rule of VECTOR_RULES) yield* ruleProblems(connection, rule);
}

function rowName({ kind, seq }: Pick<VectorProblemRow, "kind" | "seq">): string {
  return `row ${seq} of ${kind === 0 ? "memories" : "chunks"}`;
}
