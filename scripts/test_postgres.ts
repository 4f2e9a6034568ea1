/**
 * Runs the tests that speak to a running service (HTTP, MCP, command line) with PostgreSQL as its
 * engine: all of them, or those of the given files and folders. They share one PostgreSQL server.
 */

import { startPostgres } from "../testing/postgres.ts";

/** The folders, which test the same rules as on SQLite. */
const FOLDERS = [
  "memories",
  "search",
  "documents",
  "entities",
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
      ...flags,
      ...(paths.length === 0 ? FOLDERS : paths),
    ],
    env: { COMMONPLACE_TEST_ENGINE: "postgres", COMMONPLACE_TEST_DATABASE_URL: server.url },
  }).spawn().status;
  Deno.exitCode = code;
} finally {
  await server.close();
}
