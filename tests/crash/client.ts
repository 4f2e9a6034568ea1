/**
 * One client of the campaign. It owns its users and what they remember, has one command under way
 * at a time, and notes what was acknowledged and what was cut off.
 */

import {
  ConnectionLostError,
  HttpConnection,
  type HttpReply,
  parseJson,
} from "../../testing/http_connection.ts";
import type { SeededRandom } from "../../testing/seeded_random.ts";
import {
  type Command,
  COMMAND_DRAWS,
  drawCommand,
  idsIn,
  operationRequest,
  requestOf,
} from "./commands.ts";
import { describeCommand, type FoundState, Ledger, type LedgerEntry } from "./ledger.ts";
import { SERVER_KEY } from "../../testing/server_process.ts";
import { Violation } from "./violation.ts";

/** What the clients have done, for the report. */
export interface ClientStats {
  acknowledged: number;
  inDoubtDone: number;
  inDoubtNotDone: number;
  replays: number;
  twins: number;
}

/** How a client is told to stop before the server is gone, and what it puts up with. */
export interface WorkOptions {
  readonly onAcknowledged: () => void;
  readonly shouldContinue?: () => boolean;
  /** Where the disk may fail: called when it has, so that what was accepted can be finished. */
  readonly restoreDisk?: () => unknown;
}

/** The disk did not take a change, and the service said so. */
export class RefusedError extends Error {
  override readonly name = "RefusedError";
}

export class CrashClient {
  readonly #random: SeededRandom;
  readonly #tally: ClientStats;
  readonly #ledger: Ledger;
  readonly #onNote: (note: LedgerEntry) => void;
  /** Kinds of commands that come before those that are drawn. */
  readonly #script: (keyof typeof COMMAND_DRAWS)[];
  #serial = 0;
  #relieve: (() => unknown) | undefined;
  /** A command that was cut off, and what was found of it; to be sent again. */
  #toReplay: { readonly command: Command; readonly done: boolean } | null = null;
  /** A command that was acknowledged under a key, with its answer. */
  #answered: { readonly command: Command; readonly body: string } | null = null;

  constructor(
    name: string,
    random: SeededRandom,
    tally: ClientStats,
    onNote: (note: LedgerEntry) => void = () => {},
    script: readonly (keyof typeof COMMAND_DRAWS)[] = [],
  ) {
    this.#script = [...script];
    this.#ledger = new Ledger(name);
    this.#random = random;
    this.#tally = tally;
    this.#onNote = onNote;
  }

  /** Sends commands until the server is gone. @throws Violation for an answer that can't be */
  async work(
    url: string,
    { onAcknowledged, shouldContinue = () => true, restoreDisk }: WorkOptions,
  ): Promise<void> {
    const lines: HttpConnection[] = [];
    this.#relieve = restoreDisk;
    try {
      lines.push(await HttpConnection.open(url), await HttpConnection.open(url));
      while (shouldContinue()) {
        await this.#step(lines[0]!, lines[1]!).catch((error: unknown) => {
          if (!(error instanceof RefusedError)) throw error;
          this.#note({ refused: true });
          // A retry of the same command is another one's matter.
          this.#toReplay = null;
        });
        onAcknowledged();
      }
    } catch (error) {
      if (!isConnectionLost(error)) throw error;
    } finally {
      lines.forEach((line) => line.close());
    }
  }

  /** Compares with what was found after a crash. @throws Violation */
  verify(found: FoundState): void {
    const settled = this.#ledger.verify(found);
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
    const drawn = drawCommand(this.#random, position, scripted && COMMAND_DRAWS[scripted]);
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
    const version = parseJson(read).updated_at as string;
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
    if (done) { for (const [mark, id] of addedIds(command, reply)) this.#ledger.setId(mark, id); }
    else await this.#acknowledge(line, command, reply);
  }

  /** Sends again what was acknowledged: the same answer must come, and nothing may happen. */
  async #repeat(line: HttpConnection): Promise<void> {
    const { command, body } = this.#answered!;
    const reply = await line.send(requestOf(command));
    throwIfStopping(reply);
    if (!isReplay(reply) || replyText(reply) !== body) {
      throw violation(command, `repeated, it answered ${replyText(reply)} after ${body}`);
    }
    this.#tally.replays++;
  }

  #expect(command: Command, reply: HttpReply): void {
    throwIfStopping(reply);
    if (reply.status === command.status) return;
    if (this.#relieve !== undefined) throwIfRefused(reply);
    throw violation(command, `answered ${reply.status}: ${replyText(reply)}`);
  }

  #compareTwins(command: Command, [one, other]: readonly HttpReply[]): void {
    this.#tally.twins++;
    // A command that fails leaves its key unused, so that neither answer is a replay.
    const replays = [one!, other!].filter(isReplay).length;
    if (command.status >= 400) return;
    if (replays !== 1 || replyText(one!) !== replyText(other!)) {
      throw violation(command, `${replays} replays among twins, ${replyText(one!)}`);
    }
  }

  /** What was only accepted is waited for: the next command builds on it. */
  async #acknowledge(line: HttpConnection, command: Command, reply: HttpReply): Promise<void> {
    const keyed = command.key !== null && command.status < 300;
    this.#answered = keyed ? { command, body: replyText(reply) } : null;
    if (command.status === 202) {
      const { id, event_id = id } = parseJson(reply);
      this.#note({ accepted: event_id });
      await waitForSuccess(line, event_id, this.#relieve);
    }
    this.#note({ done: addedIds(command, reply) });
    this.#tally.acknowledged++;
  }

  #note(note: LedgerEntry): void {
    this.#ledger.record(note);
    this.#onNote(note);
  }
}

/** How often is asked before the disk is relieved. */
const POLLS_BEFORE_RESTORE = 40;

/** Asks until an operation has succeeded. @throws Violation when it is given up */
export async function waitForSuccess(
  line: HttpConnection,
  operation: string,
  restoreDisk?: () => unknown,
  apiKey = SERVER_KEY,
): Promise<void> {
  for (let asked = 1;; asked++) {
    if (restoreDisk !== undefined && asked % POLLS_BEFORE_RESTORE === 0) {
      restoreDisk();
      await line.send(operationRequest(operation, "/retry", apiKey));
    }
    const reply = await line.send(operationRequest(operation, "", apiKey));
    throwIfStopping(reply);
    const { status, result } = parseJson(reply);
    if (status === "success" && !(result?.failed > 0)) return;
    if (status === "success" || status === "dead" || reply.status !== 200) {
      throw new Violation(`operation ${operation}: ${replyText(reply).slice(0, 2_000)}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** A server that is told to stop refuses what is new, and carries none of it out. */
export function throwIfStopping(reply: HttpReply): void {
  if (reply.status === 503 && parseJson(reply).code === "SERVICE_STOPPING") {
    throw new ConnectionLostError("The service is stopping");
  }
}

/** @throws RefusedError for the one answer that a failing disk may cause */
export function throwIfRefused(reply: HttpReply): void {
  if (reply.status === 503 && parseJson(reply).code === "STORAGE_UNAVAILABLE") {
    throw new RefusedError(parseJson(reply).message);
  }
}

/** True for the error of a line whose server went away. */
export function isConnectionLost(error: unknown): boolean {
  return error instanceof ConnectionLostError ||
    error instanceof Deno.errors.ConnectionRefused ||
    error instanceof Deno.errors.ConnectionReset;
}

function addedIds(command: Command, reply: HttpReply): readonly (readonly [string, string])[] {
  if (command.effect?.kind !== "add") return [];
  const results = idsIn(parseJson(reply).results);
  if (results.length !== command.effect.texts.length) {
    throw violation(command, `stored ${results.length} of ${command.effect.texts.length}`);
  }
  return results;
}

function violation(command: Command, what: string): Violation {
  return new Violation(`${describeCommand(command)}: ${what.slice(0, 2_000)}`);
}

function isReplay(reply: HttpReply): boolean {
  return reply.head.includes("\r\nidempotency-replayed: true");
}

export function replyText(reply: HttpReply): string {
  return new TextDecoder().decode(reply.body);
}
