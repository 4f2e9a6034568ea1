/** Tests which terms of a query the text index is searched for. */

import { deepStrictEqual, strictEqual } from "node:assert/strict";
import sql from "sql-template-tag";
import {
  type Collection,
  DocumentFrequencies,
  type QueryTerm,
  weightTerms,
} from "../../src/search/lexical/term_search.ts";
import { Connection } from "../../src/store/sqlite/connection.ts";
import { SqliteStore } from "../../src/store/sqlite/store.ts";
import { indexedTerm } from "../../src/store/sqlite/text_index.ts";
import { makeTempDirSync, rm } from "../../testing/temp_dir.ts";

const PROJECT = 1;

/** Weighs a query's terms in a project with memories of these terms, with room for no postings. */
async function weigh(memories: readonly string[], query: string): Promise<QueryTerm[]> {
  const directory = makeTempDirSync();
  const store = new SqliteStore(directory);
  const db = new Connection(store.path);
  for (const [index, memory] of memories.entries()) {
    const terms = memory.split(" ").map((term) => indexedTerm(PROJECT, term)).join(" ");
    db.run(sql`insert into memories_fts (rowid, text, tags) values (${index + 1}, ${terms}, '')`);
  }
  const collection: Collection = { index: "memories", project: PROJECT, total: memories.length };
  const budget = { share: 0, minPostings: 0 };
  const terms = weightTerms(db, new DocumentFrequencies(), collection, budget, query);
  db.close();
  await store.close();
  await rm(directory);
  return terms;
}

const asked = (terms: readonly QueryTerm[]) =>
  terms.filter((term) => term.asked).map(({ term }) => term);

Deno.test("weightTerms() prefers terms that occur to any number of terms that don't", async () => {
  const absent = Array.from({ length: 40 }, (_, index) => `absent${index}`).join(" ");
  const terms = await weigh(["heron reed", "reed"], `${absent} reed heron`);
  strictEqual(terms.length, 31);
  deepStrictEqual(terms.slice(0, 3).map(({ term }) => term), ["heron", "reed", "absent0"]);
});

Deno.test("weightTerms() always searches for the rarest term that occurs", async () => {
  deepStrictEqual(asked(await weigh(["heron reed", "reed"], "unicorn reed heron")), ["heron"]);
  deepStrictEqual(asked(await weigh(["reed"], "unicorn")), []);
});
