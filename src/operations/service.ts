/** The rules of operations: the queue's tasks, seen without their commands. */

import type { Foundation } from "../contract/foundation.ts";
import { ApiError } from "../kernel/errors.ts";
import { cutPage, type Page, type PageFields } from "../kernel/page.ts";
import { findTask, listTasks, type TaskFilter, type TaskRow } from "../tasks/repository.ts";
import type { Operation } from "./schema.ts";

/** The service of the operations slice. */
export class OperationService {
  readonly #foundation: Foundation;

  constructor(foundation: Foundation) {
    this.#foundation = foundation;
  }

  /** Newest first. */
  list(project: number, filter: TaskFilter, page: PageFields): Promise<Page<Operation>> {
    return this.#foundation.store.read((db) =>
      cutPage(
        this.#foundation.cursors,
        { ...page, list: ["operations", project, filter.kinds, filter.statuses] },
        (after, count) =>
          listTasks(db, project, filter, after === null ? null : Number(after[0]), count),
        (row) => [row.seq],
        showOperation,
      )
    );
  }

  /** @throws ApiError OPERATION_NOT_FOUND */
  get(project: number, id: string): Promise<Operation> {
    return this.#foundation.store.read(async (db) => {
      const row = await findTask(db, project, id);
      if (row === undefined) throw new ApiError("OPERATION_NOT_FOUND", `No operation "${id}"`);
      return showOperation(row);
    });
  }
}

/** The operation that clients see. */
export function showOperation(row: TaskRow): Operation {
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
