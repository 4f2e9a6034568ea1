/** Tests of several servers on one database. Each request goes to another one of three. */

import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { isDeepStrictEqual } from "node:util";
import sql from "sql-template-tag";
import { NO_EMBEDDER } from "../../src/embedding/open.ts";
import type { Health } from "../../src/health/schema.ts";
import type { ServerConfig } from "../../src/server/config.ts";
import { startCluster } from "../../testing/cluster.ts";
import { queryRecords, removeTestDatabase, useTestDatabase } from "../../testing/engine.ts";
import { call, KEY, type Reply, type RequestOptions } from "../../testing/harness.ts";
import { type PostgresServer, startPostgres } from "../../testing/postgres.ts";
import { ServerProcess } from "../../testing/server_process.ts";
import { makeTempDirSync, rm } from "../../testing/temp_dir.ts";
import { testWith } from "../../testing/tools.ts";
import { waitUntil } from "../../testing/wait_until.ts";
import { announce, bytesOf, complete, put, waitForOperation } from "../uploads/files.ts";

const TOOLS = ["initdb", "setpriv"] as const;

/** What a project's key can see of the search copies. */
const COPY_FIELDS = ["filling", "current_at"];

let server: PostgresServer | undefined;

Deno.test.afterAll(async () => await server?.close());

type Send = (method: string, path: string, options?: RequestOptions) => Promise<Reply>;

/** Runs a test with three servers. `sends` has one function for each of them. */
async function withCluster(
  work: (sends: readonly [Send, Send, Send]) => Promise<void>,
): Promise<void> {
  server ??= await startPostgres();
  const directory = makeTempDirSync();
  const config: ServerConfig = {
    data: directory,
    database: server.newSchema(),
    host: "127.0.0.1",
    port: 0,
    logLevel: "off",
    metrics: false,
    apiKey: KEY,
    embedder: NO_EMBEDDER,
    searchMemoryBytes: 2 ** 24,
  };
  const cluster = await startCluster(config);
  try {
    const [first, second, third] = cluster.servers.map(({ url }): Send => {
      return (method, path, options = {}) => call(url, method, path, options);
    });
    await work([first!, second!, third!]);
  } finally {
    await cluster.stop();
    await rm(directory);
  }
}

function testCluster(name: string, work: Parameters<typeof withCluster>[0]): void {
  testWith(TOOLS, name, () => withCluster(work));
}

testCluster(
  "what one server acknowledges, the others return, find, replay and delete",
  async ([first, second, third]) => {
    const body = { content: "Ana keeps bees in Graz", user_id: "ana", infer: false };
    const options = { body, headers: { "Idempotency-Key": "bees" } };
    const added = await first("POST", "/v1/memories", options);
    strictEqual(added.status, 200);
    const [{ id }] = added.json.results;
    const search = { body: { query: "bees", user_id: "ana" } };
    for (const send of [second, third]) {
      strictEqual((await send("GET", `/v1/memories/${id}`)).json.memory, body.content);
      const found = await send("POST", "/v1/memories/search", search);
      deepStrictEqual(found.json.results.map((memory: { id: string }) => memory.id), [id]);
      const again = await send("POST", "/v1/memories", options);
      deepStrictEqual([again.text, again.headers.get("idempotency-replayed")], [
        added.text,
        "true",
      ]);
    }
    strictEqual((await second("DELETE", `/v1/memories/${id}`)).status, 200);
    for (const send of [first, third]) {
      strictEqual((await send("GET", `/v1/memories/${id}`)).status, 404);
      deepStrictEqual((await send("POST", "/v1/memories/search", search)).json.results, []);
    }
  },
);

testCluster("the same command sent to all servers at once is executed once", async (sends) => {
  const body = { content: "Ana moved to Linz", user_id: "ana", infer: false };
  const headers = { "Idempotency-Key": "moved" };
  const replies = await Promise.all(
    sends.map((send) => send("POST", "/v1/memories", { body, headers })),
  );
  deepStrictEqual(replies.map(({ text }) => text), Array(3).fill(replies[0]!.text));
  const { json } = await sends[1]("GET", "/v1/memories?user_id=ana");
  strictEqual(json.results.length, 1);
});

testCluster(
  "a file is announced to one server, sent to another one and completed at a third",
  async ([first, second, third]) => {
    const file = { bytes: bytesOf("Wooden boats are built in the harbour of Rovinj.\n") };
    const { source_asset: { id, operation_id } } = await announce({ call: first }, file);
    strictEqual((await put({ call: second }, id, file)).status, 204);
    strictEqual((await complete({ call: third }, id)).status, 202);
    const operation = await waitForOperation({ call: first }, operation_id);
    strictEqual(operation.status, "success");
    const found = await second("POST", "/v1/documents/search", {
      body: { query: "wooden boats", user_id: "ana" },
    });
    strictEqual(found.json.results.length, 1, found.text);
  },
);

testCluster(
  "health lists all servers, of which exactly one leads, and how far their search copies are",
  async ([first, second]) => {
    const processes = async (send: Send) =>
      (await send("GET", "/v1/health")).json.processes as Health["processes"];
    const ids = (list: Health["processes"]) => list.map(({ id, leads }) => ({ id, leads }));
    // A busy server can lose its connection for a while, and another one leads then.
    const [all] = await waitUntil(
      async () => [await processes(first), await processes(second)] as const,
      (lists) =>
        lists.every((list) =>
          list.length === 3 && list.filter(({ leads }) => leads).length === 1 &&
          list.every(({ copies }) => copies !== null)
        ) && isDeepStrictEqual(ids(lists[0]), ids(lists[1])),
    );
    // Their sizes say something about other projects.
    deepStrictEqual(all.map(({ copies }) => Object.keys(copies!)), all.map(() => COPY_FIELDS));
  },
);

testWith(
  TOOLS,
  "tasks of a server that was killed are finished by another one, each change once",
  async () => {
    server ??= await startPostgres();
    const address = server.newSchema();
    const directories = [makeTempDirSync(), makeTempDirSync()];
    for (const directory of directories) useTestDatabase(directory, address);
    const servers: ServerProcess[] = [];
    try {
      for (const directory of directories) servers.push(await ServerProcess.start(directory));
      const [first, second] = servers;
      const messages = Array.from(
        { length: 300 },
        (_, n) => ({ role: "user", content: `Note ${n}` }),
      );
      const added = await first!.call("POST", "/v1/memories", {
        body: { messages, user_id: "ana", infer: false },
      });
      const ids = added.json.results.map(({ id }: { id: string }) => id);
      const accepted = await first!.call("PUT", "/v1/memories/batch", {
        body: {
          memories: ids.map((memory_id: string, n: number) => ({
            memory_id,
            content: `Changed ${n}`,
          })),
        },
        headers: { "Idempotency-Key": "batch" },
      });
      strictEqual(accepted.status, 202, accepted.text);
      // Either of them may be running the task by now.
      await first!.kill();
      const ended = await waitUntil(
        () => second!.call("GET", `/v1/operations/${accepted.json.id}`),
        ({ json }) => json.status === "success" || json.status === "dead",
      );
      strictEqual(ended.json.status, "success", ended.text);
      strictEqual(ended.json.result.succeeded, ids.length);
      const changes = await queryRecords<{ count: number }>(
        directories[0]!,
        sql`select count(*) as count from memory_history where event = 'UPDATE'`,
      );
      strictEqual(changes[0]!.count, ids.length);
    } finally {
      for (const process of servers) await process.kill();
      await removeTestDatabase(directories[0]!);
      for (const directory of directories) await rm(directory);
    }
  },
);
