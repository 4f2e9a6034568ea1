/** SQL for vectors: models, their journal positions, and texts yet to be embedded. */

import sql from "sql-template-tag";
import { quantize, toSignBits } from "../../embedding/quantize.ts";
import type { EmbeddingModel } from "../../embedding/embedder.ts";
import { FOR_KEY_SHARE, FOR_UPDATE } from "../../store/sql.ts";
import type { Reader, Tx } from "../../store/store.ts";

/** Record kinds that have vectors, with their numbers in the tables. */
export const VECTOR_KINDS = { memory: 0, chunk: 1 } as const;
export type VectorKind = typeof VECTOR_KINDS[keyof typeof VECTOR_KINDS];

/** Number of vectors to read per unit of work that removes those of an old model. */
export const REMOVAL_BATCH_VECTORS = 500;

/** A row in `embedding_models`. */
export interface ModelRow {
  readonly number: number;
  readonly id: string;
  readonly dims: number;
  readonly position: number;
  readonly serving: number;
}

/** A text without a vector. */
export interface UnembeddedText {
  readonly project: number;
  readonly kind: VectorKind;
  readonly seq: number;
  readonly text: string;
}

/** A text with its vector. */
export interface EmbeddedText extends UnembeddedText {
  readonly vector: Float32Array;
}

/** Returns all models that have, or once had, vectors in this database. */
export function listModels(db: Reader): Promise<ModelRow[]> {
  return db.all<ModelRow>(sql`select number, id, dims, position, serving
    from embedding_models order by number`);
}

/**
 * Returns the row for a model, creating it if needed. A different number of dimensions makes it a
 * different model. The previous one gets another id and no longer serves. Like those of any previous
 * model, its vectors are removed in batches once this one is active: all at once, that takes ten
 * seconds for a million, and every write would wait.
 */
export async function registerModel(tx: Tx, model: EmbeddingModel): Promise<ModelRow> {
  const find = () =>
    tx.first<ModelRow>(sql`select number, id, dims, position, serving from embedding_models
      where id = ${model.id}`);
  const existing = await find();
  if (existing !== undefined && existing.dims === model.dims) return existing;
  if (existing !== undefined) {
    const { number, dims } = existing;
    await tx.run(sql`update embedding_models
      set id = ${`${model.id} (${number}, ${dims} dimensions)`}, serving = 0
      where number = ${number}`);
  }
  await tx.run(sql`insert into embedding_models (id, dims) values (${model.id}, ${model.dims})`);
  return (await find())!;
}

/** Returns the last journal position that is visible, or 0 if the journal is empty. */
export async function journalEnd(db: Reader): Promise<number> {
  const row = await db.first<{ seq: number | null }>(sql`select max(seq) as seq from journal`);
  return row?.seq ?? 0;
}

/** A part of the journal: its entries after `after`, up to `last`. */
export interface JournalPart {
  readonly after: number;
  readonly last: number;
}

/** How much to read of a part of the journal. */
export interface BatchLimits {
  readonly entries: number;
  readonly texts: number;
  /** Whether to return the last texts rather than the first ones. Defaults to false. */
  readonly newestFirst?: boolean;
}

/** Texts without a vector. */
export interface JournalBatch {
  /** The part of the journal that was read. */
  readonly read: JournalPart;
  /** Up to the requested number of its memories and document chunks. */
  readonly missing: readonly UnembeddedText[];
}

/**
 * Reads the texts without a vector from the beginning of a part of the journal, or from its end. A
 * chunk's text is preceded by its headings.
 *
 * @param extraTexts number of texts to return beyond the limit, from the same entries
 */
export async function readJournalBatch(
  db: Reader,
  { number }: Pick<ModelRow, "number">,
  part: JournalPart,
  limits: BatchLimits,
  extraTexts = 0,
): Promise<JournalBatch> {
  const texts = limits.texts + extraTexts;
  const direction = limits.newestFirst ? sql`desc` : sql`asc`;
  const read = await limitPart(db, part, limits);
  const inPart = sql`journal.seq > ${read.after} and journal.seq <= ${read.last}`;
  const memories = await db.all<UnembeddedText>(sql`
    select distinct memories.project, 0 as kind, memories.seq, memory as text
    from journal cross join memories
      on memories.project = journal.project and memories.id = journal.record_id
    where ${inPart} and journal.kind = 'memory' and journal.change in ('ADD', 'UPDATE')
      and not exists (select 1 from vectors as known where known.project = memories.project
        and known.model = ${number} and known.kind = 0 and known.seq = memories.seq)
    order by memories.seq ${direction} limit ${texts}`);
  if (memories.length === texts) return { read, missing: memories };
  const chunks = await db.all<UnembeddedText & { title: string; heading_path: string }>(sql`
    select chunks.project, 1 as kind, chunks.seq, title, heading_path, content as text
    from (select chunks.seq as chunk, title
      from (select distinct version.project, version.seq, title
        from journal cross join document_versions as version
          on version.project = journal.project and version.id = journal.record_id and is_head = 1
        where ${inPart} and journal.kind = 'document') as head
      cross join chunks on chunks.version = head.seq
      where not exists (select 1 from vectors as known where known.project = head.project
        and known.model = ${number} and known.kind = 1 and known.seq = chunks.seq)
      order by chunks.seq ${direction} limit ${texts - memories.length}) as wanted
    cross join chunks on chunks.seq = wanted.chunk
    order by chunks.seq ${direction}`);
  const chunkTexts = chunks.map(
    ({ project, kind, seq, title, heading_path, text }): UnembeddedText => {
      const headings: string[] = [title, ...JSON.parse(heading_path)];
      return { project, kind, seq, text: `${headings.join(". ")}. ${text}` };
    },
  );
  return { read, missing: [...memories, ...chunkTexts] };
}

/**
 * Limits a part of the journal to the first or last entries that have about as many chunks as there
 * can be texts. If it had all chunks of a hundred documents, they would be read again for each
 * batch.
 */
async function limitPart(
  db: Reader,
  { after, last }: JournalPart,
  { entries, texts, newestFirst = false }: BatchLimits,
): Promise<JournalPart> {
  const direction = newestFirst ? sql`desc` : sql`asc`;
  const rows = await db.all<{ seq: number; chunks: number | null }>(sql`
    select entry.seq, version.chunks
    from (select seq, project, kind, record_id from journal
      where seq > ${after} and seq <= ${last} order by seq ${direction} limit ${entries}) as entry
    left join document_versions as version on entry.kind = 'document'
      and version.project = entry.project and version.id = entry.record_id and is_head = 1
    order by entry.seq ${direction}`);
  let total = 0;
  const tooMany = rows.findIndex(({ chunks }) => (total += chunks ?? 0) > texts);
  // A document with more chunks than that is read by itself.
  const count = tooMany < 0 ? rows.length : Math.max(1, tooMany);
  const isWhole = count === rows.length && rows.length < entries;
  const end = rows[count - 1]?.seq;
  if (newestFirst) return { after: isWhole ? after : end! - 1, last };
  return { after, last: end ?? after };
}

/**
 * Stores vectors, except those of texts that have changed or been deleted since they were read. If
 * another process has removed the model in the meantime, stores nothing.
 *
 * @throws {RangeError} If a vector doesn't have the dimensions of the model.
 */
export async function insertVectors(
  tx: Tx,
  { number, dims }: ModelRow,
  embedded: readonly EmbeddedText[],
  center: Float32Array | null,
): Promise<void> {
  const other = embedded.find(({ vector }) => vector.length !== dims);
  if (other !== undefined) {
    throw new RangeError(`Expected vectors of ${dims} dimensions, received ${other.vector.length}`);
  }
  const model = await tx.first(sql`select number from embedding_models
    where number = ${number} ${FOR_KEY_SHARE}`);
  if (model === undefined) return;
  await Promise.all(embedded.map(async ({ project, kind, seq, text, vector }) => {
    // Chunks are never changed, only deleted.
    const source = kind === VECTOR_KINDS.memory
      ? sql`memories where project = ${project} and seq = ${seq} and memory = ${text}`
      : sql`chunks where project = ${project} and seq = ${seq}
          and (select is_head from document_versions as head where head.seq = chunks.version) = 1`;
    const inserted = await tx.run(sql`insert into vectors (project, model, kind, seq, vector)
      select project, ${number}, ${kind}, seq, ${quantize(vector)} from ${source}
      on conflict (project, model, kind, seq) do nothing`);
    if (inserted === 0) return;
    tx.post(sql`insert into vector_signs (project, model, kind, seq, signs)
      values (${project}, ${number}, ${kind}, ${seq}, ${toSignBits(vector, center)})`);
  }));
}

/**
 * Returns the number of the last vector, of any model. It grows by one with each vector that any
 * process stores.
 */
export async function lastVectorNumber(db: Reader): Promise<number> {
  const row = await db.first<{ number: number | null }>(
    sql`select max(number) as number from vector_signs`,
  );
  return row?.number ?? 0;
}

/** Stores a model's journal position. */
export async function advanceModel(
  tx: Tx,
  { number }: Pick<ModelRow, "number">,
  position: number,
): Promise<void> {
  await tx.run(sql`update embedding_models set position = ${position} where number = ${number}`);
}

/** Makes this the only model searches use. */
export async function activateModel(tx: Tx, { number }: ModelRow): Promise<void> {
  await tx.run(
    sql`update embedding_models set serving = case when number = ${number} then 1 else 0 end`,
  );
}

/**
 * Removes a batch of an inactive model's vectors and, once they're all gone, the model itself.
 * Returns where the next batch starts, or null when the model is gone. Until then, the model is
 * behind: if it's chosen again, the journal is read from the beginning.
 *
 * @param after number of the last vector of the previous batch, of any model
 * @param maxVectors number of vectors read, of any model, since no index starts with the model
 */
export async function removeModelBatch(
  tx: Tx,
  { number }: Pick<ModelRow, "number">,
  after: number,
  maxVectors: number,
): Promise<number | null> {
  // Waits for processes that are storing vectors of this model. Later ones have higher numbers, or
  // find no model.
  await tx.first(sql`select number from embedding_models where number = ${number} ${FOR_UPDATE}`);
  const rows = await tx.all<Omit<UnembeddedText, "text"> & { number: number; model: number }>(sql`
    select number, project, model, kind, seq from vector_signs where number > ${after}
    order by number limit ${maxVectors}`);
  for (const { project, model, kind, seq } of rows) {
    if (model !== number) continue;
    await tx.run(sql`delete from vectors where project = ${project} and model = ${number}
      and kind = ${kind} and seq = ${seq}`);
  }
  if (rows.length < maxVectors) {
    await tx.run(sql`delete from embedding_models where number = ${number}`);
    return null;
  }
  await advanceModel(tx, { number }, 0);
  return rows.at(-1)!.number;
}

/**
 * Returns how many memories and chunks lack a vector for a model.
 *
 * @param project number of the project, or null for all
 */
export async function countPending(
  db: Reader,
  model: string,
  project: number | null,
): Promise<number> {
  const row = await db.first<{ position: number; number: number }>(
    sql`select position, number from embedding_models where id = ${model}`,
  );
  if (row !== undefined && row.position >= await journalEnd(db)) return 0;
  const ofProject = project === null ? sql`true` : sql`project = ${project}`;
  const counted = await db.first<{ n: number }>(sql`select
    (select coalesce(sum(total_memories), 0) from scope_totals
      where type = 'project' and ${ofProject})
    + (select coalesce(sum(chunks), 0) from document_totals where ${ofProject})
    - (select count(*) from vector_signs
      where model = ${row?.number ?? 0} and ${ofProject}) as n`);
  return Math.max(0, counted!.n);
}
