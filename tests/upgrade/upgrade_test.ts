/**
 * Upgrades a data directory from every earlier schema and makes sure that every record still reads
 * the same.
 */

import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { runDoctor } from "../../src/server/doctor/doctor.ts";
import { SCHEMA_VERSION } from "../../src/store/sqlite/migrations.ts";
import { databasePath } from "../../src/store/sqlite/store.ts";
import { withServer } from "../../testing/harness.ts";
import { run } from "../../testing/program.ts";
import { makeTempDirSync, rm } from "../../testing/temp_dir.ts";
import type { ApiCaller } from "../uploads/files.ts";
import { fixturePath, unpack } from "./fixture.ts";
import {
  DOCUMENT,
  FILE,
  MEMORIES,
  objectsOf,
  requestJson,
  REWRITTEN,
  schemaOf,
} from "./populate.ts";

/** The first schema with documents, and the first with uploads. */
const FIRST = { documents: 2, uploads: 6 } as const;

const SCHEMAS = Array.from({ length: SCHEMA_VERSION }, (_, index) => index + 1);

function inDatabase<T>(path: string, read: (db: DatabaseSync) => T): T {
  const db = new DatabaseSync(path, { readOnly: true });
  try {
    return read(db);
  } finally {
    db.close();
  }
}

const versionOf = (path: string) =>
  inDatabase(path, (db) => Number(db.prepare("pragma user_version").get()!["user_version"]));

Deno.test("migrations create the same schema as in the fixture for each version", () => {
  for (const schema of SCHEMAS) {
    ok(existsSync(fixturePath(schema)), `no fixture of schema ${schema}; run make_fixtures.ts`);
    const directory = makeTempDirSync();
    unpack(schema, directory);
    const found = inDatabase(databasePath(directory), objectsOf);
    Deno.removeSync(directory, { recursive: true });
    deepStrictEqual(found, schemaOf(schema), `migrations up to ${schema} have changed`);
  }
});

Deno.test("serve upgrades every earlier schema with all its records, after making a copy", async (t) => {
  for (const schema of SCHEMAS) {
    await t.step(`from schema ${schema}`, () =>
      withServer(async (server) => {
        await server.stop();
        await rm(server.directory);
        unpack(schema, server.directory);
        await server.start();
        await checkMemories(server);
        if (schema >= FIRST.documents) await checkDocument(server);
        if (schema >= FIRST.uploads) await checkUpload(server);
        await requestJson(server, "POST", "/v1/memories", {
          user_id: "ana",
          content: "New",
          infer: false,
        });
        await server.stop();
        deepStrictEqual(runDoctor(server.directory).filter((check) => !check.ok), []);
        const path = databasePath(server.directory);
        const upgraded = inDatabase(path, objectsOf);
        deepStrictEqual(upgraded, schemaOf(SCHEMA_VERSION));
        const copy = `${path}.schema-${schema}.bak`;
        strictEqual(existsSync(copy), schema < SCHEMA_VERSION);
        if (schema < SCHEMA_VERSION) strictEqual(versionOf(copy), schema);
        await server.start();
      }));
  }
});

Deno.test("doctor explains what to do about a different schema, and changes nothing", async (t) => {
  const directory = makeTempDirSync();
  try {
    for (const schema of SCHEMAS.slice(0, -1)) {
      await t.step(`schema ${schema}`, async () => {
        const data = join(directory, String(schema));
        unpack(schema, data);
        const { code, stdout, stderr } = await run(["doctor", "--data", data, "--json"]);
        strictEqual(code, 1);
        match(stderr, /^commonplace: 1 of 3 checks failed: schema\n$/);
        const [finding] = JSON.parse(stdout).checks;
        match(
          finding.detail,
          new RegExp(`^version ${schema}, of an older Commonplace; start .serve.`),
        );
        strictEqual(versionOf(databasePath(data)), schema);
      });
    }
    const future = join(directory, "future");
    unpack(SCHEMA_VERSION, future);
    const db = new DatabaseSync(databasePath(future));
    db.exec(`pragma user_version = ${SCHEMA_VERSION + 1}`);
    db.close();
    match(runDoctor(future)[0]!.detail, /of a newer Commonplace/);
  } finally {
    await rm(directory);
  }
});

async function checkMemories(server: ApiCaller): Promise<void> {
  const { results } = await requestJson(server, "GET", "/v1/memories?user_id=ana&limit=100");
  const texts: string[] = results.map(({ memory }: { memory: string }) => memory);
  for (const text of [...MEMORIES, REWRITTEN.to]) {
    strictEqual(texts.filter((other) => other === text).length, 1, `"${text}" appears once`);
  }
  strictEqual(texts.includes("Ana has a dog"), false);
  const idOf = (text: string) =>
    results.find(({ memory }: { memory: string }) => memory === text).id as string;
  const { results: history } = await requestJson(
    server,
    "GET",
    `/v1/memories/${idOf(REWRITTEN.to)}/history`,
  );
  deepStrictEqual(
    history.map(({ event, new_memory }: Record<string, unknown>) => [event, new_memory]),
    [["ADD", REWRITTEN.from], ["UPDATE", REWRITTEN.to]],
  );
  const { feedback } = await requestJson(
    server,
    "GET",
    `/v1/memories/${idOf(MEMORIES[0])}/feedback`,
  );
  strictEqual(feedback.rating, "positive");
  await checkTimes(server, results);
  const query = { query: "bees on the roof", user_id: "ana" };
  const found = await requestJson(server, "POST", "/v1/memories/search", query);
  strictEqual(found.results[0].memory, MEMORIES[0]);
}

/** Checks that a list is ordered by time, and that its scope knows the first and last time. */
async function checkTimes(
  server: ApiCaller,
  results: readonly Record<"id" | "created_at" | "updated_at", string>[],
): Promise<void> {
  const keys = results.map(({ created_at, id }) => `${created_at} ${id}`);
  deepStrictEqual(keys, keys.toSorted().reverse());
  const { total_memories, created_at, updated_at } = await requestJson(
    server,
    "GET",
    "/v1/entities/agent/keeper",
  );
  deepStrictEqual([total_memories, created_at, updated_at], [
    results.length,
    results.at(-1)!.created_at,
    results.map((memory) => memory.updated_at).sort().at(-1),
  ]);
}

async function checkDocument(server: ApiCaller): Promise<void> {
  const { results } = await requestJson(server, "GET", "/v1/documents?source_key=bees.md");
  strictEqual(results.length, 1);
  const { content } = await requestJson(server, "GET", `/v1/documents/${results[0].id}/content`);
  strictEqual(content, DOCUMENT.head);
  const query = { query: "three hives", user_id: "ana" };
  const found = await requestJson(server, "POST", "/v1/documents/search", query);
  strictEqual(found.results[0].document.source_key, "bees.md");
}

async function checkUpload(server: ApiCaller): Promise<void> {
  const { results } = await requestJson(server, "GET", "/v1/documents?source_key=harvest");
  const { content } = await requestJson(server, "GET", `/v1/documents/${results[0].id}/content`);
  strictEqual(content.trim(), FILE);
  const operations = await requestJson(server, "GET", "/v1/operations?kind=document_extract");
  strictEqual(operations.results[0].status, "success");
}
