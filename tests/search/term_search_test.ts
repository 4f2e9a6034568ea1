/** Tests which terms of a query the text index is searched for. */

import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import sql from "sql-template-tag";
import {
  type Collection,
  DocumentFrequencies,
  findByTerms,
  type QueryTerm,
  weightTerms,
} from "../../src/search/lexical/term_search.ts";
import { Connection } from "../../src/store/sqlite/connection.ts";
import { SqliteStore } from "../../src/store/sqlite/store.ts";
import { indexedTag, indexedTerm } from "../../src/store/sqlite/text_index.ts";
import { PostingLists } from "../../src/search/lexical/posting_lists.ts";
import { makeTempDirSync, rm } from "../../testing/temp_dir.ts";

const PROJECT = 1;

/** A memory in the text index. */
interface Indexed {
  readonly text: string;
  readonly user?: string;
}

/** Calls `use` with a project whose memories are numbered from 1. */
async function withMemories<T>(
  memories: readonly Indexed[],
  use: (db: Connection, collection: Collection) => T,
): Promise<T> {
  const directory = makeTempDirSync();
  const store = new SqliteStore(directory);
  const db = new Connection(store.path);
  db.exec("begin");
  for (const [index, { text, user }] of memories.entries()) {
    const terms = text.split(" ").map((term) => indexedTerm(PROJECT, term)).join(" ");
    const tags = user === undefined ? "" : indexedTag(PROJECT, `user_id=${user}`);
    db.run(
      sql`insert into memories_fts (rowid, text, tags) values (${index + 1}, ${terms}, ${tags})`,
    );
  }
  db.exec("commit");
  try {
    return use(db, { index: "memories", project: PROJECT, total: memories.length });
  } finally {
    db.close();
    await store.close();
    await rm(directory);
  }
}

/** Weighs a query's terms in a project with memories of these terms, with room for no postings. */
function weigh(memories: readonly string[], query: string): Promise<QueryTerm[]> {
  const budget = { share: 0, minPostings: 0 };
  return withMemories(
    memories.map((text) => ({ text })),
    (db, collection) => weightTerms(db, new DocumentFrequencies(), collection, budget, query),
  );
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

Deno.test("weightTerms() counts a term that looks like another one with its letter", async () => {
  // "clock", once with each letter, and "lock" with one of them.
  const tokens = ["aclock", "cclock", "clock"].map((text) => ({ text }));
  await withMemories(tokens, (db, collection) => {
    const [lettered, frequencies] = [
      { ...collection, letters: ["a", "c"] },
      new DocumentFrequencies(),
    ];
    const counts = ["lock", "clock", "lock"].map((query) =>
      weightTerms(db, frequencies, lettered, { share: 1, minPostings: 0 }, query)[0]!.frequency
    );
    deepStrictEqual(counts, [1, 2, 1]);
  });
});

/** More memories than a list that's read rather than counted. */
const MANY = 2_100;

Deno.test("weightTerms() returns the same with posting lists, and stores those of rare terms", async () => {
  const memories = Array.from(
    { length: MANY },
    (_, index) => ({ text: index === 7 ? "heron reed" : "reed" }),
  );
  await withMemories(memories, (db, collection) => {
    const budget = { share: 1, minPostings: 0 };
    const postings = new PostingLists(() => Infinity);
    const listed = { ...collection, postings };
    const query = "reed heron unicorn";
    const expected = weightTerms(db, new DocumentFrequencies(), collection, budget, query);
    const frequencies = new DocumentFrequencies();
    for (let round = 0; round < 2; round++) {
      const terms = weightTerms(db, frequencies, listed, budget, query);
      deepStrictEqual(terms, expected);
      deepStrictEqual(terms.map((term) => postings.get(term)?.length), [1, undefined, 0]);
    }
  });
});

Deno.test("findByTerms() returns the same from posting lists, in a scope and without one", async () => {
  const memories = Array.from({ length: 300 }, (_, index) => ({
    text: ["heron", "reed", "nest"].filter((_, at) => index % (at + 2) === 0).join(" ") || "none",
    user: index % 7 < 3 ? "ana" : "ben",
  }));
  await withMemories(memories, (db, collection) => {
    const postings = new PostingLists(() => Infinity);
    const budget = { share: 2, minPostings: 0 };
    const listed = { ...collection, postings };
    const terms = weightTerms(db, new DocumentFrequencies(), listed, budget, "heron reed nest");
    const seqsOfAna = memories.flatMap(({ user }, index) => user === "ana" ? [index + 1] : []);
    for (const [clauses, seqs] of [[[["user_id=ana"]], seqsOfAna], [[], null]] as const) {
      const find = (from: Collection, known: readonly number[] | null) =>
        findByTerms(db, from, terms, { clauses, seqs: known }, 1_000);
      const expected = find(collection, null);
      ok(expected.length > 50);
      deepStrictEqual(find(listed, seqs), expected);
      deepStrictEqual(find(listed, null), expected);
      // Reads the lists again.
      postings.trim(0);
      deepStrictEqual(find(listed, seqs), expected);
      ok(postings.byteLength > 0);
    }
  });
});
