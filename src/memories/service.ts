/**
 * Adds, changes, deletes and lists memories. Defines what each change writes, and in what order.
 */

import type { Actor } from "../contract/endpoint.ts";
import { type Scope, SCOPE_KEYS, scopeOf } from "../contract/fields.ts";
import type { AppContext } from "../contract/app_context.ts";
import { timestamp } from "../kernel/clock.ts";
import { ApiError } from "../kernel/errors.ts";
import { LIMITS } from "../kernel/limits.ts";
import { type Page, type PageFields, paginate } from "../kernel/http/page.ts";
import { recordDeletion } from "../store/import_guard.ts";
import type { Reader, Tx } from "../store/store.ts";
import { enqueueTask } from "../tasks/enqueue.ts";
import { INFER } from "./infer_task.ts";
import { deleteClaims } from "./claims/claim_rows.ts";
import { scopeName } from "./deleted_scopes.ts";
import { listHistory, showHistory } from "./history/history.ts";
import {
  countInScope,
  findMemories,
  findMemory,
  listMemories,
  memoriesInScope,
  type NewMemory,
  nextPosition,
  ownScope,
  supersededBy,
} from "./repository.ts";
import { type MemoryRow, showMemory, threadNumber } from "./row.ts";
import type {
  AddBody,
  ChangeSource,
  HistoryRecord,
  Memory,
  MemoryPatch,
  MemoryType,
  WriteResult,
} from "./schema.ts";
import { countAdded } from "./scope_counters.ts";
import { ScopeReads } from "./scope_pages.ts";
import { MemoryWriter, unknownMemory } from "./writer.ts";

/** Texts to store verbatim as memories in a single scope. */
export interface NewMemories {
  readonly scope: Scope;
  readonly texts: readonly DatedText[];
  readonly metadata: Readonly<Record<string, unknown>> | undefined;
  readonly memory_type: MemoryType;
  readonly importance: number;
}

/** A text, and when the events in it happened. */
export interface DatedText {
  readonly text: string;
  readonly event_date: string | null;
}

/** Source of a change made directly by a request rather than a task. */
export const BY_API: ChangeSource = { kind: "api", operation_id: null };

/** The memory service. Methods with a `tx` parameter run in that unit of work. */
export class MemoryService {
  readonly #appContext: AppContext;
  readonly #writer: MemoryWriter;
  readonly #scopeReads: ScopeReads;

  constructor(appContext: AppContext) {
    this.#appContext = appContext;
    this.#scopeReads = new ScopeReads(appContext.store);
    this.#writer = new MemoryWriter(appContext);
  }

  /** Stores texts verbatim, one memory each, in order. Returns one result per memory. */
  async add(tx: Tx, actor: Actor, added: NewMemories): Promise<WriteResult[]> {
    const at = this.#now();
    const ids = added.texts.map(() => this.#appContext.ids.next("mem"));
    const [thread, first] = await this.#thread(tx, actor.project, added.scope, ids);
    const rows = added.texts.map(({ text, event_date }, index): Omit<NewMemory, "terms"> => ({
      id: ids[index]!,
      user_id: added.scope.user_id ?? null,
      agent_id: added.scope.agent_id ?? null,
      run_id: added.scope.run_id ?? null,
      memory_type: added.memory_type,
      importance: added.importance,
      created_at: at,
      updated_at: at,
      event_date,
      valid_from: event_date,
      valid_to: null,
      thread,
      position: thread === null ? null : first + index,
      memory: text,
      metadata: added.metadata === undefined ? null : JSON.stringify(added.metadata),
    }));
    await this.#writer.insert(tx, actor, rows, BY_API);
    countAdded(tx, actor.project, rows[0]!, rows.length);
    return rows.map((row) => ({ id: row.id, memory: row.memory, event: "ADD" }));
  }

  /**
   * Queues a request for fact extraction. Returns the task id, which is also the event id.
   *
   * @param id id for the task, which must be unused. Defaults to a new one
   */
  async enqueueInference(tx: Tx, actor: Actor, body: AddBody, id?: string): Promise<string> {
    return await enqueueTask(tx, this.#appContext, actor.project, {
      type: INFER,
      ...(id === undefined ? {} : { id }),
      scope: { ...scopeOf(body) },
      payload: {
        ...body,
        event_date: body.event_date ?? latestDate(body),
        project_id: actor.projectId,
        request_id: actor.requestId,
        requested_at: this.#now(),
      },
    });
  }

  /**
   * Returns a memory.
   *
   * @throws {ApiError} MEMORY_NOT_FOUND if the project has no such memory
   */
  async get(db: Reader, project: number, id: string): Promise<Memory> {
    return showMemory(await this.#writer.find(db, project, id));
  }

  /** Returns a page of a scope's memories, newest first. */
  list(
    project: number,
    scope: Scope,
    page: PageFields,
  ): Promise<Page<Memory>> {
    const list = ["memories by time", project, ...SCOPE_KEYS.map((key) => scope[key] ?? null)];
    return this.#appContext.store.read((db) =>
      paginate(
        this.#appContext.cursors,
        { ...page, list },
        (after: readonly [string, string] | null, count) =>
          listMemories(db, project, scope, after, count),
        (row) => [row.created_at, row.id],
        showMemory,
      )
    );
  }

  /**
   * Changes fields in a memory. Setting the same values still counts as an update.
   *
   * @throws {ApiError} MEMORY_NOT_FOUND if the project has no such memory
   * @throws {ApiError} VERSION_CONFLICT if `version` is not the time of the last change
   */
  async update(
    tx: Tx,
    actor: Actor,
    id: string,
    patch: MemoryPatch & { readonly version?: string | undefined },
    source = BY_API,
  ): Promise<WriteResult> {
    const old = await this.#writer.find(tx, actor.project, id);
    if (patch.version !== undefined && patch.version !== old.updated_at) {
      throw new ApiError("VERSION_CONFLICT", `The memory has changed since "${patch.version}"`, {
        details: { current: old.updated_at },
      });
    }
    const changed: MemoryRow = {
      ...old,
      memory: patch.content ?? old.memory,
      memory_type: patch.memory_type ?? old.memory_type,
      importance: patch.importance ?? old.importance,
      metadata: patch.metadata === undefined ? old.metadata : JSON.stringify(patch.metadata),
    };
    await this.#writer.rewrite(tx, actor, old, changed, "UPDATE", source);
    // Journal followers extract the claims from the new text.
    if (changed.memory !== old.memory) deleteClaims(tx, actor.project, id);
    return { id, memory: changed.memory, event: "UPDATE" };
  }

  /**
   * Ends a memory's validity on behalf of a user. The memory is kept but ranks lower.
   *
   * @param at end of the validity. Defaults to now
   * @throws {ApiError} MEMORY_NOT_FOUND if the project has no such memory
   */
  async end(tx: Tx, actor: Actor, id: string, at = this.#now()): Promise<WriteResult> {
    const old = await this.#writer.find(tx, actor.project, id);
    const changed = { ...old, valid_to: at };
    await this.#writer.rewrite(tx, actor, old, changed, "INVALIDATE", BY_API);
    return { id, memory: old.memory, event: "INVALIDATE" };
  }

  /**
   * Deletes a memory. Its history is kept.
   *
   * @throws {ApiError} MEMORY_NOT_FOUND if the project has no such memory
   */
  async delete(tx: Tx, actor: Actor, id: string, source = BY_API): Promise<WriteResult> {
    const row = await this.#writer.find(tx, actor.project, id);
    await this.#writer.remove(tx, actor, [row], source);
    return { id, memory: row.memory, event: "DELETE" };
  }

  /** Deletes those of the given memories that exist, and returns how many those were. */
  async deleteAll(tx: Tx, actor: Actor, ids: readonly string[], source = BY_API): Promise<number> {
    const rows = await findMemories(tx, actor.project, ids);
    await this.#writer.remove(tx, actor, rows, source);
    return rows.length;
  }

  /**
   * Finds all memories that a memory superseded, directly or not. Reads a whole scope, so no writer
   * waits for it.
   *
   * @returns a function that deletes the memory and those of the others that still are superseded.
   *   It returns how many those were, not counting the memory itself. It throws `MEMORY_NOT_FOUND` if
   *   the project has no such memory; until then, the request can turn out to be a replay
   */
  async findSuperseded(
    actor: Actor,
    id: string,
  ): Promise<(tx: Tx) => Promise<number>> {
    const { project } = actor;
    const found = await this.#appContext.store.read((db) => findMemory(db, project, id));
    const ids = found === undefined ? [] : await this.#scopeReads.read(
      project,
      ownScope(found),
      (db) => supersededBy(db, project, found),
    );
    return async (tx) => {
      const memory = await this.#writer.find(tx, project, id);
      const rows = await findMemories(tx, project, ids);
      const superseded = rows.filter(({ valid_to }) => valid_to !== null);
      await this.#writer.remove(tx, actor, [memory, ...superseded], BY_API);
      return superseded.length;
    };
  }

  /**
   * Deletes all memories in a scope.
   *
   * @returns the number of deleted memories
   * @throws {ApiError} ENTITY_REMOVAL_TOO_LARGE if the scope has more than 25,000 memories, in
   *   which case none are deleted
   */
  async deleteScope(
    tx: Tx,
    actor: Actor,
    scope: Scope,
    kind: ChangeSource["kind"],
  ): Promise<number> {
    const limit = LIMITS.scopeDeletionMemories;
    const total = await countInScope(tx, actor.project, scope);
    if (total > limit) {
      throw new ApiError(
        "ENTITY_REMOVAL_TOO_LARGE",
        `The scope has ${total} memories, and a request can delete at most ${limit}; ` +
          "delete them in batches with DELETE /v1/memories/batch",
        { details: { limit, total_memories: total } },
      );
    }
    const rows = await memoriesInScope(tx, actor.project, scope);
    await this.#writer.remove(tx, actor, rows, { kind, operation_id: null });
    await recordDeletion(tx, actor.project, "scope", scopeName(scope));
    return rows.length;
  }

  /**
   * Returns a page of a memory's history, oldest entry first. Works for deleted memories too.
   *
   * @throws {ApiError} MEMORY_NOT_FOUND if the project never had such a memory
   */
  history(
    project: number,
    id: string,
    page: PageFields,
  ): Promise<Page<HistoryRecord>> {
    return this.#appContext.store.read((db) =>
      paginate(
        this.#appContext.cursors,
        { ...page, list: ["history", project, id] },
        async (after: readonly [number] | null, count) => {
          const rows = await listHistory(db, project, id, after?.[0] ?? null, count);
          // A cursor comes from a previous page, so if there's one, the memory exists.
          if (after === null && rows.length === 0) throw unknownMemory(id);
          return rows;
        },
        (row) => [row.seq],
        showHistory,
      )
    );
  }

  /**
   * Returns the thread for new memories and the first one's position in it. A run is a single
   * thread. Without a run, each add with several memories forms a thread of its own.
   */
  async #thread(
    tx: Tx,
    project: number,
    scope: Scope,
    ids: readonly string[],
  ): Promise<[thread: number | null, firstPosition: number]> {
    if (scope.run_id !== undefined) {
      const { user_id = null, agent_id = null, run_id } = scope;
      const thread = threadNumber("run", user_id, agent_id, run_id);
      return [thread, await nextPosition(tx, project, thread)];
    }
    return ids.length > 1 ? [threadNumber("add", ids[0]!), 0] : [null, 0];
  }

  #now(): string {
    return timestamp(this.#appContext.clock.now());
  }
}

/** Returns when the last message was sent, if any message has a date. */
function latestDate({ messages = [] }: AddBody): string | undefined {
  return messages.flatMap(({ created_at }) => created_at ?? []).sort().at(-1);
}
