/** Exposes `memory_infer` tasks as inference events, without their input. */

import type { AppContext } from "../contract/app_context.ts";
import { ApiError } from "../kernel/errors.ts";
import { type Page, type PageFields, paginate } from "../kernel/http/page.ts";
import { findTask, listTasks, type TaskRow, tasksAt } from "../tasks/repository.ts";
import type { TaskStatus } from "../tasks/states.ts";
import type { EventStatus, InferenceEvent } from "./schema.ts";

/** Event status for each task status. */
const STATUS_OF: Readonly<Record<TaskStatus, EventStatus>> = {
  awaiting_upload: "PENDING",
  pending: "PENDING",
  processing: "RUNNING",
  retry: "RETRYING",
  success: "SUCCEEDED",
  committed: "SUCCEEDED",
  dead: "FAILED",
  failed: "FAILED",
  cancelled: "FAILED",
};

/** Service of the events module. */
export class EventService {
  readonly #appContext: AppContext;

  constructor(appContext: AppContext) {
    this.#appContext = appContext;
  }

  /** Returns events, newest first. */
  list(
    project: number,
    status: EventStatus | undefined,
    page: PageFields,
  ): Promise<Page<InferenceEvent>> {
    const statuses = status === undefined
      ? []
      : (Object.keys(STATUS_OF) as TaskStatus[]).filter((taskStatus) =>
        STATUS_OF[taskStatus] === status
      );
    return this.#appContext.store.read((db) =>
      paginate(
        this.#appContext.cursors,
        { ...page, list: ["events", "newest", project, status ?? null] },
        (after, count) =>
          listTasks(db, project, { kinds: ["memory_infer"], statuses }, after, count),
        (row) => [row.created_at, row.id],
        toEvent,
      )
    );
  }

  /** Returns a page of events by its offset, newest first, with the number of all events. */
  async pageAt(
    project: number,
    page: { readonly offset: number; readonly limit: number },
  ): Promise<{ readonly results: readonly InferenceEvent[]; readonly count: number }> {
    const { results, count } = await this.#appContext.store.read((db) =>
      tasksAt(db, project, "memory_infer", page)
    );
    return { results: results.map(toEvent), count };
  }

  /**
   * Returns a single event.
   *
   * @throws ApiError EVENT_NOT_FOUND if the project has no such event
   */
  get(project: number, id: string): Promise<InferenceEvent> {
    return this.#appContext.store.read(async (db) => {
      const row = await findTask(db, project, id);
      if (row?.kind !== "memory_infer") {
        throw new ApiError("EVENT_NOT_FOUND", `No event "${id}"`);
      }
      return toEvent(row);
    });
  }
}

/** Stored result of a finished inference task. */
export interface InferenceResult {
  readonly results: InferenceEvent["results"];
  readonly write_summary: NonNullable<InferenceEvent["write_summary"]>;
  readonly warnings?: NonNullable<InferenceEvent["warnings"]>;
}

function toEvent(row: TaskRow): InferenceEvent {
  const result = row.result === null ? null : JSON.parse(row.result) as InferenceResult;
  return {
    id: row.id,
    event_type: "ADD",
    status: STATUS_OF[row.status],
    scope: JSON.parse(row.scope),
    results: result?.results ?? [],
    ...(result === null ? {} : { write_summary: result.write_summary }),
    ...(result?.warnings === undefined ? {} : { warnings: result.warnings }),
    attempts: row.attempts,
    max_attempts: row.max_attempts,
    error: row.error === null ? null : JSON.parse(row.error),
    created_at: row.created_at,
    updated_at: row.updated_at,
    started_at: row.started_at,
    completed_at: row.completed_at,
    latency_ms: row.completed_at === null
      ? null
      : Date.parse(row.completed_at) - Date.parse(row.created_at),
  };
}
