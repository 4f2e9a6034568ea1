/**
 * What a single client knows: the commands it sent, and which were accepted and acknowledged. The
 * ledger is built from plain JSON entries, so they can be part of a record of writes and be
 * replayed up to any moment.
 */

import type { Command } from "./commands.ts";
import type { FoundMemory } from "./found.ts";
import { applyEffect, fingerprint, type MemoryState, type States } from "./model.ts";
import { Violation } from "./violation.ts";

/** An event observed by a client. */
export type LedgerEntry =
  /** A command is about to be sent. */
  | { readonly begin: Command }
  /** The response was 202, so the operation must finish. */
  | { readonly accepted: string }
  /** The command was rejected and nothing changed. */
  | { readonly refused: true }
  /** The command was executed. Contains the marks and ids of the memories it created. */
  | { readonly done: readonly (readonly [string, string])[] };

/** The state found while no client was working. */
export interface FoundState {
  readonly memories: readonly FoundMemory[];
  /** Operation status, by id. */
  readonly operations: ReadonlyMap<string, string>;
  /** Whether the service had enough time to finish everything it accepted. */
  readonly drained: boolean;
}

/** A cut-off command, and whether it was executed, or null if unknown. */
export interface DoubtOutcome {
  readonly command: Command;
  readonly done: boolean | null;
}

export class Ledger {
  readonly name: string;
  readonly #states = new Map<string, MemoryState>();
  readonly #ids = new Map<string, string>();
  readonly #operations = new Set<string>();
  #inDoubt: { readonly command: Command; readonly accepted: string | null } | null = null;

  constructor(name: string) {
    this.name = name;
  }

  /** States by mark, for every mark ever acknowledged. */
  get states(): States {
    return this.#states;
  }

  /** Known ids, by mark. */
  get ids(): ReadonlyMap<string, string> {
    return this.#ids;
  }

  /** Whether a command was begun whose outcome isn't known yet. */
  get isInDoubt(): boolean {
    return this.#inDoubt !== null;
  }

  record(entry: LedgerEntry): void {
    if ("begin" in entry) this.#inDoubt = { command: entry.begin, accepted: null };
    else if (this.#inDoubt === null) throw new Error("Received an entry without a command");
    else if ("accepted" in entry) {
      this.#inDoubt = { ...this.#inDoubt, accepted: entry.accepted };
      this.#operations.add(entry.accepted);
    } else if ("refused" in entry) this.#inDoubt = null;
    else {
      const { effect } = this.#inDoubt.command;
      if (effect !== null) {
        for (const [mark, state] of applyEffect(this.#states, effect)) {
          this.#states.set(mark, state);
        }
      }
      for (const [mark, id] of entry.done) this.setId(mark, id);
      this.#inDoubt = null;
    }
  }

  /** Returns a copy of the ledger. */
  copy(): Ledger {
    const copy = new Ledger(this.name);
    for (const [mark, state] of this.#states) copy.#states.set(mark, state);
    for (const [mark, id] of this.#ids) copy.#ids.set(mark, id);
    for (const id of this.#operations) copy.#operations.add(id);
    copy.#inDoubt = this.#inDoubt;
    return copy;
  }

  /**
   * Compares the ledger with the state found. If a command was cut off, everything it touches must
   * be in the state before it, or everything in the state after it. An accepted command must not be
   * lost.
   *
   * @throws Violation if the state is anything else
   */
  verify({ memories, operations, drained }: FoundState): DoubtOutcome | null {
    const own = memories.filter(({ mark }) => mark.startsWith(`${this.name}m`));
    const found: States = new Map(own.map(({ mark, state }) => [mark, state]));
    for (const id of this.#operations) this.#checkOperation(id, operations.get(id), drained);
    const outcome = this.#resolveDoubt(found, drained);
    for (const [mark, state] of this.#states) {
      if (fingerprint(found.get(mark)) === fingerprint(state)) continue;
      throw new Violation(
        `expected ${mark} to be ${fingerprint(state)}, found ${fingerprint(found.get(mark))}`,
      );
    }
    const unknown = [...found.keys()].find((mark) => !this.#states.has(mark));
    if (unknown !== undefined) {
      throw new Violation(`${unknown} exists but was never acknowledged`);
    }
    for (const { mark, id } of own) this.setId(mark, id);
    return outcome;
  }

  /**
   * Records a memory's id.
   *
   * @throws Violation if it differs from the acknowledged id
   */
  setId(mark: string, id: string): void {
    const known = this.#ids.get(mark);
    if (known !== undefined && known !== id) {
      throw new Violation(`${mark} was acknowledged as ${known} but is stored as ${id}`);
    }
    this.#ids.set(mark, id);
  }

  #checkOperation(id: string, status: string | undefined, drained: boolean): void {
    if (status === undefined) {
      throw new Violation(`operation ${id} was accepted but does not exist`);
    }
    const allowed = drained ? ["success"] : ["pending", "retry", "processing", "success"];
    if (!allowed.includes(status)) throw new Violation(`operation ${id} is ${status}`);
  }

  #resolveDoubt(found: States, drained: boolean): DoubtOutcome | null {
    if (this.#inDoubt === null) return null;
    const { command, accepted } = this.#inDoubt;
    this.#inDoubt = null;
    const outcome = command.effect === null ? new Map() : applyEffect(this.#states, command.effect);
    if (outcome.size === 0) return { command, done: null };
    const done = haveSameStates(outcome.keys(), found, outcome);
    const notDone = haveSameStates(outcome.keys(), found, this.#states);
    if (!done && !notDone) {
      throw new Violation(
        `${describeCommand(command)}: ${describePartial(outcome, found, this.#states)}`,
      );
    }
    if (!done && accepted !== null && drained) {
      throw new Violation(
        `${describeCommand(command)}: accepted as ${accepted} but never executed`,
      );
    }
    if (done) { for (const [mark, state] of outcome) this.#states.set(mark, state); }
    // If a command changes nothing, there's no way to know whether it was executed.
    return { command, done: done === notDone ? null : done };
  }
}

/** Describes a command for use in a message. */
export function describeCommand({ method, path, key, effect }: Command): string {
  return `${method} ${path} (key ${key}, ${effect?.kind})`;
}

function haveSameStates(marks: Iterable<string>, a: States, b: States): boolean {
  return [...marks].every((mark) => fingerprint(a.get(mark)) === fingerprint(b.get(mark)));
}

function describePartial(outcome: States, found: States, before: States): string {
  const marks = [...outcome.keys()];
  const show = (states: States) => marks.map((mark) => fingerprint(states.get(mark))).join("; ");
  return `half done: found ${show(found)}, expected ${show(before)} or ${show(outcome)}`
    .slice(0, 2_000);
}
