/**
 * Runs the tests that speak to a running service (HTTP, MCP, command line) with PostgreSQL as its
 * engine: all of them, or those of the given files and folders. They share one PostgreSQL server.
 */

import { startPostgres } from "../testing/postgres.ts";

/**
 * Tests that speak to a running service. Not among them: what is about files of a data directory
 * (backup, upgrade, crash and fault campaigns, the command line), what has the same records on
 * every engine (the dashboard in a browser, clients, pages of the documentation), and derived views,
 * whose tests mostly wait for the inference engine.
 */
const PATHS = [
  "compat",
  "context",
  "documents",
  "entities",
  "exports",
  "hosted",
  "hostile/tenants_test.ts",
  "http",
  "imports",
  "mcp",
  "memories",
  "oauth",
  "operations",
  "projects",
  "scenarios",
  "search/meaning_test.ts",
  "search/pool_test.ts",
  "search/rare_filter_test.ts",
  "search/unavailable_test.ts",
  "snapshots",
  "uploads",
].map((name) => `tests/${name}`);

/** Tests that read the database file of a killed server. */
const IGNORED = [
  "documents/crash_test.ts",
  "imports/crash_formats_test.ts",
  "imports/crash_test.ts",
  "uploads/crash_test.ts",
].map((name) => `tests/${name}`);

const flags = Deno.args.filter((arg) => arg.startsWith("-"));
const paths = Deno.args.filter((arg) => !arg.startsWith("-"));
const server = await startPostgres();
try {
  const { code } = await new Deno.Command(Deno.execPath(), {
    args: [
      "test",
      "--quiet",
      "--no-check",
      "--allow-all",
      `--ignore=${IGNORED.join(",")}`,
      ...flags,
      ...(paths.length === 0 ? PATHS : paths),
    ],
    env: { COMMONPLACE_TEST_ENGINE: "postgres", COMMONPLACE_TEST_DATABASE_URL: server.url },
  }).spawn().status;
  Deno.exitCode = code;
} finally {
  await server.close();
}
