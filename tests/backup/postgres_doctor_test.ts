/** Tests `doctor` on PostgreSQL: it finds damage to the records, the files and the search copy. */

import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { COPY_FOLDER } from "../../src/copies/copies.ts";
import type { CheckResult } from "../../src/server/doctor/doctor.ts";
import { runPostgresDoctor } from "../../src/server/doctor/postgres.ts";
import type { PgAddress } from "../../src/store/postgres/connection.ts";
import { Connection } from "../../src/store/sqlite/connection.ts";
import { databasePath } from "../../src/store/sqlite/store.ts";
import { NO_EMBEDDER } from "../../src/embedding/open.ts";
import { type TestServer, withServer } from "../../testing/harness.ts";
import { testWith } from "../../testing/tools.ts";
import { postgres } from "../store/engines.ts";

const TOOLS = ["initdb", "setpriv"] as const;

/** Runs a test with records in a new schema, and a search copy of them. */
async function withRecords(
  work: (service: TestServer, address: PgAddress) => Promise<void>,
): Promise<void> {
  const address = (await postgres()).newSchema();
  await withServer(async (service) => {
    const { add, call } = service;
    for (const text of ["I keep bees", "I live in Lisbon", "I play the oboe"]) await add(text);
    for (const content of ["# One\n\nTea", "# One\n\nCoffee"]) {
      const body = { content, source_key: "notes", mime_type: "text/markdown", user_id: "ana" };
      strictEqual((await call("POST", "/v1/documents", { body })).status, 200);
    }
    await service.waitForEmbeddings();
    await search(service);
    await work(service, address);
  }, { database: address, embedder: { ...NO_EMBEDDER, name: "minilm" } });
}

async function search({ call }: TestServer): Promise<void> {
  const body = { query: "Who keeps bees?", user_id: "ana" };
  strictEqual((await call("POST", "/v1/memories/search", { body })).status, 200);
}

/** Returns the checks that failed, with their details. */
async function failures({ directory }: TestServer, address: PgAddress): Promise<CheckResult[]> {
  return (await runPostgresDoctor({ directory, database: address })).filter((check) => !check.ok);
}

testWith(
  TOOLS,
  "doctor finds nothing wrong on PostgreSQL, with or without a current copy",
  async () => {
    await withRecords(async (service, address) => {
      deepStrictEqual(await failures(service, address), []);
      // The copy is behind now.
      const id = await service.add("I moved to Porto");
      await service.add("I sold the oboe");
      await service.call("PUT", `/v1/memories/${id}`, { body: { content: "I moved to Faro" } });
      const [{ id: gone }] = (await service.call("GET", "/v1/memories?user_id=ana")).json.results;
      await service.call("DELETE", `/v1/memories/${gone}`);
      await service.waitForEmbeddings();
      deepStrictEqual(await failures(service, address), []);
      await search(service);
      deepStrictEqual(await failures(service, address), []);
    });
  },
);

/** Damage to the records, and what the doctor says about it. */
const DAMAGE: readonly (readonly [statement: string, check: string, detail: RegExp])[] = [
  ["update scope_totals set total_memories = 7 where type = 'user'", "totals", /user "ana" is 7/],
  [
    "delete from chunks where version = (select max(seq) from document_versions)",
    "chunks",
    /chunks, expected/,
  ],
  ["insert into blob_names values (1, 'x', repeat('a', 64), 1)", "blobs", /a{64} is missing/],
  ["delete from vectors where kind = 0", "vectors", /row \d+ of memories has no vector/],
];

/** Damage to the search copy. */
const COPY_DAMAGE: readonly (readonly [statement: string, detail: RegExp])[] = [
  ["update memories set memory = 'I keep wasps' where seq = 1", /memory 1 \(mem_\w+\) differs/],
  ["delete from memories where seq = 2", /memory 2 \(mem_\w+\) is missing/],
  ["delete from vectors where kind = 0 and seq = 3", /vector 3 \(mem_\w+\) is missing/],
  ["update chunks set content = 'x'", /chunk \d+ \(doc_\w+\) differs/],
];

testWith(TOOLS, "doctor finds damage to the records in PostgreSQL", async () => {
  const server = await postgres();
  await withRecords(async (service, address) => {
    await service.stop();
    for (const [statement, check, detail] of DAMAGE) {
      await server.query(`set search_path to ${address.schema}; ${statement}`);
      const found = (await failures(service, address)).find(({ name }) => name === check);
      ok(found !== undefined, statement);
      match(found.detail, detail);
    }
    await service.start();
  });
});

testWith(TOOLS, "doctor finds differences between the search copy and the records", async () => {
  await withRecords(async (service, address) => {
    await service.stop();
    const path = databasePath(join(service.directory, COPY_FOLDER));
    const intact = readFileSync(path);
    const found: CheckResult[][] = [];
    for (const [statement] of COPY_DAMAGE) {
      const copy = new Connection(path);
      copy.exec(statement);
      copy.close();
      found.push(await failures(service, address));
      writeFileSync(path, intact);
    }
    await service.start();
    COPY_DAMAGE.forEach(([, detail], index) => {
      deepStrictEqual(found[index]!.map(({ name }) => name), ["search copy"]);
      match(found[index]![0]!.detail, detail);
    });
  });
});

testWith(TOOLS, "doctor names a server that can't be reached", async () => {
  const [check] = await runPostgresDoctor({
    directory: "/nowhere",
    database: { url: "postgres://x:secret@127.0.0.1:1/y", schema: "z" },
  });
  strictEqual(check!.ok, false);
  match(check!.detail, /^Can't use postgres:\/\/127\.0\.0\.1:1\/y\?schema=z: .*ECONNREFUSED/);
});
