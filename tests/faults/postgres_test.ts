/**
 * Runs a service on a PostgreSQL server that fails in real ways, while clients add memories and
 * retry. Requests succeed or return 503 in the standard shape, nothing acknowledged is lost, nothing
 * happens twice, and the service recovers without a restart.
 */

import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { chownSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
// @ts-types="@types/pg"
import pg from "pg";
import type { PgAddress } from "../../src/store/postgres/connection.ts";
import { type CuttingProxy, startCuttingProxy } from "../../testing/cutting_proxy.ts";
import { type Reply, type TestServer, withServer } from "../../testing/harness.ts";
import { type PostgresServer, startPostgres } from "../../testing/postgres.ts";
import { makeTempDirSync, rm } from "../../testing/temp_dir.ts";
import { testWith } from "../../testing/tools.ts";
import { waitUntil } from "../../testing/wait_until.ts";

const TOOLS = ["initdb", "setpriv"] as const;

const CLIENTS = 3;

/** What a fault can use. */
interface Stage {
  readonly server: PostgresServer;
  readonly proxy: CuttingProxy;
  readonly address: PgAddress;
  readonly service: TestServer;
  /** Resolves once this many more adds were acknowledged. */
  acknowledged(count: number): Promise<void>;
  /** Resolves once a request has failed. */
  refused(): Promise<void>;
}

/**
 * Runs a fault while clients add memories. It must end with a database that works.
 */
async function underFault(fault: (stage: Stage) => Promise<void>): Promise<void> {
  const server = await startPostgres();
  const proxy = await startCuttingProxy(server.port);
  const { url, schema } = server.newSchema();
  const address = { url: url.replace(`:${server.port}`, `:${proxy.port}`), schema };
  try {
    await withServer(async (service) => {
      const added: string[] = [];
      const refusals: Reply[] = [];
      let running = true;
      const clients = Array.from({ length: CLIENTS }, async (_, client) => {
        for (let n = 0; running; n++) {
          const content = `client ${client} adds ${n}`;
          await addUntilAcknowledged(service, content, refusals);
          added.push(content);
        }
      });
      const acknowledged = async (count: number) => {
        const wanted = added.length + count;
        await waitUntil(() => Promise.resolve(added.length), (length) => length >= wanted);
      };
      const refused = async () => {
        const before = refusals.length;
        await waitUntil(() => Promise.resolve(refusals.length), (length) => length > before);
      };
      try {
        await acknowledged(5);
        await fault({ server, proxy, address, service, acknowledged, refused });
        await acknowledged(5);
      } finally {
        running = false;
        await Promise.allSettled(clients);
      }
      await Promise.all(clients);
      for (const refusal of refusals) checkRefusal(refusal);
      deepStrictEqual((await allMemories(service)).sort(), added.sort());
      const query = added.at(-1)!;
      const body = { query, user_id: "ana", top_k: 5 };
      const found = await service.call("POST", "/v1/memories/search", { body });
      strictEqual(found.status, 200);
      ok(found.json.results.some(({ memory }: { memory: string }) => memory === query));
    }, { database: address });
  } finally {
    proxy.close();
    await server.close();
  }
}

/** Adds a memory, and repeats the request with its key until it succeeds, as clients do. */
async function addUntilAcknowledged(
  { call }: TestServer,
  content: string,
  refusals: Reply[],
): Promise<void> {
  const headers = { "Idempotency-Key": content };
  const body = { content, user_id: "ana", infer: false };
  const add = () => call("POST", "/v1/memories", { headers, body });
  const reply = await waitUntil(async () => {
    const reply = await add();
    if (reply.status !== 200) refusals.push(reply);
    return reply;
  }, ({ status }) => status !== 503);
  strictEqual(reply.status, 200, reply.text);
}

/** Checks that a response is the standard error for storage, without details of the server. */
function checkRefusal({ status, json, headers, text }: Reply): void {
  strictEqual(status, 503);
  strictEqual(json.code, "STORAGE_UNAVAILABLE", text);
  ok(Number(headers.get("Retry-After")) >= 1);
  match(
    json.message,
    /; nothing was changed$|; send it again with the same Idempotency-Key$/,
  );
}

async function runTool(name: string, ...args: readonly string[]): Promise<void> {
  const { code } = await new Deno.Command(name, { args: [...args], stderr: "null" }).output();
  if (code !== 0) throw new Error(`${name} failed with code ${code}`);
}

async function allMemories({ call }: TestServer): Promise<string[]> {
  const found: string[] = [];
  for (let cursor = "";;) {
    const { json } = await call("GET", `/v1/memories?user_id=ana&limit=100${cursor}`);
    found.push(...json.results.map(({ memory }: { memory: string }) => memory));
    if (!json.next_cursor) return found;
    cursor = `&cursor=${encodeURIComponent(json.next_cursor)}`;
  }
}

for (const mode of ["fast", "immediate"] as const) {
  testWith(TOOLS, `a PostgreSQL server that is stopped (${mode}) and started again`, async () => {
    await underFault(async ({ server, refused }) => {
      await server.stop(mode);
      await refused();
      await server.start();
    });
  });
}

testWith(TOOLS, "connections to PostgreSQL that are terminated at random", async () => {
  await underFault(async ({ server, acknowledged }) => {
    for (let round = 0; round < 15; round++) {
      await server.query(`select pg_terminate_backend(pid) from pg_stat_activity
        where application_name = 'commonplace' and random() < .4`);
      await acknowledged(1);
    }
  });
});

testWith(TOOLS, "a network that cuts connections between a commit and its response", async () => {
  await underFault(async ({ proxy, acknowledged }) => {
    for (let round = 0; round < 10; round++) {
      proxy.cutNextCommit(round % 2 === 0 ? "before the response" : "before the commit");
      await waitUntil(() => Promise.resolve(proxy.cuts), (cuts) => cuts > round);
      await acknowledged(1);
    }
  });
});

testWith(
  TOOLS,
  "a stranger that locks a table of PostgreSQL for longer than requests wait",
  async () => {
    await underFault(async ({ server, address, refused }) => {
      const stranger = new pg.Client({ connectionString: server.url });
      await stranger.connect();
      await stranger.query(`begin; lock table ${address.schema}.journal in exclusive mode`);
      await refused();
      await stranger.end();
    });
  },
);

testWith(
  TOOLS,
  "a PostgreSQL server that becomes a read-only standby, and is promoted",
  async () => {
    await underFault(async ({ server, service, refused }) => {
      await server.stop("fast");
      writeFileSync(join(server.data, "standby.signal"), "");
      await server.start();
      await refused();
      const read = () => service.call("GET", "/v1/memories?user_id=ana&limit=1");
      await waitUntil(read, ({ status }) => status === 200);
      await server.query("select pg_promote()");
    });
  },
);

const name = "a PostgreSQL server whose disk is full";
Deno.test({
  name: Deno.uid() === 0 ? name : `${name} (skipped: only root can mount a small disk)`,
  ignore: Deno.uid() !== 0,
  async fn() {
    const disk = makeTempDirSync();
    await runTool("mount", "-t", "tmpfs", "-o", "size=8m", "tmpfs", disk);
    try {
      await underFault(async ({ server, address, refused }) => {
        const { uid, gid } = statSync(server.data);
        chownSync(disk, uid, gid);
        await server.query(`create tablespace small location '${disk}'`);
        for (const table of ["memories", "journal", "memory_history"]) {
          await server.query(`alter table ${address.schema}.${table} set tablespace small`);
        }
        const filler = join(disk, "filler");
        await runTool("dd", "if=/dev/zero", `of=${filler}`, "bs=4k").catch(() => undefined);
        await refused();
        rmSync(filler);
      });
    } finally {
      await runTool("umount", disk);
      await rm(disk);
    }
  },
});
