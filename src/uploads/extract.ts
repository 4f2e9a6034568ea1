/** Handles `document_extract` tasks, which turn the bytes of a file into a searchable document. */

import { rm } from "node:fs/promises";
import sql from "sql-template-tag";
import type { AppContext } from "../contract/app_context.ts";
import type { Actor } from "../contract/endpoint.ts";
import { type DocumentService, newDocument, type PreparedDocument } from "../documents/service.ts";
import { ExtractionError } from "../extraction/error.ts";
import { type ExtractionJob, type ExtractionResult, runExtraction } from "../extraction/runner.ts";
import { essenceOf } from "../kernel/http/media_types.ts";
import { textProblem } from "../kernel/text.ts";
import { blobNameOf, linkBlob } from "../store/blobs/references.ts";
import type { Tx } from "../store/store.ts";
import { TaskError } from "../tasks/errors.ts";
import type { DisposableFinalizer, Task, TaskContext, TaskHandler } from "../tasks/handler.ts";
import type { TaskStatus } from "../tasks/states.ts";
import { taskHandler } from "../tasks/task_type.ts";
import type { UploadCleanup } from "./cleanup.ts";
import { EXTRACT, type ExtractPayload } from "./extract_task.ts";
import {
  applyTransition,
  type Artifact,
  artifactOf,
  type AssetRow,
  findByOperation,
  linkArtifact,
} from "./repository.ts";
import { type ExtractResult, RETRIEVAL } from "./schema.ts";
import type { StatusTransition } from "./states.ts";

/**
 * Upload transitions by the operation's new status. The first possible one is applied. Success is
 * handled separately.
 */
const TRANSITIONS_BY_STATUS: Readonly<Partial<Record<TaskStatus, readonly StatusTransition[]>>> = {
  processing: ["claim"],
  pending: ["release", "redrive"],
  retry: ["fail"],
  dead: ["fail"],
};

/** Dependencies of the handler. */
export interface ExtractDeps {
  readonly appContext: AppContext;
  readonly documents: DocumentService;
  readonly cleanup: UploadCleanup;
  /** Extracts a file. Defaults to running in a child process. */
  readonly read?: (job: ExtractionJob) => Promise<ExtractionResult>;
}

/**
 * Creates the handler. It stores the extracted text as an artifact, then writes the document in the
 * unit of work that records the success. If an attempt fails, the next one starts from the
 * artifact.
 */
export function extractHandler(deps: ExtractDeps): TaskHandler {
  return taskHandler(EXTRACT, {
    run: (context, payload) => run(deps, context, payload),
    onStatusChange: (tx, task, status) => onStatusChange(deps, tx, task, status),
  });
}

async function run(
  deps: ExtractDeps,
  context: TaskContext,
  payload: ExtractPayload,
): Promise<DisposableFinalizer> {
  const { store, blobs } = deps.appContext;
  const { task } = context;
  const actor: Actor = { project: task.project, ...payload };
  const asset = await store.read((db) => findByOperation(db, task.project, task.id));
  if (asset === undefined) throw deletedUpload();
  const artifact = artifactOf(asset) ?? await extract(deps, context, asset);
  const content = new TextDecoder().decode(await blobs.read(artifact.blob));
  const document = await deps.documents.prepare(task.project, documentOf(asset, content));
  return {
    finalize: (tx) => finish(deps, tx, actor, task, artifact, document),
    dispose: () => deps.documents.dispose(document),
  };
}

/** Extracts a file and stores the result. */
async function extract(
  deps: ExtractDeps,
  context: TaskContext,
  asset: AssetRow,
): Promise<Artifact> {
  const { blobs, store, ids, clock } = deps.appContext;
  const workDir = deps.cleanup.workDir(asset);
  const extracted = await extractFile(deps, context, asset, workDir);
  if (textProblem(extracted.markdown) !== null) {
    await removeFolder(workDir);
    throw new TaskError("DOCUMENT_CORRUPT", "The extracted text contains NUL characters", {
      retryable: false,
    });
  }
  const blob = await blobs.put([new TextEncoder().encode(extracted.markdown)]);
  const artifact: Artifact = {
    id: ids.next("artifact"),
    blob: blob.name,
    extractor: extracted.extractor,
    extractorVersion: extracted.extractorVersion,
    pageCount: extracted.pageCount,
  };
  try {
    await context.commit(async (tx) => {
      await linkBlob(tx, asset.project, artifact.id, blob);
      await linkArtifact(tx, clock, asset, artifact);
      await context.saveProgress(tx, { artifact_id: artifact.id });
    });
  } finally {
    blob.release();
    await blobs.deleteIfUnreferenced(store, blob.name);
  }
  await removeFolder(workDir);
  return artifact;
}

/** Runs the extractor on a file, which is kept on this machine until it has finished. */
async function extractFile(
  deps: ExtractDeps,
  { signal }: TaskContext,
  asset: AssetRow,
  workDir: string,
): Promise<ExtractionResult> {
  const { blobs, store } = deps.appContext;
  const name = await store.read((db) => blobNameOf(db, asset.project, asset.id));
  if (name === undefined) throw deletedUpload();
  const read = deps.read ?? runExtraction;
  const { path, release } = await blobs.local(name);
  try {
    return await read({
      inputPath: path,
      declaredType: asset.content_type,
      filename: asset.filename,
      workDir,
      signal,
    });
  } catch (error) {
    // Recognized pages are kept for the next attempt, if there can be one.
    if (error instanceof ExtractionError && !error.retryable) await removeFolder(workDir);
    throw toTaskError(error);
  } finally {
    await release();
  }
}

function deletedUpload(): TaskError {
  return new TaskError("EXTRACTION_FAILED", "The upload was deleted", { retryable: false });
}

function toTaskError(error: unknown): unknown {
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
  { appContext, documents }: ExtractDeps,
  tx: Tx,
  actor: Actor,
  task: Task,
  artifact: Artifact,
  prepared: PreparedDocument,
) {
  const asset = await findByOperation(tx, task.project, task.id);
  const { document, chunks, created } = await documents.ingest(tx, actor, prepared);
  const linked = asset !== undefined &&
    await applyTransition(
      tx,
      appContext.clock,
      asset,
      "finish",
      sql`document_id = ${document.id}, error = null`,
    );
  if (!linked) throw deletedUpload();
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

/** Updates an upload's status, including the error, along with its operation. */
async function onStatusChange(
  { appContext }: ExtractDeps,
  tx: Tx,
  task: Task,
  status: TaskStatus,
): Promise<void> {
  const asset = await findByOperation(tx, task.project, task.id);
  if (asset === undefined) return;
  const error = sql`error = (select error from tasks
    where project = ${task.project} and id = ${task.id})`;
  for (const transition of TRANSITIONS_BY_STATUS[status] ?? []) {
    if (await applyTransition(tx, appContext.clock, asset, transition, error)) return;
  }
}

async function removeFolder(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true });
}
