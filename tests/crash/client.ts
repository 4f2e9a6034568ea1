/**
 * One client of the campaign. It owns its users and what they remember, has one command under way
 * at a time, and notes what was acknowledged and what was cut off.
 */

import { ConnectionLostError, HttpConnection, jsonOf, type RawReply } from "../connection.ts";
import type { SeededRandom } from "../random.ts";
import {
  type Command,
  drawCommand,
  DRAWN,
  idsIn,
  operationRequest,
  requestOf,
} from "./commands.ts";
import { type Found, Ledger, type Note, told } from "./ledger.ts";
import { SERVER_KEY } from "../server_process.ts";
import { Violation } from "./violation.ts";

/** What the clients have done, for the report. */
export interface Tally {
  acknowledged: number;
  inDoubtDone: number;
  inDoubtNotDone: number;
  replays: number;
  twins: number;
}

/** How a client is told to stop before the server is gone, and what it puts up with. */
export interface Watch {
  readonly acknowledged: () => void;
  readonly more?: () => boolean;
  /** Where the disk may fail: called when it has, so that what was accepted can be finished. */
  readonly relieve?: () => unknown;
}

/** The disk did not take a change, and the service said so. */
export class RefusedError extends Error {
  override readonly name = "RefusedError";
}

export class CrashClient {
  readonly #random: SeededRandom;
  readonly #tally: Tally;
  readonly #ledger: Ledger;
  readonly #onNote: (note: Note) => void;
  /** Kinds of commands that come before those that are drawn. */
  readonly #script: (keyof typeof DRAWN)[];
  #serial = 0;
  #relieve: (() => unknown) | undefined;
  /** A command that was cut off, and what was found of it; to be sent again. */
  #toReplay: { readonly command: Command; readonly done: boolean } | null = null;
  /** A command that was acknowledged under a key, with its answer. */
  #answered: { readonly command: Command; readonly body: string } | null = null;

  constructor(
    name: string,
    random: SeededRandom,
    tally: Tally,
    onNote: (note: Note) => void = () => {},
    script: readonly (keyof typeof DRAWN)[] = [],
  ) {
    this.#script = [...script];
    this.#ledger = new Ledger(name);
    this.#random = random;
    this.#tally = tally;
    this.#onNote = onNote;
  }

  /** Sends commands until the server is gone. @throws Violation for an answer that can't be */
  async work(url: string, { acknowledged, more = () => true, relieve }: Watch): Promise<void> {
    const lines: HttpConnection[] = [];
    this.#relieve = relieve;
    try {
      lines.push(await HttpConnection.open(url), await HttpConnection.open(url));
      while (more()) {
        await this.#step(lines[0]!, lines[1]!).catch((error: unknown) => {
          if (!(error instanceof RefusedError)) throw error;
          this.#note({ refused: true });
          // A retry of the same command is another one's matter.
          this.#toReplay = null;
        });
        acknowledged();
      }
    } catch (error) {
      if (!isGone(error)) throw error;
    } finally {
      lines.forEach((line) => line.close());
    }
  }

  /** Compares with what was found after a crash. @throws Violation */
  settle(found: Found): void {
    const settled = this.#ledger.settle(found);
    if (settled === null || settled.done === null) return;
    const { command, done } = settled;
    this.#tally[done ? "inDoubtDone" : "inDoubtNotDone"]++;
    if (command.key !== null) this.#toReplay = { command, done };
  }

  async #step(line: HttpConnection, twin: HttpConnection): Promise<void> {
    if (this.#toReplay !== null) return await this.#replay(line);
    if (this.#answered !== null && this.#random.chance(0.1)) return await this.#repeat(line);
    const position = {
      client: this.#ledger.name,
      states: this.#ledger.states,
      ids: this.#ledger.ids,
      serial: () => this.#serial++,
    };
    const scripted = this.#script.shift();
    const drawn = drawCommand(this.#random, position, scripted && DRAWN[scripted]);
    const command = await this.#versioned(line, drawn);
    this.#note({ begin: command });
    const request = requestOf(command);
    const twice = command.key !== null && this.#random.chance(0.15);
    // Both are awaited to their end: what the second one does must not run into the next command.
    const replies = await Promise.allSettled([
      line.send(request),
      ...(twice ? [twin.send(request)] : []),
    ]);
    const all = replies.flatMap((reply) => reply.status === "fulfilled" ? [reply.value] : []);
    // Where the disk refused one of two, the other may have been carried out.
    const done = all.filter(({ status }) => status === command.status);
    const answered = this.#relieve !== undefined && done.length > 0 ? done : all;
    for (const reply of answered) this.#expect(command, reply);
    if (answered.length > 1) this.#compareTwins(command, answered);
    if (answered.length > 0) await this.#acknowledge(line, command, answered[0]!);
    for (const reply of replies) if (reply.status === "rejected") throw reply.reason;
  }

  /** Some updates name the version that they expect, and some of those a stale one. */
  async #versioned(line: HttpConnection, command: Command): Promise<Command> {
    if (command.effect?.kind !== "update" || this.#random.chance(0.4)) return command;
    const read = await line.send(requestOf({ ...command, method: "GET", body: undefined }));
    throwIfStopping(read);
    if (read.status !== 200) throw violation(command, `reading answered ${read.status}`);
    const version = jsonOf(read).updated_at as string;
    const body = { ...command.body as object, version };
    if (this.#random.chance(0.8)) return { ...command, body };
    const stale = new Date(Date.parse(version) - 1).toISOString();
    return { ...command, body: { ...body, version: stale }, effect: null, status: 409 };
  }

  /** Sends again what was cut off; a key makes that safe whatever had become of it. */
  async #replay(line: HttpConnection): Promise<void> {
    const { command, done } = this.#toReplay!;
    if (!done) this.#note({ begin: command });
    const reply = await line.send(requestOf(command));
    this.#expect(command, reply);
    const replayed = isReplay(reply);
    if (replayed !== done) {
      throw violation(command, `done: ${done}, but answered as replayed: ${replayed}`);
    }
    this.#toReplay = null;
    this.#tally.replays++;
    if (done) { for (const [mark, id] of idsOf(command, reply)) this.#ledger.learn(mark, id); }
    else await this.#acknowledge(line, command, reply);
  }

  /** Sends again what was acknowledged: the same answer must come, and nothing may happen. */
  async #repeat(line: HttpConnection): Promise<void> {
    const { command, body } = this.#answered!;
    const reply = await line.send(requestOf(command));
    throwIfStopping(reply);
    if (!isReplay(reply) || textOf(reply) !== body) {
      throw violation(command, `repeated, it answered ${textOf(reply)} after ${body}`);
    }
    this.#tally.replays++;
  }

  #expect(command: Command, reply: RawReply): void {
    throwIfStopping(reply);
    if (reply.status === command.status) return;
    if (this.#relieve !== undefined) throwIfRefused(reply);
    throw violation(command, `answered ${reply.status}: ${textOf(reply)}`);
  }

  #compareTwins(command: Command, [one, other]: readonly RawReply[]): void {
    this.#tally.twins++;
    // A command that fails leaves its key unused, so that neither answer is a replay.
    const replays = [one!, other!].filter(isReplay).length;
    if (command.status >= 400) return;
    if (replays !== 1 || textOf(one!) !== textOf(other!)) {
      throw violation(command, `${replays} replays among twins, ${textOf(one!)}`);
    }
  }

  /** What was only accepted is waited for: the next command builds on it. */
  async #acknowledge(line: HttpConnection, command: Command, reply: RawReply): Promise<void> {
    const keyed = command.key !== null && command.status < 300;
    this.#answered = keyed ? { command, body: textOf(reply) } : null;
    if (command.status === 202) {
      const { id, event_id = id } = jsonOf(reply);
      this.#note({ accepted: event_id });
      await untilSuccess(line, event_id, this.#relieve);
    }
    this.#note({ done: idsOf(command, reply) });
    this.#tally.acknowledged++;
  }

  #note(note: Note): void {
    this.#ledger.note(note);
    this.#onNote(note);
  }
}

/** How often is asked before the disk is relieved. */
const PATIENCE = 40;

/** Asks until an operation has succeeded. @throws Violation when it is given up */
export async function untilSuccess(
  line: HttpConnection,
  operation: string,
  relieve?: () => unknown,
  apiKey = SERVER_KEY,
): Promise<void> {
  for (let asked = 1;; asked++) {
    if (relieve !== undefined && asked % PATIENCE === 0) {
      relieve();
      await line.send(operationRequest(operation, "/retry", apiKey));
    }
    const reply = await line.send(operationRequest(operation, "", apiKey));
    throwIfStopping(reply);
    const { status, result } = jsonOf(reply);
    if (status === "success" && !(result?.failed > 0)) return;
    if (status === "success" || status === "dead" || reply.status !== 200) {
      throw new Violation(`operation ${operation}: ${textOf(reply).slice(0, 2_000)}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** A server that is told to stop refuses what is new, and carries none of it out. */
export function throwIfStopping(reply: RawReply): void {
  if (reply.status === 503 && jsonOf(reply).code === "SERVICE_STOPPING") {
    throw new ConnectionLostError("The service is stopping");
  }
}

/** @throws RefusedError for the one answer that a failing disk may cause */
export function throwIfRefused(reply: RawReply): void {
  if (reply.status === 503 && jsonOf(reply).code === "STORAGE_UNAVAILABLE") {
    throw new RefusedError(jsonOf(reply).message);
  }
}

/** True for the error of a line whose server went away. */
export function isGone(error: unknown): boolean {
  return error instanceof ConnectionLostError ||
    error instanceof Deno.errors.ConnectionRefused ||
    error instanceof Deno.errors.ConnectionReset;
}

function idsOf(command: Command, reply: RawReply): readonly (readonly [string, string])[] {
  if (command.effect?.kind !== "add") return [];
  const results = idsIn(jsonOf(reply).results);
  if (results.length !== command.effect.texts.length) {
    throw violation(command, `stored ${results.length} of ${command.effect.texts.length}`);
  }
  return results;
}

function violation(command: Command, what: string): Violation {
  return new Violation(`${told(command)}: ${what.slice(0, 2_000)}`);
}

function isReplay(reply: RawReply): boolean {
  return reply.head.includes("\r\nidempotency-replayed: true");
}

export function textOf(reply: RawReply): string {
  return new TextDecoder().decode(reply.body);
}
