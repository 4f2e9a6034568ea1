/** The rules of uploads: what is accepted, when bytes are the right ones, and what may be deleted. */

import type { Actor, ReceivedBody } from "../contract/endpoint.ts";
import { scopeOf } from "../contract/fields.ts";
import type { AppContext } from "../contract/app_context.ts";
import type { DeletionListener } from "../documents/service.ts";
import { timestamp } from "../kernel/clock.ts";
import { ApiError } from "../kernel/errors.ts";
import { LIMITS } from "../kernel/limits.ts";
import { operationOf } from "../operations/service.ts";
import { linkBlob } from "../store/blobs.ts";
import type { Reader, Tx } from "../store/store.ts";
import { enqueueTask, submitTask } from "../tasks/enqueue.ts";
import type { TaskQueue } from "../tasks/queue.ts";
import sql from "sql-template-tag";
import { receiveBytes, type ReceivedFile, refuseTooLarge } from "./receive.ts";
import { UploadCleanup } from "./cleanup.ts";
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

/** The command of an extraction, as the queue keeps it. */
export interface ExtractPayload {
  readonly projectId: string;
  readonly requestId: string;
}

/** States in which the bytes are settled: other bytes are refused. */
const IMMUTABLE_STATUSES: readonly AssetStatus[] = ["queued", "processing", "ready", "failed"];

/** The service of the uploads slice. Methods that take a `tx` are part of its unit of work. */
export class UploadService implements DeletionListener {
  readonly cleanup: UploadCleanup;
  readonly #appContext: AppContext;
  readonly #queue: TaskQueue;

  /** @param workDirectory the folder of the folders in which files are extracted */
  constructor(appContext: AppContext, queue: TaskQueue, workDirectory: string) {
    this.#appContext = appContext;
    this.#queue = queue;
    this.cleanup = new UploadCleanup(appContext, workDirectory);
  }

  /** Describes a file to come, and the operation that will extract it. */
  async create(tx: Tx, actor: Actor, body: CreateBody, base: string): Promise<CreateResponse> {
    const { clock, ids } = this.#appContext;
    const operation_id = await enqueueTask(tx, this.#appContext, actor.project, {
      kind: "document_extract",
      scope: { ...scopeOf(body) },
      payload: {
        projectId: actor.projectId,
        requestId: actor.requestId,
      } satisfies ExtractPayload,
      awaitingUpload: true,
    });
    const at = timestamp(clock.now());
    const named = { project: actor.project, id: ids.next("asset"), operation_id };
    const row = { ...named, ...newAssetFields(body), created_at: at, updated_at: at };
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
   * Takes the bytes of a file in. They are kept until `release`, and as long as the upload names
   * them; an upload that has its bytes already, or isn't there, only has them compared.
   *
   * @throws ApiError DOCUMENT_UPLOAD_TOO_LARGE, or INVALID_REQUEST when the body breaks off
   */
  async receive(
    request: Request,
    project: number,
    id: string,
  ): Promise<ReceivedBody<ReceivedFile>> {
    const { store, blobs } = this.#appContext;
    refuseTooLarge(request.headers);
    const asset = await store.read((db) => findAsset(db, project, id));
    const arrival = await receiveBytes(request.body, {
      size: asset?.size_bytes ?? LIMITS.uploadFileBytes,
      blobs: asset?.status === "awaiting_upload" ? blobs : null,
      sha256: asset?.declared_sha256 ?? null,
    });
    return {
      body: arrival,
      digest: `${arrival.size} ${arrival.sha256}`,
      async release() {
        if (arrival.blob === null) return;
        arrival.blob.release();
        await blobs.deleteIfUnreferenced(store, arrival.blob.hash);
      },
    };
  }

  /**
   * Makes bytes that have arrived those of the upload.
   *
   * @throws ApiError DOCUMENT_UPLOAD_NOT_FOUND, DOCUMENT_UPLOAD_SIZE_MISMATCH,
   * DOCUMENT_UPLOAD_CHECKSUM_MISMATCH or DOCUMENT_UPLOAD_IMMUTABLE
   */
  async put(tx: Tx, project: number, id: string, received: ReceivedFile): Promise<void> {
    const asset = await this.#find(tx, project, id);
    const { size_bytes, declared_sha256, sha256 } = asset;
    // The length tells bytes that were cut off from those that they began with.
    if (sha256 === received.sha256 && size_bytes === received.size) return;
    if (IMMUTABLE_STATUSES.includes(asset.status)) throw immutableUpload(asset);
    if (received.size !== size_bytes) {
      const some = received.size > size_bytes ? "more" : `${received.size}`;
      throw new ApiError(
        "DOCUMENT_UPLOAD_SIZE_MISMATCH",
        `The upload was announced with ${size_bytes} bytes, and ${some} came`,
        { details: { size_bytes } },
      );
    }
    if (declared_sha256 !== null && declared_sha256 !== received.sha256) {
      throw new ApiError(
        "DOCUMENT_UPLOAD_CHECKSUM_MISMATCH",
        "The bytes are not those that checksum_sha256 announced",
        { details: { checksum_sha256: declared_sha256, received_sha256: received.sha256 } },
      );
    }
    if (asset.status !== "awaiting_upload" || received.blob === null) throw immutableUpload(asset);
    await linkBlob(tx, project, id, received.blob);
    await applyTransition(
      tx,
      this.#appContext.clock,
      asset,
      "store",
      sql`sha256 = ${received.sha256}`,
    );
  }

  /**
   * Queues the extraction of an upload that has its bytes; what is queued already stays as it is.
   *
   * @throws ApiError DOCUMENT_UPLOAD_NOT_FOUND or DOCUMENT_UPLOAD_INCOMPLETE
   */
  async complete(tx: Tx, project: number, id: string): Promise<CompleteResponse> {
    const { clock } = this.#appContext;
    const asset = await this.#find(tx, project, id);
    if (asset.status === "awaiting_upload") {
      throw new ApiError(
        "DOCUMENT_UPLOAD_INCOMPLETE",
        `PUT the ${asset.size_bytes} bytes of "${id}" first`,
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

  /** @throws ApiError DOCUMENT_UPLOAD_NOT_FOUND */
  get(project: number, id: string): Promise<SourceAsset> {
    return this.#appContext.store.read(async (db) => {
      const asset = await findAsset(db, project, id);
      if (asset === undefined) throw unknownUpload(id);
      return showAsset(asset);
    });
  }

  /**
   * Cancels an upload and fences its operation; `clear` then removes its files and its row.
   *
   * @throws ApiError DOCUMENT_UPLOAD_NOT_FOUND, SOURCE_ASSET_BUSY or SOURCE_ASSET_READY
   */
  async delete(tx: Tx, project: number, id: string): Promise<void> {
    const asset = await this.#find(tx, project, id);
    if (asset.status === "processing") {
      throw new ApiError(
        "SOURCE_ASSET_BUSY",
        "The file is being extracted; delete it when that has ended",
      );
    }
    if (asset.status === "ready") {
      throw new ApiError(
        "SOURCE_ASSET_READY",
        `The file is a document; delete it by DELETE /v1/documents/${asset.document_id}`,
        { details: { document_id: asset.document_id } },
      );
    }
    await this.#queue.cancel(tx, project, asset.operation_id);
    await applyTransition(tx, this.#appContext.clock, asset, "cancel");
    this.cleanup.markPending();
  }

  /** Uploads go with their documents. */
  async onDelete(tx: Tx, project: number, documentIds: readonly string[]): Promise<void> {
    for (const asset of await findByDocuments(tx, project, documentIds)) {
      await this.cleanup.remove(tx, asset, "follow");
    }
  }

  cleanUp(): Promise<void> {
    return this.cleanup.run();
  }

  /** One that is being cleaned away is as good as gone. */
  async #find(db: Reader, project: number, id: string): Promise<AssetRow> {
    const asset = await findAsset(db, project, id);
    if (asset === undefined || asset.status === "cancelled") throw unknownUpload(id);
    return asset;
  }
}

/** The row of a file of which nothing has arrived yet, but for its names and times. */
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
    `"${id}" has other bytes already; create another upload for these`,
  );
}
