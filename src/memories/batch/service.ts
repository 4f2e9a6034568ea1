/**
 * Batches: many changes in one request, executed as a task. Each item succeeds or fails on its own
 * and is applied exactly once.
 */

import { z } from "zod";
import type { Actor } from "../../contract/endpoint.ts";
import type { AppContext } from "../../contract/app_context.ts";
import { jsonObject } from "../../contract/fields.ts";
import { ApiError } from "../../kernel/errors.ts";
import type { Operation } from "../../operations/schema.ts";
import { operationOf } from "../../operations/service.ts";
import type { Tx } from "../../store/store.ts";
import { enqueueTask } from "../../tasks/enqueue.ts";
import type { TaskContext, TaskHandler, TaskResult } from "../../tasks/handler.ts";
import { type PayloadOf, type ProgressOf, taskHandler, taskType } from "../../tasks/task_type.ts";
import {
  type BatchItem,
  type BatchItemResult,
  batchItemResult,
  type ChangeSource,
  memoryType,
  type WriteResult,
} from "../schema.ts";
import type { MemoryService } from "../service.ts";

/** Number of items per unit of work, small enough to barely delay other requests. */
const ITEMS_PER_COMMIT = 50;

const UPDATE = taskType({
  kind: "batch_update",
  payload: z.object({
    memories: z.array(z.object({
      memory_id: z.string(),
      content: z.string().optional(),
      metadata: jsonObject.optional(),
      importance: z.number().optional(),
      memory_type: memoryType.optional(),
      version: z.string().optional(),
    })).readonly(),
    projectId: z.string(),
    requestId: z.string(),
  }),
  progress: z.object({
    /** Results so far, in item order. */
    items: z.array(batchItemResult).readonly(),
  }),
  concurrency: 2,
  timeLimitMs: 10 * 60_000,
  resumable: true,
});

const DELETE = taskType({ ...UPDATE, kind: "batch_delete" });

type BatchProgress = ProgressOf<typeof UPDATE>;

/**
 * Queues and executes batches. A chunk's changes and results are written in one unit of work. After
 * a crash or retry, a worker resumes after the last item with a stored result, so no item is
 * applied twice.
 */
export class BatchService {
  readonly #appContext: AppContext;
  readonly #memories: MemoryService;

  constructor(appContext: AppContext, memories: MemoryService) {
    this.#appContext = appContext;
    this.#memories = memories;
  }

  /** Queues a batch. The request itself has already been validated. */
  async enqueue(
    tx: Tx,
    actor: Actor,
    kind: "batch_update" | "batch_delete",
    memories: readonly BatchItem[],
  ): Promise<Operation> {
    const { projectId, requestId } = actor;
    const id = await enqueueTask(tx, this.#appContext, actor.project, {
      type: kind === "batch_update" ? UPDATE : DELETE,
      payload: { memories, projectId, requestId },
    });
    return await operationOf(tx, actor.project, id);
  }

  /** Returns the task handlers for batches. */
  handlers(): readonly TaskHandler[] {
    const update: Apply = (tx, actor, item, source) =>
      this.#memories.update(tx, actor, item.memory_id, item, source);
    const remove: Apply = (tx, actor, item, source) =>
      this.#memories.delete(tx, actor, item.memory_id, source);
    return [
      taskHandler(UPDATE, { run: (context, ...task) => run(context, update, ...task) }),
      taskHandler(DELETE, { run: (context, ...task) => run(context, remove, ...task) }),
    ];
  }
}

type Apply = (
  tx: Tx,
  actor: Actor,
  item: BatchItem,
  source: ChangeSource,
) => Promise<WriteResult>;

async function run(
  context: TaskContext<BatchProgress>,
  apply: Apply,
  { memories, projectId, requestId }: PayloadOf<typeof UPDATE>,
  progress: BatchProgress | null,
): Promise<TaskResult> {
  const actor: Actor = { project: context.task.project, projectId, requestId };
  const source: ChangeSource = { kind: "batch", operation_id: context.task.id };
  let items = progress?.items ?? [];
  while (items.length < memories.length) {
    context.signal.throwIfAborted();
    const chunk = memories.slice(items.length, items.length + ITEMS_PER_COMMIT);
    const previous = items;
    items = await context.commit(async (tx) => {
      const results: BatchItemResult[] = [];
      for (const item of chunk) {
        results.push(await applyItem(item.memory_id, () => apply(tx, actor, item, source)));
      }
      const all = [...previous, ...results];
      await context.saveProgress(tx, { items: all });
      return all;
    });
  }
  const succeeded = items.filter((item) => item.status === "succeeded").length;
  const [total, failed] = [items.length, items.length - succeeded];
  return { result: { total, processed: total, succeeded, failed, items } };
}

/**
 * Applies one item. A rejected item fails on its own, since an `ApiError` is thrown before anything
 * is changed. Any other error fails the whole chunk.
 */
async function applyItem(
  memory_id: string,
  apply: () => Promise<WriteResult>,
): Promise<BatchItemResult> {
  try {
    return { memory_id, status: "succeeded", event: (await apply()).event };
  } catch (error) {
    if (!(error instanceof ApiError) || error.status >= 500) throw error;
    return { memory_id, status: "failed", error: { code: error.code, message: error.message } };
  }
}
