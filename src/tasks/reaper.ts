/** Ends the attempts of workers that are gone, whose leases no one renews. */

import sql, { type Sql } from "sql-template-tag";
import { type Clock, timestamp } from "../kernel/clock.ts";
import type { Random } from "../kernel/ids.ts";
import { texts } from "../store/sql.ts";
import type { Store, Tx } from "../store/store.ts";
import { backoffMs } from "./backoff.ts";
import { errorJson, TaskError } from "./errors.ts";
import type { HandlerRegistry } from "./handler_registry.ts";
import { CLAIMED_COLUMNS, type ClaimedRow, toClaimedTask } from "./repository.ts";
import { allowed, CLEAR_LEASE, failureAssignments, TASK_KINDS } from "./states.ts";

/** Dependencies for the reaper. */
export interface ReaperDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly random: Random;
  /**
   * Id of this particular start of the process. After a restart, leases with a different id have no
   * owner.
   */
  readonly bootId: string;
  /**
   * Returns those of the given starts whose processes are gone. Defaults to all others than this
   * one.
   */
  readonly goneAmong?: ((boots: readonly string[]) => Promise<readonly string[]>) | undefined;
}

/** Reaps leases. */
export class LeaseReaper {
  readonly #deps: ReaperDeps;
  readonly #handlers: HandlerRegistry;

  constructor(deps: ReaperDeps, handlers: HandlerRegistry) {
    this.#deps = deps;
    this.#handlers = handlers;
  }

  /** Reaps expired leases and returns how many there were. */
  reapExpired(): Promise<number> {
    return this.#reap(sql`lease_expires_at < ${this.#now()}`);
  }

  /** Reaps the leases of processes that are gone and returns how many there were. */
  async reapOrphaned(): Promise<number> {
    const { store, bootId, goneAmong } = this.#deps;
    const isOther = sql`boot_id <> ${bootId}`;
    if (goneAmong === undefined) return await this.#reap(isOther);
    const leased = await store.read((db) =>
      db.all<{ boot_id: string }>(
        sql`select distinct boot_id from tasks where ${allowed("lose")} and ${isOther}`,
      )
    );
    const gone = await goneAmong(leased.map(({ boot_id }) => boot_id));
    return gone.length === 0 ? 0 : await this.#reap(sql`boot_id in ${texts(gone)}`);
  }

  /**
   * Counts each lost lease as a failed attempt. The next attempt, if any are left, is due
   * immediately, or after a backoff if leases were lost in a row without progress: the task may be
   * what ends the process. During an upgrade, tasks of kinds that only the newer version knows are
   * left to it: its handlers keep records in sync with them.
   */
  async #reap(condition: Sql): Promise<number> {
    const isLost = sql`${allowed("lose")} and ${condition} and kind in ${texts(TASK_KINDS)}`;
    const lost = await this.#deps.store.read((db) =>
      db.all<ClaimedRow>(sql`select ${CLAIMED_COLUMNS} from tasks where ${isLost}`)
    );
    // Handlers can write to the journal. Only the units of a project commit its entries in order.
    const reaped = await Promise.all(lost.map((row) =>
      this.#deps.store.write(
        this.#handlers.ownerOf(toClaimedTask(row)),
        (tx) => this.#reapOne(tx, sql`seq = ${row.seq} and ${isLost}`),
      )
    ));
    return reaped.filter(Boolean).length;
  }

  /** Returns false if the task has changed since it was selected. */
  async #reapOne(tx: Tx, condition: Sql): Promise<boolean> {
    const row = await tx.first<ClaimedRow & { crashes: number }>(
      sql`select ${CLAIMED_COLUMNS}, crashes from tasks where ${condition}`,
    );
    if (row === undefined) return false;
    const crashes = row.crashes + 1;
    const final = row.attempts >= row.max_attempts;
    const error = final ? deliveryExhausted() : workerLost();
    const wait = crashes === 1 ? 0 : backoffMs(crashes - 1, this.#deps.random);
    const at = this.#deps.clock.now(), now = timestamp(at);
    const lost = errorJson(error, row.attempts, now);
    const changed = await tx.run(
      sql`update tasks set ${failureAssignments(final, timestamp(at + wait), now)},
        crashes = ${crashes}, error = ${lost}, ${CLEAR_LEASE}, updated_at = ${now}
      where ${condition}`,
    );
    // Leases are renewed, and tasks claimed, in units that don't wait for this one.
    if (changed === 0) return false;
    await this.#handlers.notify(tx, toClaimedTask(row), final ? "dead" : "retry", error);
    tx.notify("tasks");
    return true;
  }

  #now(): string {
    return timestamp(this.#deps.clock.now());
  }
}

/** Creates the error for a task no worker could finish. The error code is part of the API. */
function deliveryExhausted(): TaskError {
  return new TaskError(
    "task_queue_delivery_exhausted",
    "The worker exited during the last attempt; retry the operation",
  );
}

function workerLost(): TaskError {
  return new TaskError("LEASE_LOST", "The worker exited before the task was finished");
}
