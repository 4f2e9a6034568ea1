/** Tests of embedding by several processes on one database. */

import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { join } from "node:path";
import sql from "sql-template-tag";
import { NO_EMBEDDER } from "../../src/embedding/open.ts";
import type { ServerConfig } from "../../src/server/config.ts";
import { type RunningServer, startServer } from "../../src/server/serve.ts";
import { blobFolder } from "../../src/store/blobs/folder.ts";
import { makeFolderSync } from "../../src/store/folders.ts";
import {
  queryRecords,
  removeTestDatabase,
  testDatabase,
  useTestDatabase,
} from "../../testing/engine.ts";
import { call, KEY } from "../../testing/harness.ts";
import { addProjects } from "../../testing/projects.ts";
import { type PostgresServer, startPostgres } from "../../testing/postgres.ts";
import { ServerProcess } from "../../testing/server_process.ts";
import { makeTempDirSync, rm } from "../../testing/temp_dir.ts";
import { testWith } from "../../testing/tools.ts";
import { waitUntil } from "../../testing/wait_until.ts";
import { EmbeddingEndpoint, HELD_MODEL } from "./embedding_endpoint.ts";

const TOOLS = ["initdb", "setpriv"] as const;

/** Memories per request. Two requests are more than the leader takes in its first two batches. */
const MEMORIES = 200;

let postgres: PostgresServer | undefined;

Deno.test.afterAll(async () => await postgres?.close());

/** Processes on one new database. Each embeds with an endpoint of its own. */
interface Cluster {
  readonly directory: string;
  readonly blobs: string;
  readonly endpoints: readonly EmbeddingEndpoint[];
  readonly servers: readonly RunningServer[];
}

/** Runs a test with servers of which the first one leads. All endpoints hold their requests. */
async function withServers(
  { servers: count, endpoints: endpointCount }: { servers: number; endpoints: number },
  work: (cluster: Cluster) => Promise<void>,
): Promise<void> {
  postgres ??= await startPostgres();
  const directory = makeTempDirSync();
  const database = postgres.newSchema();
  useTestDatabase(directory, database);
  const blobs = blobFolder(directory);
  makeFolderSync(blobs);
  const endpoints = Array.from({ length: endpointCount }, () => new EmbeddingEndpoint());
  const servers: RunningServer[] = [];
  try {
    for (const [index, { url }] of endpoints.slice(0, count).entries()) {
      const embedder = { ...NO_EMBEDDER, name: "openai", url, model: HELD_MODEL };
      const config: ServerConfig = {
        data: join(directory, `process-${index}`),
        database,
        blobs: { kind: "folder", directory: blobs },
        host: "127.0.0.1",
        port: 0,
        logLevel: "off",
        metrics: false,
        apiKey: KEY,
        embedder,
        withEmbedder: () => ({ ...config, embedder: { ...embedder, model: "second" } }),
        searchMemoryBytes: 2 ** 24,
      };
      const server = await startServer(config, () => {});
      servers.push(server);
      await waitUntil(
        () => healthOf(server),
        ({ processes }) => processes.some(({ leads }: { leads: boolean }) => leads),
      );
    }
    await work({ directory, blobs, endpoints, servers });
  } finally {
    for (const endpoint of endpoints) endpoint.release();
    await Promise.all(servers.map((server) => server.stop()));
    await Promise.all(endpoints.map((endpoint) => endpoint.close()));
    await removeTestDatabase(directory);
    await rm(directory);
  }
}

/** Adds memories to the project of a key. */
async function addMemories({ url }: RunningServer, key: string): Promise<void> {
  const messages = Array.from({ length: MEMORIES }, (_, index) => ({
    role: "user",
    content: `Jar ${index} holds glaze`,
  }));
  const body = { user_id: "ana", infer: false, messages };
  const { status, text } = await call(url, "POST", "/v1/memories", { key, body });
  strictEqual(status, 200, text);
}

const healthOf = async ({ url }: RunningServer, key = KEY) =>
  (await call(url, "GET", "/v1/health", { key })).json;

const pendingOf = async (server: RunningServer, key: string): Promise<number> =>
  (await healthOf(server, key)).projections.vector_pending;

/** Returns how many vectors each model has. */
function vectorsByModel(directory: string) {
  return queryRecords<{ id: string; vectors: number; memories: number }>(
    directory,
    sql`select m.id, count(s.number) as vectors, count(distinct s.seq) as memories
      from embedding_models m left join vector_signs s on s.model = m.number
      group by m.id order by m.id`,
  );
}

testWith(TOOLS, "all processes embed a backlog, and each text gets one vector", async () => {
  await withServers({ servers: 3, endpoints: 3 }, async ({ directory, endpoints, servers }) => {
    const projects = await addProjects(directory, 3, "pottery");
    for (const { key } of projects) await addMemories(servers[0]!, key);
    // None of them gets anywhere before each of them has begun.
    for (const endpoint of endpoints) await endpoint.held();
    for (const endpoint of endpoints) endpoint.release();
    for (const server of servers) {
      for (const { key } of projects) await waitUntil(() => pendingOf(server, key), (n) => n === 0);
    }
    const all = projects.length * MEMORIES;
    deepStrictEqual(await vectorsByModel(directory), [
      { id: "openai:first", vectors: all, memories: all },
    ]);
    for (const endpoint of endpoints) ok(endpoint.texts > 0);
  });
});

testWith(TOOLS, "what a process was embedding when it was killed, another one embeds", async () => {
  await withServers(
    { servers: 1, endpoints: 2 },
    async ({ directory, blobs, endpoints, servers: [leader] }) => {
      const data = join(directory, "killed");
      useTestDatabase(data, testDatabase(directory)!);
      const killed = await ServerProcess.start(data, {
        embedder: "openai",
        environment: {
          COMMONPLACE_BLOB_URL: `file://${blobs}`,
          COMMONPLACE_EMBEDDER_URL: endpoints[1]!.url,
          COMMONPLACE_EMBEDDER_MODEL: HELD_MODEL,
        },
      });
      try {
        for (let request = 0; request < 2; request++) await addMemories(leader!, KEY);
        await endpoints[1]!.held();
      } finally {
        await killed.kill();
      }
      endpoints[0]!.release();
      await waitUntil(() => pendingOf(leader!, KEY), (pending) => pending === 0);
      const all = 2 * MEMORIES;
      deepStrictEqual(await vectorsByModel(directory), [
        { id: "openai:first", vectors: all, memories: all },
      ]);
      strictEqual(endpoints[1]!.texts, 0);
    },
  );
});

testWith(
  TOOLS,
  "a process that is still embedding with the previous model stores nothing once it's gone",
  async () => {
    await withServers(
      { servers: 2, endpoints: 2 },
      async ({ directory, endpoints: [first, second], servers: [leader, helper] }) => {
        for (let request = 0; request < 2; request++) await addMemories(leader!, KEY);
        await first!.held();
        await second!.held();
        // As `embedder use` does. The leader embeds everything again, without the other one.
        await queryRecords(
          directory,
          sql`insert into meta (name, value) values ('embedder', 'e5')`,
        );
        first!.release();
        await waitUntil(
          () => vectorsByModel(directory),
          (models) => models.length === 1 && models[0]!.id === "openai:second",
        );
        second!.release();
        // It takes the other model once the batch has ended.
        await waitUntil(
          () => healthOf(helper!),
          ({ embedder }) => embedder.model !== "openai:first",
        );
        const all = 2 * MEMORIES;
        const vectors = await queryRecords<{ count: number }>(
          directory,
          sql`select count(*) as count from vectors`,
        );
        deepStrictEqual(vectors, [{ count: all }]);
        deepStrictEqual(await vectorsByModel(directory), [
          { id: "openai:second", vectors: all, memories: all },
        ]);
      },
    );
  },
);
