/** Checks which statements the server gets for units of work that share a transaction. */

import { deepStrictEqual } from "node:assert/strict";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import sql from "sql-template-tag";
import { PgStore } from "../../src/store/postgres/store.ts";
import { startPostgres } from "../../testing/postgres.ts";
import { testWith } from "../../testing/tools.ts";

testWith(
  ["initdb", "setpriv"],
  "units that wait together share their lookups, and one statement for each table",
  async () => {
    const server = await startPostgres(["log_statement=all"]);
    const log = join(dirname(server.data), "log");
    try {
      const store = await PgStore.open(server.newSchema());
      const before = readFileSync(log, "utf8").length;
      await Promise.all(
        ["a", "b", "c", "d"].map((name) =>
          store.lookUpAndWrite(1, sql`select 1 from projects where number = ${1}`, (tx) => {
            tx.post(sql`insert into meta (name, value) values (${name}, ${"x"})`);
            tx.post(sql`insert into journal (project, kind, record_id, change, at)
            values (${1}, ${"memory"}, ${name}, ${"ADD"}, ${""})`);
            return Promise.resolve();
          })
        ),
      );
      const statements = readFileSync(log, "utf8").slice(before)
        .matchAll(/LOG: {2}(?:statement|execute [^:]+): (\w+(?: \w+ \w+)?)/g);
      deepStrictEqual([...statements].map(([, start]) => start).slice(-6), [
        "begin isolation level",
        "select",
        "select 1 from",
        "insert into meta",
        "insert into journal",
        "commit",
      ]);
      await store.close();
    } finally {
      await server.close();
    }
  },
);
