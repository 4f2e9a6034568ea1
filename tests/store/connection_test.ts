/** Checks that rows are plain objects with SQLite's exact values. */

import { deepStrictEqual, strictEqual, throws } from "node:assert/strict";
import { join } from "node:path";
import sql from "sql-template-tag";
import { Connection } from "../../src/store/sqlite/connection.ts";
import { makeTempDirSync, rm } from "../../testing/temp_dir.ts";

async function withConnection(work: (connection: Connection) => void): Promise<void> {
  const directory = makeTempDirSync();
  const connection = new Connection(join(directory, "rows.db"));
  try {
    work(connection);
  } finally {
    connection.close();
    await rm(directory);
  }
}

Deno.test("Connection.first() and all() return one property per column, for every SQLite type", async () => {
  await withConnection((connection) => {
    const row = {
      ...{ text: "né", none: null, half: 0.5, bytes: new Uint8Array([1, 0]) },
      ...{ largest: Number.MAX_SAFE_INTEGER, smallest: Number.MIN_SAFE_INTEGER },
    };
    const query = sql`select ${row.text} as text, ${row.none} as none, ${row.half} as half,
      ${row.bytes} as bytes, ${row.largest} as largest, ${row.smallest} as smallest`;
    deepStrictEqual(connection.first(query), row);
    deepStrictEqual(connection.all(query), [row]);
    deepStrictEqual(connection.first(sql`select typeof(${1}) as integer, typeof(${0.5}) as half`), {
      integer: "integer",
      half: "real",
    });
    // Integers that don't fit into a number aren't rounded.
    throws(() => connection.first(sql`select 9007199254740993 as large`), /too large/);
  });
});

Deno.test("Connection.first() and all() return nothing if there are no rows, and the result of RETURNING", async () => {
  await withConnection((connection) => {
    connection.exec("create table notes (id integer primary key, note text)");
    const notes = sql`select id, note from notes`;
    deepStrictEqual([connection.first(notes), connection.all(notes)], [undefined, []]);
    strictEqual(connection.first(sql`insert into notes (note) values ('a')`), undefined);
    deepStrictEqual(connection.all(sql`insert into notes (note) values ('b') returning id`), [
      { id: 2 },
    ]);
    // A statement prepared before the table changed still works.
    connection.exec("alter table notes add column written text");
    connection.exec("alter table notes drop column written");
    deepStrictEqual(connection.all(notes), [{ id: 1, note: "a" }, { id: 2, note: "b" }]);
  });
});
