/**
 * Applies what has changed in a project to a search copy, in one unit of work.
 *
 * Journal entries and vectors get numbers of the copy's own. The search workers follow both up to
 * the last number of all projects, so each number must be higher than those before it, in any order
 * in which the projects are brought up to date.
 */

import sql, { raw } from "sql-template-tag";
import { COLUMNS as VERSION_COLUMNS, insertChunk, insertHead } from "../documents/repository.ts";
import { chunkTerms, type VersionRow, versionTags } from "../documents/row.ts";
import { COLUMNS, memoryInsertion, updateMemoryRow } from "../memories/repository.ts";
import { memoryEntry, type MemoryRow, termsBlob } from "../memories/row.ts";
import { distinctTerms, packTermHashes } from "../search/query/terms.ts";
import { listModels, type ModelRow } from "../search/vectors/vector_store.ts";
import { appendJournalEntries } from "../store/journal.ts";
import { texts } from "../store/sql.ts";
import type { Reader, Store, Tx } from "../store/store.ts";
import type { CopiedMemory, CopiedVector, CopyBatch } from "./feed.ts";

/** Applies a batch. The copy then equals the project's records as of the batch. */
export async function applyBatch(
  copy: Store,
  tx: Tx,
  project: number,
  batch: CopyBatch,
): Promise<void> {
  await copyProject(tx, project);
  await copyModels(tx, batch);
  const ids = batch.entries.filter(({ kind }) => kind === "memory").map(({ record_id }) =>
    record_id
  );
  await copyMemories(copy, tx, project, new Set(ids), batch);
  const documents = batch.entries.filter(({ kind }) => kind === "document");
  await copyDocuments(copy, tx, project, new Set(documents.map((entry) => entry.record_id)), batch);
  await copyTotals(tx, project, batch);
  for (const vector of batch.vectors) await copyVector(tx, project, vector);
  for (const { memory_id, count, last_at } of batch.accesses) {
    await tx.run(sql`insert into memory_access (project, memory_id, count, last_at)
      values (${project}, ${memory_id}, ${count}, ${last_at})
      on conflict (project, memory_id) do update set count = excluded.count,
        last_at = excluded.last_at`);
  }
  appendJournalEntries(
    tx,
    project,
    batch.entries.map(({ record_id, ...entry }) => ({ ...entry, recordId: record_id })),
  );
}

/** Maximum number of memories, and of document versions, per unit of work that removes a copy. */
const MAX_CLEARED_MEMORIES = 500;
const MAX_CLEARED_VERSIONS = 5;

/**
 * Removes a part of a project from a copy, including its terms in the text indexes. The journal
 * keeps that its memories are gone, for the caches of the search workers.
 *
 * @returns false when nothing is left
 */
export async function clearSome(copy: Store, tx: Tx, project: number): Promise<boolean> {
  const memories = await tx.all<MemoryRow>(sql`select ${COLUMNS} from memories
    where project = ${project} limit ${MAX_CLEARED_MEMORIES}`);
  for (const row of memories) {
    await copy.index.memories.remove(tx, project, row.seq, memoryEntry(row));
    await tx.run(sql`delete from memories where project = ${project} and seq = ${row.seq}`);
    await tx.run(sql`insert into journal (project, kind, record_id, change, at)
      values (${project}, 'memory', ${row.id}, 'DELETE', '')`);
  }
  const versions = await tx.all<VersionRow>(sql`select ${VERSION_COLUMNS} from document_versions
    where project = ${project} limit ${MAX_CLEARED_VERSIONS}`);
  for (const version of versions) await removeVersion(copy, tx, project, version);
  if (memories.length > 0 || versions.length > 0) return true;
  for (const table of PROJECT_TABLES) {
    await tx.run(sql`delete from ${raw(table)} where project = ${project}`);
  }
  return false;
}

/** Tables with rows of a project, besides memories, documents and the journal. */
const PROJECT_TABLES = [
  "memory_history",
  "memory_access",
  "scope_totals",
  "document_totals",
  "vectors",
] as const;

async function copyProject(tx: Tx, project: number): Promise<void> {
  await tx.run(sql`insert into projects (number, id, name, created_at)
    values (${project}, ${`p${project}`}, ${`p${project}`}, '') on conflict do nothing`);
}

async function copyModels(tx: Tx, { models }: CopyBatch): Promise<void> {
  const known = await tx.all<{ number: number }>(sql`select number from embedding_models`);
  for (const { number } of known) {
    if (models.some((model) => model.number === number)) continue;
    // A model with the same id can have taken its place.
    await tx.run(sql`update embedding_models set id = ${removedId(number)}, serving = 0
      where number = ${number}`);
  }
  for (const { number, id, dims, position, serving } of models) {
    await tx.run(sql`insert into embedding_models (number, id, dims, position, serving)
      values (${number}, ${id}, ${dims}, ${position}, ${serving})
      on conflict (number) do update set id = excluded.id, position = excluded.position,
        serving = excluded.serving`);
  }
}

/** Id in a copy of a model that is gone from the records. */
function removedId(number: number): string {
  return `removed ${number}`;
}

/** Returns a model that is gone from the records, but not from the copy. */
export async function findOldModel(db: Reader): Promise<ModelRow | undefined> {
  return (await listModels(db)).find(({ number, id }) => id === removedId(number));
}

async function copyMemories(
  copy: Store,
  tx: Tx,
  project: number,
  ids: ReadonlySet<string>,
  { memories, ends }: CopyBatch,
): Promise<void> {
  if (ids.size === 0) return;
  const index = copy.index.memories;
  const old = new Map(
    (await tx.all<MemoryRow>(sql`select ${COLUMNS} from memories
      where project = ${project} and id in ${texts(ids)}`)).map((row) => [row.id, row]),
  );
  for (const row of memories) {
    const before = old.get(row.id);
    old.delete(row.id);
    if (before !== undefined && before.seq === row.seq) await update(before, row);
    else await insert(row);
  }
  for (const row of old.values()) await remove(row);
  for (const { seq, id, memory_id, changes, source, created_at } of ends) {
    await tx.run(sql`insert into memory_history
      (seq, project, id, memory_id, event, changes, source, created_at)
      values (${seq}, ${project}, ${id}, ${memory_id}, 'INVALIDATE', ${changes}, ${source},
       ${created_at}) on conflict (seq) do nothing`);
  }

  async function insert(row: CopiedMemory): Promise<void> {
    const terms = distinctTerms(row.memory);
    const insertion = memoryInsertion(
      project,
      { ...row, terms: packTermHashes(terms) },
      row.seq,
    );
    await index.insert(tx, project, insertion, () => memoryEntry(row, terms));
  }

  async function update(before: MemoryRow, row: CopiedMemory): Promise<void> {
    const [from, to] = [memoryEntry(before), memoryEntry(row)];
    updateMemoryRow(tx, project, row, termsBlob(row));
    if (JSON.stringify(from) === JSON.stringify(to)) return;
    await index.remove(tx, project, row.seq, from);
    await index.add(tx, project, row.seq, to);
  }

  async function remove(row: MemoryRow): Promise<void> {
    await index.remove(tx, project, row.seq, memoryEntry(row));
    await tx.run(sql`delete from memories where project = ${project} and seq = ${row.seq}`);
    await tx.run(sql`delete from memory_access
      where project = ${project} and memory_id = ${row.id}`);
  }
}

async function copyDocuments(
  copy: Store,
  tx: Tx,
  project: number,
  ids: ReadonlySet<string>,
  { heads }: CopyBatch,
): Promise<void> {
  if (ids.size === 0) return;
  const keys = heads.map(({ version }) => version.source_key);
  const old = await tx.all<VersionRow>(sql`select ${VERSION_COLUMNS} from document_versions
    where project = ${project} and (id in ${texts(ids)} or source_key in ${texts(keys)})`);
  const known = new Set<number>();
  for (const version of old) {
    if (heads.some((head) => head.version.seq === version.seq)) known.add(version.seq);
    else await removeVersion(copy, tx, project, version);
  }
  for (const { version, chunks } of heads) {
    if (known.has(version.seq)) continue;
    await insertHead(tx, project, version, version.seq);
    const tags = versionTags(version);
    for (const chunk of chunks) {
      const terms = chunkTerms(
        project,
        version.title,
        JSON.parse(chunk.heading_path),
        chunk.content,
      );
      await insertChunk(
        tx,
        project,
        version.seq,
        chunk.position,
        { ...chunk, ...terms },
        chunk.seq,
      );
      await copy.index.chunks.add(tx, project, chunk, terms, tags);
    }
  }
}

async function removeVersion(
  copy: Store,
  tx: Tx,
  project: number,
  version: VersionRow,
): Promise<void> {
  const chunks = await tx.all<{ seq: number; heading_path: string; content: string }>(
    sql`select seq, heading_path, content from chunks where version = ${version.seq}`,
  );
  const tags = versionTags(version);
  for (const { seq, heading_path, content } of chunks) {
    const terms = chunkTerms(project, version.title, JSON.parse(heading_path), content);
    await copy.index.chunks.remove(tx, project, seq, terms, tags);
  }
  await tx.run(sql`delete from chunks where version = ${version.seq}`);
  await tx.run(sql`delete from document_versions where seq = ${version.seq}`);
}

async function copyTotals(
  tx: Tx,
  project: number,
  { totals, documentTotals }: CopyBatch,
): Promise<void> {
  await tx.run(sql`delete from scope_totals where project = ${project}`);
  for (const { type, id, total_memories, created_at, updated_at } of totals) {
    await tx.run(sql`insert into scope_totals
      (project, type, id, total_memories, created_at, updated_at)
      values (${project}, ${type}, ${id}, ${total_memories}, ${created_at}, ${updated_at})`);
  }
  await tx.run(sql`delete from document_totals where project = ${project}`);
  if (documentTotals === undefined) return;
  const { sources, chunks, terms } = documentTotals;
  await tx.run(sql`insert into document_totals (project, sources, chunks, terms)
    values (${project}, ${sources}, ${chunks}, ${terms})`);
}

async function copyVector(tx: Tx, project: number, copied: CopiedVector): Promise<void> {
  const { model, kind, seq, vector, signs } = copied;
  await tx.run(sql`delete from vectors where project = ${project} and model = ${model}
    and kind = ${kind} and seq = ${seq}`);
  await tx.run(sql`insert into vectors (project, model, kind, seq, vector)
    values (${project}, ${model}, ${kind}, ${seq}, ${vector})`);
  await tx.run(sql`insert into vector_signs (project, model, kind, seq, signs)
    values (${project}, ${model}, ${kind}, ${seq}, ${signs})`);
}
