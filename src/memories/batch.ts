/** Batches: many changes in one request, done as a task, each item by itself and exactly once. */

import type { Actor } from "../contract/endpoint.ts";
import type { AppContext } from "../contract/app_context.ts";
import { ApiError } from "../kernel/errors.ts";
import type { Operation } from "../operations/schema.ts";
import { operationOf } from "../operations/service.ts";
import type { Tx } from "../store/store.ts";
import { enqueueTask } from "../tasks/enqueue.ts";
import type { TaskContext, TaskHandler, TaskResult } from "../tasks/handler.ts";
import type { BatchItem, BatchItemResult, ChangeSource, WriteResult } from "./schema.ts";
import type { MemoryService } from "./service.ts";

/** Items of one unit of work: short enough that other requests hardly wait for it. */
const ITEMS_PER_COMMIT = 50;

const TIME_LIMIT_MS = 10 * 60_000;

type BatchKind = "batch_update" | "batch_delete";

/** The command of a batch, as the queue keeps it. */
interface BatchPayload {
  readonly memories: readonly BatchItem[];
  readonly projectId: string;
  readonly requestId: string;
}

/** What became of the items so far, in order. */
interface BatchProgress {
  readonly items: readonly BatchItemResult[];
}

/**
 * A chunk's changes and what became of its items are one unit of work. A worker that dies, and a
 * retry, go on after the last item that is written down: that is what makes each apply once.
 */
export class BatchService {
  readonly #appContext: AppContext;
  readonly #memories: MemoryService;

  constructor(appContext: AppContext, memories: MemoryService) {
    this.#appContext = appContext;
    this.#memories = memories;
  }

  /** Queues a batch whose request has been checked as a whole. */
  async enqueue(
    tx: Tx,
    actor: Actor,
    kind: BatchKind,
    memories: readonly { readonly memory_id: string }[],
  ): Promise<Operation> {
    const { projectId, requestId } = actor;
    const id = await enqueueTask(tx, this.#appContext, actor.project, {
      kind,
      payload: { memories, projectId, requestId } satisfies BatchPayload,
    });
    return await operationOf(tx, actor.project, id);
  }

  /** How the queue does batches. */
  handlers(): readonly TaskHandler[] {
    const common = { concurrency: 2, timeLimitMs: TIME_LIMIT_MS, resumable: true };
    return [
      {
        ...common,
        kind: "batch_update",
        run: (context) =>
          run(
            context,
            (tx, actor, item, source) =>
              this.#memories.update(tx, actor, item.memory_id, item, source),
          ),
      },
      {
        ...common,
        kind: "batch_delete",
        run: (context) =>
          run(
            context,
            (tx, actor, item, source) => this.#memories.delete(tx, actor, item.memory_id, source),
          ),
      },
    ];
  }
}

type Apply = (
  tx: Tx,
  actor: Actor,
  item: BatchItem,
  source: ChangeSource,
) => Promise<WriteResult>;

async function run(context: TaskContext, apply: Apply): Promise<TaskResult> {
  const { memories, projectId, requestId } = context.task.payload as BatchPayload;
  const actor: Actor = { project: context.task.project, projectId, requestId };
  const source: ChangeSource = { kind: "batch", operation_id: context.task.id };
  let items = (context.task.progress as BatchProgress | null)?.items ?? [];
  while (items.length < memories.length) {
    context.signal.throwIfAborted();
    const chunk = memories.slice(items.length, items.length + ITEMS_PER_COMMIT);
    const done = items;
    items = await context.commit(async (tx) => {
      const results: BatchItemResult[] = [];
      for (const item of chunk) {
        results.push(await applyItem(item.memory_id, () => apply(tx, actor, item, source)));
      }
      const all = [...done, ...results];
      await context.saveProgress(tx, { items: all } satisfies BatchProgress);
      return all;
    });
  }
  const succeeded = items.filter((item) => item.status === "succeeded").length;
  const [total, failed] = [items.length, items.length - succeeded];
  return { result: { total, processed: total, succeeded, failed, items } };
}

/** A refusal is the item's own; it comes before anything was changed. The rest is the chunk's. */
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
