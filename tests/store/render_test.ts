/** Checks how statements look in PostgreSQL. */

import { deepStrictEqual, throws } from "node:assert/strict";
import sql, { empty, type Sql } from "sql-template-tag";
import { render, renderRows } from "../../src/store/postgres/render.ts";
import {
  FOR_KEY_SHARE,
  FOR_UPDATE,
  integerRows,
  recordRows,
  rowNumber,
  SKIP_LOCKED,
  texts,
} from "../../src/store/sql.ts";

const rendered = (query: Sql) => {
  const { text, values } = render(query);
  return [text.replaceAll(/\s+/g, " "), values];
};

Deno.test("render() numbers parameters and states their types", () => {
  deepStrictEqual(
    rendered(sql`select ${1}, ${0.5}, ${"a"}, ${true}, ${null} ${empty} from t`),
    ["select $1::bigint, $2::double precision, $3::text, $4::bigint, null from t", [1, .5, "a", 1]],
  );
});

Deno.test("render() passes lists as arrays", () => {
  deepStrictEqual(rendered(sql`select 1 where id in ${texts(["a"])} and n > ${1}`), [
    "select 1 where id in (select value from unnest($1::text[]) with ordinality as list(value, key)) and n > $2::bigint",
    [["a"], 1],
  ]);
  deepStrictEqual(
    rendered(sql`select 1 from ${integerRows([1])} as wanted cross join t on t.seq = wanted.value`),
    [
      "select 1 from unnest($1::bigint[]) with ordinality as wanted(value, key) join t on t.seq = wanted.value",
      [[1]],
    ],
  );
  deepStrictEqual(rendered(sql`select value ->> 'id' from ${recordRows([{ id: 1 }])}`), [
    "select value ->> 'id' from json_array_elements($1::json) with ordinality as list(value, key)",
    ['[{"id":1}]'],
  ]);
});

Deno.test("render() reads JSON in text columns, and drops hints for SQLite", () => {
  deepStrictEqual(
    rendered(sql`select h.changes -> 'a' ->> 'b' from t cross join u as h on h.id = t.id
      where +project = ${1} and source ->> 'kind' = 'x' and n + 1 > 2`)[0],
    "select h.changes::json -> 'a' ->> 'b' from t join u as h on h.id = t.id " +
      "where project = $1::bigint and source::json ->> 'kind' = 'x' and n + 1 > 2",
  );
});

Deno.test("render() locks rows", () => {
  const locks = [SKIP_LOCKED, FOR_KEY_SHARE, FOR_UPDATE];
  deepStrictEqual(
    locks.map((lock) => rendered(sql`select a from t limit ${1} ${lock}`)[0]),
    ["for update skip locked", "for key share", "for update"].map((lock) =>
      `select a from t limit $1::bigint ${lock}`
    ),
  );
});

Deno.test("render() compares two values, and leaves aggregates alone", () => {
  deepStrictEqual(
    rendered(sql`update t set a = min(a, ${"x"}), b = max(t.b, excluded.b)`)[0],
    "update t set a = least(a, $1::text), b = greatest(t.b, excluded.b)",
  );
  deepStrictEqual(
    rendered(sql`select min(a), max(coalesce(b, c)) from t`)[0],
    "select min(a), max(coalesce(b, c)) from t",
  );
});

Deno.test("render() lets the server choose the next row number", () => {
  deepStrictEqual(rendered(sql`insert into t (seq, a) values (${rowNumber(null)}, ${"x"})`), [
    "insert into t (seq, a) values (default, $1::text)",
    ["x"],
  ]);
  deepStrictEqual(rendered(sql`insert into t (seq) values (${rowNumber(7)})`)[1], [7]);
});

Deno.test("renderRows() passes each column as a list", () => {
  const { text, values } = renderRows("insert into t (seq, a, b, c, d)", [
    [rowNumber(null), "x", null, null, 1],
    [rowNumber(null), "y", 2, null, 0.5],
  ]);
  deepStrictEqual(
    text.replaceAll(/\s+/g, " "),
    "insert into t (a, b, c, d) select list.a, list.b, null, list.d " +
      "from unnest($1::text[], $2::bigint[], $3::double precision[]) as list(a, b, d)",
  );
  deepStrictEqual(values, [["x", "y"], [null, 2], [1, 0.5]]);
  throws(() => renderRows("insert into t (a)", [["x"], [1]]), /different types/);
});

Deno.test("render() refuses values that it doesn't know", () => {
  throws(() => render(sql`select ${{} as string}`), /Can't bind/);
});
