/**
 * `deno task soak --minutes N [--rate R] [--embedder NAME]`: a server under a steady load of adds,
 * searches, updates, deletions and documents, watched for what grows: memory, files that are open,
 * the log of the database, waiting times. The default rate is a quarter of what one client after
 * another is answered on two busy cores, so that the machine is never the limit.
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

/** The soak is told in so many parts of equal length. */
const PARTS = 10;

const WORDS = "lisbon winter allergy deadline violin harbour invoice espresso marathon".split(" ");

/** What is done, by its share of all requests. */
const MIX = { search: 0.45, add: 0.3, update: 0.1, delete: 0.1, document: 0.05 } as const;
type Kind = keyof typeof MIX;

const random = new SeededRandom(7);
const directory = makeTempDirSync();
/** Ids of memories that are there. */
const ids: string[] = [];
const server = await ServerProcess.start(directory, {
  logLevel: "error",
  embedder: values.embedder,
});
try {
  const line = await HttpConnection.open(server.url);
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
      const reply = await line.send(requestOf(kind));
      if (reply.status !== 200) throw new Error(`${kind} answered ${reply.status}`);
      // From when it was due: a server that stalls makes everyone behind wait too.
      times[kind].push(performance.now() - next);
      if (kind === "add") learn(reply);
    }
    const sizes = [residentMegabytes(), megabytes("-wal"), megabytes("")].map((size) =>
      size.toFixed(1)
    );
    const shown = [times.add, times.search].flatMap((each) => [at(each, 0.5), at(each, 0.99)]);
    print(
      [part, ids.length, ...sizes, openFiles(), ...shown.map((ms) => ms.toFixed(1))].join("  "),
    );
  }
  line.close();
} finally {
  await server.stop();
  await rm(directory);
}

function drawKind(): Kind {
  let drawn = random.next();
  for (const [kind, share] of Object.entries(MIX) as [Kind, number][]) {
    // What changes a memory needs one.
    if ((drawn -= share) < 0) return ids.length === 0 ? "add" : kind;
  }
  return "search";
}

function requestOf(kind: Kind): Uint8Array {
  const index = random.below(ids.length);
  switch (kind) {
    case "search":
      return send("POST", "/v1/memories/search", { query: text(3), user_id: user() });
    case "add":
      return send("POST", "/v1/memories", { content: text(12), user_id: user(), infer: false });
    case "update":
      return send("PUT", `/v1/memories/${ids[index]}`, { content: text(12) });
    case "delete":
      return send("DELETE", `/v1/memories/${ids.splice(index, 1)[0]}`);
    case "document": {
      // A few sources that are replaced over and over, by texts of many lengths.
      const content = `# ${text(4)}\n\n${markdownSections(1 + random.below(20))}`;
      const source_key = `source-${random.below(40)}`;
      return send("POST", "/v1/documents", { content, source_key, user_id: user() });
    }
  }
}

function learn(reply: HttpReply): void {
  ids.push(parseJson(reply).results[0].id);
}

function send(method: string, path: string, body?: unknown): Uint8Array {
  return encodeRequest(method, path, { authorization: `Bearer ${SERVER_KEY}` }, body);
}

function text(words: number): string {
  return Array.from({ length: words }, () => random.pick(WORDS)).join(" ");
}

function user(): string {
  return `user-${random.below(50)}`;
}

function at(times: readonly number[], share: number): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length * share)] ?? NaN;
}

function residentMegabytes(): number {
  const status = readFileSync(`/proc/${server.pid}/status`, "utf8");
  return Number(/^VmRSS:\s+(\d+)/m.exec(status)![1]) / 1024;
}

function openFiles(): number {
  return readdirSync(`/proc/${server.pid}/fd`).length;
}

/** The size of the database, or of the file beside it with this ending. */
function megabytes(ending: string): number {
  return statSync(`${databasePath(directory)}${ending}`).size / 1e6;
}
