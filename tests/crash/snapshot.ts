/**
 * A snapshot to import. It's exported once from a populated project, then gets fresh ids for each
 * import.
 */

import { canonicalJson, sha256 } from "../../src/kernel/hash.ts";
import { encodeRequest, HttpConnection, parseJson } from "../../testing/http_connection.ts";
import { markdownSections } from "../documents/documents.ts";
import { SERVER_KEY, ServerProcess } from "../../testing/server_process.ts";
import { makeTempDirSync, rm } from "../../testing/temp_dir.ts";
import { waitForSuccess } from "./responses.ts";
import { Violation } from "./violation.ts";

/** The parts of an exported snapshot used here. */
export interface Snapshot {
  readonly checksum: string;
  readonly records: Readonly<Record<string, readonly unknown[]>>;
}

/**
 * Messages per add. Memories are restored a hundred at a time, so an import takes several steps and
 * can be cut off between them.
 */
const MESSAGE_COUNT = 80;

/** An id: a kind, ten characters of time, and sixteen random characters. */
const ID = /\b([a-z]+_[0-9a-hjkmnp-tv-z]{10})[0-9a-hjkmnp-tv-z]{4}([0-9a-hjkmnp-tv-z]{12})\b/g;

/** The digits used in ids (github.com/ulid/spec). */
const DIGITS = "0123456789abcdefghjkmnpqrstvwxyz";

/**
 * Creates a snapshot of a project with memories from a handful of adds, along with history,
 * feedback and documents.
 */
export async function makeSnapshot(adds = 3): Promise<Snapshot> {
  const directory = makeTempDirSync();
  const server = await ServerProcess.start(directory);
  try {
    const connection = await HttpConnection.open(server.url);
    await populate(connection, adds);
    const snapshot = await exportSnapshot(connection, SERVER_KEY, "the-template");
    connection.close();
    return snapshot;
  } finally {
    await server.kill();
    await rm(directory);
  }
}

/** Returns the same records, with ids that no other number produces. */
export function renumberIds({ records, ...outline }: Snapshot, number: number): Snapshot {
  const digits = Array.from({ length: 4 }, (_, at) => DIGITS[(number >> (5 * (3 - at))) & 31]);
  const text = JSON.stringify(records).replace(ID, `$1${digits.join("")}$2`);
  const renumbered = JSON.parse(text) as Snapshot["records"];
  return { ...outline, records: renumbered, checksum: sha256(canonicalJson(renumbered)) };
}

/** Exports a key's project. */
export async function exportSnapshot(
  connection: HttpConnection,
  apiKey: string,
  key: string,
): Promise<Snapshot> {
  const headers = { authorization: `Bearer ${apiKey}` };
  const queued = await connection.send(
    encodeRequest("POST", "/v1/exports", { ...headers, "idempotency-key": key }),
  );
  if (queued.status !== 202) throw new Violation(`an export returned ${queued.status}`);
  const { id } = parseJson(queued);
  await waitForSuccess(connection, id, undefined, apiKey);
  return parseJson(await connection.send(encodeRequest("GET", `/v1/operations/${id}`, headers)))
    .result;
}

async function populate(connection: HttpConnection, adds: number): Promise<void> {
  const post = async (path: string, body: unknown) => {
    const headers = { authorization: `Bearer ${SERVER_KEY}` };
    const reply = await connection.send(encodeRequest("POST", path, headers, body));
    if (reply.status !== 200) throw new Error(`${path} returned ${reply.status}`);
    return parseJson(reply);
  };
  for (let request = 0; request < adds; request++) {
    const messages = Array.from({ length: MESSAGE_COUNT }, (_, index) => ({
      role: "user",
      content: `imported ${request}-${index}: the harbour of Lisbon in winter`,
    }));
    const body = { messages, user_id: `imported-${request}`, infer: false };
    const { results } = await post("/v1/memories", body);
    await post(`/v1/memories/${results[0].id}/feedback`, { rating: "positive" });
  }
  for (const parts of [3, 20]) {
    const body = {
      source_key: `imported-${parts}`,
      content: markdownSections(parts),
      user_id: "reader",
    };
    await post("/v1/documents", body);
  }
}
