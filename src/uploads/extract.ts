/** The handler of `document_extract`: from the bytes of a file to a document that can be found. */

import { rm } from "node:fs/promises";
import { resolve } from "node:path";
import sql from "sql-template-tag";
import type { Foundation } from "../contract/foundation.ts";
import { type DocumentService, newDocument, type PreparedDocument } from "../documents/service.ts";
import { ExtractionError } from "../extraction/error.ts";
import { type Extraction, type ExtractionJob, runExtraction } from "../extraction/runner.ts";
import { LIMITS } from "../kernel/limits.ts";
import { essenceOf } from "../kernel/media_types.ts";
import { textFault } from "../kernel/text.ts";
import { nameBlob } from "../store/blobs.ts";
import type { Tx } from "../store/store.ts";
import { TaskError } from "../tasks/errors.ts";
import type { HeldStep, Task, TaskContext, TaskHandler } from "../tasks/handler.ts";
import type { TaskStatus } from "../tasks/states.ts";
import type { Removal } from "./removal.ts";
import {
  type Artifact,
  artifactOf,
  type AssetRow,
  findByOperation,
  linkArtifact,
  move,
} from "./repository.ts";
import { type ExtractResult, RETRIEVAL } from "./schema.ts";
import type { ExtractPayload } from "./service.ts";
import type { Move } from "./states.ts";

/** Each may take a core and more than a gigabyte of memory. */
const CONCURRENCY = 2;

/** Beside the extraction itself: cutting and writing a document of a megabyte. */
const WRITING_MS = 60_000;

/** What an upload does when its operation comes into a state; success is a step of its own. */
const FOLLOWING: Readonly<Partial<Record<TaskStatus, readonly Move[]>>> = {
  processing: ["claim"],
  pending: ["release", "redrive"],
  retry: ["fail"],
  dead: ["fail"],
};

/** What the handler stands on. */
export interface ExtractDeps {
  readonly foundation: Foundation;
  readonly documents: DocumentService;
  readonly removal: Removal;
  /** What reads a file; a child process unless said. */
  readonly read?: (job: ExtractionJob) => Promise<Extraction>;
}

/**
 * Extraction is one step, kept as an artifact; writing the document is the next, in one unit of
 * work with the success. An attempt that follows on a failed one starts with what is there.
 */
export function extractHandler(deps: ExtractDeps): TaskHandler {
  return {
    kind: "document_extract",
    concurrency: CONCURRENCY,
    timeLimitMs: LIMITS.extractionMs + WRITING_MS,
    timeoutCode: "EXTRACTION_TIMEOUT",
    run: (context) => run(deps, context),
    follow: (tx, task, status) => follow(deps, tx, task, status),
  };
}

async function run(deps: ExtractDeps, context: TaskContext): Promise<HeldStep> {
  const { store, blobs } = deps.foundation;
  const { task } = context;
  const asset = await store.read((db) => findByOperation(db, task.project, task.id));
  if (asset === undefined || asset.sha256 === null) {
    throw new TaskError("EXTRACTION_FAILED", "The upload is gone", { retryable: false });
  }
  const artifact = artifactOf(asset) ?? await extract(deps, context, asset, asset.sha256);
  const content = new TextDecoder().decode(await blobs.read(artifact.hash));
  const document = await deps.documents.prepare(task.project, documentOf(asset, content));
  return {
    last: (tx) => finish(deps, tx, task, artifact, document),
    release: () => deps.documents.settle(document),
  };
}

/** Has the file read, and keeps what comes of it. */
async function extract(
  deps: ExtractDeps,
  context: TaskContext,
  asset: AssetRow,
  sha256: string,
): Promise<Artifact> {
  const { blobs, store, ids, clock } = deps.foundation;
  const workDir = deps.removal.workDir(asset);
  const read = deps.read ?? runExtraction;
  const extracted = await read({
    inputPath: resolve(blobs.path(sha256)),
    declaredType: asset.content_type,
    filename: asset.filename,
    workDir,
    signal: context.signal,
  }).catch(async (error) => {
    // Recognized pages wait for another attempt, where there can be one.
    if (error instanceof ExtractionError && !error.retryable) await removeFolder(workDir);
    throw asFailure(error);
  });
  if (textFault(extracted.markdown) !== null) {
    await removeFolder(workDir);
    throw new TaskError("DOCUMENT_CORRUPT", "The file holds NUL characters", { retryable: false });
  }
  const blob = await blobs.put([new TextEncoder().encode(extracted.markdown)]);
  const artifact: Artifact = {
    id: ids.next("artifact"),
    hash: blob.hash,
    extractor: extracted.extractor,
    extractorVersion: extracted.extractorVersion,
    pageCount: extracted.pageCount,
  };
  try {
    await context.commit(async (tx) => {
      await nameBlob(tx, asset.project, artifact.id, blob);
      await linkArtifact(tx, clock, asset, artifact);
      await context.saveProgress(tx, { artifact_id: artifact.id });
    });
  } finally {
    blob.release();
    await blobs.giveBack(store, blob.hash);
  }
  await removeFolder(workDir);
  return artifact;
}

function asFailure(error: unknown): unknown {
  if (!(error instanceof ExtractionError)) return error;
  const { code, message, retryable, cause } = error;
  return new TaskError(code, message, { retryable, cause });
}

function documentOf(asset: AssetRow, content: string) {
  return newDocument({
    content,
    source_key: asset.source_key,
    title: asset.title,
    mime_type: essenceOf(asset.content_type),
    user_id: asset.user_id ?? undefined,
    agent_id: asset.agent_id ?? undefined,
    run_id: asset.run_id ?? undefined,
    metadata: JSON.parse(asset.metadata),
  }, "text/markdown");
}

async function finish(
  { foundation, documents }: ExtractDeps,
  tx: Tx,
  task: Task,
  artifact: Artifact,
  prepared: PreparedDocument,
) {
  const { project } = task;
  const { projectId, requestId } = task.payload as ExtractPayload;
  const asset = await findByOperation(tx, project, task.id);
  const { document, chunks, created } = await documents.ingest(
    tx,
    { project, projectId, requestId },
    prepared,
  );
  const linked = asset !== undefined &&
    await move(
      tx,
      foundation.clock,
      asset,
      "finish",
      sql`document_id = ${document.id}, error = null`,
    );
  if (!linked) throw new TaskError("EXTRACTION_FAILED", "The upload is gone", { retryable: false });
  const result: ExtractResult = {
    source_asset: { id: asset.id, status: "ready", document_id: document.id },
    artifact: {
      id: artifact.id,
      page_count: artifact.pageCount,
      extractor: artifact.extractor,
      extractor_version: artifact.extractorVersion,
    },
    document: { id: document.id, source_key: document.source_key },
    chunks,
    created,
    retrieval: RETRIEVAL,
  };
  return { result };
}

/** Keeps the upload in step with its operation, the error included. */
async function follow(
  { foundation }: ExtractDeps,
  tx: Tx,
  task: Task,
  status: TaskStatus,
): Promise<void> {
  const asset = await findByOperation(tx, task.project, task.id);
  if (asset === undefined) return;
  const error = sql`error = (select error from tasks
    where project = ${task.project} and id = ${task.id})`;
  for (const transition of FOLLOWING[status] ?? []) {
    if (await move(tx, foundation.clock, asset, transition, error)) return;
  }
}

async function removeFolder(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true });
}
