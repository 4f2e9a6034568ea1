/**
 * One client of the campaign. It owns its users and what they remember, has one command under way
 * at a time, and notes what was acknowledged and what was cut off.
 */

import { ConnectionLostError, HttpConnection, jsonOf, type RawReply } from "../connection.ts";
import type { SeededRandom } from "../random.ts";
import { type Command, drawCommand, idsIn, requestOf } from "./commands.ts";
import { after, type Effect, fingerprint, type MemoryState, type States } from "./model.ts";

/** What the service must never do. The message says which, and on what. */
export class Violation extends Error {
  override readonly name = "Violation";
}

/** What the clients have done, for the report. */
export interface Tally {
  acknowledged: number;
  inDoubtDone: number;
  inDoubtNotDone: number;
  replays: number;
  twins: number;
}

export class CrashClient {
  readonly name: string;
  readonly #random: SeededRandom;
  readonly #tally: Tally;
  readonly #states = new Map<string, MemoryState>();
  readonly #ids = new Map<string, string>();
  #serial = 0;
  #inDoubt: Command | null = null;
  /** A command that was cut off, and what was found of it; to be sent again. */
  #toReplay: { readonly command: Command; readonly done: boolean } | null = null;
  /** A command that was acknowledged under a key, with its answer. */
  #answered: { readonly command: Command; readonly body: string } | null = null;

  constructor(name: string, random: SeededRandom, tally: Tally) {
    this.name = name;
    this.#random = random;
    this.#tally = tally;
  }

  /** Every mark that this client has ever got acknowledged, with its state. */
  get states(): States {
    return this.#states;
  }

  /** Sends commands until the server is gone. @throws Violation for an answer that can't be */
  async work(url: string, acknowledged: () => void): Promise<void> {
    const lines: HttpConnection[] = [];
    try {
      lines.push(await HttpConnection.open(url), await HttpConnection.open(url));
      while (true) {
        await this.#step(lines[0]!, lines[1]!);
        acknowledged();
      }
    } catch (error) {
      const gone = error instanceof ConnectionLostError ||
        error instanceof Deno.errors.ConnectionRefused ||
        error instanceof Deno.errors.ConnectionReset;
      if (!gone) throw error;
    } finally {
      lines.forEach((line) => line.close());
    }
  }

  async #step(line: HttpConnection, twin: HttpConnection): Promise<void> {
    if (this.#toReplay !== null) return await this.#replay(line);
    if (this.#answered !== null && this.#random.chance(0.1)) return await this.#repeat(line);
    const drawn = drawCommand(this.#random, {
      client: this.name,
      states: this.#states,
      ids: this.#ids,
      serial: () => this.#serial++,
    });
    const command = await this.#versioned(line, drawn);
    this.#inDoubt = command;
    const request = requestOf(command);
    const twice = command.key !== null && this.#random.chance(0.15);
    // Both are awaited to their end: what the second one does must not run into the next command.
    const replies = await Promise.allSettled([
      line.send(request),
      ...(twice ? [twin.send(request)] : []),
    ]);
    const answered = replies.flatMap((reply) => reply.status === "fulfilled" ? [reply.value] : []);
    for (const reply of answered) this.#expect(command, reply);
    if (answered.length > 1) this.#compareTwins(command, answered);
    if (answered.length > 0) this.#acknowledge(command, answered[0]!);
    for (const reply of replies) if (reply.status === "rejected") throw reply.reason;
  }

  /** Some updates name the version that they expect, and some of those a stale one. */
  async #versioned(line: HttpConnection, command: Command): Promise<Command> {
    if (command.effect?.kind !== "update" || this.#random.chance(0.4)) return command;
    const read = await line.send(requestOf({ ...command, method: "GET", body: undefined }));
    if (read.status !== 200) throw this.#violation(command, `reading answered ${read.status}`);
    const version = jsonOf(read).updated_at as string;
    const body = { ...command.body as object, version };
    if (this.#random.chance(0.8)) return { ...command, body };
    const stale = new Date(Date.parse(version) - 1).toISOString();
    return { ...command, body: { ...body, version: stale }, effect: null, status: 409 };
  }

  /** Sends again what was cut off; a key makes that safe whatever had become of it. */
  async #replay(line: HttpConnection): Promise<void> {
    const { command, done } = this.#toReplay!;
    if (!done) this.#inDoubt = command;
    const reply = await line.send(requestOf(command));
    this.#expect(command, reply);
    const replayed = isReplay(reply);
    if (replayed !== done) {
      throw this.#violation(command, `done: ${done}, but answered as replayed: ${replayed}`);
    }
    this.#toReplay = null;
    this.#tally.replays++;
    if (done) this.#noteIds(command, reply);
    else this.#acknowledge(command, reply);
  }

  /** Sends again what was acknowledged: the same answer must come, and nothing may happen. */
  async #repeat(line: HttpConnection): Promise<void> {
    const { command, body } = this.#answered!;
    const reply = await line.send(requestOf(command));
    if (!isReplay(reply) || textOf(reply) !== body) {
      throw this.#violation(command, `repeated, it answered ${textOf(reply)} after ${body}`);
    }
    this.#tally.replays++;
  }

  /**
   * Compares with what was found after a crash. Where a command had been cut off, all that it
   * touches must be as before it, or all as after it.
   */
  settle(found: States): void {
    const command = this.#inDoubt;
    const outcome = command?.effect ? after(this.#states, command.effect) : new Map();
    if (command !== null && outcome.size > 0) {
      const done = sameOn(outcome.keys(), found, outcome);
      const notDone = sameOn(outcome.keys(), found, this.#states);
      if (!done && !notDone) throw this.#violation(command, halfDone(outcome, found, this.#states));
      if (done) { for (const [mark, state] of outcome) this.#states.set(mark, state); }
      this.#tally[done ? "inDoubtDone" : "inDoubtNotDone"]++;
      // Of a command that would change nothing, it can't be seen whether it was carried out.
      const visible = done !== notDone;
      if (command.key !== null && visible) this.#toReplay = { command, done };
    }
    this.#inDoubt = null;
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
  }

  /** Learns the ids of memories whose acknowledgement was lost. */
  learn(mark: string, id: string): void {
    const known = this.#ids.get(mark);
    if (known !== undefined && known !== id) {
      throw new Violation(`${mark} was acknowledged as ${known} and is stored as ${id}`);
    }
    this.#ids.set(mark, id);
  }

  #expect(command: Command, reply: RawReply): void {
    if (reply.status === command.status) return;
    throw this.#violation(command, `answered ${reply.status}: ${textOf(reply)}`);
  }

  #compareTwins(command: Command, [one, other]: readonly RawReply[]): void {
    this.#tally.twins++;
    // A command that fails leaves its key unused, so that neither answer is a replay.
    const replays = [one!, other!].filter(isReplay).length;
    if (command.status >= 400) return;
    if (replays !== 1 || textOf(one!) !== textOf(other!)) {
      throw this.#violation(command, `${replays} replays among twins, ${textOf(one!)}`);
    }
  }

  #acknowledge(command: Command, reply: RawReply): void {
    this.#inDoubt = null;
    this.#tally.acknowledged++;
    if (command.effect !== null) this.#apply(command.effect);
    this.#noteIds(command, reply);
    const keyed = command.key !== null && command.status < 300;
    this.#answered = keyed ? { command, body: textOf(reply) } : null;
  }

  #apply(effect: Effect): void {
    for (const [mark, state] of after(this.#states, effect)) this.#states.set(mark, state);
  }

  #noteIds(command: Command, reply: RawReply): void {
    if (command.effect?.kind !== "add") return;
    const results = idsIn(jsonOf(reply).results);
    if (results.length !== command.effect.texts.length) {
      throw this.#violation(command, `stored ${results.length} of ${command.effect.texts.length}`);
    }
    for (const [mark, id] of results) this.learn(mark, id);
  }

  #violation({ method, path, key, effect }: Command, what: string): Violation {
    return new Violation(
      `${method} ${path} (key ${key}, ${effect?.kind}): ${what.slice(0, 2_000)}`,
    );
  }
}

function isReplay(reply: RawReply): boolean {
  return reply.head.includes("\r\nidempotency-replayed: true");
}

function textOf(reply: RawReply): string {
  return new TextDecoder().decode(reply.body);
}

function sameOn(marks: Iterable<string>, one: States, other: States): boolean {
  return [...marks].every((mark) => fingerprint(one.get(mark)) === fingerprint(other.get(mark)));
}

function halfDone(outcome: States, found: States, before: States): string {
  const marks = [...outcome.keys()];
  const show = (states: States) => marks.map((mark) => fingerprint(states.get(mark))).join("; ");
  return `half done: found ${show(found)}, before it ${show(before)}, after it ${show(outcome)}`;
}
