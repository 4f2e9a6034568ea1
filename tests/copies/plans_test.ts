/** Makes sure that what runs before each search doesn't read all rows of a project. */

import { deepStrictEqual } from "node:assert/strict";
import sql, { type Sql } from "sql-template-tag";
import { COPY_START, projectEnd } from "../../src/copies/feed.ts";
import type { Store } from "../../src/store/store.ts";
import { testWith } from "../../testing/tools.ts";
import { withPostgres } from "../store/engines.ts";
import { TOOLS } from "./content.ts";

testWith(TOOLS, "projectEnd() reads the ends of indexes", () =>
  withPostgres(async (store) => {
    const queries: Sql[] = [];
    const queryOne: Store["queryOne"] = (query) => {
      queries.push(query);
      return store.queryOne(query);
    };
    await projectEnd({ queryOne } as Store, 1, COPY_START);
    const lines = await store.read(async (db) => {
      // Small tables are read as a whole.
      await db.all(sql`set local enable_seqscan = off`);
      return await db.all<{ "QUERY PLAN": string }>(sql`explain (costs off) ${queries[0]!}`);
    });
    const ends = lines.map((line) => line["QUERY PLAN"])
      .filter((line) => line.includes("Backward")).map((line) => line.trim().split(" using ")[1]);
    deepStrictEqual(ends, [
      "journal_of_project on journal",
      "vector_signs_latest on vector_signs",
      "memory_access_latest on memory_access",
    ]);
  }));
