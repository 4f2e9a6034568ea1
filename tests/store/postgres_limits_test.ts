/** Checks that waits on PostgreSQL end, and that nothing keeps a connection that it no longer uses. */

import { deepStrictEqual, ok, rejects, strictEqual } from "node:assert/strict";
import sql from "sql-template-tag";
import { PgConnection } from "../../src/store/postgres/connection.ts";
import { PgPool } from "../../src/store/postgres/pool.ts";
import { type PgLimits, PgStore } from "../../src/store/postgres/store.ts";
import { type CuttingProxy, startCuttingProxy } from "../../testing/cutting_proxy.ts";
import { testWith } from "../../testing/tools.ts";
import { waitUntil } from "../../testing/wait_until.ts";
import { postgres } from "./engines.ts";
import { add, ids, isUnavailable, TOOLS } from "./entries.ts";

/** Runs a test with a proxy in front of the server, and a new schema. */
async function withProxy(
  work: (address: { url: string; schema: string }, proxy: CuttingProxy) => Promise<void>,
): Promise<void> {
  const server = await postgres();
  const proxy = await startCuttingProxy(server.port);
  const { url, schema } = server.newSchema();
  try {
    await work({ url: url.replace(`:${server.port}`, `:${proxy.port}`), schema }, proxy);
  } finally {
    proxy.close();
  }
}

async function withStore(
  limits: PgLimits,
  work: (store: PgStore, proxy: CuttingProxy) => Promise<void>,
): Promise<void> {
  await withProxy(async (address, proxy) => {
    const store = await PgStore.open(address, limits);
    try {
      await work(store, proxy);
    } finally {
      await store.close();
    }
  });
}

testWith(TOOLS, "PgPool.use() gets the connection that a timed-out caller waited for", async () => {
  await withProxy(async (address, proxy) => {
    await (await PgStore.open(address)).close();
    const pool = new PgPool(address, { connections: 1, waitMs: 200 });
    let late: Promise<unknown> | undefined;
    const release = await pool.use((connection) => {
      const released = proxy.holdConnections();
      late = pool.use(() => Promise.resolve());
      late.catch(() => undefined);
      connection.destroy();
      return Promise.resolve(released);
    });
    await rejects(late!, isUnavailable);
    release();
    const works = () => pool.use(() => Promise.resolve(true)).catch(() => false);
    await waitUntil(works, (worked) => worked);
    await pool.close();
  });
});

testWith(TOOLS, "PgPool.use() replaces a connection that was idle for too long", async () => {
  await withProxy(async (address) => {
    await (await PgStore.open(address)).close();
    for (const [idleMs, isReplaced] of [[0, true], [600_000, false]] as const) {
      const pool = new PgPool(address, { connections: 1, idleMs });
      const processId = () => pool.use(({ processId }) => Promise.resolve(processId));
      strictEqual(await processId() !== await processId(), isReplaced);
      await pool.close();
    }
  });
});

testWith(
  TOOLS,
  "PgStore.write() learns the outcome of a commit while all connections are busy",
  async () => {
    await withStore({ connections: 2 }, async (store, proxy) => {
      await store.write(1, (tx) => add(tx, "first"));
      const release = Promise.withResolvers<void>();
      const started = Promise.withResolvers<void>();
      const busy = store.read(async (db) => {
        await db.first(sql`select 1`);
        started.resolve();
        await release.promise;
      });
      await started.promise;
      proxy.cutNextCommit("before the response");
      await store.write(1, (tx) => add(tx, "cut"));
      release.resolve();
      await busy;
      deepStrictEqual(await ids(store), ["first", "cut"]);
    });
  },
);

testWith(
  TOOLS,
  "PgStore.write() happens once if the network is silent after the commit",
  async () => {
    await withStore({ silenceMs: 300 }, async (store, proxy) => {
      await store.write(1, (tx) => add(tx, "first"));
      proxy.cutNextCommit("without a sign");
      await store.write(1, (tx) => add(tx, "silent"));
      strictEqual(proxy.cuts, 1);
      deepStrictEqual(await ids(store), ["first", "silent"]);
    });
  },
);

testWith(
  TOOLS,
  "PgStore.write() ends a unit that takes too long, with its statement, lock and connection",
  async () => {
    await withStore({ connections: 1, unitMs: 500 }, async (store) => {
      await rejects(
        store.write(1, async (tx) => {
          await add(tx, "slow");
          await tx.first(sql`select pg_sleep(600)`);
        }),
        isUnavailable,
      );
      await store.write(1, (tx) => add(tx, "next"));
      deepStrictEqual(await ids(store), ["next"]);
    });
  },
);

testWith(TOOLS, "PgConnection.close() ends although the server doesn't respond", async () => {
  await withProxy(async (address, proxy) => {
    const connection = await PgConnection.open(address, 60_000);
    proxy.silence();
    await connection.close();
  });
});

testWith(
  TOOLS,
  "PgStore.journalEnd() reports STORAGE_UNAVAILABLE if the server is down",
  async () => {
    await withStore({}, async (store, proxy) => {
      await store.write(1, (tx) => add(tx, "first"));
      ok(await store.journalEnd() > 0);
      proxy.close();
      await rejects(store.journalEnd(), isUnavailable);
    });
  },
);

testWith(
  TOOLS,
  "PgStore.journalEnd() returns what was certain before while a unit writes",
  async () => {
    await withStore({}, async (store) => {
      await store.write(1, (tx) => add(tx, "first"));
      const before = await store.journalEnd();
      const release = Promise.withResolvers<void>();
      const started = Promise.withResolvers<void>();
      const writing = store.write(2, async (tx) => {
        await add(tx, "uncommitted");
        started.resolve();
        await release.promise;
      });
      await started.promise;
      strictEqual(await store.journalEnd(), before);
      release.resolve();
      await writing;
      strictEqual(await store.journalEnd(), before + 1);
    });
  },
);

testWith(TOOLS, "PgStore.snapshot() closes its connection if it can't be opened", async () => {
  const server = await postgres();
  const { url, schema } = server.newSchema();
  const name = `snapshot_${schema}`;
  const store = await PgStore.open({ url: `${url}?application_name=${name}`, schema });
  await server.query(`drop table ${schema}.projects cascade`);
  await rejects(store.snapshot());
  await store.close();
  await waitUntil(
    () =>
      server.query<{ n: string }>(
        `select count(*) as n from pg_stat_activity where application_name = '${name}'`,
      ),
    ([row]) => row?.n === "0",
  );
});
