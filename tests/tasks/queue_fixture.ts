/** A task queue in a real store, with a clock that tests can move. */

import sql from "sql-template-tag";
import { z } from "zod";
import type { TaskHandler } from "../../src/tasks/handler.ts";
import { jsonLog } from "../../src/kernel/log.ts";
import { systemTimers, type Timers } from "../../src/kernel/timers.ts";
import { ulidIds } from "../../src/kernel/ids.ts";
import { SqliteStore } from "../../src/store/sqlite/store.ts";
import { enqueueTask } from "../../src/tasks/enqueue.ts";
import { TaskQueue } from "../../src/tasks/queue.ts";
import { findTask, type TaskRow } from "../../src/tasks/repository.ts";
import { TaskRunner } from "../../src/tasks/runner.ts";
import type { TaskKind, TaskStatus } from "../../src/tasks/states.ts";
import "../../testing/note_statements.ts";
import { makeTempDirSync, rm } from "../../testing/temp_dir.ts";

/** Fixture for queue tests. Tasks belong to project 1 by default. */
export interface QueueFixture {
  readonly store: SqliteStore;
  readonly clock: { now(): number; pass(milliseconds: number): void };
  /** Returns the queue as it would be after a server restart, in the same store. */
  queue(bootId: string): TaskQueue;
  /** @param timers defaults to this machine's */
  runner(queue: TaskQueue, timers?: Timers): TaskRunner;
  enqueue(kind: TaskKind, payload?: unknown, project?: number): Promise<string>;
  task(id: string): Promise<TaskRow>;
  /** Sets the status of a task directly. For `processing`, `bootId` gets the lease. */
  force(id: string, status: TaskStatus, bootId?: string): Promise<void>;
}

/** Runs a test with a new store. */
export async function withQueue(work: (fixture: QueueFixture) => Promise<void>): Promise<void> {
  const directory = makeTempDirSync();
  const store = new SqliteStore(directory);
  let now = Date.UTC(2026, 0, 1);
  const clock = { now: () => now, pass: (milliseconds: number) => void (now += milliseconds) };
  const ids = ulidIds(clock, Math.random);
  const log = jsonLog(clock, "off", () => {});
  try {
    await work({
      store,
      clock,
      queue: (bootId) => new TaskQueue({ store, clock, random: Math.random, bootId }),
      runner: (queue, timers = systemTimers) =>
        new TaskRunner({ queue, store, clock, timers, log }),
      enqueue: (kind, payload = {}, project = 1) =>
        store.write(
          "maintenance",
          (tx) =>
            enqueueTask(tx, { clock, ids }, project, {
              type: { kind, payload: z.unknown() },
              payload,
            }),
        ),
      task: async (id) => (await store.read((db) => findTask(db, 1, id)))!,
      async force(id, status, bootId = "a") {
        const leased = status === "processing" ? bootId : null;
        await store.write(
          "maintenance",
          (tx) =>
            tx.run(sql`update tasks set status = ${status}, boot_id = ${leased},
            lease_token = ${leased}, lease_expires_at = ${leased && "2000-01-01T00:00:00.000Z"},
            attempts = 1 where id = ${id}`),
        );
      },
    });
  } finally {
    await store.close();
    await rm(directory);
  }
}

/** Returns a handler with generous default limits. */
export function testHandler(
  kind: TaskKind,
  run: TaskHandler["run"],
  options: Partial<TaskHandler> = {},
): TaskHandler {
  return { kind, concurrency: 1, timeLimitMs: 60_000, run, ...options };
}

/** Returns a promise resolved by the test. */
export function deferred<T = void>() {
  return Promise.withResolvers<T>();
}
