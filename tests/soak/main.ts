/**
 * `deno task soak --minutes N [--rate R]`: a server under a steady load, watched for what grows:
 * memory, the log of the database, waiting times. The default rate is a quarter of what one client
 * after another is answered on two busy cores, so that the machine is never the limit.
 */

import { readFileSync, statSync } from "node:fs";
import { parseArgs } from "node:util";
import { databasePath } from "../../src/store/sqlite/store.ts";
import { encodeRequest, HttpConnection } from "../connection.ts";
import { SeededRandom } from "../random.ts";
import { SERVER_KEY, ServerProcess } from "../server_process.ts";
import { makeTempDirSync, rm } from "../temporary.ts";

const { values } = parseArgs({
  args: Deno.args,
  options: {
    minutes: { type: "string", default: "10" },
    rate: { type: "string", default: "40" },
  },
});
const [minutes, rate] = [Number(values.minutes), Number(values.rate)];
const print = (text: string) => Deno.stdout.writeSync(new TextEncoder().encode(text + "\n"));

/** The soak is told in so many parts of equal length. */
const PARTS = 10;

const WORDS = "lisbon winter allergy deadline violin harbour invoice espresso marathon".split(" ");
const random = new SeededRandom(7);
const directory = makeTempDirSync();
const server = await ServerProcess.start(directory, { logLevel: "error" });
try {
  const line = await HttpConnection.open(server.url);
  print(`${minutes} minutes, ${rate} requests a second`);
  print("part  memories  RSS MB  WAL MB  add p50  add p99  search p50  search p99  (ms)");
  let added = 0;
  for (let part = 1; part <= PARTS; part++) {
    const times = { add: [] as number[], search: [] as number[] };
    const ends = performance.now() + minutes * 60_000 / PARTS;
    for (let next = performance.now(); next < ends; next += 1_000 / rate) {
      const wait = next - performance.now();
      if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
      const kind = random.chance(0.5) ? "add" : "search";
      // From when it was due: a server that stalls makes everyone behind wait too.
      const reply = await line.send(kind === "add" ? add() : search());
      if (reply.status !== 200) throw new Error(`${kind} answered ${reply.status}`);
      times[kind].push(performance.now() - next);
      if (kind === "add") added++;
    }
    const shown = [times.add, times.search].flatMap((each) => [at(each, 0.5), at(each, 0.99)]);
    const sizes = [residentMegabytes(), walMegabytes()].map((size) => size.toFixed(1));
    print([part, added, ...sizes, ...shown.map((ms) => ms.toFixed(1))].join("  "));
  }
  line.close();
} finally {
  await server.stop();
  await rm(directory);
}

function send(path: string, body: unknown): Uint8Array {
  return encodeRequest("POST", path, { authorization: `Bearer ${SERVER_KEY}` }, body);
}

function text(words: number): string {
  return Array.from({ length: words }, () => random.pick(WORDS)).join(" ");
}

function user(): string {
  return `user-${random.below(50)}`;
}

function add(): Uint8Array {
  return send("/v1/memories", { content: text(12), user_id: user(), infer: false });
}

function search(): Uint8Array {
  return send("/v1/memories/search", { query: text(3), user_id: user() });
}

function at(times: readonly number[], share: number): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length * share)] ?? NaN;
}

function residentMegabytes(): number {
  const status = readFileSync(`/proc/${server.pid}/status`, "utf8");
  return Number(/^VmRSS:\s+(\d+)/m.exec(status)![1]) / 1024;
}

function walMegabytes(): number {
  return statSync(`${databasePath(directory)}-wal`).size / 1e6;
}
