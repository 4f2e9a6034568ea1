/**
 * A campaign client. It owns its users and their memories, sends one command at a time, and records
 * which ones were acknowledged or cut off.
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

/** Counts what the clients did, for the report. */
export interface ClientStats {
  acknowledged: number;
  inDoubtDone: number;
  inDoubtNotDone: number;
  replays: number;
  twins: number;
}

/** Options for stopping a client before the server is gone, and for handling disk failures. */
export interface WorkOptions {
  readonly onAcknowledged: () => void;
  readonly shouldContinue?: () => boolean;
  /** Set if the disk can fail. Called after a failure, so that accepted work can finish. */
  readonly restoreDisk?: () => unknown;
}

/** Thrown if the service reports that the disk didn't accept a change. */
export class RefusedError extends Error {
  override readonly name = "RefusedError";
}

export class CrashClient {
  readonly #random: SeededRandom;
  readonly #stats: ClientStats;
  readonly #ledger: Ledger;
  readonly #onNote: (note: LedgerEntry) => void;
  /** Kinds of commands to send before the random ones. */
  readonly #script: (keyof typeof COMMAND_DRAWS)[];
  #serial = 0;
  #restoreDisk: (() => unknown) | undefined;
  /**
   * A cut-off command that needs sending again, and whether it turned out to have been executed.
   */
  #toReplay: { readonly command: Command; readonly done: boolean } | null = null;
  /** The last command acknowledged under a key, with its response. */
  #acknowledged: { readonly command: Command; readonly body: string } | null = null;

  constructor(
    name: string,
    random: SeededRandom,
    stats: ClientStats,
    onNote: (note: LedgerEntry) => void = () => {},
    script: readonly (keyof typeof COMMAND_DRAWS)[] = [],
  ) {
    this.#script = [...script];
    this.#ledger = new Ledger(name);
    this.#random = random;
    this.#stats = stats;
    this.#onNote = onNote;
  }

  /**
   * Sends commands until the server is gone.
   *
   * @throws Violation if a response is impossible
   */
  async work(
    url: string,
    { onAcknowledged, shouldContinue = () => true, restoreDisk }: WorkOptions,
  ): Promise<void> {
    const connections: HttpConnection[] = [];
    this.#restoreDisk = restoreDisk;
    try {
      connections.push(await HttpConnection.open(url), await HttpConnection.open(url));
      while (shouldContinue()) {
        await this.#step(connections[0]!, connections[1]!).catch((error: unknown) => {
          if (!(error instanceof RefusedError)) throw error;
          this.#note({ refused: true });
          // The rejected command isn't sent again.
          this.#toReplay = null;
        });
        onAcknowledged();
      }
    } catch (error) {
      if (!isConnectionLost(error)) throw error;
    } finally {
      connections.forEach((connection) => connection.close());
    }
  }

  /**
   * Compares what the client knows with the state found after a crash.
   *
   * @throws Violation if the two differ
   */
  verify(found: FoundState): void {
    const outcome = this.#ledger.verify(found);
    if (outcome === null || outcome.done === null) return;
    const { command, done } = outcome;
    this.#stats[done ? "inDoubtDone" : "inDoubtNotDone"]++;
    if (command.key !== null) this.#toReplay = { command, done };
  }

  async #step(connection: HttpConnection, twin: HttpConnection): Promise<void> {
    if (this.#toReplay !== null) return await this.#replay(connection);
    if (this.#acknowledged !== null && this.#random.chance(0.1)) {
      return await this.#repeat(connection);
    }
    const position = {
      client: this.#ledger.name,
      states: this.#ledger.states,
      ids: this.#ledger.ids,
      serial: () => this.#serial++,
    };
    const scripted = this.#script.shift();
    const drawn = drawCommand(this.#random, position, scripted && COMMAND_DRAWS[scripted]);
    const command = await this.#versioned(connection, drawn);
    this.#note({ begin: command });
    const request = requestOf(command);
    const twice = command.key !== null && this.#random.chance(0.15);
    // Waits for both requests, so the second can't overlap with the next command.
    const replies = await Promise.allSettled([
      connection.send(request),
      ...(twice ? [twin.send(request)] : []),
    ]);
    const all = replies.flatMap((reply) => reply.status === "fulfilled" ? [reply.value] : []);
    // If the disk rejected one of the two requests, the other may still have succeeded.
    const done = all.filter(({ status }) => status === command.status);
    const accepted = this.#restoreDisk !== undefined && done.length > 0 ? done : all;
    for (const reply of accepted) this.#expect(command, reply);
    if (accepted.length > 1) this.#compareTwins(command, accepted);
    if (accepted.length > 0) await this.#acknowledge(connection, command, accepted[0]!);
    for (const reply of replies) if (reply.status === "rejected") throw reply.reason;
  }

  /** Adds the expected version to some updates, a few of them stale. */
  async #versioned(connection: HttpConnection, command: Command): Promise<Command> {
    if (command.effect?.kind !== "update" || this.#random.chance(0.4)) return command;
    const read = await connection.send(requestOf({ ...command, method: "GET", body: undefined }));
    throwIfStopping(read);
    if (read.status !== 200) throw violation(command, `reading it returned ${read.status}`);
    const version = parseJson(read).updated_at as string;
    const body = { ...command.body as object, version };
    if (this.#random.chance(0.8)) return { ...command, body };
    const stale = new Date(Date.parse(version) - 1).toISOString();
    return { ...command, body: { ...body, version: stale }, effect: null, status: 409 };
  }

  /**
   * Sends a cut-off command again. The idempotency key makes that safe, whether or not it was
   * executed.
   */
  async #replay(connection: HttpConnection): Promise<void> {
    const { command, done } = this.#toReplay!;
    if (!done) this.#note({ begin: command });
    const reply = await connection.send(requestOf(command));
    this.#expect(command, reply);
    const replayed = isReplay(reply);
    if (replayed !== done) {
      throw violation(command, `done: ${done}, but the response says replayed: ${replayed}`);
    }
    this.#toReplay = null;
    this.#stats.replays++;
    if (done) { for (const [mark, id] of addedIds(command, reply)) this.#ledger.setId(mark, id); }
    else await this.#acknowledge(connection, command, reply);
  }

  /** Sends an acknowledged command again. The response must be the same, and nothing may change. */
  async #repeat(connection: HttpConnection): Promise<void> {
    const { command, body } = this.#acknowledged!;
    const reply = await connection.send(requestOf(command));
    throwIfStopping(reply);
    if (!isReplay(reply) || replyText(reply) !== body) {
      throw violation(command, `repeated, it returned ${replyText(reply)} after ${body}`);
    }
    this.#stats.replays++;
  }

  #expect(command: Command, reply: HttpReply): void {
    throwIfStopping(reply);
    if (reply.status === command.status) return;
    if (this.#restoreDisk !== undefined) throwIfRefused(reply);
    throw violation(command, `returned ${reply.status}: ${replyText(reply)}`);
  }

  #compareTwins(command: Command, [first, second]: readonly HttpReply[]): void {
    this.#stats.twins++;
    // A failed command leaves its key unused, so neither response is a replay.
    const replays = [first!, second!].filter(isReplay).length;
    if (command.status >= 400) return;
    if (replays !== 1 || replyText(first!) !== replyText(second!)) {
      throw violation(command, `${replays} replays among twins, ${replyText(first!)}`);
    }
  }

  /**
   * Records an acknowledged command. If it was only accepted, waits for its operation, since the
   * next command builds on it.
   */
  async #acknowledge(
    connection: HttpConnection,
    command: Command,
    reply: HttpReply,
  ): Promise<void> {
    const isReplayable = command.key !== null && command.status < 300;
    this.#acknowledged = isReplayable ? { command, body: replyText(reply) } : null;
    if (command.status === 202) {
      const { id, event_id = id } = parseJson(reply);
      this.#note({ accepted: event_id });
      await waitForSuccess(connection, event_id, this.#restoreDisk);
    }
    this.#note({ done: addedIds(command, reply) });
    this.#stats.acknowledged++;
  }

  #note(note: LedgerEntry): void {
    this.#ledger.record(note);
    this.#onNote(note);
  }
}

/** How many times to poll before the disk is restored. */
const POLLS_BEFORE_RESTORE = 40;

/**
 * Polls until an operation has succeeded.
 *
 * @throws Violation if the operation fails permanently
 */
export async function waitForSuccess(
  connection: HttpConnection,
  operation: string,
  restoreDisk?: () => unknown,
  apiKey = SERVER_KEY,
): Promise<void> {
  for (let polls = 1;; polls++) {
    if (restoreDisk !== undefined && polls % POLLS_BEFORE_RESTORE === 0) {
      restoreDisk();
      await connection.send(operationRequest(operation, "/retry", apiKey));
    }
    const reply = await connection.send(operationRequest(operation, "", apiKey));
    throwIfStopping(reply);
    const { status, result } = parseJson(reply);
    if (status === "success" && !(result?.failed > 0)) return;
    if (status === "success" || status === "dead" || reply.status !== 200) {
      throw new Violation(`operation ${operation}: ${replyText(reply).slice(0, 2_000)}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/**
 * Throws if the server is stopping. It then rejects new commands and executes none of them.
 *
 * @throws ConnectionLostError if the response is SERVICE_STOPPING
 */
export function throwIfStopping(reply: HttpReply): void {
  if (reply.status === 503 && parseJson(reply).code === "SERVICE_STOPPING") {
    throw new ConnectionLostError("The service is stopping");
  }
}

/**
 * Throws if the response is the only one a failing disk may cause.
 *
 * @throws RefusedError if the response is STORAGE_UNAVAILABLE
 */
export function throwIfRefused(reply: HttpReply): void {
  if (reply.status === 503 && parseJson(reply).code === "STORAGE_UNAVAILABLE") {
    throw new RefusedError(parseJson(reply).message);
  }
}

/** Checks whether an error means that the server is gone. */
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
