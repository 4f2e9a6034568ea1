/**
 * A simulated environment for the task queue: time, processes that crash, stall and have wrong
 * clocks, commits that fail, and notifications that get lost. Everything is determined by the seed.
 */

import { setImmediate } from "node:timers";
import sql from "sql-template-tag";
import { ApiError } from "../../src/kernel/errors.ts";
import { type Ids, type Random, ulidIds } from "../../src/kernel/ids.ts";
import { jsonLog } from "../../src/kernel/log.ts";
import type { Timers } from "../../src/kernel/timers.ts";
import type { Connection } from "../../src/store/sqlite/connection.ts";
import type { Owner, Store, Tx } from "../../src/store/store.ts";
import { TaskQueue } from "../../src/tasks/queue.ts";
import { TaskRunner } from "../../src/tasks/runner.ts";

/** The probability of each fault, per occasion. Drops to 0 once the faults have stopped. */
export interface Faults {
  /** A commit fails and changes nothing. */
  readonly refusedCommit: number;
  /** A commit succeeds, but the process gets an error. */
  readonly lostReply: number;
  /** A notification is lost. */
  readonly lostWakeup: number;
}

const NO_FAULTS: Faults = { refusedCommit: 0, lostReply: 0, lostWakeup: 0 };

/** Mulberry32 (T. Ettinger): small, fast, and the same on every platform. */
function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

interface Event {
  readonly at: number;
  readonly process: SimulatedProcess | null;
  run: (() => void) | null;
}

/** Simulated time, the disk, and the processes using it. */
export class World {
  readonly random: Random;
  readonly ids: Ids;
  readonly processes = new Set<SimulatedProcess>();
  faults: Faults = NO_FAULTS;
  now = Date.UTC(2026, 0, 1);
  #disk: Promise<unknown> = Promise.resolve();
  #events: Event[] = [];

  constructor(readonly connection: Connection, seed: number) {
    this.random = seededRandom(seed);
    this.ids = ulidIds({ now: () => this.now }, this.random);
  }

  /** Returns true with the given probability. */
  chance(probability: number): boolean {
    return this.random() < probability;
  }

  /** Returns a random integer from 0 to `end` - 1. */
  below(end: number): number {
    return Math.floor(this.random() * end);
  }

  stopFaults(): void {
    this.faults = NO_FAULTS;
  }

  /** Schedules a callback. Returns a function that cancels it. */
  schedule(
    milliseconds: number,
    run: () => void,
    process: SimulatedProcess | null = null,
  ): () => void {
    const event: Event = { at: this.now + milliseconds, process, run };
    // Events due at the same time run in the order they were scheduled.
    let index = this.#events.length;
    while (index > 0 && this.#events[index - 1]!.at > event.at) index--;
    this.#events.splice(index, 0, event);
    return () => event.run = null;
  }

  /** Runs the simulation until a point in time. */
  async runUntil(end: number): Promise<void> {
    for (;;) {
      const next = this.#events[0];
      if (next === undefined || next.at > end) break;
      this.#events.shift();
      const { run, process } = next;
      if (run === null || process?.alive === false) continue;
      this.now = Math.max(this.now, next.at);
      if (process !== null && process.stalledUntil > this.now) {
        this.schedule(process.stalledUntil - this.now, run, process);
        continue;
      }
      run();
      await this.flush();
    }
    this.now = Math.max(this.now, end);
  }

  /** Resolves once everything that only waits for the disk, i.e. for microtasks, has finished. */
  flush(): Promise<void> {
    return new Promise((resolve) => void setImmediate(resolve));
  }

  /** Runs units of work one after another, each in its own transaction. */
  commit<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    const turn = this.#disk.then(() => this.#transact(work));
    this.#disk = turn.catch(() => undefined);
    return turn;
  }

  async #transact<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    let notified = false;
    const { connection } = this;
    connection.exec("begin");
    try {
      const value = await work({
        all: (query) => Promise.resolve(connection.all(query)),
        first: (query) => Promise.resolve(connection.first(query)),
        run: (query) => Promise.resolve(connection.run(query)),
        post: (query) => void connection.run(query),
        insert: (query) => Promise.resolve(connection.insert(query)),
        notify: () => void (notified = true),
      });
      connection.exec("commit");
      if (notified) this.#wake();
      return value;
    } finally {
      if (connection.inTransaction) connection.exec("rollback");
    }
  }

  #wake(): void {
    for (const process of this.processes) {
      if (this.chance(this.faults.lostWakeup)) continue;
      this.schedule(this.below(50), () => process.wake(), process);
    }
  }
}

let boots = 0;

/** A process with a queue and a runner. After a crash, none of its work continues. */
export class SimulatedProcess {
  readonly queue: TaskQueue;
  readonly runner: TaskRunner;
  readonly timers: Timers;
  readonly store: Store;
  readonly clock = { now: () => this.#time() };
  alive = true;
  /** The process's timers don't fire before this time. */
  stalledUntil = 0;
  /** How far the machine's clock is off, in milliseconds. */
  skew = 0;
  readonly #world: World;
  #last = 0;
  #listeners = new Set<() => void>();

  constructor(world: World) {
    this.#world = world;
    this.timers = { after: (milliseconds, run) => world.schedule(milliseconds, run, this) };
    this.store = this.#store();
    const deps = { store: this.store, clock: this.clock };
    this.queue = new TaskQueue({ ...deps, random: world.random, bootId: `boot-${++boots}` });
    const log = jsonLog(this.clock, "off", () => {});
    this.runner = new TaskRunner({ ...deps, queue: this.queue, timers: this.timers, log });
    world.processes.add(this);
  }

  crash(): void {
    this.alive = false;
    this.#world.processes.delete(this);
  }

  wake(): void {
    for (const listener of this.#listeners) listener();
  }

  /** Never goes backwards, just like the system clock. */
  #time(): number {
    this.#last = Math.max(this.#last, this.#world.now + this.skew);
    return this.#last;
  }

  #store(): Store {
    return {
      write: <T>(_owner: Owner, work: (tx: Tx) => Promise<T>) => this.#write(work),
      lookUpAndWrite: () => unused(),
      listen: (_, listener) => {
        this.#listeners.add(listener);
        return () => void this.#listeners.delete(listener);
      },
      // Fails as a write does.
      read: (work) => this.#write(work),
      queryOne: () => unused(),
      journalEnd: () => unused(),
      awaitUnits: () => unused(),
      snapshot: () => unused(),
      reserve: () => unused(),
      get index() {
        return unused();
      },
      erase: () => unused(),
      close: () => unused(),
    };
  }

  async #write<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    const world = this.#world;
    if (!this.alive) return await neverResolves();
    if (world.chance(world.faults.refusedCommit)) throw refusedError();
    // If a process crashes, its waiting units of work are lost.
    const outcome = world.commit((tx) => this.alive ? work(tx) : Promise.reject(refusedError()));
    const value = await outcome.catch(async (error) =>
      this.alive ? Promise.reject(error) : await neverResolves<T>()
    );
    if (!this.alive) return await neverResolves();
    if (world.chance(world.faults.lostReply)) throw refusedError();
    return value;
  }
}

function refusedError(): ApiError {
  return new ApiError("STORAGE_UNAVAILABLE", "Disk I/O error");
}

function neverResolves<T>(): Promise<T> {
  return new Promise<T>(() => {});
}

function unused(): never {
  throw new Error("Not implemented in the simulation");
}

/** Empties the tables that the simulation writes to. */
export function clearTables(connection: Connection): void {
  for (const table of ["tasks", "effects", "transitions", "violations"]) {
    connection.run(DELETE_STATEMENTS[table]!);
  }
}

const DELETE_STATEMENTS: Readonly<Record<string, ReturnType<typeof sql>>> = {
  tasks: sql`delete from tasks`,
  effects: sql`delete from effects`,
  transitions: sql`delete from transitions`,
  violations: sql`delete from violations`,
};
