/** Writes memory rows, always together with the text index, scope counters, history and journal. */

import type { Actor } from "../contract/endpoint.ts";
import type { AppContext } from "../contract/app_context.ts";
import { timestampAfter } from "../kernel/clock.ts";
import { ApiError } from "../kernel/errors.ts";
import { distinctTerms, packTermHashes } from "../search/query/terms.ts";
import { appendJournal, appendJournalEntries } from "../store/journal.ts";
import type { Reader, TextIndex, Tx } from "../store/store.ts";
import { insertAddEntries, insertHistory, type NewHistoryEntry } from "./history/history.ts";
import {
  deleteMemoryRows,
  findMemory,
  memoryInsertion,
  type NewMemory,
  updateMemoryRow,
} from "./repository.ts";
import { changesBetween, memoryEntry, type MemoryRow, termsBlob } from "./row.ts";
import type { ChangeSource, HistoryRecord } from "./schema.ts";
import { countRemoved, recordUpdate } from "./scope_counters.ts";

/** At this many rows and up, history and journal entries are each written in a single statement. */
const MIN_BULK_ROWS = 8;

/** The only writer of memories. All methods run in the unit of work passed as `tx`. */
export class MemoryWriter {
  readonly #appContext: AppContext;
  readonly #index: TextIndex;

  constructor(appContext: AppContext) {
    this.#appContext = appContext;
    this.#index = appContext.store.index.memories;
  }

  /**
   * Inserts rows. The caller updates the scope counters, since it knows which rows share a scope.
   *
   * @param at when the rows are added, for the history. Defaults to their `created_at`
   */
  async insert(
    tx: Tx,
    actor: Actor,
    rows: readonly Omit<NewMemory, "terms">[],
    source: ChangeSource,
    at?: string,
  ): Promise<void> {
    const { project, requestId } = actor;
    const added = [];
    for (const row of rows) {
      const terms = distinctTerms(row.memory);
      const insertion = memoryInsertion(project, { ...row, terms: packTermHashes(terms) });
      await this.#index.insert(tx, project, insertion, () => memoryEntry(row, terms));
      added.push({ memoryId: row.id, new: row.memory, at: at ?? row.created_at });
    }
    if (added.length < MIN_BULK_ROWS) {
      for (const entry of added) this.#record(tx, actor, { ...entry, event: "ADD", source });
      return;
    }
    const entries = added.map((entry) => ({ ...entry, id: this.#appContext.ids.next("hist") }));
    insertAddEntries(tx, project, entries, { source, requestId });
    appendJournalEntries(
      tx,
      project,
      added.map(({ memoryId, at }) => ({ kind: "memory", recordId: memoryId, change: "ADD", at })),
    );
  }

  /** Replaces a row and updates the text index, scope counters, history and journal. */
  async rewrite(
    tx: Tx,
    actor: Actor,
    old: MemoryRow,
    changed: MemoryRow,
    event: "UPDATE" | "INVALIDATE",
    source: ChangeSource,
    extraChanges: HistoryRecord["changes"] = {},
  ): Promise<void> {
    // `updated_at` doubles as the memory's version, so it must increase even within a millisecond.
    const row = { ...changed, updated_at: timestampAfter(this.#appContext.clock, old.updated_at) };
    const [before, after] = [memoryEntry(old), memoryEntry(row)];
    updateMemoryRow(tx, actor.project, row, termsBlob(row));
    if (JSON.stringify(before) !== JSON.stringify(after)) {
      await this.#index.remove(tx, actor.project, old.seq, before);
      await this.#index.add(tx, actor.project, old.seq, after);
    }
    recordUpdate(tx, actor.project, row);
    this.#record(tx, actor, {
      memoryId: old.id,
      event,
      old: old.memory,
      new: row.memory,
      changes: { ...changesBetween(old, row), ...extraChanges },
      source,
      at: row.updated_at,
    });
  }

  /** Deletes rows. Their history is kept and ends with a DELETE entry. */
  async remove(
    tx: Tx,
    actor: Actor,
    rows: readonly MemoryRow[],
    source: ChangeSource,
  ): Promise<void> {
    for (const row of rows) {
      await this.#index.remove(tx, actor.project, row.seq, memoryEntry(row));
      const at = timestampAfter(this.#appContext.clock, row.updated_at);
      this.#record(tx, actor, {
        memoryId: row.id,
        event: "DELETE",
        old: row.memory,
        source,
        at,
      });
    }
    deleteMemoryRows(tx, actor.project, rows);
    await countRemoved(tx, actor.project, rows);
  }

  /**
   * Returns a memory.
   *
   * @throws {ApiError} MEMORY_NOT_FOUND if the project has no such memory
   */
  async find(db: Reader, project: number, id: string): Promise<MemoryRow> {
    const row = await findMemory(db, project, id);
    if (row === undefined) throw unknownMemory(id);
    return row;
  }

  /** Writes one history entry and the matching journal entry. */
  #record(
    tx: Tx,
    actor: Actor,
    entry: Omit<NewHistoryEntry, "id" | "requestId">,
  ): void {
    const id = this.#appContext.ids.next("hist");
    insertHistory(tx, actor.project, { ...entry, id, requestId: actor.requestId });
    appendJournal(tx, actor.project, {
      kind: "memory",
      recordId: entry.memoryId,
      change: entry.event,
      at: entry.at,
    });
  }
}

/** Returns the error for an unknown id, or one from a different project. */
export function unknownMemory(id: string): ApiError {
  return new ApiError("MEMORY_NOT_FOUND", `No memory "${id}"`);
}
