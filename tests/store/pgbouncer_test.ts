/** Tests a service's connections through PgBouncer, in each of its modes. */

import { deepStrictEqual, match, ok, rejects, strictEqual } from "node:assert/strict";
import sql from "sql-template-tag";
import { runPostgresDoctor } from "../../src/server/doctor/postgres.ts";
import { openPostgresSource } from "../../src/server/instance_copy/postgres_side.ts";
import { IncompatibleStoreError } from "../../src/store/incompatible.ts";
import { PgMembership } from "../../src/store/postgres/membership.ts";
import { PgStore } from "../../src/store/postgres/store.ts";
import { type PgBouncer, startPgBouncer } from "../../testing/pgbouncer.ts";
import { testWith } from "../../testing/tools.ts";
import { waitUntil } from "../../testing/wait_until.ts";
import { postgres } from "./engines.ts";

const TOOLS = ["initdb", "setpriv", "pgbouncer"] as const;

const IN_TRANSACTION_MODE = /pooler in transaction mode; use its session mode, or connect to/;

/** Runs a test with PgBouncer in front of the file's server. */
async function withPgBouncer(
  settings: readonly string[],
  work: (pgBouncer: PgBouncer) => Promise<void>,
): Promise<void> {
  const pgBouncer = await startPgBouncer(await postgres(), settings);
  try {
    await work(pgBouncer);
  } finally {
    await pgBouncer.close();
  }
}

for (
  const settings of [
    ["pool_mode=transaction"],
    ["pool_mode=transaction", "server_round_robin=1", "min_pool_size=3"],
    ["pool_mode=statement"],
  ]
) {
  testWith(TOOLS, `PgStore.open() refuses PgBouncer with ${settings.join(", ")}`, async () => {
    await withPgBouncer(settings, async (pgBouncer) => {
      const address = pgBouncer.addressOf((await postgres()).newSchema());
      await rejects(PgStore.open(address), (error: Error) => {
        ok(error instanceof IncompatibleStoreError);
        match(error.message, IN_TRANSACTION_MODE);
        return true;
      });
    });
  });
}

testWith(TOOLS, "copy and doctor refuse PgBouncer in transaction mode", async () => {
  await withPgBouncer(["pool_mode=transaction"], async (pgBouncer) => {
    const address = pgBouncer.addressOf((await postgres()).newSchema());
    await rejects(openPostgresSource(address), IN_TRANSACTION_MODE);
    const [server] = await runPostgresDoctor({ directory: ".", database: address });
    match(server!.detail, IN_TRANSACTION_MODE);
  });
});

testWith(
  TOOLS,
  "PgStore and PgMembership work through PgBouncer in session mode",
  async () => {
    await withPgBouncer(["pool_mode=session"], async (pgBouncer) => {
      const server = await postgres();
      const address = pgBouncer.addressOf(server.newSchema());
      const store = await PgStore.open(address);
      const hasty = await PgStore.open(address, { unitMs: 200 });
      const members = ["a", "b"].map((name) =>
        new PgMembership(address, { boot: name.repeat(32), version: "1.0.0", startedAt: 0 })
      );
      for (const member of members) await member.join("server");
      deepStrictEqual((await members[0]!.members()).map(({ id }) => id), ["aaaaaaaa", "bbbbbbbb"]);
      ok(await members[0]!.tryLead());
      strictEqual(await members[1]!.tryLead(), null);

      await store.write(1, (tx) => tx.run(sql`insert into meta (name, value) values ('a', '1')`));
      // A unit that takes too long ends with its statement on the server.
      await rejects(hasty.write(1, (tx) => tx.first(sql`select pg_sleep(600)`)));
      await waitUntil(
        () => server.query("select pid from pg_stat_activity where query like '%pg_sleep(600)%'"),
        (running) => running.length <= 1,
      );
      const row = await store.queryOne<{ value: string }>(
        sql`select value from meta where name = 'a'`,
      );
      strictEqual(row!.value, "1");
      for (const member of members) await member.leave();
      await hasty.close();
      await store.close();
    });
  },
);
