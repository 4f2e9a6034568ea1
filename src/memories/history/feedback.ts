/** Memory feedback. Each memory has one current rating; the history keeps all of them. */

import sql from "sql-template-tag";
import type { Actor } from "../../contract/endpoint.ts";
import type { AppContext } from "../../contract/app_context.ts";
import { timestamp } from "../../kernel/clock.ts";
import { recordDeletion } from "../../store/import_guard.ts";
import { appendJournal } from "../../store/journal.ts";
import type { Reader, Tx } from "../../store/store.ts";
import { insertHistory } from "./history.ts";
import { findMemory } from "../repository.ts";
import type { MemoryRow } from "../row.ts";
import type { Feedback, FeedbackBody, HistoryRecord } from "../schema.ts";
import { BY_API } from "../service.ts";
import { unknownMemory } from "../writer.ts";

/** Reads and writes feedback. Feedback never changes the memory or its rank. */
export class FeedbackService {
  readonly #appContext: AppContext;

  constructor(appContext: AppContext) {
    this.#appContext = appContext;
  }

  /**
   * Returns the current feedback on a memory, or null if there is none.
   *
   * @throws {ApiError} MEMORY_NOT_FOUND if the project has no such memory
   */
  async get(db: Reader, project: number, memoryId: string): Promise<Feedback | null> {
    await requireMemory(db, project, memoryId);
    const row = await db.first<Feedback>(sql`select id, memory_id, rating, reason, request_id,
        created_at
      from memory_feedback where project = ${project} and memory_id = ${memoryId}`);
    return row ?? null;
  }

  /**
   * Replaces the current feedback on a memory.
   *
   * @throws {ApiError} MEMORY_NOT_FOUND if the project has no such memory
   */
  async set(tx: Tx, actor: Actor, memoryId: string, body: FeedbackBody): Promise<Feedback> {
    const memory = await requireMemory(tx, actor.project, memoryId);
    const at = this.#timeOf(memory);
    const feedback: Feedback = {
      id: this.#appContext.ids.next("fb"),
      memory_id: memoryId,
      rating: body.rating,
      reason: body.reason ?? null,
      request_id: body.request_id ?? null,
      created_at: at,
    };
    await tx.run(sql`insert into memory_feedback
      (project, memory_id, id, rating, reason, request_id, created_at)
      values (${actor.project}, ${memoryId}, ${feedback.id}, ${feedback.rating},
       ${feedback.reason}, ${feedback.request_id}, ${feedback.created_at})
      on conflict (project, memory_id) do update set id = excluded.id, rating = excluded.rating,
        reason = excluded.reason, request_id = excluded.request_id,
        created_at = excluded.created_at`);
    const { rating, reason, request_id } = feedback;
    this.#record(tx, actor, memoryId, at, { rating, reason, request_id });
    return feedback;
  }

  /**
   * Clears the current feedback on a memory. The history keeps the rating and records the clearing.
   *
   * @throws {ApiError} MEMORY_NOT_FOUND if the project has no such memory
   */
  async clear(tx: Tx, actor: Actor, memoryId: string): Promise<void> {
    const memory = await requireMemory(tx, actor.project, memoryId);
    const cleared = await tx.run(sql`delete from memory_feedback
      where project = ${actor.project} and memory_id = ${memoryId}`);
    // During an import, the feedback to clear may not be there yet.
    const isPending = await recordDeletion(tx, actor.project, "feedback", memoryId);
    if (cleared > 0 || isPending) {
      this.#record(tx, actor, memoryId, this.#timeOf(memory), { cleared: true });
    }
  }

  /** Returns the current time, or that of the memory's last change, which can be a little later. */
  #timeOf({ updated_at }: MemoryRow): string {
    const now = timestamp(this.#appContext.clock.now());
    return now > updated_at ? now : updated_at;
  }

  #record(
    tx: Tx,
    actor: Actor,
    memoryId: string,
    at: string,
    feedback: NonNullable<HistoryRecord["feedback"]>,
  ): void {
    insertHistory(tx, actor.project, {
      id: this.#appContext.ids.next("hist"),
      memoryId,
      event: "FEEDBACK",
      feedback,
      source: BY_API,
      requestId: actor.requestId,
      at,
    });
    appendJournal(tx, actor.project, {
      kind: "memory",
      recordId: memoryId,
      change: "FEEDBACK",
      at,
    });
  }
}

async function requireMemory(db: Reader, project: number, id: string): Promise<MemoryRow> {
  const memory = await findMemory(db, project, id);
  if (memory === undefined) throw unknownMemory(id);
  return memory;
}
