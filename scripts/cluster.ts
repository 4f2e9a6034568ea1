/**
 * `deno task cluster [--processes N] [--port N]`: starts PostgreSQL, several services on one database
 * and a balancer on this machine, to see them work together. Ends, and deletes everything, on
 * Ctrl-C.
 */

import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { type Balancer, startBalancer } from "../testing/balancer.ts";
import { clusterDirectories } from "../testing/cluster.ts";
import { useTestDatabase } from "../testing/engine.ts";
import { startPostgres } from "../testing/postgres.ts";
import { ServeProcess } from "../testing/program.ts";
import { makeTempDirSync, rm } from "../testing/temp_dir.ts";

const { values } = parseArgs({
  args: Deno.args,
  options: {
    processes: { type: "string", default: "3" },
    port: { type: "string", default: "8420" },
  },
});
const print = (line: string) => void Deno.stdout.writeSync(new TextEncoder().encode(`${line}\n`));
const embedder = Deno.env.get("COMMONPLACE_EMBEDDER") ?? "minilm";

const stopped = Promise.withResolvers<void>();
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  Deno.addSignalListener(signal, () => stopped.resolve());
}
const server = await startPostgres();
const directory = makeTempDirSync();
const address = server.newSchema();
const services: ServeProcess[] = [];
let balancer: Balancer | undefined;
try {
  const { directories, blobs } = clusterDirectories(directory, Number(values.processes));
  const environment = {
    COMMONPLACE_EMBEDDER: embedder,
    COMMONPLACE_BLOB_URL: pathToFileURL(blobs).href,
  };
  for (const data of directories) {
    useTestDatabase(data, address);
    services.push(await ServeProcess.serve(data, [], { environment }));
  }
  balancer = await startBalancer(services.map(({ url }) => url), Number(values.port));
  print(`API key  ${services[0]!.apiKey}`);
  print(`Dashboard  ${services[0]!.dashboardUrl.replace(services[0]!.url, balancer.url)}`);
  print(`PostgreSQL  ${address.url}?schema=${address.schema}`);
  for (const { url, pid } of services) print(`process ${pid}  ${url}`);
  print(`balancer listening on ${balancer.url}`);
  await stopped.promise;
} finally {
  await balancer?.close();
  for (const service of services) await service[Symbol.asyncDispose]();
  await server.close();
  await rm(directory);
}
