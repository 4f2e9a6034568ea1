/** The memories that inference finds: added, enriched and ended, with their claims and provenance. */

import type { Actor } from "../contract/endpoint.ts";
import type { Scope } from "../contract/fields.ts";
import type { Foundation } from "../contract/foundation.ts";
import { timestamp } from "../kernel/clock.ts";
import type { Reader, Tx } from "../store/store.ts";
import {
  type MemoryClaim,
  writeClaims,
  writeFindings,
  writeSource,
  writeTellings,
} from "./claim_rows.ts";
import { memoriesThatHold, nextPosition } from "./repository.ts";
import { type MemoryRow, threadNumber } from "./row.ts";
import type { ChangeSource, Memory, WriteResult } from "./schema.ts";
import { countAdded } from "./totals.ts";
import { MemoryWriter } from "./writer.ts";

/** What inference makes of a request: a memory, what it claims, and what it was made of. */
export interface RefinedMemory extends
  Pick<
    Memory,
    "memory" | "memory_type" | "importance" | "event_date" | "valid_from" | "valid_to"
  > {
  readonly claims: readonly MemoryClaim[];
  /** Places of messages in the request. */
  readonly messages: readonly number[];
}

/** Writes what inference makes of a conversation; every method is part of its task's unit of work. */
export class RefinedMemories {
  readonly #foundation: Foundation;
  readonly #writer: MemoryWriter;

  constructor(foundation: Foundation) {
    this.#foundation = foundation;
    this.#writer = new MemoryWriter(foundation);
  }

  /** Stores what the inference task `operation` has found, in the order given. */
  async addRefined(
    tx: Tx,
    actor: Actor,
    scope: Scope,
    metadata: Readonly<Record<string, unknown>> | undefined,
    found: readonly RefinedMemory[],
    operation: string,
  ): Promise<WriteResult[]> {
    if (found.length === 0) return [];
    const at = timestamp(this.#foundation.clock.now());
    const { user_id = null, agent_id = null, run_id = null } = scope;
    // What one run, or else one conversation, has told belongs together.
    const thread = run_id === null
      ? threadNumber("add", operation)
      : threadNumber("run", user_id, agent_id, run_id);
    const first = await nextPosition(tx, actor.project, thread);
    const rows = found.map(({ claims: _, messages: __, ...refined }, index) => ({
      ...refined,
      id: this.#foundation.ids.next("mem"),
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
    const findings = found.map((one, index) => ({ ...one, id: rows[index]!.id }));
    await writeFindings(tx, actor.project, operation, findings);
    return rows.map(({ id, memory }) => ({ id, memory, event: "ADD" }));
  }

  /** Puts a richer statement of the same fact in a memory's place; what only it knew stays. */
  async enrich(
    tx: Tx,
    actor: Actor,
    id: string,
    { claims, messages, ...refined }: RefinedMemory,
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
  told(
    tx: Tx,
    actor: Actor,
    operation: string,
    eventDate: string | null,
    ids: readonly string[],
  ): Promise<void> {
    return writeTellings(tx, actor.project, operation, eventDate, ids);
  }

  /** Memories of exactly this scope that hold at an instant: those named, or the newest. */
  holding(
    db: Reader,
    project: number,
    scope: Scope,
    at: string,
    which: number | ReadonlySet<string>,
  ): Promise<readonly Omit<MemoryRow, "metadata">[]> {
    return memoriesThatHold(db, project, scope, at, which);
  }
}
