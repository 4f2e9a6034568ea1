/** Updates, deletions, batches and ratings in mem0's format. */

import { z } from "zod";
import { type Actor, ok } from "../../contract/endpoint.ts";
import { metadataField } from "../../contract/fields.ts";
import { parseOrThrow } from "../../http/execute_endpoint.ts";
import { ApiError, ERROR_STATUS, type ErrorCode } from "../../kernel/errors.ts";
import { LIMITS } from "../../kernel/limits.ts";
import type { BatchItem, BatchItemResult, Feedback, Memory } from "../../memories/schema.ts";
import type { Operation } from "../../operations/schema.ts";
import type { Change } from "../../contract/endpoint.ts";
import type { Tx } from "../../store/store.ts";
import { type CommandPart, ignoredFields, type Mem0Deps, responseBody, V1 } from "./calls.ts";
import { type Entities } from "./entities.ts";
import { translateSelection } from "./filters.ts";
import { changedMetadata, showMemory } from "./format.ts";
import * as schema from "./schema.ts";
import { waitFor } from "./tasks.ts";

type Params = { readonly id: string };

/** Changes a memory and returns it. */
export function update(
  { memories }: Mem0Deps,
): CommandPart<Params, unknown, ReturnType<typeof schema.updateBody.parse>> {
  return {
    params: schema.memoryParams,
    body: schema.updateBody,
    maxBodyBytes: LIMITS.updateMemoryBodyBytes,
    change: ({ actor, params: { id }, body }) => async (tx) => {
      const patch = toPatch(await memories.get(tx, actor.project, id), body);
      await memories.update(tx, actor, id, patch);
      const updated = await memories.get(tx, actor.project, id);
      return ok({
        message: "Memory updated successfully!",
        ...showMemory(updated),
        ...ignoredFields(body, schema.updateBody.shape),
      });
    },
  };
}

/** Deletes a memory, and on request all those that it superseded. */
export function deleteOne(
  deps: Mem0Deps,
): CommandPart<Params, { readonly delete_linked: boolean }, unknown> {
  const v1 = new V1(deps.endpoints);
  const message = "Memory deleted successfully!";
  return {
    params: schema.memoryParams,
    query: schema.deleteMemoryQuery,
    async change(call) {
      const { actor, params, query } = call;
      if (query.delete_linked) {
        const deleteAll = await deps.memories.findSuperseded(actor, params.id);
        return async (tx) => ok({ message, cascade_count: await deleteAll(tx) });
      }
      const change = await v1.change("deleteMemory", call, { params });
      return async (tx) => {
        await change(tx);
        return ok({ message });
      };
    },
  };
}

/** Deletes all memories of a user, agent, run or app, or of several of these at once. */
export function deleteAll(deps: Mem0Deps): CommandPart<unknown, Entities, unknown> {
  return {
    query: schema.deleteQuery,
    change: ({ actor, query }) =>
      deletion(deps, actor, query, "scope_delete", "Memories deleted successfully!"),
  };
}

/**
 * Removes an entity with all its memories. An entity without memories is gone already: `reset` of
 * mem0's clients removes one entity after the other, and they can share their memories.
 */
export function deleteEntity(
  deps: Mem0Deps,
): CommandPart<ReturnType<typeof schema.entityParams.parse>, unknown, unknown> {
  return {
    params: schema.entityParams,
    change: ({ actor, params: { type, id } }) =>
      deletion(
        deps,
        actor,
        { [`${type}_id`]: id },
        "entity_delete",
        "Entity deleted successfully!",
      ),
  };
}

/** Rates a memory, or clears its rating. */
export function feedback(
  deps: Mem0Deps,
): CommandPart<unknown, unknown, ReturnType<typeof schema.feedbackBody.parse>> {
  const v1 = new V1(deps.endpoints);
  return {
    body: schema.feedbackBody,
    async change(call) {
      const { memory_id, feedback, feedback_reason } = call.body;
      const params = { id: memory_id };
      if (feedback === null) {
        const clear = await v1.change("clearFeedback", call, { params });
        return async (tx) => {
          await clear(tx);
          return ok({ id: null, feedback: null, feedback_reason: null });
        };
      }
      const body = { rating: feedback.toLowerCase(), reason: feedback_reason };
      const give = await v1.change("giveFeedback", call, { params, body });
      return async (tx) => {
        const given = responseBody(await give(tx)) as { readonly feedback: Feedback };
        return ok({ id: given.feedback.id, feedback, feedback_reason: given.feedback.reason });
      };
    },
  };
}

/** Changes up to 1,000 memories, each on its own, and returns once that's done. */
export function batchUpdate(
  deps: Mem0Deps,
): CommandPart<unknown, unknown, ReturnType<typeof schema.batchUpdateBody.parse>> {
  return {
    body: schema.batchUpdateBody,
    maxBodyBytes: LIMITS.batchBodyBytes,
    change: ({ actor, body }) => async (tx) => {
      const items: BatchItem[] = [];
      for (const { memory_id, ...changes } of body.memories) {
        items.push({ memory_id, ...await batchPatch(deps, tx, actor, memory_id, changes) });
      }
      const { id } = await deps.batches.enqueue(tx, actor, "batch_update", items);
      return ok({ message: "The batch is queued", operation_id: id });
    },
    finish: ({ actor }, response) => batchOutcome(deps, actor, response, "updated"),
  };
}

/** Deletes up to 1,000 memories, each on its own, and returns once that's done. */
export function batchDelete(
  deps: Mem0Deps,
): CommandPart<unknown, unknown, ReturnType<typeof schema.batchDeleteBody.parse>> {
  return {
    body: schema.batchDeleteBody,
    maxBodyBytes: LIMITS.batchBodyBytes,
    change: ({ actor, body }) => async (tx) => {
      const { id } = await deps.batches.enqueue(tx, actor, "batch_delete", body.memories);
      return ok({ message: "The batch is queued", operation_id: id });
    },
    finish: ({ actor }, response) => batchOutcome(deps, actor, response, "deleted"),
  };
}

/** Prepares the deletion of all memories that belong to every one of the given entities. */
async function deletion(
  { appContext: { clock }, memories, memoryQueries }: Mem0Deps,
  actor: Actor,
  entities: Entities,
  kind: "scope_delete" | "entity_delete",
  message: string,
): Promise<Change> {
  const { app_id, ...scope } = entities;
  if (app_id === undefined) {
    return async (tx) => {
      await memories.deleteScope(tx, actor, scope, kind);
      return ok({ message });
    };
  }
  const limit = LIMITS.scopeDeletionMemories;
  const selection = translateSelection({ ...entities, show_expired: true }, clock);
  const ids = await memoryQueries.ids(actor.project, selection, limit + 1);
  if (ids.length > limit) {
    throw new ApiError(
      "ENTITY_REMOVAL_TOO_LARGE",
      `The app has more than ${limit} memories, and a request can delete at most ${limit}; ` +
        "delete them in batches",
      { details: { limit } },
    );
  }
  return async (tx) => {
    await memories.deleteAll(tx, actor, ids, { kind, operation_id: null });
    return ok({ message });
  };
}

/** Returns the change of a memory with mem0's fields kept in its metadata. */
function toPatch({ metadata }: Memory, changes: schema.MemoryChanges) {
  const changed = changedMetadata(metadata, changes);
  return {
    content: changes.text,
    metadata: changed && parseOrThrow(z.object({ metadata: metadataField }), { metadata: changed })
      .metadata,
  };
}

/**
 * Returns the change of one item. Metadata is combined with what is stored now, so the item fails if
 * the memory changes before the batch reaches it. Unknown memories are left to the batch to report.
 */
async function batchPatch(
  { memories }: Mem0Deps,
  tx: Tx,
  actor: Actor,
  id: string,
  changes: schema.MemoryChanges,
): Promise<Omit<BatchItem, "memory_id">> {
  const { text: content, metadata, expiration_date } = changes;
  if (metadata === undefined && expiration_date === undefined) return { content };
  try {
    const memory = await memories.get(tx, actor.project, id);
    return { ...toPatch(memory, changes), version: memory.updated_at };
  } catch (error) {
    if (error instanceof ApiError && error.code === "MEMORY_NOT_FOUND") return { content };
    throw error;
  }
}

/** Waits for a batch and reports how many memories it changed, and which it couldn't. */
async function batchOutcome(
  deps: Mem0Deps,
  { project }: Actor,
  response: Parameters<typeof responseBody>[0],
  verb: "updated" | "deleted",
) {
  const { operation_id } = responseBody(response) as { readonly operation_id: string };
  const operation = await waitFor(
    deps,
    () => deps.operations.get(project, operation_id),
    ({ completed_at }) => completed_at !== null,
  );
  const result = operation.result as { items: BatchItemResult[]; succeeded: number } | null;
  if (result === null) return unfinished(operation, response);
  const failed = result.items.flatMap((item) =>
    item.status === "succeeded"
      ? []
      : [{ memory_id: item.memory_id, error: item.error.message, code: item.error.code }]
  );
  const [first] = failed;
  if (result.succeeded === 0 && first !== undefined) {
    const code = isErrorCode(first.code) ? first.code : "INTERNAL_ERROR";
    throw new ApiError(code, first.error, { details: { failed } });
  }
  return ok({
    message: `Successfully ${verb} ${result.succeeded} memories`,
    ...(failed.length === 0 ? {} : { failed }),
  });
}

function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(ERROR_STATUS, code);
}

function unfinished(
  { status, error, id }: Operation,
  response: Parameters<typeof responseBody>[0],
) {
  if (status !== "dead") return response;
  throw new ApiError(
    "INTERNAL_ERROR",
    `The batch failed: ${error?.message}; see operation "${id}"`,
  );
}
