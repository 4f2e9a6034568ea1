/**
 * What one client has been told, kept by notes: which command it has sent, what was accepted, what
 * was acknowledged. Notes are plain JSON, so that they can stand in a record of writes and be read
 * again up to any moment of it.
 */

import type { Command } from "./commands.ts";
import type { FoundMemory } from "./found.ts";
import { applyEffect, fingerprint, type MemoryState, type States } from "./model.ts";
import { Violation } from "./violation.ts";

/** One thing that a client learns. */
export type LedgerEntry =
  /** A command is about to be sent. */
  | { readonly begin: Command }
  /** It was answered 202: its operation is promised. */
  | { readonly accepted: string }
  /** It was refused, and nothing was changed. */
  | { readonly refused: true }
  /** It was carried out; memories by mark and id, as far as it made any. */
  | { readonly done: readonly (readonly [string, string])[] };

/** What was found when nobody was at work. */
export interface FoundState {
  readonly memories: readonly FoundMemory[];
  /** Status of operations by id. */
  readonly operations: ReadonlyMap<string, string>;
  /** Whether the service has had the time to finish what it had accepted. */
  readonly drained: boolean;
}

/** A command that had been cut off, and what was found of it; null when that can't be seen. */
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

  /** Every mark that was ever acknowledged, with its state. */
  get states(): States {
    return this.#states;
  }

  /** Ids by mark, as far as they are known. */
  get ids(): ReadonlyMap<string, string> {
    return this.#ids;
  }

  record(entry: LedgerEntry): void {
    if ("begin" in entry) this.#inDoubt = { command: entry.begin, accepted: null };
    else if (this.#inDoubt === null) throw new Error("A note about a command that wasn't begun");
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

  /** Another ledger with the same knowledge. */
  copy(): Ledger {
    const copy = new Ledger(this.name);
    for (const [mark, state] of this.#states) copy.#states.set(mark, state);
    for (const [mark, id] of this.#ids) copy.#ids.set(mark, id);
    for (const id of this.#operations) copy.#operations.add(id);
    copy.#inDoubt = this.#inDoubt;
    return copy;
  }

  /**
   * Compares with what was found. Where a command had been cut off, all that it touches must be as
   * before it, or all as after it; once it was accepted, it may not be lost.
   *
   * @throws Violation when anything else was found
   */
  verify({ memories, operations, drained }: FoundState): DoubtOutcome | null {
    const own = memories.filter(({ mark }) => mark.startsWith(`${this.name}m`));
    const found: States = new Map(own.map(({ mark, state }) => [mark, state]));
    for (const id of this.#operations) this.#checkOperation(id, operations.get(id), drained);
    const settled = this.#settleDoubt(found, drained);
    for (const [mark, state] of this.#states) {
      if (fingerprint(found.get(mark)) === fingerprint(state)) continue;
      throw new Violation(
        `${mark} should be ${fingerprint(state)}, and is ${fingerprint(found.get(mark))}`,
      );
    }
    const unknown = [...found.keys()].find((mark) => !this.#states.has(mark));
    if (unknown !== undefined) {
      throw new Violation(`${unknown} is there and was never acknowledged`);
    }
    for (const { mark, id } of own) this.setId(mark, id);
    return settled;
  }

  /** Learns the id of a memory. @throws Violation when it is another than the one acknowledged */
  setId(mark: string, id: string): void {
    const known = this.#ids.get(mark);
    if (known !== undefined && known !== id) {
      throw new Violation(`${mark} was acknowledged as ${known} and is stored as ${id}`);
    }
    this.#ids.set(mark, id);
  }

  #checkOperation(id: string, status: string | undefined, drained: boolean): void {
    if (status === undefined) throw new Violation(`operation ${id} was accepted and is not there`);
    const standing = drained ? ["success"] : ["pending", "retry", "processing", "success"];
    if (!standing.includes(status)) throw new Violation(`operation ${id} is ${status}`);
  }

  #settleDoubt(found: States, drained: boolean): DoubtOutcome | null {
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
        `${describeCommand(command)}: accepted as ${accepted} and never carried out`,
      );
    }
    if (done) { for (const [mark, state] of outcome) this.#states.set(mark, state); }
    // Of a command that would change nothing, it can't be seen whether it was carried out.
    return { command, done: done === notDone ? null : done };
  }
}

/** A command in a message. */
export function describeCommand({ method, path, key, effect }: Command): string {
  return `${method} ${path} (key ${key}, ${effect?.kind})`;
}

function haveSameStates(marks: Iterable<string>, one: States, other: States): boolean {
  return [...marks].every((mark) => fingerprint(one.get(mark)) === fingerprint(other.get(mark)));
}

function describePartial(outcome: States, found: States, before: States): string {
  const marks = [...outcome.keys()];
  const show = (states: States) => marks.map((mark) => fingerprint(states.get(mark))).join("; ");
  return `half done: found ${show(found)}, before it ${show(before)}, after it ${show(outcome)}`
    .slice(0, 2_000);
}
