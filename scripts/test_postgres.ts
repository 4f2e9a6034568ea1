/**
 * Runs the tests that speak to a running service (HTTP, MCP, command line) with PostgreSQL as its
 * engine: all of them, or those of the given files and folders. They share one PostgreSQL server.
 * With `--cluster`, each request goes to another one of three services on one database.
 */

import { memoryFolder, startPostgres } from "../testing/postgres.ts";
import { enableReadySchemas } from "../testing/ready_schemas.ts";
import { startsProcess, testFiles } from "./test_files.ts";

/** Tests that run on SQLite only, and why. */
const EXCLUDED: Readonly<Record<string, string>> = {
  "tests/backup/": "about the files of a data directory, or on both engines already",
  "tests/cli/": "about the command line, most of it without records",
  "tests/clients/": "about clients, which see the same API",
  "tests/cluster/": "on PostgreSQL already",
  "tests/connect/": "about the configuration of clients",
  "tests/contrib/": "about plugins, which see the same API",
  "tests/copies/": "on PostgreSQL already",
  "tests/crash/": "has a campaign for each engine",
  "tests/dashboard/browser_test.ts": "about pages in a browser, which see the same API",
  "tests/dashboard/connections_test.ts": "about pages in a browser, which see the same API",
  "tests/dashboard/documents_test.ts": "about pages in a browser, which see the same API",
  "tests/dashboard/hostile_test.ts": "about pages in a browser, which see the same API",
  "tests/dashboard/memories_test.ts": "about pages in a browser, which see the same API",
  "tests/dashboard/pages_test.ts": "about pages in a browser, which see the same API",
  "tests/dashboard/views_test.ts": "about pages in a browser, which see the same API",
  "tests/docs/": "about the pages of the documentation",
  "tests/documents/crash_test.ts": "about SQLite's write-ahead log",
  "tests/embedding/": "about models, without records",
  "tests/equivalence/": "on both engines already",
  "tests/extraction/": "about file formats, without records",
  "tests/faults/": "about the files of a data directory, or on PostgreSQL already",
  "tests/hostile/campaign_test.ts": "about requests that are refused before the records are read",
  "tests/hostile/descriptors_test.ts": "about the files that a process has open",
  "tests/inference/": "about threads, without records",
  "tests/kernel/": "about permissions and bodies, without records",
  "tests/smoke/": "about installations",
  "tests/store/": "on both engines already",
  "tests/tasks/": "on both engines already",
  "tests/upgrade/": "about SQLite's earlier schemas",
};

const isCluster = Deno.args.includes("--cluster");
const flags = Deno.args.filter((arg) => arg.startsWith("-") && arg !== "--cluster");
if (isCluster) flags.push("--preload=testing/cluster_exclusions.ts");
const paths = Deno.args.filter((arg) => !arg.startsWith("-"));
const all = testFiles().filter((path) =>
  startsProcess(path) && !Object.keys(EXCLUDED).some((prefix) => path.startsWith(prefix))
);
// Each service opens up to 10 connections, and a machine can have many cores.
const server = await startPostgres(["max_connections=500"], memoryFolder());
try {
  await enableReadySchemas(server.url);
  const { code } = await new Deno.Command(Deno.execPath(), {
    args: [
      "test",
      "--quiet",
      "--no-check",
      "--allow-all",
      ...flags,
      ...(paths.length === 0 ? all : paths),
    ],
    env: {
      COMMONPLACE_TEST_ENGINE: isCluster ? "cluster" : "postgres",
      COMMONPLACE_TEST_DATABASE_URL: server.url,
    },
  }).spawn().status;
  Deno.exitCode = code;
} finally {
  await server.close();
}
