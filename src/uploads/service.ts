/**
 * The upload service. Checks which files are accepted, whether their bytes match, and what can be
 * deleted.
 */

import type { Actor, ReceivedBody } from "../contract/endpoint.ts";
import { scopeOf } from "../contract/fields.ts";
import type { AppContext } from "../contract/app_context.ts";
import type { DeletionListener } from "../documents/service.ts";
import { timestamp } from "../kernel/clock.ts";
import { ApiError } from "../kernel/errors.ts";
import { LIMITS } from "../kernel/limits.ts";
import { operationOf } from "../operations/service.ts";
import { linkBlob } from "../store/blobs/references.ts";
import type { Reader, Tx } from "../store/store.ts";
import { enqueueTask, submitTask } from "../tasks/enqueue.ts";
import type { TaskQueue } from "../tasks/queue.ts";
import sql from "sql-template-tag";
import { receiveBytes, type ReceivedFile, refuseTooLarge } from "./receive.ts";
import { UploadCleanup } from "./cleanup.ts";
import { EXTRACT } from "./extract_task.ts";
import {
  applyTransition,
  type AssetRow,
  findAsset,
  findByDocuments,
  insertAsset,
  showAsset,
} from "./repository.ts";
import type { CompleteResponse, CreateBody, CreateResponse, SourceAsset } from "./schema.ts";
import type { AssetStatus } from "./states.ts";

/** Statuses in which the content is final. Different content is rejected. */
const IMMUTABLE_STATUSES: readonly AssetStatus[] = ["queued", "processing", "ready", "failed"];

/** The upload service. Methods that take a `tx` run as part of that unit of work. */
export class UploadService implements DeletionListener {
  readonly cleanup: UploadCleanup;
  readonly #appContext: AppContext;
  readonly #queue: TaskQueue;

  /** @param workDirectory parent of the folders where files are extracted */
  constructor(appContext: AppContext, queue: TaskQueue, workDirectory: string) {
    this.#appContext = appContext;
    this.#queue = queue;
    this.cleanup = new UploadCleanup(appContext, workDirectory);
  }

  /** Creates an upload without any bytes, plus the operation that will extract it. */
  async create(tx: Tx, actor: Actor, body: CreateBody, base: string): Promise<CreateResponse> {
    const { clock, ids } = this.#appContext;
    const operation_id = await enqueueTask(tx, this.#appContext, actor.project, {
      type: EXTRACT,
      scope: { ...scopeOf(body) },
      payload: { projectId: actor.projectId, requestId: actor.requestId },
      awaitingUpload: true,
    });
    const at = timestamp(clock.now());
    const key = { project: actor.project, id: ids.next("asset"), operation_id };
    const row = { ...key, ...newAssetFields(body), created_at: at, updated_at: at };
    await insertAsset(tx, row);
    return {
      source_asset: showAsset({ ...row, seq: 0 }),
      upload: {
        method: "PUT",
        url: `${base}/document-uploads/${row.id}/content`,
        headers: { "content-type": row.content_type },
        max_bytes: LIMITS.uploadFileBytes,
      },
      operation: await operationOf(tx, actor.project, operation_id),
    };
  }

  /**
   * Receives a file's bytes. They're kept until `release`, and after that for as long as the upload
   * refers to them. If the upload already has its bytes or doesn't exist, the received ones are
   * only compared, not stored.
   *
   * @throws ApiError DOCUMENT_UPLOAD_TOO_LARGE, or INVALID_REQUEST if the body ends early
   */
  async receive(
    request: Request,
    project: number,
    id: string,
  ): Promise<ReceivedBody<ReceivedFile>> {
    const { store, blobs } = this.#appContext;
    refuseTooLarge(request.headers);
    const asset = await store.read((db) => findAsset(db, project, id));
    const received = await receiveBytes(request.body, {
      size: asset?.size_bytes ?? LIMITS.uploadFileBytes,
      blobs: asset?.status === "awaiting_upload" ? blobs : null,
      sha256: asset?.declared_sha256 ?? null,
    });
    return {
      body: received,
      digest: `${received.size} ${received.sha256}`,
      async release() {
        if (received.blob === null) return;
        received.blob.release();
        await blobs.deleteIfUnreferenced(store, received.blob.name);
      },
    };
  }

  /**
   * Assigns received bytes to an upload.
   *
   * @throws ApiError DOCUMENT_UPLOAD_NOT_FOUND, DOCUMENT_UPLOAD_SIZE_MISMATCH,
   *   DOCUMENT_UPLOAD_CHECKSUM_MISMATCH or DOCUMENT_UPLOAD_IMMUTABLE
   */
  async put(tx: Tx, project: number, id: string, received: ReceivedFile): Promise<void> {
    const asset = await this.#find(tx, project, id);
    const { size_bytes, declared_sha256, sha256 } = asset;
    // Compare the size too, since reading stops early if the body is too long.
    if (sha256 === received.sha256 && size_bytes === received.size) return;
    if (IMMUTABLE_STATUSES.includes(asset.status)) throw immutableUpload(asset);
    if (received.size !== size_bytes) {
      const count = received.size > size_bytes ? "more" : `${received.size}`;
      throw new ApiError(
        "DOCUMENT_UPLOAD_SIZE_MISMATCH",
        `Expected ${size_bytes} bytes, received ${count}`,
        { details: { size_bytes } },
      );
    }
    if (declared_sha256 !== null && declared_sha256 !== received.sha256) {
      throw new ApiError(
        "DOCUMENT_UPLOAD_CHECKSUM_MISMATCH",
        "SHA-256 of the content does not match checksum_sha256",
        { details: { checksum_sha256: declared_sha256, received_sha256: received.sha256 } },
      );
    }
    if (asset.status !== "awaiting_upload" || received.blob === null) throw immutableUpload(asset);
    const digest = sql`sha256 = ${received.sha256}`;
    // An upload can expire in a unit that doesn't wait for this one.
    if (!await applyTransition(tx, this.#appContext.clock, asset, "store", digest)) {
      throw unknownUpload(id);
    }
    await linkBlob(tx, project, id, received.blob);
  }

  /**
   * Queues the extraction of an upload that has its bytes. No-op if already queued.
   *
   * @throws ApiError DOCUMENT_UPLOAD_NOT_FOUND or DOCUMENT_UPLOAD_INCOMPLETE
   */
  async complete(tx: Tx, project: number, id: string): Promise<CompleteResponse> {
    const { clock } = this.#appContext;
    const asset = await this.#find(tx, project, id);
    if (asset.status === "awaiting_upload") {
      throw new ApiError(
        "DOCUMENT_UPLOAD_INCOMPLETE",
        `Send the ${asset.size_bytes} bytes of "${id}" with PUT before completing it`,
      );
    }
    if (await applyTransition(tx, clock, asset, "submit")) {
      await submitTask(tx, clock, project, asset.operation_id);
    }
    return {
      source_asset: showAsset(await this.#find(tx, project, id)),
      operation: await operationOf(tx, project, asset.operation_id),
    };
  }

  /**
   * Returns an upload.
   *
   * @throws ApiError DOCUMENT_UPLOAD_NOT_FOUND
   */
  get(project: number, id: string): Promise<SourceAsset> {
    return this.#appContext.store.read(async (db) => {
      const asset = await findAsset(db, project, id);
      if (asset === undefined) throw unknownUpload(id);
      return showAsset(asset);
    });
  }

  /**
   * Cancels an upload and its operation. `cleanUp` then removes the upload's files and row.
   *
   * @throws ApiError DOCUMENT_UPLOAD_NOT_FOUND, SOURCE_ASSET_BUSY or SOURCE_ASSET_READY
   */
  async delete(tx: Tx, project: number, id: string): Promise<void> {
    const { operation_id } = await this.#find(tx, project, id);
    // Workers claim tasks in units that don't wait for this one, so cancel first. Only the status
    // that is read after that can't change any more.
    const isCancelled = await this.#queue.cancel(tx, project, operation_id);
    const asset = await this.#find(tx, project, id);
    if (asset.status === "ready") {
      throw new ApiError(
        "SOURCE_ASSET_READY",
        `The file is a document; use DELETE /v1/documents/${asset.document_id} to delete both`,
        { details: { document_id: asset.document_id } },
      );
    }
    if (!isCancelled) {
      throw new ApiError(
        "SOURCE_ASSET_BUSY",
        "The file is being extracted; delete it after the extraction has ended",
      );
    }
    await applyTransition(tx, this.#appContext.clock, asset, "cancel");
    this.cleanup.removeCancelled(tx);
  }

  /** Deletes the uploads of deleted documents. */
  async onDelete(tx: Tx, project: number, documentIds: readonly string[]): Promise<void> {
    for (const asset of await findByDocuments(tx, project, documentIds)) {
      await this.cleanup.remove(tx, asset, "follow");
    }
  }

  cleanUp(): Promise<void> {
    return this.cleanup.run();
  }

  /**
   * Returns an upload. A cancelled upload counts as not found.
   *
   * @throws ApiError DOCUMENT_UPLOAD_NOT_FOUND
   */
  async #find(db: Reader, project: number, id: string): Promise<AssetRow> {
    const asset = await findAsset(db, project, id);
    if (asset === undefined || asset.status === "cancelled") throw unknownUpload(id);
    return asset;
  }
}

/** Returns a new upload's row fields, except ids and times. */
function newAssetFields(body: CreateBody) {
  return {
    status: "awaiting_upload",
    source_key: body.source_key ?? body.filename,
    filename: body.filename,
    title: body.title ?? body.filename,
    content_type: body.content_type,
    size_bytes: body.size_bytes,
    declared_sha256: body.checksum_sha256 ?? null,
    sha256: null,
    user_id: body.user_id ?? null,
    agent_id: body.agent_id ?? null,
    run_id: body.run_id ?? null,
    metadata: JSON.stringify(body.metadata ?? {}),
    artifact_id: null,
    artifact_sha256: null,
    extractor: null,
    extractor_version: null,
    page_count: null,
    document_id: null,
    error: null,
  } as const satisfies Partial<AssetRow>;
}

function unknownUpload(id: string): ApiError {
  return new ApiError("DOCUMENT_UPLOAD_NOT_FOUND", `No upload "${id}"`);
}

function immutableUpload({ id }: AssetRow): ApiError {
  return new ApiError(
    "DOCUMENT_UPLOAD_IMMUTABLE",
    `Upload "${id}" already has different content; create another upload`,
  );
}
