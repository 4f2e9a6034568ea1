/** Tests that a service refuses PostgreSQL servers that it can't use, with one clear line each. */

import { doesNotMatch, match, strictEqual } from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { unusableReason } from "../../src/store/postgres/server_checks.ts";
import { type PostgresServer, startPostgres } from "../../testing/postgres.ts";
import { run, ServeProcess } from "../../testing/program.ts";
import { makeTempDirSync, rm } from "../../testing/temp_dir.ts";
import { testWith } from "../../testing/tools.ts";

const TOOLS = ["initdb", "setpriv"] as const;

const PASSWORD = "hunter2-secret";

/** Runs `serve`, which has to fail, and returns the line that it prints. */
async function refusal(url: string, environment: Record<string, string> = {}): Promise<string> {
  const directory = makeTempDirSync();
  try {
    const { code, stdout, stderr } = await run(["serve", "--data", directory, "--port", "0"], {
      environment: { COMMONPLACE_DATABASE_URL: url, ...environment },
    });
    strictEqual(code, 1, stderr);
    strictEqual(stdout, "");
    doesNotMatch(stderr, new RegExp(PASSWORD));
    return stderr;
  } finally {
    await rm(directory);
  }
}

/** Returns a server's URL with a password, and another database or port if given. */
function urlOf({ port }: PostgresServer, part: { database?: string; user?: string } = {}): string {
  const { database = "postgres", user = "postgres" } = part;
  return `postgres://${user}:${PASSWORD}@127.0.0.1:${port}/${database}`;
}

/** Settings that a server is refused with. They can be changed while it runs. */
const UNSAFE: readonly (readonly [setting: string, problem: RegExp])[] = [
  ["fsync", /has fsync = off, so a crash could lose acknowledged changes; set fsync = on\n$/],
  ["full_page_writes", /has full_page_writes = off, .*; set full_page_writes = on\n$/],
  ["synchronous_commit", /has synchronous_commit = off, .*; set synchronous_commit = on\n$/],
];

testWith(TOOLS, "serve refuses a PostgreSQL server that could lose changes", async () => {
  const server = await startPostgres();
  try {
    for (const [setting, problem] of UNSAFE) {
      await server.query(`alter system set ${setting} = off`);
      await server.query("select pg_reload_conf()");
      match(await refusal(urlOf(server)), problem);
      await server.query(`alter system reset ${setting}`);
      await server.query("select pg_reload_conf()");
    }
  } finally {
    await server.close();
  }
});

testWith(
  TOOLS,
  "serve refuses a standby, and a database that it can't use, in one line",
  async () => {
    const server = await startPostgres();
    try {
      match(
        await refusal(urlOf(server, { database: "missing" })),
        /^commonplace: Can't use postgres:\/\/127\.0\.0\.1:\d+\/missing\?schema=public: database "missing" does not exist\n$/,
      );
      await server.query("create role reader login");
      await server.query("revoke create on schema public from public");
      match(
        await refusal(urlOf(server, { user: "reader" })),
        /^commonplace: Can't use postgres:\S+: permission denied for [^\n]+\n$/,
      );
      await server.stop("fast");
      writeFileSync(join(server.data, "standby.signal"), "");
      await server.start();
      match(
        await refusal(urlOf(server)),
        /is a read-only standby; connect to the primary server\n$/,
      );
    } finally {
      await server.close();
    }
    match(
      await refusal(urlOf(server)),
      /^commonplace: Can't use postgres:\/\/127\.0\.0\.1:\d+\/postgres\?schema=public: [^\n]*ECONNREFUSED[^\n]*\n$/,
    );
    match(
      await refusal(`mysql://root:${PASSWORD}@127.0.0.1/x`),
      /^commonplace: COMMONPLACE_DATABASE_URL must be a URL such as postgres:\S+\n$/,
    );
  },
);

Deno.test("unusableReason() names versions that are too old, and other encodings", () => {
  const settings = {
    server_version: "15.1",
    server_version_num: "150001",
    server_encoding: "UTF8",
    fsync: "on",
    full_page_writes: "on",
    synchronous_commit: "on",
  };
  strictEqual(unusableReason(settings), null);
  strictEqual(
    unusableReason({ ...settings, server_version: "13.9", server_version_num: "130009" }),
    "PostgreSQL 13.9 is too old; Commonplace requires 14 or later",
  );
  match(unusableReason({ ...settings, server_encoding: "LATIN1" })!, /encoding LATIN1; create/);
});

testWith(
  TOOLS,
  "serve reads the database's URL from a file, and prints its password nowhere",
  async () => {
    const server = await startPostgres();
    const directory = makeTempDirSync();
    try {
      const file = join(directory, "url");
      writeFileSync(file, `${urlOf(server)}?schema=of_a_file\n`);
      const environment = {
        COMMONPLACE_DATABASE_URL_FILE: file,
        COMMONPLACE_LOG_LEVEL: "debug",
      };
      const data = join(directory, "data");
      await using service = await ServeProcess.serve(data, ["--metrics"], { environment });
      const headers = { Authorization: `Bearer ${service.apiKey}` };
      const read = async (path: string) =>
        await (await fetch(service.url + path, { headers })).text();
      const health = await read("/v1/health");
      await server.stop("fast");
      const failed = await read("/v1/memories?user_id=ana");
      match(failed, /STORAGE_UNAVAILABLE/);
      const texts = [health, failed, await read("/metrics"), service.stdout, service.stderr];
      const config = await run(["config"], { environment });
      for (const text of [...texts, config.stdout]) doesNotMatch(text, new RegExp(PASSWORD));
      await server.start();
      const keys = await run(["keys", "list", "--project", "default", "--data", data], {
        environment,
      });
      strictEqual(keys.code, 0, keys.stderr);
      await service.stop();
    } finally {
      await server.close();
      await rm(directory);
    }
  },
);
