/**
 * Runs the tests that speak to a running service (HTTP, MCP, command line) with PostgreSQL as its
 * engine: all of them, or those of the given files and folders. They share one PostgreSQL server.
 * With `--cluster`, each request goes to another one of three services on one database.
 */

import { startPostgres } from "../testing/postgres.ts";

/**
 * Tests that speak to a running service. Not among them: what is about files of a data directory
 * (backup, upgrade, crash and fault campaigns, the command line), what has the same records on
 * every engine (the dashboard in a browser, clients, pages of the documentation), and derived views,
 * whose tests mostly wait for the inference engine.
 */
const PATHS = [
  "documents/deletion_test.ts",
  "documents/ingest_test.ts",
  "documents/search_test.ts",
  "documents/staging_test.ts",
  "entities",
  "http",
  "memories",
  "operations/retry_test.ts",
  "projects",
  "scenarios",
  "search/meaning_test.ts",
  "search/pool_test.ts",
  "search/rare_filter_test.ts",
  "search/unavailable_test.ts",
].map((name) => `tests/${name}`);

const isCluster = Deno.args.includes("--cluster");
const flags = Deno.args.filter((arg) => arg.startsWith("-") && arg !== "--cluster");
const paths = Deno.args.filter((arg) => !arg.startsWith("-"));
const server = await startPostgres();
try {
  const { code } = await new Deno.Command(Deno.execPath(), {
    args: [
      "test",
      "--quiet",
      "--no-check",
      "--allow-all",
      ...flags,
      ...(paths.length === 0 ? PATHS : paths),
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
