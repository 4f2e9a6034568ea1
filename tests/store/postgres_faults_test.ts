/** Checks that units of work happen exactly once on servers that restart and connections that break. */

import { deepStrictEqual, match, ok, rejects, strictEqual } from "node:assert/strict";
import sql from "sql-template-tag";
import { FolderBlobs } from "../../src/store/blobs/folder.ts";
import { linkBlob, unlinkBlobs } from "../../src/store/blobs/references.ts";
import { IncompatibleStoreError } from "../../src/store/incompatible.ts";
import type { PgAddress } from "../../src/store/postgres/connection.ts";
import { PgStore } from "../../src/store/postgres/store.ts";
import { type CuttingProxy, startCuttingProxy } from "../../testing/cutting_proxy.ts";
import { type PostgresServer, startPostgres } from "../../testing/postgres.ts";
import { makeTempDirSync, rm } from "../../testing/temp_dir.ts";
import { testWith } from "../../testing/tools.ts";
import { waitUntil } from "../../testing/wait_until.ts";
import { postgres } from "./engines.ts";
import { add, ids, isUnavailable, TOOLS } from "./entries.ts";

/** Runs a test with a store that reaches its server through a proxy. */
async function withProxy(
  work: (store: PgStore, proxy: CuttingProxy) => Promise<void>,
): Promise<void> {
  const server = await postgres();
  const proxy = await startCuttingProxy(server.port);
  const { url, schema } = server.newSchema();
  const store = await PgStore.open({
    url: url.replace(`:${server.port}`, `:${proxy.port}`),
    schema,
  });
  try {
    await work(store, proxy);
  } finally {
    await store.close();
    proxy.close();
  }
}

for (const cut of ["before the commit", "before the response"] as const) {
  testWith(TOOLS, `PgStore.write() happens once if the connection is cut ${cut}`, async () => {
    await withProxy(async (store, proxy) => {
      await store.write(1, (tx) => add(tx, "first"));
      proxy.cutNextCommit(cut);
      await store.write(1, (tx) => add(tx, "cut"));
      strictEqual(proxy.cuts, 1);
      deepStrictEqual(await ids(store), ["first", "cut"]);
      proxy.cutNextCommit(cut);
      await Promise.all(["a", "b", "c"].map((id) => store.write(1, (tx) => add(tx, id))));
      strictEqual(proxy.cuts, 2);
      deepStrictEqual(await ids(store), ["first", "cut", "a", "b", "c"]);
    });
  });
}

testWith(
  TOOLS,
  "PgStore.write() isn't acknowledged if a crash lost it and its transaction's id was given out again",
  async () => {
    // The log is written by commits alone.
    await withServer(["wal_writer_delay=10s"], async (server, { url, schema }) => {
      const proxy = await startCuttingProxy(server.port);
      const store = await PgStore.open({
        url: url.replace(`:${server.port}`, `:${proxy.port}`),
        schema,
      });
      await store.write(1, (tx) => add(tx, "first"));
      const open = proxy.holdConnections();
      proxy.cutNextCommit("before the commit");
      const lost: string[] = [];
      const written = store.write(1, async (tx) => {
        await add(tx, "lost");
        const row = await tx.first<{ id: string }>(sql`select pg_current_xact_id()::text as id`);
        lost.push(row!.id);
      });
      await waitUntil(() => Promise.resolve(proxy.cuts), (cuts) => cuts === 1);
      await server.stop("immediate");
      await server.start();
      for (let id = 0; id < Number(lost[0]);) {
        const [row] = await server.query<{ id: string }>("select pg_current_xact_id()::text as id");
        id = Number(row!.id);
      }
      const [status] = await server.query<{ status: string }>(
        `select pg_xact_status('${lost[0]}'::xid8) as status`,
      );
      strictEqual(status!.status, "committed");
      open();
      await written;
      strictEqual(lost.length, 2, "the unit ran again");
      deepStrictEqual(await ids(store), ["first", "lost"]);
      await store.close();
      proxy.close();
    });
  },
);

testWith(
  TOOLS,
  "PgStore.write() happens at most once, and once if acknowledged, while connections are terminated",
  async () => {
    const server = await postgres();
    const { url, schema } = server.newSchema();
    const named = `${url}?application_name=${schema}`;
    const store = await PgStore.open({ url: named, schema });
    const acknowledged: string[] = [];
    const attempted: string[] = [];
    let writing = true;
    const terminator = (async () => {
      while (writing) {
        await server.query(`select pg_terminate_backend(pid) from pg_stat_activity
        where application_name in ('commonplace', '${schema}') and random() < .3`);
      }
    })();
    await Promise.all(Array.from({ length: 4 }, async (_, client) => {
      for (let i = 0; i < 40; i++) {
        const id = `${client}.${i}`;
        attempted.push(id);
        await store.write(client + 1, (tx) => add(tx, id)).then(
          () => acknowledged.push(id),
          (error) => ok(isUnavailable(error), String(error)),
        );
      }
    }));
    writing = false;
    await terminator;
    // A connection that is being terminated may still seem open.
    const stored = await waitUntil(
      () => ids(store).catch(() => null),
      (found) => found !== null,
    );
    await store.close();
    strictEqual(new Set(stored).size, stored!.length, "nothing happened twice");
    deepStrictEqual(acknowledged.filter((id) => !stored!.includes(id)), []);
    deepStrictEqual(stored!.filter((id) => !attempted.includes(id)), []);
  },
);

testWith(
  TOOLS,
  "PgStore reports STORAGE_UNAVAILABLE while its server is down, and recovers by itself",
  async () => {
    await withServer([], async (server, address) => {
      const store = await PgStore.open(address);
      await store.write(1, (tx) => add(tx, "before"));
      await server.stop("immediate");
      await rejects(store.write(1, (tx) => add(tx, "lost")), isUnavailable);
      await rejects(store.read((db) => db.first(sql`select 1`)), isUnavailable);
      await rejects(store.queryOne(sql`select 1`), isUnavailable);
      await rejects(store.snapshot(), isUnavailable);
      await server.start();
      await waitUntil(() => ids(store).then(() => true, () => false), (isUp) => isUp);
      await store.write(1, (tx) => add(tx, "after"));
      deepStrictEqual(await ids(store), ["before", "after"]);
      await store.close();
    });
  },
);

testWith(
  TOOLS,
  "PgStore.write() reports STORAGE_UNAVAILABLE on a read-only server, and reads go on",
  async () => {
    await withServer([], async (server, address) => {
      const store = await PgStore.open(address);
      await store.write(1, (tx) => add(tx, "before"));
      await server.query("alter system set default_transaction_read_only = on");
      await server.query("select pg_reload_conf()");
      const reopened = await PgStore.open(address);
      await rejects(reopened.write(1, (tx) => add(tx, "no")), isUnavailable);
      deepStrictEqual(await ids(reopened), ["before"]);
      await reopened.close();
      await store.close();
    });
  },
);

testWith(
  TOOLS,
  "PgStore.write() gives up waiting for a lock that someone else holds, and changes nothing",
  async () => {
    const address = (await postgres()).newSchema();
    const store = await PgStore.open(address);
    const stranger = await PgStore.open(address);
    await store.write(1, (tx) => add(tx, "first"));
    const locked = Promise.withResolvers<void>();
    const release = Promise.withResolvers<void>();
    const held = stranger.write(2, async (tx) => {
      await tx.run(sql`lock table journal in exclusive mode`);
      locked.resolve();
      await release.promise;
    });
    await locked.promise;
    await rejects(store.write(1, (tx) => add(tx, "blocked")), isUnavailable);
    release.resolve();
    await held;
    await store.write(1, (tx) => add(tx, "last"));
    deepStrictEqual(await ids(store), ["first", "last"]);
    await store.close();
    await stranger.close();
  },
);

for (
  const [setting, problem] of [
    ["fsync=off", /fsync = off, so a crash could lose acknowledged changes; set fsync = on/],
    ["full_page_writes=off", /full_page_writes = off/],
    ["synchronous_commit=off", /synchronous_commit = off/],
  ] as const
) {
  testWith(TOOLS, `PgStore.open() refuses a server with ${setting}`, async () => {
    await withServer([setting], async (_, address) => {
      await rejects(PgStore.open(address), (error: Error) => {
        ok(error instanceof IncompatibleStoreError);
        match(error.message, problem);
        strictEqual(error.message.includes("\n"), false);
        return true;
      });
    });
  });
}

testWith(
  TOOLS,
  "PgStore.open() refuses a schema from a newer program, and a database that isn't UTF8",
  async () => {
    const server = await postgres();
    const address = server.newSchema();
    await (await PgStore.open(address)).close();
    await server.query(
      `update ${address.schema}.meta set value = '9999' where name like '%schema%'`,
    );
    await rejects(PgStore.open(address), /has schema 9999, .* install a newer version/);
    await server.query(`create database latin encoding 'LATIN1' locale 'C' template template0`);
    const latin = { ...server.newSchema(), url: address.url.replace(/postgres$/, "latin") };
    await rejects(PgStore.open(latin), /encoding LATIN1; create one with encoding 'UTF8'/);
  },
);

testWith(
  TOOLS,
  "Blobs.deleteIfUnreferenced() keeps a file while a unit that references it can still commit",
  async () => {
    const address = (await postgres()).newSchema();
    const directory = makeTempDirSync();
    const store = await PgStore.open(address);
    const other = await PgStore.open(address);
    const blobs = new FolderBlobs(directory, Math.random);
    const blob = await blobs.put([new TextEncoder().encode("content")]);
    blob.release();
    const linked = Promise.withResolvers<void>();
    const release = Promise.withResolvers<void>();
    const unit = other.write(1, async (tx) => {
      await linkBlob(tx, 1, "owner", blob);
      linked.resolve();
      await release.promise;
    });
    await linked.promise;
    await blobs.deleteIfUnreferenced(store, blob.name);
    ok(await blobs.has(blob.name));
    release.resolve();
    await unit;
    await blobs.deleteIfUnreferenced(store, blob.name);
    ok(await blobs.has(blob.name));
    await store.write(1, (tx) => unlinkBlobs(tx, 1, "owner"));
    await blobs.deleteIfUnreferenced(store, blob.name);
    strictEqual(await blobs.has(blob.name), false);
    await store.close();
    await other.close();
    await rm(directory);
  },
);

testWith(
  TOOLS,
  "PgStore.open() creates the schema once if several processes start at the same time",
  async () => {
    const address = (await postgres()).newSchema();
    const stores = await Promise.all([1, 2, 3, 4].map(() => PgStore.open(address)));
    await Promise.all(stores.map((store, index) => store.write(1, (tx) => add(tx, `${index}`))));
    deepStrictEqual((await ids(stores[0]!)).sort(), ["0", "1", "2", "3"]);
    for (const store of stores) await store.close();
  },
);

async function withServer(
  settings: readonly string[],
  work: (server: PostgresServer, address: PgAddress) => Promise<void>,
): Promise<void> {
  const server = await startPostgres(settings);
  try {
    await work(server, server.newSchema());
  } finally {
    await server.close();
  }
}
