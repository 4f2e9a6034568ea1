/** Exports uploads from one project and imports them into another, without their bytes. */

import { z } from "zod";
import sql from "sql-template-tag";
import { boundedText, metadataField, nonBlankText, SCOPE_REQUIRED } from "../contract/fields.ts";
import {
  isOwned,
  storedDigest,
  storedId,
  storedScopes,
  storedTimestamp,
} from "../contract/stored_fields.ts";
import type { AssociationSource } from "../contract/associations.ts";
import { type PagePosition, snapshotSection } from "../contract/snapshot.ts";
import { LIMITS } from "../kernel/limits.ts";
import { nextRowBatch } from "../store/row_batches.ts";
import { texts } from "../store/sql.ts";
import type { Reader, Tx } from "../store/store.ts";
import { COLUMNS as TASK_COLUMNS, insertFinishedTask, type TaskRow } from "../tasks/repository.ts";
import { type AssetRow, COLUMNS, insertAsset } from "./repository.ts";
import { type ExtractResult, RETRIEVAL } from "./schema.ts";

/** Maximum length of an extractor's name or version. Ours are about ten characters long. */
const MAX_EXTRACTOR_CHARACTERS = 256;

const assetRecord = z.object({
  id: storedId,
  operation_id: storedId,
  source_key: nonBlankText(LIMITS.sourceKeyCharacters),
  filename: nonBlankText(LIMITS.filenameCharacters),
  title: nonBlankText(LIMITS.titleCharacters),
  content_type: nonBlankText(LIMITS.contentTypeCharacters),
  size_bytes: z.int().min(1),
  checksum_sha256: storedDigest,
  ...storedScopes,
  metadata: metadataField,
  artifact: z.object({
    id: storedId,
    extractor: boundedText(MAX_EXTRACTOR_CHARACTERS),
    extractor_version: boundedText(MAX_EXTRACTOR_CHARACTERS),
    page_count: z.int().min(0).nullable(),
  }).nullable(),
  /** The operation's other fields, or null if it was deleted. */
  operation: z.object({
    attempts: z.int().min(0),
    max_attempts: z.int().min(0),
    chunks: z.int().min(0),
    created: z.boolean(),
    created_at: storedTimestamp,
    updated_at: storedTimestamp,
    started_at: storedTimestamp.nullable(),
    completed_at: storedTimestamp.nullable(),
  }).nullable().default(null),
  document_id: storedId,
  created_at: storedTimestamp,
  updated_at: storedTimestamp,
}).refine(isOwned, SCOPE_REQUIRED);

type AssetRecord = z.output<typeof assetRecord>;
type OperationRecord = NonNullable<AssetRecord["operation"]>;

/**
 * Snapshot section for uploads. Only includes uploads that have become documents: the others are
 * useless without their bytes, and bytes aren't exported.
 */
export const sourceAssetSection = snapshotSection<AssetRecord>({
  name: "source_assets",
  schema: assetRecord,
  rows: { table: "source_assets", kind: "source_asset" },
  page: assetPage,
  // Operation ids share a table with episode ids.
  defines: ({ id, operation_id }) => [
    { kind: "source_asset", id },
    { kind: "episode", id: operation_id, field: "operation_id" },
  ],
  refersTo: ({ document_id }) => [{ field: "document_id", kind: "document", id: document_id }],
  async insert(tx, project, records, first) {
    const documents = await existingDocuments(tx, project, records);
    let skipped = 0;
    for (const [offset, record] of records.entries()) {
      if (documents.has(record.document_id)) {
        await insertAsset(tx, rowOf(project, record), first + offset);
        await insertOperation(tx, project, record);
      } else skipped++;
    }
    return skipped;
  },
});

/**
 * Returns which of the uploads' documents exist. Uploads whose document was deleted aren't
 * imported.
 */
async function existingDocuments(
  db: Reader,
  project: number,
  records: readonly AssetRecord[],
): Promise<ReadonlySet<string>> {
  const ids = records.map(({ document_id }) => document_id);
  const rows = await db.all<{ id: string }>(sql`select id from document_versions
    where project = ${project} and id in ${texts(ids)}`);
  return new Set(rows.map(({ id }) => id));
}

/** Document-to-file associations. They're restored along with the files. */
export const assetAssociations: AssociationSource = {
  kinds: ["document_from_asset"],
  async page(db, project, after, count) {
    const { records, next } = await assetPage(db, project, after, count);
    const links = records.map(({ id, document_id }) => ({
      kind: "document_from_asset",
      from_id: document_id,
      to_id: id,
      messages: null,
    }));
    return { records: links, next };
  },
  refersTo: ({ from_id, to_id }) => [
    { field: "from_id", kind: "document", id: from_id },
    { field: "to_id", kind: "source_asset", id: to_id },
  ],
};

async function assetPage(db: Reader, project: number, after: PagePosition | null, count: number) {
  const { rows, next } = await nextRowBatch<AssetRow>(db, {
    table: "source_assets",
    columns: COLUMNS,
    project,
    after,
    count,
    condition: sql`and status = 'ready'`,
  });
  const operations = await operationsOf(db, project, rows);
  return { records: rows.map((row) => recordOf(row, operations.get(row.operation_id))), next };
}

/** Returns the operations of uploads that have become documents, keyed by id. */
async function operationsOf(
  db: Reader,
  project: number,
  rows: readonly AssetRow[],
): Promise<ReadonlyMap<string, OperationRecord>> {
  const ids = rows.map((row) => row.operation_id);
  const tasks = await db.all<TaskRow>(sql`select ${TASK_COLUMNS} from tasks
    where project = ${project} and status = 'success'
      and id in ${texts(ids)}`);
  return new Map(tasks.map((task) => {
    const { chunks, created } = JSON.parse(task.result!) as ExtractResult;
    const { attempts, max_attempts, created_at, updated_at, started_at, completed_at } = task;
    const times = { created_at, updated_at, started_at, completed_at };
    return [task.id, { attempts, max_attempts, chunks, created, ...times }];
  }));
}

/** Inserts a finished operation. The queue never runs it. */
async function insertOperation(
  tx: Tx,
  project: number,
  record: AssetRecord,
): Promise<void> {
  const { user_id, agent_id, run_id, operation, artifact } = record;
  if (operation === null || artifact === null) return;
  const scope = { user_id, agent_id, run_id };
  const result: ExtractResult = {
    source_asset: { id: record.id, status: "ready", document_id: record.document_id },
    artifact,
    document: { id: record.document_id, source_key: record.source_key },
    chunks: operation.chunks,
    created: operation.created,
    retrieval: RETRIEVAL,
  };
  const present = Object.entries(scope).filter(([, value]) => value !== null);
  const { chunks: _, created: __, ...common } = operation;
  await insertFinishedTask(tx, project, {
    ...common,
    id: record.operation_id,
    kind: "document_extract",
    status: "success",
    scope: JSON.stringify(Object.fromEntries(present)),
    result: JSON.stringify(result),
    error: null,
  });
}

function recordOf(row: AssetRow, operation: OperationRecord | undefined): AssetRecord {
  return {
    id: row.id,
    operation_id: row.operation_id,
    source_key: row.source_key,
    filename: row.filename,
    title: row.title,
    content_type: row.content_type,
    size_bytes: row.size_bytes,
    checksum_sha256: row.sha256!,
    user_id: row.user_id,
    agent_id: row.agent_id,
    run_id: row.run_id,
    metadata: JSON.parse(row.metadata),
    artifact: row.artifact_id === null ? null : {
      id: row.artifact_id,
      extractor: row.extractor ?? "",
      extractor_version: row.extractor_version ?? "",
      page_count: row.page_count,
    },
    operation: operation ?? null,
    document_id: row.document_id!,
    created_at: row.created_at,
    updated_at: row.updated_at,
  };
}

function rowOf(project: number, record: AssetRecord): Omit<AssetRow, "seq"> {
  const { checksum_sha256, artifact, metadata, operation: _, ...common } = record;
  return {
    ...common,
    project,
    status: "ready",
    metadata: JSON.stringify(metadata),
    declared_sha256: null,
    sha256: checksum_sha256,
    artifact_id: artifact?.id ?? null,
    artifact_sha256: null,
    extractor: artifact?.extractor ?? null,
    extractor_version: artifact?.extractor_version ?? null,
    page_count: artifact?.page_count ?? null,
    error: null,
  };
}
