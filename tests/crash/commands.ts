/** The commands sent by campaign clients, drawn from a seed. */

import { encodeRequest } from "../../testing/http_connection.ts";
import type { SeededRandom } from "../../testing/seeded_random.ts";
import { SERVER_KEY } from "../../testing/server_process.ts";
import { type Effect, markOf, marksIn, type States } from "./model.ts";

/** A request, and its effect if executed. */
export interface Command {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
  /** Sent as the Idempotency-Key header. */
  readonly key: string | null;
  readonly effect: Effect | null;
  /** Response status if the command is executed. */
  readonly status: number;
}

/** The state to draw commands from. */
export interface Position {
  /** Prefix of all users and marks of this client. */
  readonly client: string;
  readonly states: States;
  /** Known ids, keyed by mark. */
  readonly ids: ReadonlyMap<string, string>;
  /** Returns a number never used before. */
  readonly serial: () => number;
  /** Whether to add by inference. If not, batches are drawn instead. */
  readonly infers: boolean;
}

const USER_COUNT = 3;
const RUN_COUNT = 3;
const RATINGS = ["positive", "negative", "very_negative"] as const;
const WORDS =
  "lisbon winter allergy deadline violin harbour invoice espresso marathon gluten passport orchid"
    .split(" ");

/** An agent shared by all clients, so that their commands contend for a single scope's totals. */
const SHARED_AGENT = "agent-of-all";

/** The number that makes `drawCommand` draw each kind of command. */
export const COMMAND_DRAWS = {
  add: 0.1,
  messages: 0.4,
  deleteRun: 0.53,
  infer: 0.57,
  batch: 0.6,
  update: 0.7,
  delete: 0.8,
  rate: 0.9,
} as const;

/** Draws the next command that fits the current state. */
export function drawCommand(
  random: SeededRandom,
  position: Position,
  drawn: number = random.next(),
): Command {
  if (drawn < 0.35) return addContent(random, position);
  if (drawn < 0.5) return addMessages(random, position);
  if (drawn < 0.54) return deleteRun(random, position);
  if (drawn < 0.56) return removeEntity(random, position);
  if (drawn < 0.59 && position.infers) return infer(random, position);
  if (drawn < 0.62) return batch(random, position);
  const mark = random.pick(liveMarks(position));
  if (mark === undefined) return addContent(random, position);
  if (drawn < 0.76) return update(random, position, mark);
  if (drawn < 0.86) return deleteOne(random, position, mark);
  return rate(random, position, mark);
}

/** Returns the request for a command. */
export function requestOf({ method, path, key, body }: Command): Uint8Array {
  const headers = {
    authorization: `Bearer ${SERVER_KEY}`,
    ...(key === null ? {} : { "idempotency-key": key }),
  };
  return encodeRequest(method, path, headers, body);
}

/** Returns a request that searches a user's memories. */
export function searchRequest(query: string, user: string): Uint8Array {
  const headers = { authorization: `Bearer ${SERVER_KEY}` };
  const body = { query, user_id: user, top_k: 3 };
  return encodeRequest("POST", "/v1/memories/search", headers, body);
}

/** Returns a request that reads or retries an operation. */
export function operationRequest(
  id: string,
  action: "" | "/retry" = "",
  apiKey = SERVER_KEY,
): Uint8Array {
  const method = action === "" ? "GET" : "POST";
  const headers = { authorization: `Bearer ${apiKey}` };
  return encodeRequest(method, `/v1/operations/${id}${action}`, headers);
}

function liveMarks({ states, ids }: Position): string[] {
  return [...states].filter(([mark, { live }]) => live !== null && ids.has(mark))
    .map(([mark]) => mark);
}

/** Returns a text that starts with a fresh mark. A few of the texts are long. */
function markedText(random: SeededRandom, { client, serial }: Position): string {
  const words = random.chance(0.03) ? 2_000 : 4 + random.below(20);
  const text = Array.from({ length: words }, () => random.pick(WORDS)).join(" ");
  return `${client}m${serial()} ${text}`;
}

function keyOf(random: SeededRandom, { client, serial }: Position): string | null {
  return random.chance(0.5) ? `${client}-key-${serial()}` : null;
}

function ownerOf(random: SeededRandom, { client }: Position) {
  const user = `${client}-user-${random.below(USER_COUNT)}`;
  const run = random.chance(0.6) ? `${user}-run-${random.below(RUN_COUNT)}` : null;
  return { user, run };
}

function add(random: SeededRandom, position: Position, texts: string[], content: object): Command {
  const { user, run } = ownerOf(random, position);
  const importance = random.below(11) / 10;
  return {
    method: "POST",
    path: "/v1/memories",
    body: {
      ...content,
      user_id: user,
      ...(run === null ? {} : { run_id: run }),
      ...(random.chance(0.5) ? { agent_id: SHARED_AGENT } : {}),
      importance,
      infer: false,
    },
    key: keyOf(random, position),
    effect: { kind: "add", texts, row: { user, run, importance } },
    status: 200,
  };
}

function addContent(random: SeededRandom, position: Position): Command {
  const text = markedText(random, position);
  return add(random, position, [text], { content: text });
}

function addMessages(random: SeededRandom, position: Position): Command {
  const texts = Array.from({ length: 2 + random.below(12) }, () => markedText(random, position));
  const messages = texts.map((content) => ({ role: "user", content }));
  return add(random, position, texts, { messages });
}

function update(random: SeededRandom, position: Position, mark: string): Command {
  const words = position.states.get(mark)!.live!.text.split(" ").slice(1, 12);
  const text = [mark, ...words.toSpliced(0, 1, random.pick(WORDS)!)].join(" ");
  const set = random.chance(0.7) ? { text } : { importance: random.below(11) / 10 };
  return {
    method: "PUT",
    path: memoryPath(position, mark),
    body: "text" in set ? { content: set.text } : set,
    key: keyOf(random, position),
    effect: { kind: "update", mark, set },
    status: 200,
  };
}

/** Changes or deletes several memories in one operation, few enough to fit into a single step. */
function batch(random: SeededRandom, position: Position): Command {
  const marks = new Set<string>();
  const live = liveMarks(position);
  for (let count = 2 + random.below(20); count > 0 && live.length > 0; count--) {
    marks.add(random.pick(live)!);
  }
  if (marks.size === 0) return addContent(random, position);
  const removes = random.chance(0.3);
  const importance = random.below(11) / 10;
  const item = (mark: string) => ({
    memory_id: position.ids.get(mark),
    ...(removes ? {} : { importance }),
  });
  const effects = [...marks].map((mark): Effect =>
    removes ? { kind: "delete", mark } : { kind: "update", mark, set: { importance } }
  );
  return {
    method: removes ? "DELETE" : "PUT",
    path: "/v1/memories/batch",
    body: { memories: [...marks].map(item) },
    key: `${position.client}-key-${position.serial()}`,
    effect: { kind: "all", effects },
    status: 202,
  };
}

/**
 * Adds memories by inference for a new user. They're compared with the operation's result rather
 * than the model.
 */
function infer(random: SeededRandom, { client, serial }: Position): Command {
  const number = serial();
  const city = random.pick(["Lisbon", "Porto", "Faro", "Braga"]);
  return {
    method: "POST",
    path: "/v1/memories",
    body: {
      messages: [
        { role: "user", content: `I live in ${city} and I play the ${random.pick(WORDS)}.` },
        { role: "assistant", content: "Noted." },
        { role: "user", content: "My sister is called Rita, and I am allergic to nuts." },
      ],
      user_id: `${client}-inferred-${number}`,
    },
    key: `${client}-key-${number}`,
    effect: null,
    status: 202,
  };
}

function deleteOne(random: SeededRandom, position: Position, mark: string): Command {
  return {
    method: "DELETE",
    path: memoryPath(position, mark),
    key: keyOf(random, position),
    effect: { kind: "delete", mark },
    status: 200,
  };
}

function rate(random: SeededRandom, position: Position, mark: string): Command {
  const path = `${memoryPath(position, mark)}/feedback`;
  const key = keyOf(random, position);
  if (random.chance(0.3)) {
    const effect = { kind: "rate", mark, rating: null } as const;
    return { method: "DELETE", path, key, effect, status: 200 };
  }
  const rating = random.pick(RATINGS)!;
  return {
    method: "POST",
    path,
    body: { rating },
    key,
    effect: { kind: "rate", mark, rating },
    status: 200,
  };
}

function deleteRun(random: SeededRandom, position: Position): Command {
  const user = `${position.client}-user-${random.below(USER_COUNT)}`;
  const run = `${user}-run-${random.below(RUN_COUNT)}`;
  return {
    method: "DELETE",
    path: `/v1/memories?user_id=${user}&run_id=${run}`,
    key: keyOf(random, position),
    effect: { kind: "delete_scope", user, run },
    status: 200,
  };
}

/** Deletes an entity. If it has no memories, the response is 404 and nothing changes. */
function removeEntity(random: SeededRandom, position: Position): Command {
  const user = `${position.client}-user-${random.below(USER_COUNT)}`;
  const exists = marksIn(position.states, user, null).length > 0;
  return {
    method: "DELETE",
    path: `/v1/entities/user/${user}`,
    key: `${position.client}-key-${position.serial()}`,
    effect: exists ? { kind: "delete_scope", user, run: null } : null,
    status: exists ? 200 : 404,
  };
}

function memoryPath({ ids }: Position, mark: string): string {
  return `/v1/memories/${ids.get(mark)}`;
}

/** Returns the marks and ids of the memories stored by an add. */
export function idsIn(results: readonly { id: string; memory: string }[]): [string, string][] {
  return results.map(({ id, memory }) => [markOf(memory), id]);
}
