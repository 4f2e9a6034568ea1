/**
 * A campaign client. It owns its users and their memories, sends one command at a time, and records
 * which ones were acknowledged or cut off.
 */

import { HttpConnection, type HttpReply, parseJson } from "../../testing/http_connection.ts";
import type { SeededRandom } from "../../testing/seeded_random.ts";
import {
  type Command,
  COMMAND_DRAWS,
  drawCommand,
  idsIn,
  requestOf,
  searchRequest,
} from "./commands.ts";
import { describeCommand, type FoundState, Ledger, type LedgerEntry } from "./ledger.ts";
import {
  isConnectionLost,
  isRefused,
  isReplay,
  RefusedError,
  replyText,
  throwIfRefused,
  throwIfStopping,
  waitForSuccess,
} from "./responses.ts";
import { Violation } from "./violation.ts";

/** Counts what the clients did, for the report. */
export interface ClientStats {
  acknowledged: number;
  inDoubtDone: number;
  inDoubtNotDone: number;
  replays: number;
  twins: number;
  searches: number;
}

/** Returns counts of nothing. */
export function noStats(): ClientStats {
  return { acknowledged: 0, inDoubtDone: 0, inDoubtNotDone: 0, replays: 0, twins: 0, searches: 0 };
}

/** Options for stopping a client before the server is gone, and for handling failing storage. */
export interface WorkOptions {
  readonly onAcknowledged: () => void;
  readonly shouldContinue?: () => boolean;
  /** Set if the storage can fail. Called after a failure, so that accepted work can finish. */
  readonly restoreStorage?: () => unknown;
  /** Called after a request that the service refused, instead of `onAcknowledged`. */
  readonly onRefused?: (error: RefusedError) => Promise<void>;
  /** Called when a request was cut off, or its outcome is unknown. The client stops working. */
  readonly onCutOff?: (error: Error) => void;
  /** Whether clients also search for what they have added. */
  readonly search?: boolean;
  /** Whether clients also add by inference. Defaults to true. */
  readonly infer?: boolean;
}

/** Fraction of steps that search, if any do. */
const SEARCH_CHANCE = 0.08;

export class CrashClient {
  readonly #random: SeededRandom;
  readonly #stats: ClientStats;
  readonly #ledger: Ledger;
  readonly #onNote: (note: LedgerEntry) => void;
  /** Kinds of commands to send before the random ones. */
  readonly #script: (keyof typeof COMMAND_DRAWS)[];
  #serial = 0;
  #restoreStorage: (() => unknown) | undefined;
  #searchChance = 0;
  #infers = true;
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
  async work(url: string, options: WorkOptions): Promise<void> {
    const { onAcknowledged, onRefused, onCutOff, shouldContinue = () => true } = options;
    const connections: HttpConnection[] = [];
    this.#restoreStorage = options.restoreStorage;
    this.#searchChance = options.search ? SEARCH_CHANCE : 0;
    this.#infers = options.infer ?? true;
    try {
      connections.push(await HttpConnection.open(url), await HttpConnection.open(url));
      while (shouldContinue()) {
        const refusal = await this.#refusalOf(this.#step(connections[0]!, connections[1]!));
        if (refusal !== null && onRefused !== undefined) await onRefused(refusal);
        else onAcknowledged();
      }
    } catch (error) {
      if (!isConnectionLost(error)) throw error;
      onCutOff?.(error);
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

  /** Waits for a step. Returns the error if the service refused it, so that nothing has changed. */
  async #refusalOf(step: Promise<void>): Promise<RefusedError | null> {
    try {
      await step;
      return null;
    } catch (error) {
      if (!(error instanceof RefusedError)) throw error;
      if (!this.#ledger.isInDoubt) return error;
      this.#note({ refused: true });
      // The rejected command isn't sent again.
      this.#toReplay = null;
      return error;
    }
  }

  async #step(connection: HttpConnection, twin: HttpConnection): Promise<void> {
    if (this.#toReplay !== null) return await this.#replay(connection);
    if (this.#searchChance > 0 && this.#random.chance(this.#searchChance)) {
      return await this.#search(connection);
    }
    if (this.#acknowledged !== null && this.#random.chance(0.1)) {
      return await this.#repeat(connection);
    }
    const position = {
      client: this.#ledger.name,
      states: this.#ledger.states,
      ids: this.#ledger.ids,
      serial: () => this.#serial++,
      infers: this.#infers,
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
    // If the storage rejected one of the two requests, the other may still have succeeded.
    const canRefuse = this.#restoreStorage !== undefined;
    const done = all.filter(({ status }) => status === command.status);
    const refused = canRefuse && done.length === 0 ? all.filter(isRefused) : [];
    const served = canRefuse && done.length > 0
      ? done
      : all.filter((reply) => !refused.includes(reply));
    for (const reply of served) this.#expect(command, reply);
    if (served.length > 1) this.#compareTwins(command, served);
    if (served.length > 0) await this.#acknowledge(connection, command, served[0]!);
    for (const reply of replies) if (reply.status === "rejected") throw reply.reason;
    throwIfRefused(...refused);
  }

  /** Searches for a memory by its mark, which no other memory has. */
  async #search(connection: HttpConnection): Promise<void> {
    const live = [...this.#ledger.states].filter(([, { live }]) => live !== null);
    const [mark, state] = this.#random.pick(live) ?? [];
    if (mark === undefined) return;
    const reply = await connection.send(searchRequest(mark, state!.live!.user));
    throwIfStopping(reply);
    if (this.#restoreStorage !== undefined) throwIfRefused(reply);
    const isFound = reply.status === 200 && (parseJson(reply).results as { memory: string }[])
      .some(({ memory }) => memory.startsWith(`${mark} `));
    if (!isFound) throw new Violation(`search for ${mark}: ${replyText(reply).slice(0, 2_000)}`);
    this.#stats.searches++;
  }

  /** Adds the expected version to some updates, a few of them stale. */
  async #versioned(connection: HttpConnection, command: Command): Promise<Command> {
    if (command.effect?.kind !== "update" || this.#random.chance(0.4)) return command;
    const read = await connection.send(requestOf({ ...command, method: "GET", body: undefined }));
    throwIfStopping(read);
    if (this.#restoreStorage !== undefined) throwIfRefused(read);
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
    if (this.#restoreStorage !== undefined) throwIfRefused(reply);
    if (!isReplay(reply) || replyText(reply) !== body) {
      throw violation(command, `repeated, it returned ${replyText(reply)} after ${body}`);
    }
    this.#stats.replays++;
  }

  #expect(command: Command, reply: HttpReply): void {
    throwIfStopping(reply);
    if (reply.status === command.status) return;
    if (this.#restoreStorage !== undefined) throwIfRefused(reply);
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
      await waitForSuccess(connection, event_id, this.#restoreStorage);
    }
    this.#note({ done: addedIds(command, reply) });
    this.#stats.acknowledged++;
  }

  #note(note: LedgerEntry): void {
    this.#ledger.record(note);
    this.#onNote(note);
  }
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
