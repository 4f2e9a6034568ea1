/**
 * Writes inference results: added, enriched and invalidated memories, with their claims and
 * sources.
 */

import type { Actor } from "../../contract/endpoint.ts";
import type { Scope } from "../../contract/fields.ts";
import type { AppContext } from "../../contract/app_context.ts";
import { timestamp } from "../../kernel/clock.ts";
import type { Reader, Tx } from "../../store/store.ts";
import {
  type MemoryClaim,
  writeClaims,
  writeInferenceResults,
  writeObservations,
  writeSource,
} from "./claim_rows.ts";
import { activeMemories, nextPosition } from "../repository.ts";
import { type MemoryRow, threadNumber } from "../row.ts";
import type { ChangeSource, Memory, WriteResult } from "../schema.ts";
import { countAdded } from "../scope_counters.ts";
import { MemoryWriter } from "../writer.ts";

/** A fact found by inference: a memory, its claims and its source messages. */
export interface InferredMemory extends
  Pick<
    Memory,
    "memory" | "memory_type" | "importance" | "event_date" | "valid_from" | "valid_to"
  > {
  readonly claims: readonly MemoryClaim[];
  /** Indexes of the messages in the request. */
  readonly messages: readonly number[];
}

/** Writes inference results. All methods run in the inference task's unit of work. */
export class InferredMemories {
  readonly #appContext: AppContext;
  readonly #writer: MemoryWriter;

  constructor(appContext: AppContext) {
    this.#appContext = appContext;
    this.#writer = new MemoryWriter(appContext);
  }

  /** Stores the facts found by inference task `operation`, in the given order. */
  async add(
    tx: Tx,
    actor: Actor,
    scope: Scope,
    metadata: Readonly<Record<string, unknown>> | undefined,
    inferred: readonly InferredMemory[],
    operation: string,
  ): Promise<WriteResult[]> {
    if (inferred.length === 0) return [];
    const at = timestamp(this.#appContext.clock.now());
    const { user_id = null, agent_id = null, run_id = null } = scope;
    // Facts from the same run form a thread. Without a run, facts from the same request do.
    const thread = run_id === null
      ? threadNumber("add", operation)
      : threadNumber("run", user_id, agent_id, run_id);
    const first = await nextPosition(tx, actor.project, thread);
    const rows = inferred.map(({ claims: _, messages: __, ...fact }, index) => ({
      ...fact,
      id: this.#appContext.ids.next("mem"),
      user_id,
      agent_id,
      run_id,
      created_at: at,
      updated_at: at,
      thread,
      position: first + index,
      metadata: metadata === undefined ? null : JSON.stringify(metadata),
    }));
    await this.#writer.insert(tx, actor, rows, { kind: "inference", operation_id: operation });
    countAdded(tx, actor.project, rows[0]!, rows.length);
    const results = inferred.map((fact, index) => ({ ...fact, id: rows[index]!.id }));
    await writeInferenceResults(tx, actor.project, operation, results);
    return rows.map(({ id, memory }) => ({ id, memory, event: "ADD" }));
  }

  /**
   * Replaces a memory's text and claims with a more detailed statement of the same fact. Keeps the
   * higher importance, and any dates missing from the new statement.
   */
  async enrich(
    tx: Tx,
    actor: Actor,
    id: string,
    { claims, messages, ...fact }: InferredMemory,
    operation: string,
  ): Promise<WriteResult> {
    const old = await this.#writer.find(tx, actor.project, id);
    const changed: MemoryRow = {
      ...old,
      memory: fact.memory,
      memory_type: fact.memory_type,
      importance: Math.max(old.importance, fact.importance),
      event_date: fact.event_date ?? old.event_date,
      valid_from: fact.valid_from ?? old.valid_from,
      valid_to: fact.valid_to ?? old.valid_to,
    };
    const source: ChangeSource = { kind: "inference", operation_id: operation };
    await this.#writer.rewrite(tx, actor, old, changed, "UPDATE", source);
    writeClaims(tx, actor.project, id, "inference", claims);
    await writeSource(tx, actor.project, id, operation, messages);
    return { id, memory: changed.memory, event: "UPDATE" };
  }

  /**
   * Ends the validity of a memory replaced or ended by another one.
   *
   * @param validTo end of the validity, or null if unknown. Null uses the time `by` was last
   *   written
   * @param by id of the memory that replaces or ends this one
   */
  async invalidate(
    tx: Tx,
    actor: Actor,
    id: string,
    validTo: string | null,
    by: string,
    source: ChangeSource,
  ): Promise<WriteResult> {
    const old = await this.#writer.find(tx, actor.project, id);
    const valid_to = validTo ?? (await this.#writer.find(tx, actor.project, by)).updated_at;
    const changed = { ...old, valid_to };
    const extraChanges = { superseded_by: { from: null, to: by } };
    await this.#writer.rewrite(tx, actor, old, changed, "INVALIDATE", source, extraChanges);
    return { id, memory: old.memory, event: "INVALIDATE" };
  }

  /** Records that an inferred add stated or repeated these memories. */
  recordObservations(
    tx: Tx,
    actor: Actor,
    operation: string,
    eventDate: string | null,
    ids: readonly string[],
  ): Promise<void> {
    return writeObservations(tx, actor.project, operation, eventDate, ids);
  }

  /**
   * Returns memories with exactly this scope that are active at a given instant: the given ones, or
   * else the newest.
   */
  findActive(
    db: Reader,
    project: number,
    scope: Scope,
    at: string,
    selection: number | ReadonlySet<string>,
  ): Promise<readonly Omit<MemoryRow, "metadata">[]> {
    return activeMemories(db, project, scope, at, selection);
  }
}
