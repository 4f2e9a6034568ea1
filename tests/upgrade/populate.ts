/** Fills the fixtures, and checks their content after an upgrade. */

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { strictEqual } from "node:assert/strict";
import type { ApiCaller, TestFile } from "../uploads/files.ts";
import { bytesOf } from "../uploads/files.ts";
import { waitUntil } from "../../testing/wait_until.ts";

const MIGRATIONS = join(import.meta.dirname!, "../../migrations/sqlite");

/** The memory texts in every schema's fixture. */
export const MEMORIES = ["Ana keeps bees on the roof", "Ana lives in Lisbon"] as const;

/** A memory that was rewritten. */
export const REWRITTEN = { from: "Ana plays the viola", to: "Ana plays the violin" } as const;

/** A document with two versions. The second one is the head. */
export const DOCUMENT = { first: "# Bees\n\nTwo hives", head: "# Bees\n\nThree hives" } as const;

/** The text of an uploaded file. */
export const FILE = "The harvest of the roof was nine jars.";

/** Returns a schema's objects, as created by the current migrations. */
export function schemaOf(version: number): { name: string; sql: string }[] {
  const db = new DatabaseSync(":memory:");
  const files = readdirSync(MIGRATIONS).sort().slice(0, version);
  for (const file of files) db.exec(readFileSync(join(MIGRATIONS, file), "utf8"));
  const objects = objectsOf(db);
  db.close();
  return objects;
}

/** Returns a database's objects that have a definition, ordered by name. */
export function objectsOf(db: DatabaseSync): { name: string; sql: string }[] {
  return db.prepare("select name, sql from sqlite_schema where sql is not null order by name")
    .all() as { name: string; sql: string }[];
}

/** Stores one record of every kind through the API. */
export async function populate(
  server: ApiCaller,
  upload: (file: TestFile) => Promise<unknown>,
): Promise<void> {
  const scope = { user_id: "ana", agent_id: "keeper" };
  const add = async (content: string) => {
    const body = { ...scope, content, infer: false, metadata: { kept: true } };
    return (await requestJson(server, "POST", "/v1/memories", body)).results[0].id as string;
  };
  const [bees] = [await add(MEMORIES[0]), await add(MEMORIES[1])];
  const rewritten = await add(REWRITTEN.from);
  await requestJson(server, "PUT", `/v1/memories/${rewritten}`, { content: REWRITTEN.to });
  await requestJson(server, "DELETE", `/v1/memories/${await add("Ana has a dog")}`);
  await requestJson(server, "POST", `/v1/memories/${bees}/feedback`, {
    rating: "positive",
    reason: "kept",
  });
  for (const content of [DOCUMENT.first, DOCUMENT.head]) {
    const body = { ...scope, content, source_key: "bees.md", mime_type: "text/markdown" };
    await requestJson(server, "POST", "/v1/documents", body);
  }
  const inferred = { ...scope, content: "I was born in Porto" };
  const headers = { "idempotency-key": "inferred" };
  strictEqual((await server.call("POST", "/v1/memories", { body: inferred, headers })).status, 202);
  await upload({ bytes: bytesOf(FILE), fields: { ...scope, source_key: "harvest" } });
  await waitUntil(
    () => server.call("GET", "/v1/health"),
    ({ json }) => json.tasks.pending === 0 && json.projections.derived_pending === 0,
  );
}

/** Sends a request, expects a 200 and returns the JSON. */
export async function requestJson(
  server: ApiCaller,
  method: string,
  path: string,
  body?: unknown,
  // deno-lint-ignore no-explicit-any -- tests assert the shape that they read
): Promise<any> {
  const reply = await server.call(method, path, body === undefined ? {} : { body });
  strictEqual(reply.status, 200, `${method} ${path}: ${reply.text}`);
  return reply.json;
}
