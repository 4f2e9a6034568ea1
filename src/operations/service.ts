/** The rules of operations: the queue's tasks, seen without their commands. */

import { type EndpointResponse, ok } from "../contract/endpoint.ts";
import type { AppContext } from "../contract/app_context.ts";
import { ApiError } from "../kernel/errors.ts";
import { type Page, type PageFields, paginate } from "../kernel/page.ts";
import { utf8Length } from "../kernel/text.ts";
import type { Reader, Tx } from "../store/store.ts";
import type { TaskQueue } from "../tasks/queue.ts";
import { findTask, listTasks, type TaskFilter, type TaskRow } from "../tasks/repository.ts";
import type { Operation } from "./schema.ts";

/** The service of the operations slice. */
export class OperationService {
  readonly #appContext: AppContext;
  readonly #queue: TaskQueue;

  constructor(appContext: AppContext, queue: TaskQueue) {
    this.#appContext = appContext;
    this.#queue = queue;
  }

  /** Newest first. */
  list(project: number, filter: TaskFilter, page: PageFields): Promise<Page<Operation>> {
    return this.#appContext.store.read((db) =>
      paginate(
        this.#appContext.cursors,
        { ...page, list: ["operations", "newest", project, filter.kinds, filter.statuses] },
        (after, count) => listTasks(db, project, filter, after, count),
        (row) => [row.created_at, row.id],
        showOperation,
      )
    );
  }

  /**
   * One operation; a result that fills a blob is streamed out of it.
   *
   * @throws ApiError OPERATION_NOT_FOUND
   */
  async getResponse(project: number, id: string): Promise<EndpointResponse> {
    const { store, blobs } = this.#appContext;
    const row = await store.read((db) => findTask(db, project, id));
    if (row === undefined) throw unknownOperation(id);
    const operation = showOperation(row);
    if (row.result_blob === null) return ok(operation);
    const size = await blobs.size(row.result_blob);
    if (size === null) throw new Error(`The result of ${id} is gone from the blobs`);
    const { result: _, ...rest } = operation;
    const head = `${JSON.stringify(rest).slice(0, -1)},"result":`;
    const stream = wrapStream(head, blobs.stream(row.result_blob), "}");
    return { status: 200, stream, length: utf8Length(head) + size + 1 };
  }

  /**
   * A result that fills a file, by itself; null for an operation without one.
   *
   * @throws ApiError OPERATION_NOT_FOUND
   */
  async resultFile(project: number, id: string): Promise<ReadableStream<Uint8Array> | null> {
    const { store, blobs } = this.#appContext;
    const row = await store.read((db) => findTask(db, project, id));
    if (row === undefined) throw unknownOperation(id);
    return row.result_blob === null ? null : blobs.stream(row.result_blob);
  }

  /** @throws ApiError OPERATION_NOT_FOUND */
  get(project: number, id: string): Promise<Operation> {
    return this.#appContext.store.read((db) => operationOf(db, project, id));
  }

  /**
   * Has an operation tried again. One that waits or runs already stays as it is.
   *
   * @throws ApiError OPERATION_NOT_RETRYABLE when it is finished, cancelled, or isn't there
   */
  async retry(tx: Tx, project: number, id: string): Promise<Operation> {
    if (!await this.#queue.redrive(tx, project, id)) {
      throw new ApiError("OPERATION_NOT_RETRYABLE", `No operation "${id}" that can be retried`);
    }
    return await operationOf(tx, project, id);
  }
}

/** The operation of a task that was just put into the queue. */
export async function operationOf(db: Reader, project: number, id: string): Promise<Operation> {
  const row = await findTask(db, project, id);
  if (row === undefined) throw unknownOperation(id);
  return showOperation(row);
}

function unknownOperation(id: string): ApiError {
  return new ApiError("OPERATION_NOT_FOUND", `No operation "${id}"`);
}

function wrapStream(
  head: string,
  middle: ReadableStream<Uint8Array>,
  tail: string,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return middle.pipeThrough(
    new TransformStream({
      start: (controller) => controller.enqueue(encoder.encode(head)),
      flush: (controller) => controller.enqueue(encoder.encode(tail)),
    }),
  );
}

/** The operation that clients see; of a result that fills a blob, its outline. */
function showOperation(row: TaskRow): Operation {
  return {
    id: row.id,
    kind: row.kind,
    status: row.status,
    attempts: row.attempts,
    max_attempts: row.max_attempts,
    error: row.error === null ? null : JSON.parse(row.error),
    next_attempt_at: row.next_attempt_at,
    result: row.result === null ? null : JSON.parse(row.result),
    started_at: row.started_at,
    completed_at: row.completed_at,
    created_at: row.created_at,
    updated_at: row.updated_at,
  };
}
