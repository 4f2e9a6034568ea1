/** Exposes queued tasks as operations, without their commands. */

import { z } from "zod";
import { type EndpointResponse, ok } from "../contract/endpoint.ts";
import type { AppContext } from "../contract/app_context.ts";
import { ApiError } from "../kernel/errors.ts";
import { type Page, type PageFields, paginate } from "../kernel/http/page.ts";
import { utf8Length } from "../kernel/text.ts";
import type { Reader, Tx } from "../store/store.ts";
import type { TaskQueue } from "../tasks/queue.ts";
import { findTask, listTasks, type TaskFilter, type TaskRow } from "../tasks/repository.ts";
import { parseProgress } from "../tasks/task_type.ts";
import type { Operation } from "./schema.ts";

/** What the progress of every task that counts its records contains. */
const recordCounts = z.object({ records_done: z.int(), records_total: z.int() });

/** Service of the operations module. */
export class OperationService {
  readonly #appContext: AppContext;
  readonly #queue: TaskQueue;

  constructor(appContext: AppContext, queue: TaskQueue) {
    this.#appContext = appContext;
    this.#queue = queue;
  }

  /** Returns operations, newest first. */
  list(project: number, filter: TaskFilter, page: PageFields): Promise<Page<Operation>> {
    return this.#appContext.store.read((db) =>
      paginate(
        this.#appContext.cursors,
        { ...page, list: ["operations", "newest", project, filter.kinds, filter.statuses] },
        (after, count) => listTasks(db, project, filter, after, count),
        (row) => [row.created_at, row.id],
        toOperation,
      )
    );
  }

  /**
   * Returns the response for one operation. A result stored as a blob is streamed.
   *
   * @throws ApiError OPERATION_NOT_FOUND if the project has no such operation
   */
  async getResponse(project: number, id: string): Promise<EndpointResponse> {
    const { store, blobs } = this.#appContext;
    const row = await store.read((db) => findTask(db, project, id));
    if (row === undefined) throw operationNotFound(id);
    const operation = toOperation(row);
    // The file of an export in an open format is downloaded on its own.
    if (row.result_blob === null || row.kind === "export_file") return ok(operation);
    const size = await blobs.size(row.result_blob);
    if (size === null) throw new Error(`The result of ${id} is missing from the blobs`);
    const { result: _, ...rest } = operation;
    const prefix = `${JSON.stringify(rest).slice(0, -1)},"result":`;
    const stream = wrapStream(prefix, blobs.stream(row.result_blob), "}");
    return { status: 200, stream, length: utf8Length(prefix) + size + 1 };
  }

  /**
   * Returns an operation's result as a stream if it's stored as a blob, or null otherwise.
   *
   * @throws ApiError OPERATION_NOT_FOUND if the project has no such operation
   */
  async resultFile(project: number, id: string): Promise<ReadableStream<Uint8Array> | null> {
    const { store, blobs } = this.#appContext;
    const row = await store.read((db) => findTask(db, project, id));
    if (row === undefined) throw operationNotFound(id);
    return row.result_blob === null ? null : blobs.stream(row.result_blob);
  }

  /**
   * Returns a single operation.
   *
   * @throws ApiError OPERATION_NOT_FOUND if the project has no such operation
   */
  get(project: number, id: string): Promise<Operation> {
    return this.#appContext.store.read((db) => operationOf(db, project, id));
  }

  /**
   * Retries an operation. Returns it unchanged if it's pending or running.
   *
   * @throws ApiError OPERATION_NOT_RETRYABLE if it has finished, was cancelled or doesn't exist, or if
   *   it's an inferred add from a snapshot, which doesn't contain its messages
   */
  async retry(tx: Tx, project: number, id: string): Promise<Operation> {
    if (!await this.#queue.redrive(tx, project, id)) {
      throw new ApiError(
        "OPERATION_NOT_RETRYABLE",
        `Operation "${id}" does not exist or can't be retried`,
      );
    }
    return await operationOf(tx, project, id);
  }
}

/**
 * Returns the operation for a task.
 *
 * @throws ApiError OPERATION_NOT_FOUND if the project has no such operation
 */
export async function operationOf(db: Reader, project: number, id: string): Promise<Operation> {
  const row = await findTask(db, project, id);
  if (row === undefined) throw operationNotFound(id);
  return toOperation(row);
}

function operationNotFound(id: string): ApiError {
  return new ApiError("OPERATION_NOT_FOUND", `No operation "${id}"`);
}

function wrapStream(
  prefix: string,
  body: ReadableStream<Uint8Array>,
  suffix: string,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return body.pipeThrough(
    new TransformStream({
      start: (controller) => controller.enqueue(encoder.encode(prefix)),
      flush: (controller) => controller.enqueue(encoder.encode(suffix)),
    }),
  );
}

/**
 * Converts a task to an operation. For results stored as blobs, the operation contains only a
 * summary.
 */
function toOperation(row: TaskRow): Operation {
  const counts = parseProgress({ progress: recordCounts }, row.progress);
  return {
    id: row.id,
    kind: row.kind,
    status: row.status,
    attempts: row.attempts,
    max_attempts: row.max_attempts,
    error: row.error === null ? null : JSON.parse(row.error),
    next_attempt_at: row.next_attempt_at,
    result: row.result === null ? null : JSON.parse(row.result),
    ...(counts === null
      ? {}
      : { progress: { done: counts.records_done, total: counts.records_total } }),
    started_at: row.started_at,
    completed_at: row.completed_at,
    created_at: row.created_at,
    updated_at: row.updated_at,
  };
}
