/** Tests a primary server with a synchronous standby: what is acknowledged survives a failover. */

import { deepStrictEqual, match, ok, rejects, strictEqual } from "node:assert/strict";
import { databaseAddress } from "../../src/server/config.ts";
import type { ServerRun } from "../../src/store/postgres/connection.ts";
import { hostUrls } from "../../src/store/postgres/hosts.ts";
import { isSameRun } from "../../src/store/postgres/outcome.ts";
import { PgStore } from "../../src/store/postgres/store.ts";
import { PostgresPair } from "../../testing/postgres_pair.ts";
import { testWith } from "../../testing/tools.ts";
import { waitUntil } from "../../testing/wait_until.ts";
import { add, ids, isUnavailable, TOOLS } from "./entries.ts";

/** Servers for all tests. They can swap their roles. */
let pair: PostgresPair | undefined;

Deno.test.afterAll(async () => await pair?.close());

/** Runs a test with two servers, and a store on them. */
async function withPair(work: (pair: PostgresPair, store: PgStore) => Promise<void>) {
  pair ??= await PostgresPair.start();
  const store = await PgStore.open(pair.newSchema());
  try {
    await work(pair, store);
  } finally {
    await store.close();
  }
}

testWith(
  TOOLS,
  "PgStore.write() happens at most once if the primary is lost with the response to its commit",
  async () => {
    await withPair(async (pair, store) => {
      await store.write(1, (tx) => add(tx, "first"));
      const open = pair.holdConnections();
      pair.cutNextCommit("before the response");
      const written = store.write(1, (tx) => add(tx, "cut")).then(
        () => null,
        (error: Error) => error,
      );
      await waitUntil(() => Promise.resolve(pair.cuts), (cuts) => cuts === 1);
      await pair.failOver();
      open();
      const error = await written;
      ok(error === null || isUnavailable(error), String(error));
      // Without a standby, commits would wait.
      await pair.restoreStandby();
      await waitUntil(
        () => store.write(1, (tx) => add(tx, "last")).then(() => true, () => false),
        (isWritten) => isWritten,
      );
      deepStrictEqual(await ids(store), ["first", "cut", "last"]);
    });
  },
);

testWith(
  TOOLS,
  "PgStore.write() isn't acknowledged before the standby has it, even if its commit is interrupted",
  async () => {
    await withPair(async (pair, store) => {
      await store.write(1, (tx) => add(tx, "first"));
      await pair.standby.stop("immediate");
      let isAcknowledged = false;
      const written = store.write(1, (tx) => add(tx, "second")).then(
        () => isAcknowledged = true,
        // If the standby takes long to start, the outcome is unknown.
        (error) => ok(isUnavailable(error), String(error)),
      );
      await waitUntil(() => waiting(pair, "commit"), (pids) => pids.length > 0);
      await pair.primary.query(`select pg_terminate_backend(pid) from pg_stat_activity
          where wait_event = 'SyncRep'`);
      await waitUntil(
        () => waiting(pair, "select pg_logical_emit_message%"),
        (pids) => pids.length > 0,
      );
      strictEqual(isAcknowledged, false);
      await pair.standby.start();
      await written;
      deepStrictEqual(await ids(store), ["first", "second"]);
    });
  },
);

/** Returns the processes of the primary whose statement waits for the standby. */
function waiting(pair: PostgresPair, statement: string): Promise<unknown[]> {
  return pair.primary.query(`select pid from pg_stat_activity
    where wait_event = 'SyncRep' and query like '${statement}'`);
}

testWith(
  TOOLS,
  "PgStore.open() uses the host that accepts changes, and names all if none does",
  async () => {
    await withPair(async (pair) => {
      const { url, schema } = pair.newSchema();
      const [primary, standby] = hostUrls(url);
      const hosts = (first: string, second: string) =>
        first.replace(/\/postgres$/, `,${new URL(second).host}/postgres`);
      const store = await PgStore.open({ url: hosts(standby!, primary!), schema });
      await store.write(1, (tx) => add(tx, "first"));
      deepStrictEqual(await ids(store), ["first"]);
      await store.close();
      await rejects(PgStore.open({ url: hosts(standby!, standby!), schema }), (error: Error) => {
        match(
          error.message,
          /^Can't use postgres:\/\/(127\.0\.0\.1:\d+),\1\/postgres\?schema=\w+: \1 is read-only, \1 is read-only$/,
        );
        return true;
      });
    });
  },
);

Deno.test("isSameRun() compares a server's start and processes, of which some start later", () => {
  const run = (start: string, ...processes: string[]): ServerRun => ({
    start,
    processes: new Set(processes),
  });
  strictEqual(isSameRun(run("10:00", "1", "2"), run("10:00", "2", "3")), true);
  strictEqual(isSameRun(run("10:00", "1", "2"), run("10:00", "3", "4")), false, "after a crash");
  strictEqual(isSameRun(run("10:00", "1"), run("11:00", "1")), false);
  strictEqual(isSameRun(run("10:00"), run("10:00", "1")), null);
});

Deno.test("hostUrls() returns a URL for each host", () => {
  deepStrictEqual(hostUrls("postgres://u:p,w@a:1,[::1]:2,c/db?x=1,2"), [
    "postgres://u:p,w@a:1/db?x=1,2",
    "postgres://u:p,w@[::1]:2/db?x=1,2",
    "postgres://u:p,w@c/db?x=1,2",
  ]);
  deepStrictEqual(hostUrls("postgres:///db?host=/run"), ["postgres:///db?host=/run"]);
});

Deno.test("databaseAddress() keeps all hosts, and takes the schema", () => {
  deepStrictEqual(databaseAddress("postgres://u:p@a:1,b/db?schema=x&sslmode=verify-full"), {
    url: "postgres://u:p@a:1,b/db?sslmode=verify-full",
    schema: "x",
  });
  deepStrictEqual(databaseAddress("postgres://a/db"), { url: "postgres://a/db", schema: "public" });
});
