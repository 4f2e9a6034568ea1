/**
 * A server on a disk that fails: the same work again and again, each time with the next call to the
 * disk failing, until a run sees no failure. `failing_disk.ts ROOT CONTROL FAULT FIRST STEP`; prints
 * what came of it as JSON.
 */

import { closeSync, openSync, readFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { NO_EMBEDDER } from "../../src/embedding/open.ts";
import { startServer } from "../../src/server/serve.ts";
import { Archivist } from "../crash/archivist.ts";
import { CrashClient, type Tally } from "../crash/client.ts";
import { Violation } from "../crash/violation.ts";
import { SeededRandom } from "../random.ts";
import { SERVER_KEY } from "../server_process.ts";
import { rm } from "../temporary.ts";
import { type FaultName, type FaultRun, FAULTS } from "./faults.ts";
import { checkDirectory, Told } from "./told.ts";

const [root, control, fault] = [Deno.args[0]!, Deno.args[1]!, Deno.args[2] as FaultName];
const [first, step] = [Number(Deno.args[3]), Number(Deno.args[4])];

/** The work: every kind of command once, but a large document, which alone would double the calls. */
const SCRIPT = {
  client: ["add", "messages", "update", "rate", "infer", "batch", "delete", "add", "deleteRun"],
  archivist: ["ingest", "ingest", "upload", "upload", "upload", "remove", "export", "ingest"],
} as const;

/** Commands after the faults, when all of them must succeed. */
const AFTER = 3;

/** Draws small documents only. */
const SEED = 1;

const tally: Tally = { acknowledged: 0, inDoubtDone: 0, inDoubtNotDone: 0, replays: 0, twins: 0 };
const report: FaultRun = { fault, runs: 0, failures: 0, refused: 0, calls: 0 };
// The first run sees no fault, and tells how many calls there are.
for (let at = 0; at <= report.calls; at = at === 0 ? first : at + step) {
  const failed = await runAt(at).catch((error: Error) => {
    throw new Violation(`${fault} at call ${at} of ${report.calls}: ${error.stack}`);
  });
  if (failed > 0) report.runs++;
  report.failures += failed;
}
Deno.stdout.writeSync(new TextEncoder().encode(JSON.stringify(report)));

/** One run of the work; answers how many calls failed. */
async function runAt(at: number): Promise<number> {
  const data = join(root, String(at));
  const told = new Told();
  const server = await startServer({
    data,
    host: "127.0.0.1",
    port: 0,
    logLevel: "off",
    metrics: false,
    apiKey: SERVER_KEY,
    embedder: NO_EMBEDDER,
    searchMemoryBytes: 2 ** 20,
  }, () => {});
  // The same choices in every run, as far as they don't hang on what failed before.
  const [chance, note] = [() => new SeededRandom(SEED), noteOf(told)];
  const client = new CrashClient("c0", chance(), tally, note("c0"), SCRIPT.client);
  const archivist = new Archivist("a0", chance(), note("a0"), SCRIPT.archivist);
  order(at);
  for (
    const [worker, script] of [[client, SCRIPT.client], [archivist, SCRIPT.archivist]] as const
  ) {
    let left: number = script.length;
    await worker.work(server.url, {
      acknowledged: () => left--,
      more: () => left > 0,
      relieve: () => counted().failed > 0 && order(0),
    });
  }
  const { calls, failed } = counted();
  order(0);
  if (at === 0) report.calls = calls;
  // Without a restart: what the disk takes again, the service takes again.
  for (const worker of [client, archivist]) {
    let left = AFTER;
    await worker.work(server.url, { acknowledged: () => left--, more: () => left > 0 });
  }
  await server.stop();
  await checkDirectory(data, told);
  await rm(data);
  return failed;
}

function noteOf(told: Told) {
  return (client: string) => (note: object) => {
    if ("refused" in note) report.refused++;
    told.hear(JSON.stringify({ client, note }));
  };
}

/** Orders a fault at a call from now on, or none; the count of failures begins anew with one. */
function order(at: number): void {
  const { error, half, lasts } = FAULTS[fault];
  const { failed } = counted();
  const words = new Uint32Array([at, error, half, lasts, 0, at === 0 ? failed : 0]);
  const file = openSync(control, "r+");
  writeSync(file, new Uint8Array(words.buffer), 0, words.byteLength, 0);
  closeSync(file);
}

function counted(): { calls: number; failed: number } {
  const words = new Uint32Array(new Uint8Array(readFileSync(control)).buffer);
  return { calls: words[4]!, failed: words[5]! };
}
