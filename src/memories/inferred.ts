/** The memories that inference finds: added, enriched and ended, with their claims and provenance. */

import type { Actor } from "../contract/endpoint.ts";
import type { Scope } from "../contract/fields.ts";
import type { AppContext } from "../contract/app_context.ts";
import { timestamp } from "../kernel/clock.ts";
import type { Reader, Tx } from "../store/store.ts";
import {
  type MemoryClaim,
  writeClaims,
  writeInferenceResults,
  writeObservations,
  writeSource,
} from "./claim_rows.ts";
import { activeMemories, nextPosition } from "./repository.ts";
import { type MemoryRow, threadNumber } from "./row.ts";
import type { ChangeSource, Memory, WriteResult } from "./schema.ts";
import { countAdded } from "./scope_counters.ts";
import { MemoryWriter } from "./writer.ts";

/** What inference makes of a request: a memory, what it claims, and what it was made of. */
export interface InferredMemory extends
  Pick<
    Memory,
    "memory" | "memory_type" | "importance" | "event_date" | "valid_from" | "valid_to"
  > {
  readonly claims: readonly MemoryClaim[];
  /** Places of messages in the request. */
  readonly messages: readonly number[];
}

/** Writes what inference makes of a conversation; every method is part of its task's unit of work. */
export class InferredMemories {
  readonly #appContext: AppContext;
  readonly #writer: MemoryWriter;

  constructor(appContext: AppContext) {
    this.#appContext = appContext;
    this.#writer = new MemoryWriter(appContext);
  }

  /** Stores what the inference task `operation` has found, in the order given. */
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
    // What one run, or else one conversation, has told belongs together.
    const thread = run_id === null
      ? threadNumber("add", operation)
      : threadNumber("run", user_id, agent_id, run_id);
    const first = await nextPosition(tx, actor.project, thread);
    const rows = inferred.map(({ claims: _, messages: __, ...refined }, index) => ({
      ...refined,
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
    await countAdded(tx, actor.project, rows[0]!, rows.length);
    const findings = inferred.map((one, index) => ({ ...one, id: rows[index]!.id }));
    await writeInferenceResults(tx, actor.project, operation, findings);
    return rows.map(({ id, memory }) => ({ id, memory, event: "ADD" }));
  }

  /** Puts a richer statement of the same fact in a memory's place; what only it knew stays. */
  async enrich(
    tx: Tx,
    actor: Actor,
    id: string,
    { claims, messages, ...refined }: InferredMemory,
    operation: string,
  ): Promise<WriteResult> {
    const old = await this.#writer.find(tx, actor.project, id);
    const changed: MemoryRow = {
      ...old,
      memory: refined.memory,
      memory_type: refined.memory_type,
      importance: Math.max(old.importance, refined.importance),
      event_date: refined.event_date ?? old.event_date,
      valid_from: refined.valid_from ?? old.valid_from,
      valid_to: refined.valid_to ?? old.valid_to,
    };
    const source: ChangeSource = { kind: "inference", operation_id: operation };
    await this.#writer.rewrite(tx, actor, old, changed, "UPDATE", source);
    await writeClaims(tx, actor.project, id, "inference", claims);
    await writeSource(tx, actor.project, id, operation, messages);
    return { id, memory: changed.memory, event: "UPDATE" };
  }

  /**
   * Ends a memory's validity, since another one, `by`, says that it holds no more.
   *
   * @param validTo null when that has no date: it ends with the write of the other one
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
    const superseded = { superseded_by: { from: null, to: by } };
    await this.#writer.rewrite(tx, actor, old, changed, "INVALIDATE", source, superseded);
    return { id, memory: old.memory, event: "INVALIDATE" };
  }

  /** Notes that an inferred add has told these memories, or has said again what they say. */
  recordObservations(
    tx: Tx,
    actor: Actor,
    operation: string,
    eventDate: string | null,
    ids: readonly string[],
  ): Promise<void> {
    return writeObservations(tx, actor.project, operation, eventDate, ids);
  }

  /** Memories of exactly this scope that hold at an instant: those named, or the newest. */
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
