/**
 * A program whose writes are recorded. It consists of a server in this process, and of clients that
 * write each event they observe through the same library, so that events and writes are in order.
 * `workload.ts ROOT SEED COMMANDS SNAPSHOT`.
 */

import { openSync, readFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { NO_EMBEDDER } from "../../src/embedding/open.ts";
import { startServer } from "../../src/server/serve.ts";
import { Archivist } from "../crash/archivist.ts";
import { CrashClient, noStats } from "../crash/client.ts";
import { addProjects } from "../../testing/projects.ts";
import { SeededRandom } from "../../testing/seeded_random.ts";
import { SERVER_KEY } from "../../testing/server_process.ts";
import { importOnce } from "./import_ledger.ts";

const [root, seed, commands] = [Deno.args[0]!, Number(Deno.args[1]), Number(Deno.args[2])];
const marks = openSync(join(root, "marks"), "w");
const mark = (client: string) => (note: unknown) =>
  void writeSync(marks, new TextEncoder().encode(JSON.stringify({ client, note })));

const server = await startServer({
  data: join(root, "data"),
  host: "127.0.0.1",
  port: 0,
  logLevel: "off",
  metrics: false,
  apiKey: SERVER_KEY,
  embedder: NO_EMBEDDER,
  searchMemoryBytes: 2 ** 20,
}, () => {});
mark("server")("started");

const random = new SeededRandom(seed);
const drawRandom = () => new SeededRandom(random.below(2 ** 32));
const stats = noStats();
const clients = [
  ...["c0", "c1"].map((name) => new CrashClient(name, drawRandom(), stats, mark(name))),
  new Archivist("a0", drawRandom(), mark("a0")),
];
const [project] = await addProjects(join(root, "data"), 1, "import");
const snapshot = JSON.parse(readFileSync(Deno.args[3]!, "utf8"));
await Promise.all([
  ...clients.map((client) => {
    let remaining = commands;
    return client.work(server.url, {
      onAcknowledged: () => remaining--,
      shouldContinue: () => remaining > 0,
    });
  }),
  importOnce(server.url, snapshot, project!, mark("import")),
]);
await server.stop();
