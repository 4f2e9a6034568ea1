/** Checks that both engines have the same schema, apart from what belongs to SQLite's index. */

import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import sql from "sql-template-tag";
import { Connection } from "../../src/store/sqlite/connection.ts";
import { SCHEMA_VERSION } from "../../src/store/sqlite/migrations.ts";
import { PG_SCHEMA_VERSION } from "../../src/store/postgres/migrations.ts";
import { PgStore } from "../../src/store/postgres/store.ts";
import { testWith } from "../../testing/tools.ts";
import { postgres } from "./engines.ts";
import { withStore } from "./with_store.ts";

/** Tables and columns that only SQLite has: only searches read them. */
const ONLY_SQLITE =
  /^(?:(?:memories|chunks)_(?:fts|vocabulary)\w*|chunk_terms|sqlite_\w+)\.|^memories\.asks$/;

/** SQLite's types, and what they are called in PostgreSQL. */
const TYPES: Readonly<Record<string, readonly string[]>> = {
  integer: ["bigint", "smallint"],
  text: ["text"],
  real: ["double precision"],
  blob: ["bytea"],
};

interface Column {
  readonly name: string;
  readonly type: string;
  readonly required: boolean;
}

Deno.test("both engines have the same schema version", () => {
  strictEqual(PG_SCHEMA_VERSION, SCHEMA_VERSION);
});

testWith(
  ["initdb", "setpriv"],
  "both engines have the same tables, columns and required columns",
  async () => {
    const inSqlite = await sqliteColumns();
    const inPostgres = await postgresColumns();
    deepStrictEqual(
      inPostgres.map(({ name, required }) => [name, required]),
      inSqlite.map(({ name, required }) => [name, required]),
    );
    inPostgres.forEach(({ name, type }, index) => {
      const expected = TYPES[inSqlite[index]!.type.toLowerCase()];
      ok(expected?.includes(type), `${name} is ${type}`);
    });
  },
);

testWith(
  ["initdb", "setpriv"],
  "all text in PostgreSQL is ordered by bytes, as in SQLite",
  async () => {
    const address = (await postgres()).newSchema();
    await (await PgStore.open(address)).close();
    const others = await (await postgres()).query(`select table_name, column_name
    from information_schema.columns where table_schema = '${address.schema}'
      and data_type = 'text' and collation_name is distinct from 'C'`);
    deepStrictEqual(others, []);
  },
);

testWith(
  ["initdb", "setpriv"],
  "both engines check the same columns for the same values",
  async () => {
    const address = (await postgres()).newSchema();
    await (await PgStore.open(address)).close();
    const rows = await (await postgres()).query<{ table: string; text: string }>(
      `select conrelid::regclass::text as table, pg_get_constraintdef(oid) as text
      from pg_constraint where contype = 'c' and connamespace = '${address.schema}'::regnamespace`,
    );
    const inPostgres = rows.map(({ table, text }) =>
      `${table.split(".").at(-1)} ${literals(text)}`
    );
    const inSqlite: string[] = [];
    await withStore(async (store) => {
      await store.erase();
      const connection = new Connection(store.path, { readOnly: true });
      const tables = connection.all<{ name: string; sql: string }>(
        sql`select name, sql from sqlite_master where type = 'table' and sql like '%check (%'`,
      );
      for (const { name, sql: text } of tables) {
        const checks = text.replaceAll(/^\s*--.*$/gm, "").matchAll(
          /check \(((?:[^()]|\([^()]*\))*)\)/g,
        );
        for (const [, check] of checks) inSqlite.push(`${name} ${literals(check!)}`);
      }
      connection.close();
    });
    deepStrictEqual(inPostgres.sort(), inSqlite.sort());
  },
);

/** Returns the values named in a check, in order. */
function literals(text: string): string {
  return [...text.matchAll(/'([^']*)'|\b\d+\b/g)].map(([all, quoted]) => quoted ?? all).sort().join(
    " ",
  );
}

async function sqliteColumns(): Promise<Column[]> {
  const columns: Column[] = [];
  await withStore(async (store) => {
    await store.erase();
    const connection = new Connection(store.path, { readOnly: true });
    columns.push(
      ...connection.all<{ name: string; type: string; required: number }>(sql`
      select t.name || '.' || c.name as name, c.type, c."notnull" or c.pk > 0 as required
      from pragma_table_list t, pragma_table_xinfo(t.name) c
      where t.schema = 'main' and t.type in ('table', 'virtual', 'shadow')`)
        .filter(({ name }) => !ONLY_SQLITE.test(name))
        .map((row) => ({ ...row, required: Boolean(row.required) })),
    );
    connection.close();
  });
  return sortByName(columns);
}

async function postgresColumns(): Promise<Column[]> {
  const address = (await postgres()).newSchema();
  await (await PgStore.open(address)).close();
  return sortByName(
    await (await postgres()).query<Column>(`select table_name || '.' || column_name as name,
      data_type as type, is_nullable = 'NO' as required
      from information_schema.columns where table_schema = '${address.schema}'`),
  );
}

function sortByName(columns: readonly Column[]): Column[] {
  return [...columns].sort((a, b) => a.name < b.name ? -1 : 1);
}

testWith(
  ["initdb", "setpriv"],
  "PgStore.open() needs no permission for the database if the schema exists",
  async () => {
    const server = await postgres();
    const { url, schema } = server.newSchema();
    await server.query(`create role ${schema} login; create schema authorization ${schema}`);
    const address = { url: url.replace("//postgres@", `//${schema}@`), schema };
    await (await PgStore.open(address)).close();
  },
);
