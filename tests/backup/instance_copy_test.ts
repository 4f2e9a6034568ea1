/** Tests `commonplace copy`: an instance moves between both engines without losing anything. */

import { deepStrictEqual, match, ok, rejects, strictEqual } from "node:assert/strict";
import { existsSync, mkdirSync, readdirSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import sql, { raw } from "sql-template-tag";
import { runCommandLine } from "../../src/cli/main.ts";
import { sha256 } from "../../src/kernel/hash.ts";
import { runDoctor } from "../../src/server/doctor/doctor.ts";
import { copyInstance } from "../../src/server/instance_copy/copy_instance.ts";
import { blobPath } from "../../src/store/blobs/folder.ts";
import type { PgAddress } from "../../src/store/postgres/connection.ts";
import { Connection } from "../../src/store/sqlite/connection.ts";
import { databasePath } from "../../src/store/sqlite/store.ts";
import { KEY, type TestServer, withServer } from "../../testing/harness.ts";
import { makeTempDirSync, rm } from "../../testing/temp_dir.ts";
import { testWith } from "../../testing/tools.ts";
import { addExtremes } from "../snapshots/extremes.ts";
import { exportSnapshot, populate } from "../snapshots/snapshots.ts";
import { postgres } from "../store/engines.ts";

const TOOLS = ["initdb", "setpriv"] as const;

const FILE = "An uploaded file";

/** Fills a server with records of most kinds, and with rows that only background work writes. */
async function furnish(service: TestServer): Promise<void> {
  const { call, add, directory, stop } = service;
  await populate(service);
  await exportSnapshot(call);
  const messages = Array.from(
    { length: 300 },
    (_, n) => ({ role: "user", content: `Note ${n} on Straße, Ĝis and 🦊` }),
  );
  const fields = { user_id: "ana", run_id: "r", metadata: { z: 1.5, a: [null, "x"] } };
  await call("POST", "/v1/memories", { body: { messages, infer: false, ...fields } });
  const [kept, gone] = [await add("I live in Lisbon", { user_id: "bo" }), await add("Gone")];
  await call("PUT", `/v1/memories/${kept}`, { body: { content: "I live in Porto" } });
  await call("DELETE", `/v1/memories/${gone}`);
  for (const content of ["# One\n\nTea", '# One\n\nCoffee \\ "quoted", {a,b}, NULL']) {
    const body = { content, source_key: "notes", mime_type: "text/markdown", user_id: "ana" };
    strictEqual((await call("POST", "/v1/documents", { body })).status, 200);
  }
  const headers = { "Idempotency-Key": "once" };
  await call("POST", "/v1/memories", {
    headers,
    body: { content: "Tea", infer: false, user_id: "c" },
  });
  await stop();
  const hash = sha256(FILE);
  const path = blobPath(join(directory, "blobs"), hash);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, FILE);
  const connection = new Connection(databasePath(directory));
  connection.exec(`insert into blob_names values (1, 'task_x', '${hash}', ${FILE.length})`);
  connection.exec(
    "insert into embedding_models (id, dims, position, serving) values ('m', 3, 0, 0)",
  );
  connection.exec("insert into vectors values (1, 1, 0, 1, x'00ff7f')");
  connection.exec(
    "insert into vector_signs (project, model, kind, seq, signs) values (1, 1, 0, 1, x'05')",
  );
  connection.exec("update memories set importance = 0.1 where seq = 2");
  connection.close();
}

/** Returns all rows of a data directory, apart from the search index, and the last numbers. */
function rowsOf(directory: string): Record<string, unknown[]> {
  const connection = new Connection(databasePath(directory), { readOnly: true });
  try {
    const tables = connection.all<{ name: string }>(sql`select name from pragma_table_list
      where schema = 'main' and type = 'table' and name not in ('sqlite_schema', 'chunk_terms')`);
    return Object.fromEntries(
      tables.map(({ name }) => [
        name,
        connection.all(sql`select * from ${raw(name)}`).map((row) => JSON.stringify(row)).sort(),
      ]),
    );
  } finally {
    connection.close();
  }
}

/**
 * Runs a test with a furnished data directory, an empty folder and an empty database.
 *
 * @param addMore adds further records
 */
async function withInstance(
  work: (
    places: { readonly data: string; readonly folder: string; readonly database: PgAddress },
  ) => Promise<void>,
  addMore: (service: TestServer) => Promise<void> = async () => {},
): Promise<void> {
  const folder = makeTempDirSync();
  try {
    await withServer(async (server) => {
      await addMore(server);
      await furnish(server);
      const database = (await postgres()).newSchema();
      try {
        await work({ data: server.directory, folder, database });
      } finally {
        await server.start();
      }
    }, { database: undefined });
  } finally {
    await rm(folder);
  }
}

testWith(TOOLS, "copy moves an instance to PostgreSQL and back, equal row by row", async () => {
  await withInstance(async ({ data, folder, database }) => {
    const before = rowsOf(data);
    const [files, back] = [join(folder, "files"), join(folder, "back")];
    const url = `${database.url}?schema=${database.schema}`;
    const lines: string[] = [];
    const terminal = {
      print: (line: string) => void lines.push(line),
      environment: (name: string) => name === "COMMONPLACE_DATABASE_URL" ? url : undefined,
      confirm: () => null,
    };
    strictEqual(await runCommandLine(["copy", "--from", data, "--data", files], terminal), 0);
    match(lines.join("\n"), /tables +rows +files\n\d+ +\d+ +4$/);
    strictEqual(
      await runCommandLine(["copy", "--from", url, "--to", back, "--data", files], terminal),
      0,
    );
    const after = rowsOf(back);
    deepStrictEqual(Object.keys(after).sort(), Object.keys(before).sort());
    for (const [table, rows] of Object.entries(before)) deepStrictEqual(after[table], rows, table);
    deepStrictEqual(runDoctor(back).filter(({ ok }) => !ok), []);
    ok(existsSync(blobPath(join(back, "blobs"), sha256(FILE))));
    deepStrictEqual(readdirSync(folder).sort(), ["back", "files"]);

    // The database is an instance of its own: its keys, records and numbers continue.
    await withServer(async ({ call, add }) => {
      const body = { query: "Porto", user_id: "bo" };
      const found = await call("POST", "/v1/memories/search", { body, key: KEY });
      strictEqual(found.json.results[0].memory, "I live in Porto");
      const headers = { "Idempotency-Key": "once" };
      const again = { content: "Tea", infer: false, user_id: "c" };
      const replayed = await call("POST", "/v1/memories", { headers, body: again });
      strictEqual(replayed.headers.get("Idempotency-Replayed"), "true");
      await add("One more");
    }, { database });
  }, addExtremes);
});

testWith(TOOLS, "copy refuses a target with records, and leaves it as it is", async () => {
  await withInstance(async ({ data, folder, database }) => {
    await copyInstance({ data }, { data: folder, database });
    await rejects(
      copyInstance({ data }, { data: folder, database }),
      /^InstanceCopyError: postgres:\/\/[^@]+\?schema=\w+ is not empty: there are rows in \w+;/,
    );
    await rejects(copyInstance({ data: folder, database }, { data }), /is not empty/);
    const missing = { data: join(folder, "missing") };
    await rejects(copyInstance(missing, { data: join(folder, "new") }), /not a data directory/);
    strictEqual(existsSync(join(folder, "new")), false);
    const empty = (await postgres()).newSchema();
    await rejects(
      copyInstance({ data, database: empty }, { data: join(folder, "new") }),
      /has no records of Commonplace/,
    );
  });
});

testWith(TOOLS, "copy that fails leaves nothing behind, and can be repeated", async () => {
  await withInstance(async ({ data, folder, database }) => {
    const blob = blobPath(join(data, "blobs"), sha256(FILE));
    renameSync(blob, `${blob}.hidden`);
    const target = { data: join(folder, "files"), database };
    await rejects(
      copyInstance({ data }, target),
      /^InstanceCopyError: File [0-9a-f]+ is missing in the source; no records were copied$/,
    );
    await rejects(copyInstance({ data }, { data: join(folder, "copy") }), /is missing/);
    strictEqual(existsSync(join(folder, "copy")), false);
    writeFileSync(blob, "Something else");
    await rejects(copyInstance({ data }, target), /^InstanceCopyError: File [0-9a-f]+ is damaged/);
    renameSync(`${blob}.hidden`, blob);
    await copyInstance({ data }, target);
    ok(existsSync(blobPath(join(target.data, "blobs"), sha256(FILE))));
  });
});
