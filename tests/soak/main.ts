/**
 * `deno task soak --minutes N [--rate R] [--embedder NAME]`: runs a server under a steady load of
 * adds, searches, updates, deletions and documents, and prints everything that could grow: memory,
 * open files, the write-ahead log and response times. The default rate is a quarter of what a
 * single sequential client reaches on two busy cores, so the machine is never the limit.
 */

import { readdirSync, readFileSync, statSync } from "node:fs";
import { parseArgs } from "node:util";
import { databasePath } from "../../src/store/sqlite/store.ts";
import {
  encodeRequest,
  HttpConnection,
  type HttpReply,
  parseJson,
} from "../../testing/http_connection.ts";
import { markdownSections } from "../documents/documents.ts";
import { SeededRandom } from "../../testing/seeded_random.ts";
import { SERVER_KEY, ServerProcess } from "../../testing/server_process.ts";
import { makeTempDirSync, rm } from "../../testing/temp_dir.ts";

const { values } = parseArgs({
  args: Deno.args,
  options: {
    minutes: { type: "string", default: "10" },
    rate: { type: "string", default: "40" },
    embedder: { type: "string", default: "none" },
  },
});
const [minutes, rate] = [Number(values.minutes), Number(values.rate)];
const print = (text: string) => Deno.stdout.writeSync(new TextEncoder().encode(text + "\n"));

/** How many parts of equal length the run is divided into. Each part gets a line in the report. */
const PARTS = 10;

const WORDS = "lisbon winter allergy deadline violin harbour invoice espresso marathon".split(" ");

/** The share of each kind of request. */
const MIX = { search: 0.45, add: 0.3, update: 0.1, delete: 0.1, document: 0.05 } as const;
type Kind = keyof typeof MIX;

const random = new SeededRandom(7);
const directory = makeTempDirSync();
/** Ids of existing memories. */
const ids: string[] = [];
const server = await ServerProcess.start(directory, {
  logLevel: "error",
  embedder: values.embedder,
});
try {
  const connection = await HttpConnection.open(server.url);
  print(`${minutes} minutes, ${rate} requests a second, embedder ${values.embedder}`);
  print(
    "part  memories  RSS MB  WAL MB  DB MB  files  add p50  add p99  search p50  search p99 (ms)",
  );
  for (let part = 1; part <= PARTS; part++) {
    const times: Record<Kind, number[]> = {
      search: [],
      add: [],
      update: [],
      delete: [],
      document: [],
    };
    const ends = performance.now() + minutes * 60_000 / PARTS;
    for (let next = performance.now(); next < ends; next += 1_000 / rate) {
      const wait = next - performance.now();
      if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
      const kind = drawKind();
      const reply = await connection.send(requestOf(kind));
      if (reply.status !== 200) throw new Error(`${kind} returned ${reply.status}`);
      // Measured from when the request was due, because if the server stalls, all later requests
      // have to wait as well.
      times[kind].push(performance.now() - next);
      if (kind === "add") recordId(reply);
    }
    const sizes = [residentMegabytes(), megabytes("-wal"), megabytes("")].map((size) =>
      size.toFixed(1)
    );
    const shown = [times.add, times.search].flatMap((latencies) => [
      percentile(latencies, 0.5),
      percentile(latencies, 0.99),
    ]);
    print(
      [part, ids.length, ...sizes, openFiles(), ...shown.map((ms) => ms.toFixed(1))].join("  "),
    );
  }
  connection.close();
} finally {
  await server.stop();
  await rm(directory);
}

function drawKind(): Kind {
  let drawn = random.next();
  for (const [kind, share] of Object.entries(MIX) as [Kind, number][]) {
    // Updates and deletions need an existing memory.
    if ((drawn -= share) < 0) return ids.length === 0 ? "add" : kind;
  }
  return "search";
}

function requestOf(kind: Kind): Uint8Array {
  const index = random.below(ids.length);
  switch (kind) {
    case "search":
      return encode("POST", "/v1/memories/search", { query: text(3), user_id: user() });
    case "add":
      return encode("POST", "/v1/memories", { content: text(12), user_id: user(), infer: false });
    case "update":
      return encode("PUT", `/v1/memories/${ids[index]}`, { content: text(12) });
    case "delete":
      return encode("DELETE", `/v1/memories/${ids.splice(index, 1)[0]}`);
    case "document": {
      // A few sources that are replaced again and again by texts of different lengths.
      const content = `# ${text(4)}\n\n${markdownSections(1 + random.below(20))}`;
      const source_key = `source-${random.below(40)}`;
      return encode("POST", "/v1/documents", { content, source_key, user_id: user() });
    }
  }
}

function recordId(reply: HttpReply): void {
  ids.push(parseJson(reply).results[0].id);
}

function encode(method: string, path: string, body?: unknown): Uint8Array {
  return encodeRequest(method, path, { authorization: `Bearer ${SERVER_KEY}` }, body);
}

function text(words: number): string {
  return Array.from({ length: words }, () => random.pick(WORDS)).join(" ");
}

function user(): string {
  return `user-${random.below(50)}`;
}

function percentile(times: readonly number[], share: number): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length * share)] ?? NaN;
}

function residentMegabytes(): number {
  const status = readFileSync(`/proc/${server.pid}/status`, "utf8");
  return Number(/^VmRSS:\s+(\d+)/m.exec(status)![1]) / 1024;
}

function openFiles(): number {
  return readdirSync(`/proc/${server.pid}/fd`).length;
}

/** Returns the size of the database, or of the file alongside it with this suffix, in megabytes. */
function megabytes(suffix: string): number {
  return statSync(`${databasePath(directory)}${suffix}`).size / 1e6;
}
