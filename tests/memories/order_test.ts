/** Tests that lists begin with the newest memory, whenever it was written. */

import { deepStrictEqual, strictEqual } from "node:assert/strict";
import sql from "sql-template-tag";
import { type TestServer, withServer } from "../../testing/harness.ts";
import { queryRecords } from "../../testing/engine.ts";
import { Cursors } from "../../src/kernel/http/cursor.ts";
import { importFile } from "../imports/imports.ts";

interface Listed {
  readonly id: string;
  readonly memory: string;
  readonly created_at: string;
}

/** From the oldest to the newest. The first two are of the same time. */
const IMPORTED = [
  { memory: "Ana kept bees in Porto", created_at: "2024-02-01T10:00:00Z" },
  { memory: "Ana kept bees in Faro", created_at: "2024-02-01T10:00:00Z" },
  { memory: "Ana kept bees in Braga", created_at: "2024-08-01T10:00:00Z" },
] as const;

/** Adds a memory, imports older ones in no particular order, and adds another one. */
async function addAndImport(server: TestServer): Promise<void> {
  await server.add("Ana keeps bees in Lisbon");
  const file = [2, 0, 1].map((index) => ({ id: `${index}`, user_id: "ana", ...IMPORTED[index]! }));
  await importFile(server.call, "mem0", JSON.stringify(file));
  await server.add("Ana keeps bees in Evora");
}

/** Returns a list's memories, one per page. */
async function pages(server: TestServer, path: string): Promise<Listed[]> {
  const listed: Listed[] = [];
  for (let cursor = "";;) {
    const { json } = await server.call("GET", `${path}&limit=1${cursor}`);
    listed.push(...json.results);
    if (json.next_cursor === null) return listed;
    cursor = `&cursor=${json.next_cursor}`;
  }
}

const towns = (memories: readonly Listed[]) =>
  memories.map(({ memory }) => memory.split(" ").at(-1)!);

/** Returns the order that each list must have: by time, then by id. */
function byTime(memories: readonly Listed[]): readonly Listed[] {
  const key = ({ created_at, id }: Listed) => `${created_at} ${id}`;
  return memories.toSorted((a, b) => key(a) < key(b) ? 1 : -1);
}

Deno.test("GET /v1/memories lists imported memories by their own times, and then by id", async () => {
  await withServer(async (server) => {
    await addAndImport(server);
    const listed = await pages(server, "/v1/memories?user_id=ana");
    deepStrictEqual(towns(listed).slice(0, 3), ["Evora", "Lisbon", "Braga"]);
    deepStrictEqual(towns(listed).slice(3).sort(), ["Faro", "Porto"]);
    deepStrictEqual(listed, byTime(listed));
    const body = { user_id: "ana" };
    const queried = (await server.call("POST", "/v1/memories/query", { body })).json.results;
    deepStrictEqual(listed.map(({ id }) => id), queried.map(({ id }: Listed) => id));
    const { results } = (await server.call("GET", "/v1/memories?user_id=ana")).json;
    deepStrictEqual(results, listed);
  });
});

Deno.test("POST /v1/memories/search returns imported memories by their own times if the newest come first", async () => {
  await withServer(async (server) => {
    await addAndImport(server);
    for (const order of [{ sort_by: "recent" }, { mode: "recent" }]) {
      const body = { query: "Ana bees", user_id: "ana", ...order };
      const { results } = (await server.call("POST", "/v1/memories/search", { body })).json;
      deepStrictEqual(towns(results).slice(0, 3), ["Evora", "Lisbon", "Braga"]);
      deepStrictEqual(results, byTime(results));
    }
  });
});

Deno.test("GET /v1/entities/{type}/{id} keeps its times right while an import's memories are deleted", async () => {
  await withServer(async (server) => {
    await addAndImport(server);
    let remaining: (Listed & { readonly updated_at: string })[] =
      (await server.call("GET", "/v1/memories?user_id=ana")).json.results;
    // The second oldest one gets the last change of the scope.
    const changed = remaining.at(-2)!;
    await server.call("PUT", `/v1/memories/${changed.id}`, { body: { importance: 0.9 } });
    for (const doomed of [remaining.at(-1)!, remaining[0]!, changed, remaining[1]!]) {
      await server.call("DELETE", `/v1/memories/${doomed.id}`);
      remaining = (await server.call("GET", "/v1/memories?user_id=ana")).json.results;
      const { created_at, updated_at } = (await server.call("GET", "/v1/entities/user/ana")).json;
      deepStrictEqual({ created_at, updated_at }, {
        created_at: remaining.at(-1)!.created_at,
        updated_at: remaining.map((memory) => memory.updated_at).sort().at(-1),
      });
    }
  });
});

Deno.test("GET /v1/memories refuses a cursor from before lists were ordered by time", async () => {
  await withServer(async (server) => {
    await addAndImport(server);
    const [secret] = await queryRecords<{ value: string }>(
      server.directory,
      sql`select value from meta where name = 'secret'`,
    );
    const [project] = await queryRecords<{ number: number }>(
      server.directory,
      sql`select number from projects where name = 'default'`,
    );
    const list = ["memories", project!.number, "ana", null, null];
    const cursor = new Cursors(secret!.value).encode(list, [3]);
    const reply = await server.call("GET", `/v1/memories?user_id=ana&cursor=${cursor}`);
    strictEqual(reply.json.code, "INVALID_REQUEST");
    strictEqual(reply.status, 400);
  });
});
