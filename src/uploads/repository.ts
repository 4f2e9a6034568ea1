/** SQL for uploads: their rows and state transitions. */

import sql, { empty, join, type Sql } from "sql-template-tag";
import { type Clock, timestampAfter } from "../kernel/clock.ts";
import { rowNumber, texts } from "../store/sql.ts";
import type { Reader, Tx } from "../store/store.ts";
import type { SourceAsset } from "./schema.ts";
import {
  allowed,
  type AssetStatus,
  type StatusTransition,
  type TerminalTransition,
  TRANSITIONS,
} from "./states.ts";

/** A `source_assets` row. `metadata` and `error` are JSON text. */
export interface AssetRow {
  readonly seq: number;
  readonly project: number;
  readonly id: string;
  readonly operation_id: string;
  readonly status: AssetStatus;
  readonly source_key: string;
  readonly filename: string;
  readonly title: string;
  readonly content_type: string;
  readonly size_bytes: number;
  readonly declared_sha256: string | null;
  readonly sha256: string | null;
  readonly user_id: string | null;
  readonly agent_id: string | null;
  readonly run_id: string | null;
  readonly metadata: string;
  readonly artifact_id: string | null;
  /** Name of the artifact's file, which begins with its hash. */
  readonly artifact_sha256: string | null;
  readonly extractor: string | null;
  readonly extractor_version: string | null;
  readonly page_count: number | null;
  readonly document_id: string | null;
  readonly error: string | null;
  readonly created_at: string;
  readonly updated_at: string;
}

/** The columns of an {@linkcode AssetRow}. */
export const COLUMNS = sql`seq, project, id, operation_id, status, source_key, filename, title,
  content_type, size_bytes, declared_sha256, sha256, user_id, agent_id, run_id, metadata,
  artifact_id, artifact_sha256, extractor, extractor_version, page_count, document_id, error,
  created_at, updated_at`;

/** Returns an upload as seen by clients. */
export function showAsset(row: AssetRow): SourceAsset {
  return {
    id: row.id,
    operation_id: row.operation_id,
    source_key: row.source_key,
    filename: row.filename,
    content_type: row.content_type,
    size_bytes: row.size_bytes,
    checksum_sha256: row.sha256 ?? row.declared_sha256,
    status: row.status,
    artifact_id: row.artifact_id,
    document_id: row.document_id,
    error: row.error === null ? null : JSON.parse(row.error),
    created_at: row.created_at,
    updated_at: row.updated_at,
  };
}

/** Inserts a row. Uses the next number unless `seq` is passed. */
export async function insertAsset(
  tx: Tx,
  row: Omit<AssetRow, "seq">,
  seq: number | null = null,
): Promise<void> {
  await tx.run(sql`insert into source_assets (${COLUMNS})
    values (${rowNumber(seq)}, ${row.project}, ${row.id}, ${row.operation_id}, ${row.status},
     ${row.source_key}, ${row.filename}, ${row.title}, ${row.content_type}, ${row.size_bytes},
     ${row.declared_sha256}, ${row.sha256}, ${row.user_id}, ${row.agent_id}, ${row.run_id},
     ${row.metadata}, ${row.artifact_id}, ${row.artifact_sha256}, ${row.extractor},
     ${row.extractor_version}, ${row.page_count}, ${row.document_id}, ${row.error},
     ${row.created_at}, ${row.updated_at})`);
}

/** Returns an upload in a project, if it exists. */
export function findAsset(
  db: Reader,
  project: number,
  id: string,
): Promise<AssetRow | undefined> {
  return db.first<AssetRow>(
    sql`select ${COLUMNS} from source_assets where project = ${project} and id = ${id}`,
  );
}

/** Returns an operation's upload, if it still exists. */
export function findByOperation(
  db: Reader,
  project: number,
  operation: string,
): Promise<AssetRow | undefined> {
  return db.first<AssetRow>(sql`select ${COLUMNS} from source_assets
    where project = ${project} and operation_id = ${operation}`);
}

/** Returns the documents' uploads. */
export function findByDocuments(
  db: Reader,
  project: number,
  documents: readonly string[],
): Promise<AssetRow[]> {
  return db.all<AssetRow>(sql`select ${COLUMNS} from source_assets
    where project = ${project} and document_id in
      ${texts(documents)}`);
}

/**
 * Returns uploads from any project that are in one of the given states and haven't been updated
 * since `before`.
 */
export function findIdle(
  db: Reader,
  statuses: readonly AssetStatus[],
  before: string,
  count: number,
): Promise<AssetRow[]> {
  return db.all<AssetRow>(sql`select ${COLUMNS} from source_assets
    where ${IS_UNFINISHED} and status in (${join([...statuses])}) and updated_at < ${before}
    limit ${count}`);
}

/** Returns cancelled uploads from any project. Their files may still be around. */
export function findCancelled(db: Reader, count: number): Promise<AssetRow[]> {
  return db.all<AssetRow>(sql`select ${COLUMNS} from source_assets
    where ${IS_UNFINISHED} and status = 'cancelled' limit ${count}`);
}

/** The partial index's condition. SQLite only uses the index if the text is identical. */
const IS_UNFINISHED = sql`status in ('awaiting_upload', 'uploaded', 'failed', 'cancelled')`;

/**
 * Changes an upload's status. Returns false if the transition is not allowed from the current
 * status.
 *
 * @param assignments additional columns to update
 */
export async function applyTransition(
  tx: Tx,
  clock: Clock,
  asset: AssetRow,
  transition: StatusTransition,
  assignments: Sql = empty,
): Promise<boolean> {
  const additional = assignments === empty ? empty : sql`, ${assignments}`;
  return await tx.run(sql`update source_assets set status = ${TRANSITIONS[transition].to},
      updated_at = ${timestampAfter(clock, asset.updated_at)} ${additional}
    where project = ${asset.project} and id = ${asset.id} and ${allowed(transition)}`) > 0;
}

/**
 * Deletes an upload's row. Returns false if the transition is not allowed from the current status.
 */
export async function deleteAsset(
  tx: Tx,
  asset: AssetRow,
  transition: TerminalTransition,
): Promise<boolean> {
  return await tx.run(sql`delete from source_assets
    where project = ${asset.project} and id = ${asset.id} and ${allowed(transition)}`) > 0;
}

/** Stores an upload's artifact, in any status. */
export async function linkArtifact(
  tx: Tx,
  clock: Clock,
  asset: AssetRow,
  artifact: Artifact,
): Promise<void> {
  await tx.run(sql`update source_assets set artifact_id = ${artifact.id},
      artifact_sha256 = ${artifact.blob}, extractor = ${artifact.extractor},
      extractor_version = ${artifact.extractorVersion}, page_count = ${artifact.pageCount},
      updated_at = ${timestampAfter(clock, asset.updated_at)}
    where project = ${asset.project} and id = ${asset.id}`);
}

/** A file's Markdown, stored as a blob. */
export interface Artifact {
  readonly id: string;
  /** Name of its file. */
  readonly blob: string;
  readonly extractor: string;
  readonly extractorVersion: string;
  readonly pageCount: number | null;
}

/** Returns an upload's artifact, or null if it hasn't been extracted yet or was imported. */
export function artifactOf(row: AssetRow): Artifact | null {
  if (row.artifact_id === null || row.artifact_sha256 === null) return null;
  return {
    id: row.artifact_id,
    blob: row.artifact_sha256,
    extractor: row.extractor ?? "",
    extractorVersion: row.extractor_version ?? "",
    pageCount: row.page_count,
  };
}
