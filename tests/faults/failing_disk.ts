/**
 * Runs a server on a failing disk. Repeats the same workloads, each time with the next disk call
 * failing, until every call in each workload has failed. `failing_disk.ts ROOT CONTROL FIRSTS STEP
 * SNAPSHOT` prints the result as JSON. FIRSTS has the first call to fail for each kind of fault.
 */

import { closeSync, openSync, readFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { NO_EMBEDDER } from "../../src/embedding/open.ts";
import { startServer } from "../../src/server/serve.ts";
import { Connection } from "../../src/store/sqlite/connection.ts";
import { databasePath } from "../../src/store/sqlite/store.ts";
import { type ArchiveStep, Archivist } from "../crash/archivist.ts";
import { CrashClient, noStats } from "../crash/client.ts";
import type { COMMAND_DRAWS } from "../crash/commands.ts";
import type { Snapshot } from "../crash/snapshot.ts";
import { Violation } from "../crash/violation.ts";
import { addProjects } from "../../testing/projects.ts";
import { SeededRandom } from "../../testing/seeded_random.ts";
import { SERVER_KEY } from "../../testing/server_process.ts";
import { rm } from "../../testing/temp_dir.ts";
import { type FaultName, type FaultReport, FAULTS } from "./faults.ts";
import { ImportLedger, importOnce } from "./import_ledger.ts";
import { checkDirectory, ClientLedgers } from "./client_ledgers.ts";

const [root, control] = [Deno.args[0]!, Deno.args[1]!];
const firsts = JSON.parse(Deno.args[2]!) as Readonly<Record<FaultName, number>>;
const step = Number(Deno.args[3]);
const snapshot: Snapshot = JSON.parse(readFileSync(Deno.args[4]!, "utf8"));

/** Steps in order. The final ones must succeed once the disk works again. */
interface Workload {
  readonly client?: readonly (keyof typeof COMMAND_DRAWS)[];
  readonly archivist?: readonly ArchiveStep[];
  readonly imports?: true;
  /** How many of the final steps come after the faults. */
  readonly after: number;
  readonly derives?: true;
}

/**
 * Workloads that cover every kind of command. They are separate because each run costs as much as
 * its whole workload, and workloads that load the inference engine or start a child process to read
 * a file cost ten times as much as the others. Large documents are left out because they would
 * double the calls.
 */
const WORKLOADS: readonly Workload[] = [
  {
    client: "add messages update rate batch delete add deleteRun add update delete".split(" ") as (
      keyof typeof COMMAND_DRAWS
    )[],
    after: 3,
  },
  { client: ["add", "infer", "update", "add"], after: 1, derives: true },
  { archivist: ["ingest", "ingest", "remove", "export", "ingest", "ingest", "remove"], after: 2 },
  { archivist: ["upload", "upload", "upload", "ingest"], after: 1 },
  { imports: true, after: 0 },
];

/** A seed that draws only small documents. */
const SEED = 1;

const stats = noStats();
const reports = (Object.keys(firsts) as FaultName[])
  .map((fault): FaultReport => ({ fault, runs: 0, failures: 0, refused: 0, calls: 0 }));
const next = { ...firsts };
let serial = 0;
for (const workload of WORKLOADS) {
  // The first run has no fault and only counts the calls.
  const { calls } = await runWithFaultAt(workload, 0);
  for (const report of reports) await runWithFaults(workload, calls, report);
}
Deno.stdout.writeSync(new TextEncoder().encode(JSON.stringify(reports)));

/** Runs a workload once for each of its calls that is to fail. */
async function runWithFaults(
  workload: Workload,
  calls: number,
  report: FaultReport,
): Promise<void> {
  const { fault } = report;
  for (; next[fault] <= report.calls + calls; next[fault] += step) {
    const at = next[fault] - report.calls;
    const { failed } = await runWithFaultAt(workload, at, report).catch((error: Error) => {
      const steps = stepsOf(workload).join(", ");
      throw new Violation(`${fault} at call ${at} of ${calls} (${steps}): ${error.stack}`);
    });
    if (failed > 0) report.runs++;
    report.failures += failed;
  }
  report.calls += calls;
}

/**
 * Runs a workload with a fault at one call, or without a fault if `at` is 0. Returns how many calls
 * there were and how many failed.
 */
async function runWithFaultAt(
  workload: Workload,
  at: number,
  report?: FaultReport,
): Promise<{ calls: number; failed: number }> {
  const data = join(root, String(serial++));
  const ledgers = new ClientLedgers(new ImportLedger(snapshot));
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
  const record = recorder(ledgers, report);
  const worker = await createWorker(workload, data, record);
  if (workload.derives === undefined) disableDerivation(data);
  setFault(at, report?.fault);
  let remaining = stepsOf(workload).length - workload.after;
  await worker.work(server.url, {
    onAcknowledged: () => remaining--,
    shouldContinue: () => remaining > 0,
    restoreStorage: () => readCounts().failed > 0 && setFault(0),
  });
  const { calls, failed } = readCounts();
  setFault(0);
  // There is no restart. Once the disk accepts writes again, the service must accept them too.
  remaining = workload.after;
  await worker.work(server.url, {
    onAcknowledged: () => remaining--,
    shouldContinue: () => remaining > 0,
  });
  await server.stop();
  await checkDirectory(data, ledgers);
  await rm(data);
  return { calls, failed };
}

function stepsOf({ client, archivist }: Workload): readonly string[] {
  return client ?? archivist ?? ["import"];
}

/**
 * Returns a client that makes the same choices in every run, unless a choice depends on an earlier
 * failure.
 */
async function createWorker(
  { client, imports, archivist }: Workload,
  data: string,
  record: Recorder,
): Promise<Pick<CrashClient, "work">> {
  const random = new SeededRandom(SEED);
  if (client !== undefined) {
    return new CrashClient("c0", random, stats, record("c0"), client);
  }
  if (imports === undefined) {
    return new Archivist("a0", random, record("a0"), archivist);
  }
  const [project] = await addProjects(data, 1, "import");
  return {
    async work(url, { onAcknowledged, shouldContinue, restoreStorage }) {
      if (shouldContinue?.() === false) return;
      await importOnce(url, snapshot, project!, record("import"), restoreStorage);
      onAcknowledged();
    },
  };
}

/** Turns off derived views, because their disk calls come at unpredictable moments. */
function disableDerivation(data: string): void {
  const db = new Connection(databasePath(data));
  db.exec("update projects set derivation = 0");
  db.close();
}

/** Returns the function that records what a client sends and receives. */
type Recorder = (client: string) => (note: object) => void;

function recorder(ledgers: ClientLedgers, report: FaultReport | undefined): Recorder {
  return (client) => (note) => {
    if (report !== undefined && "refused" in note) report.refused++;
    ledgers.record(JSON.stringify({ client, note }));
  };
}

/**
 * Sets which call fails from now on and how, or none if 0. Setting a call also resets the failure
 * count.
 */
function setFault(at: number, fault: FaultName = "EIO once"): void {
  const { error, half, lasts } = FAULTS[fault];
  const { failed } = readCounts();
  const words = new Uint32Array([at, error, half, lasts, 0, at === 0 ? failed : 0]);
  const file = openSync(control, "r+");
  writeSync(file, new Uint8Array(words.buffer), 0, words.byteLength, 0);
  closeSync(file);
}

function readCounts(): { calls: number; failed: number } {
  const words = new Uint32Array(new Uint8Array(readFileSync(control)).buffer);
  return { calls: words[4]!, failed: words[5]! };
}
