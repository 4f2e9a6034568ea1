/**
 * Simulates the task queue from a seed: first work, then faults, then recovery. Checks the
 * invariants throughout.
 */

import sql from "sql-template-tag";
import { z } from "zod";
import { delay } from "../../src/kernel/timers.ts";
import { Connection } from "../../src/store/sqlite/connection.ts";
import { migrate } from "../../src/store/sqlite/migrations.ts";
import { TaskError, TurnOverError } from "../../src/tasks/errors.ts";
import { enqueueTask } from "../../src/tasks/enqueue.ts";
import type { TaskContext, TaskHandler, TaskResult } from "../../src/tasks/handler.ts";
import { TRANSITIONS } from "../../src/tasks/states.ts";
import { clearTables, SimulatedProcess, World } from "./world.ts";

const KINDS = ["batch_update", "export", "document_extract"] as const;
const STEPS_PER_TASK = 4;

/** Step number for writes that may repeat, though never without the lease. */
const REPEATABLE_STEP = -1;
const FAULT_PERIOD_MS = 2 * 60_000;
const POLL_INTERVAL_MS = 10_000;

/** Long enough for five attempts at the slowest kind, including backoff and time limits. */
const RECOVERY_MS = 60 * 60_000;

/** Allowed transitions between states. */
const ALLOWED_TRANSITIONS = new Set(
  Object.values(TRANSITIONS).flatMap(({ from, to }) =>
    from.flatMap((start) => to.map((end) => `${start} -> ${end}`))
  ),
);

/**
 * Opens an in-memory database that checks the queue independently, using triggers on its tables.
 */
export function openAudited(): Connection {
  const connection = new Connection(":memory:");
  migrate(connection, ":memory:");
  connection.exec(`
    create table effects (task text, step integer, token text);
    create table transitions (task text, transition text);
    create table violations (message text);
    create trigger record_transition after update of status on tasks when old.status <> new.status begin
      insert into transitions values (new.id, old.status || ' -> ' || new.status);
    end;
    create trigger final before update on tasks when old.status in ('success', 'cancelled') begin
      insert into violations values ('a finished task was changed');
    end;
    create trigger too_many after update on tasks when new.attempts > new.max_attempts begin
      insert into violations values ('more attempts than allowed');
    end;
    create trigger unfenced after insert on effects
      when not exists (select 1 from tasks where id = new.task and lease_token = new.token) begin
      insert into violations values ('a write without a lease succeeded');
    end;`);
  return connection;
}

/** Simulates one seed. Returns the violations, if any. */
export async function simulate(connection: Connection, seed: number): Promise<readonly string[]> {
  clearTables(connection);
  const world = new World(connection, seed);
  const start = world.now;
  // Every fourth seed runs without faults, to catch errors that only show up then.
  const faultRate = seed % 4 === 0 ? 0 : world.random();
  world.faults = {
    refusedCommit: 0.1 * faultRate,
    lostReply: 0.05 * faultRate,
    lostWakeup: 0.5 * faultRate,
  };
  for (let count = 1 + world.below(2); count > 0; count--) boot(world);
  for (let count = 3 + world.below(6); count > 0; count--) {
    world.schedule(world.below(FAULT_PERIOD_MS / 2), () => void enqueue(world));
  }
  // In a storm, the only faults are crashes, so attempts run out mid-work.
  const storm = world.chance(0.2);
  for (let count = Math.round(faultRate * (storm ? 60 : 20)); count > 0; count--) {
    world.schedule(world.below(FAULT_PERIOD_MS), () => injectEvent(world, storm));
  }
  await world.runUntil(start + FAULT_PERIOD_MS);
  world.stopFaults();
  for (const process of world.processes) process.stalledUntil = 0;
  if (world.processes.size === 0) boot(world);
  await world.flush();
  for (
    let end = start + FAULT_PERIOD_MS;
    end < start + FAULT_PERIOD_MS + RECOVERY_MS;
    end += POLL_INTERVAL_MS
  ) {
    if (!hasUnfinished(connection)) break;
    await world.runUntil(end + POLL_INTERVAL_MS);
  }
  for (const process of world.processes) process.crash();
  return findViolations(connection);
}

function hasUnfinished(connection: Connection): boolean {
  return connection.first(sql`select 1 from tasks
    where status not in ('success', 'dead', 'cancelled') limit 1`) !== undefined;
}

function boot(world: World): void {
  const process = new SimulatedProcess(world);
  process.queue.register(...handlers(world, process));
  const start = () => {
    process.runner.start().catch(() => world.schedule(1_000, start, process));
  };
  start();
}

async function enqueue(world: World): Promise<void> {
  const kind = KINDS[world.below(KINDS.length)]!;
  await world.commit((tx) =>
    enqueueTask(tx, { clock: { now: () => world.now }, ids: world.ids }, 1, {
      type: { kind, payload: z.object({}) },
      payload: {},
    })
  );
}

/** Injects a fault into one of the processes, or a command into that process's queue. */
function injectEvent(world: World, storm: boolean): void {
  const process = [...world.processes][world.below(world.processes.size)];
  if (process === undefined) return;
  const restart = () => world.schedule(world.below(5_000), () => boot(world));
  const roll = storm ? 0 : world.random();
  if (roll < 0.3) {
    process.crash();
    restart();
  } else if (roll < 0.4) {
    void process.runner.stop().catch(() => undefined).then(() => {
      process.crash();
      restart();
    });
  } else if (roll < 0.65) process.stalledUntil = world.now + world.below(90_000);
  else if (roll < 0.8) process.skew += world.below(240_000) - 120_000;
  else void sendCommand(world, process).catch(() => undefined);
}

async function sendCommand(world: World, { queue, store }: SimulatedProcess): Promise<void> {
  const tasks = world.connection.all<{ id: string }>(sql`select id from tasks order by seq`);
  const task = tasks[world.below(tasks.length)];
  if (task === undefined) return;
  const isRedrive = world.chance(0.7);
  await store.write(
    "maintenance",
    (tx) => isRedrive ? queue.redrive(tx, 1, task.id) : queue.cancel(tx, 1, task.id),
  );
}

/** Returns handlers that are slow, fail or hang. Some ignore their signal. */
function handlers(world: World, process: SimulatedProcess): TaskHandler[] {
  return KINDS.map((kind) => ({
    kind,
    concurrency: 1 + KINDS.indexOf(kind),
    timeLimitMs: 60_000,
    resumable: kind === "batch_update",
    run: (context) => work(world, process, context),
  }));
}

async function work(
  world: World,
  process: SimulatedProcess,
  context: TaskContext,
): Promise<TaskResult> {
  const ignoresSignal = world.chance(0.3);
  const { task } = context;
  const effect = (step: number) =>
    sql`insert into effects values (${task.id}, ${step}, ${task.leaseToken})`;
  for (let step = Number(task.progress); step < STEPS_PER_TASK; step++) {
    const maxDelayMs = world.chance(0.05) ? 120_000 : 5_000;
    await delay(
      process.timers,
      world.below(maxDelayMs),
      ignoresSignal ? undefined : context.signal,
    );
    if (!ignoresSignal) context.signal.throwIfAborted();
    if (world.faults.refusedCommit > 0 && world.chance(0.1)) {
      throw new TaskError("FLAKY", "Try again", { retryable: world.chance(0.9) });
    }
    // A write that saves no progress, so it's protected only by the lease check in `commit`.
    await context.commit((tx) => tx.run(effect(REPEATABLE_STEP)));
    await context.commit(async (tx) => {
      await tx.run(effect(step));
      await context.saveProgress(tx, step + 1);
    });
    if (world.chance(0.1)) throw new TurnOverError();
  }
  return { result: { steps: STEPS_PER_TASK } };
}

function findViolations(connection: Connection): string[] {
  const violations = connection.all<{ message: string }>(sql`select message from violations`)
    .map(({ message }) => message);
  for (
    const { transition } of connection.all<{ transition: string }>(
      sql`select distinct transition from transitions`,
    )
  ) {
    if (!ALLOWED_TRANSITIONS.has(transition)) {
      violations.push(`transition is not allowed: ${transition}`);
    }
  }
  const finalStatuses = ["success", "dead", "cancelled"];
  const tasks = connection.all<{ id: string; status: string; steps: string }>(sql`
    select id, status, coalesce((select group_concat(step, ',' order by rowid) from effects
      where task = id and step <> ${REPEATABLE_STEP}), '') as steps
    from tasks`);
  for (const { id, status, steps } of tasks) {
    if (!finalStatuses.includes(status)) violations.push(`${id} has not ended: ${status}`);
    const allSteps = Array.from({ length: STEPS_PER_TASK }, (_, step) => step).join(",");
    if (!allSteps.startsWith(steps)) violations.push(`${id} ran steps ${steps}`);
    if (status === "success" && steps !== allSteps) {
      violations.push(`${id} succeeded with steps ${steps}`);
    }
  }
  return violations;
}
