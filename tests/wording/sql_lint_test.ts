/** Checks that SQL for one engine only is reported. */

import { deepStrictEqual, strictEqual } from "node:assert/strict";
import plugin from "../../scripts/sql_lint_plugin.ts";

const reported = (statement: string, file = "/src/memories/a.ts") =>
  Deno.lint.runPlugin(plugin, file, `export const a = sql\`${statement}\`;\n`).length;

for (
  const statement of [
    "select value from json_each(${ids})",
    "select changes ->> '$.a.b' from memory_history",
    "insert into t values (1) on conflict (a) do update set n = n + excluded.n",
    "select 1 where a is not b",
    "select 1 where a is ${b}",
    "select cast(a as integer)",
    "insert or ignore into t values (1)",
    "select rowid from t",
    "select ifnull(a, b)",
    "select a::text",
  ]
) {
  Deno.test(`commonplace-sql/shared-subset reports ${statement}`, () => {
    strictEqual(reported(statement), 1);
  });
}

Deno.test("commonplace-sql/named-columns reports all columns of a table, but not those of a subquery", () => {
  for (
    const statement of ["select * from t", "select distinct t.* from t", "select t.*, a from b"]
  ) {
    strictEqual(reported(statement), 1, statement);
  }
  for (const statement of ["select count(*) from t", "select * from (select a from t) as b"]) {
    strictEqual(reported(statement), 0, statement);
  }
});

Deno.test("commonplace-sql/shared-subset accepts what both engines understand", () => {
  const statements = [
    "select max(a), min(coalesce(b, c)) from t",
    "select a -> 'b' ->> 'c' from t where a is not null and b is distinct from c",
    "update t set n = n - ${count}",
    "insert into t values (1) on conflict (a) do update set n = t.n + excluded.n",
  ];
  deepStrictEqual(statements.map((statement) => reported(statement)), statements.map(() => 0));
});

Deno.test("commonplace-sql/shared-subset leaves the engines alone", () => {
  strictEqual(reported("pragma user_version", "/src/store/sqlite/a.ts"), 0);
  strictEqual(reported("select a::text", "/src/store/postgres/a.ts"), 0);
  strictEqual(reported("select rowid from t", "/src/search/lexical/a.ts"), 0);
});
