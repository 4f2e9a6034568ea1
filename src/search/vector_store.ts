/** The SQL of vectors: models, their places in the journal, and what is still to be embedded. */

import sql from "sql-template-tag";
import { quantize, signsOf } from "../embedding/quantize.ts";
import type { EmbeddingModel } from "../embedding/embedder.ts";
import type { Reader, Tx } from "../store/store.ts";

/** A row of `embedding_models`. */
export interface ModelRow {
  readonly number: number;
  readonly id: string;
  readonly dims: number;
  readonly position: number;
  readonly serving: number;
}

/** A text whose vector is missing. */
export interface Unembedded {
  readonly project: number;
  readonly seq: number;
  readonly memory: string;
}

/** Every model that has or had vectors here. */
export function listModels(db: Reader): Promise<ModelRow[]> {
  return db.all<ModelRow>(sql`select number, id, dims, position, serving
    from embedding_models order by number`);
}

/**
 * The row of a model, made when it isn't there. A model that has changed its dimensions is another
 * one: its vectors are dropped.
 */
export async function enrolModel(tx: Tx, model: EmbeddingModel): Promise<ModelRow> {
  const find = () =>
    tx.first<ModelRow>(sql`select number, id, dims, position, serving from embedding_models
      where id = ${model.id}`);
  const known = await find();
  if (known !== undefined && known.dims === model.dims) return known;
  if (known !== undefined) {
    await tx.run(sql`delete from memory_vectors where model = ${known.number}`);
    await tx.run(sql`delete from memory_signs where model = ${known.number}`);
    await tx.run(sql`delete from embedding_models where number = ${known.number}`);
  }
  await tx.run(sql`insert into embedding_models (id, dims) values (${model.id}, ${model.dims})`);
  return (await find())!;
}

/** The last place of the journal; 0 for an empty one. */
export async function journalEnd(db: Reader): Promise<number> {
  const row = await db.first<{ seq: number | null }>(sql`select max(seq) as seq from journal`);
  return row?.seq ?? 0;
}

/** A stretch of the journal after a place: where it ends, and which of its memories lack vectors. */
export async function readStretch(
  db: Reader,
  model: ModelRow,
  after: number,
  entries: number,
): Promise<{ readonly end: number; readonly missing: Unembedded[] }> {
  const last = await db.first<{ seq: number | null }>(sql`select max(seq) as seq
    from (select seq from journal where seq > ${after} order by seq limit ${entries})`);
  const end = last?.seq ?? after;
  const missing = await db.all<Unembedded>(sql`
    select distinct memories.project, memories.seq, memories.memory
    from journal cross join memories
      on memories.project = journal.project and memories.id = journal.record_id
    where journal.seq > ${after} and journal.seq <= ${end} and journal.kind = 'memory'
      and journal.change in ('ADD', 'UPDATE')
      and not exists (select 1 from memory_vectors as known where known.project = memories.project
        and known.model = ${model.number} and known.seq = memories.seq)
    order by memories.seq`);
  return { end, missing };
}

/** Stores a vector, unless its text has changed or gone since it was read. */
export async function insertVector(
  tx: Tx,
  { number }: ModelRow,
  { project, seq, memory }: Unembedded,
  vector: Float32Array,
  center: Float32Array | null,
): Promise<void> {
  const inserted = await tx.run(sql`insert into memory_vectors (project, model, seq, vector)
    select project, ${number}, seq, ${quantize(vector)} from memories
    where project = ${project} and seq = ${seq} and memory = ${memory}
    on conflict (project, model, seq) do nothing`);
  if (inserted === 0) return;
  await tx.run(sql`insert into memory_signs (project, model, seq, signs)
    values (${project}, ${number}, ${seq}, ${signsOf(vector, center)})`);
}

/** Notes how far a model has come. */
export async function advance(tx: Tx, { number }: ModelRow, position: number): Promise<void> {
  await tx.run(sql`update embedding_models set position = ${position} where number = ${number}`);
}

/** From now on searches use this model and no other. */
export async function putToService(tx: Tx, { number }: ModelRow): Promise<void> {
  await tx.run(sql`update embedding_models set serving = (number = ${number})`);
}

/** Removes some vectors of a model out of service; then the model itself. True when it is gone. */
export async function clearModel(tx: Tx, { number }: ModelRow, count: number): Promise<boolean> {
  const rows = await tx.all<{ project: number; seq: number }>(sql`select project, seq
    from memory_signs where model = ${number} limit ${count}`);
  for (const { project, seq } of rows) {
    await tx.run(sql`delete from memory_vectors
      where project = ${project} and model = ${number} and seq = ${seq}`);
    await tx.run(sql`delete from memory_signs
      where project = ${project} and model = ${number} and seq = ${seq}`);
  }
  if (rows.length === count) return false;
  await tx.run(sql`delete from embedding_models where number = ${number}`);
  return true;
}

/** How many memories of a project (of all, for null) have no vector of a model yet. */
export async function countPending(
  db: Reader,
  model: string,
  project: number | null,
): Promise<number> {
  const row = await db.first<{ position: number; number: number }>(
    sql`select position, number from embedding_models where id = ${model}`,
  );
  if (row !== undefined && row.position >= await journalEnd(db)) return 0;
  const counted = await db.first<{ n: number }>(sql`select
    (select coalesce(sum(total_memories), 0) from scope_totals
      where type = 'project' and (${project} is null or project = ${project}))
    - (select count(*) from memory_signs
      where model = ${row?.number ?? 0} and (${project} is null or project = ${project})) as n`);
  return Math.max(0, counted!.n);
}
