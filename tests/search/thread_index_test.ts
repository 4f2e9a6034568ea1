/**
 * Checks that in-memory thread indexes and their posting lists agree with the table after any
 * changes to the memories.
 */

import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import sql from "sql-template-tag";
import { WINDOW_STEPS } from "../../src/search/threads/context.ts";
import type { ThreadIndex } from "../../src/search/threads/thread_index.ts";
import type { ThreadWindow } from "../../src/search/threads/thread_window.ts";
import { ThreadIndexCache } from "../../src/search/threads/thread_index_cache.ts";
import { readThreadWindow } from "../../src/search/threads/thread_window_sql.ts";
import { dateTerms, packTermHashes, termHash } from "../../src/search/query/terms.ts";
import { Connection } from "../../src/store/sqlite/connection.ts";
import { SqliteStore } from "../../src/store/sqlite/store.ts";
import { SeededRandom } from "../../testing/seeded_random.ts";
import { makeTempDirSync, rm } from "../../testing/temp_dir.ts";

const AT = "2026-03-01T00:00:00.000Z";
const WORDS = ["heron", "reed", "marsh", "dawn", "nest", "wing", "water", "fish", "march"];
/** All words and date terms. "march" is both. */
const TERMS = [...new Set([...WORDS, ...dateTerms(AT)])]
  .map((term) => ({ term, hash: termHash(term) }));
const QUERY = WORDS.slice(0, 4).map((term) => ({ hash: termHash(term) }));
const MAX_NEIGHBOURS = WINDOW_STEPS;

/** A project whose memories are added, changed and deleted just like in the service. */
class TestProject {
  readonly seqs: number[] = [];
  readonly #random: SeededRandom;
  readonly #db: Connection;
  readonly #project: number;
  #created = 0;

  constructor(db: Connection, project: number, random: SeededRandom) {
    this.#db = db;
    this.#project = project;
    this.#random = random;
    db.run(sql`insert into projects (number, id, name, created_at)
      values (${project}, ${`id-${project}`}, ${`name-${project}`}, ${AT})`);
  }

  /**
   * Adds a memory to no thread or to one of a few, sometimes between existing ones.
   *
   * @param number its `seq`; null for the next one
   */
  add(number: number | null = null): void {
    const thread = this.#random.below(8);
    const position = this.#random.below(2_000);
    const taken = this.#db.first(sql`select 1 from memories
      where project = ${this.#project} and thread = ${thread} and position = ${position}`);
    if (taken !== undefined) return;
    const placed = thread === 0 ? [null, null] : [thread, position];
    const id = `memory-${this.#project}-${this.#created++}`;
    const seq = this.#db.insert(sql`insert into memories (seq, project, id, memory_type,
      importance, created_at, updated_at, event_date, thread, position, terms, memory)
      values (${number}, ${this.#project}, ${id}, 'fact', .5, ${AT}, ${AT},
      ${this.#random.below(3) === 0 ? AT : null}, ${placed[0]}, ${placed[1]}, ${this.#terms()},
      ${this.#random.below(2) === 0 ? "Where is it?" : "There"})`);
    this.#recordChange(id, "ADD");
    this.seqs.push(seq);
  }

  #update(): void {
    if (this.seqs.length === 0) return;
    const seq = this.#random.pick(this.seqs)!;
    this.#db.run(sql`update memories set terms = ${this.#terms()}, memory = 'Here',
      event_date = null where seq = ${seq}`);
    this.#recordChange(this.#idOf(seq), "UPDATE");
  }

  /** @param at index within `seqs` */
  delete(at: number): void {
    const [seq] = this.seqs.splice(at, 1);
    const id = this.#idOf(seq!);
    this.#db.run(sql`delete from memories where seq = ${seq}`);
    this.#recordChange(id, "DELETE");
  }

  /** Makes random changes, adding more memories than it deletes. */
  change(times: number): void {
    this.#db.exec("begin");
    for (let count = 0; count < times; count++) {
      const action = this.#random.below(5);
      if (action < 3) this.add();
      else if (action === 3) this.#update();
      else if (this.seqs.length > 0) this.delete(this.#random.below(this.seqs.length));
    }
    this.#db.exec("commit");
  }

  #terms(): Uint8Array {
    return packTermHashes(WORDS.filter(() => this.#random.below(2) === 0));
  }

  #idOf(seq: number): string {
    return this.#db.first<{ id: string }>(sql`select id from memories where seq = ${seq}`)!.id;
  }

  #recordChange(id: string, change: string): void {
    this.#db.run(sql`insert into journal (project, kind, record_id, change, at)
      values (${this.#project}, 'memory', ${id}, ${change}, ${AT})`);
  }
}

async function withProjects(
  work: (db: Connection, testProjects: readonly TestProject[]) => void,
  projects = [1, 2],
) {
  const directory = makeTempDirSync();
  const store = new SqliteStore(directory);
  const db = new Connection(store.path);
  const random = new SeededRandom(11);
  try {
    work(db, projects.map((project) => new TestProject(db, project, random)));
  } finally {
    db.close();
    await store.close();
    await rm(directory);
  }
}

/** Returns each hit's neighbours, regardless of thread ids. */
function neighboursOf(threadWindow: ThreadWindow, found: readonly number[]): string[][] {
  const { seqs, positions, masks, asks, dates } = threadWindow;
  const { first, end } = threadWindow.windowBounds(MAX_NEIGHBOURS);
  return found.map((seq) => {
    const at = seqs.indexOf(seq);
    const neighbours: string[] = [];
    for (let index = first[at]!; index < end[at]!; index++) {
      const row = [seqs[index], positions[index], masks[index], asks[index], dates.get(index)];
      neighbours.push(row.join(" "));
    }
    return neighbours;
  });
}

/** Checks that an index returns the same windows as the table. */
function compareWindows(
  db: Connection,
  project: number,
  index: ThreadIndex,
  found: readonly number[],
): void {
  deepStrictEqual(
    neighboursOf(index.windowAround(QUERY, found, MAX_NEIGHBOURS), found),
    neighboursOf(readThreadWindow(db, project, QUERY, found, MAX_NEIGHBOURS), found),
  );
}

/** Returns the memories with each word or date term, as the text index would. */
function readPostings(db: Connection, project: number): Map<number, number[]> {
  const rows = db.all<{ seq: number; terms: Uint8Array; event_date: string | null }>(
    sql`select seq, terms, event_date from memories where project = ${project} order by seq`,
  );
  const postings = new Map<number, number[]>();
  for (const { seq, terms, event_date } of rows) {
    const hashes = new Uint32Array(terms.slice().buffer);
    const dates = event_date === null ? [] : dateTerms(event_date).map(termHash);
    for (const hash of new Set([...hashes, ...dates])) {
      if (!postings.has(hash)) postings.set(hash, []);
      postings.get(hash)!.push(seq);
    }
  }
  return postings;
}

/** Returns how many of the posting lists were in memory. All must be as in the text index. */
function comparePostings(index: ThreadIndex, postings: ReadonlyMap<number, number[]>): number {
  let known = 0;
  for (const term of TERMS) {
    const expected = postings.get(term.hash) ?? [];
    known++;
    const seqs = index.postings?.get(term);
    if (seqs !== undefined) deepStrictEqual([...seqs], expected);
    else {
      known--;
      index.postings!.set(term, Uint32Array.from(expected));
    }
  }
  return known;
}

Deno.test("ThreadIndex.postings returns lists from memory until one of their memories changes", async () => {
  await withProjects((db, [testProject]) => {
    testProject!.change(100);
    const cache = new ThreadIndexCache(2 ** 24);
    const compare = () =>
      comparePostings(cache.get(db, 1, testProject!.seqs.length)!, readPostings(db, 1));
    strictEqual(compare(), 0);
    strictEqual(compare(), TERMS.length);
    for (let count = 0; count < 20; count++) testProject!.add();
    strictEqual(compare(), TERMS.length);
    let known = 0;
    for (let round = 0; round < 100; round++) {
      testProject!.change(1);
      known += compare();
    }
    ok(known > 600, `${known} lists`);
  });
});

Deno.test("ThreadIndexCache follows every change, both while it is being filled and afterwards", async () => {
  await withProjects((db, testProjects) => {
    const cache = new ThreadIndexCache(2 ** 24);
    const random = new SeededRandom(5);
    const compare = () => {
      let complete = 0;
      for (const [at, { seqs }] of testProjects.entries()) {
        const project = at + 1;
        // Both are filled in batches: the first from the whole table, the second by its index.
        const index = cache.get(db, project, project === 1 ? 5_000 : 300);
        if (index === null) continue;
        complete++;
        const found = seqs.filter(() => random.below(40) === 0);
        compareWindows(db, project, index, found);
        deepStrictEqual(seqs.filter((seq) => !index.has(seq)), []);
      }
      return complete;
    };
    testProjects[0]!.add(7_000);
    for (const testProject of testProjects) testProject.change(4_000);
    strictEqual(compare(), 0);
    while (cache.fill()) for (const testProject of testProjects) testProject.change(25);
    for (let round = 0; round < 60; round++) {
      for (const testProject of testProjects) testProject.change(25);
      strictEqual(compare(), 2);
    }
    // More changes than the cache catches up with, so it starts over.
    for (const testProject of testProjects) testProject.change(6_000);
    strictEqual(compare(), 0);
    while (cache.fill());
    strictEqual(compare(), 2);
  });
});

Deno.test("ThreadIndexCache.fill() reads the whole table only for a project with a large share of it", async () => {
  await withProjects((db, [first]) => {
    first!.change(400);
    first!.add(10_000);
    for (const [total, batches] of [[300, 1], [500, Math.ceil(10_000 / 256)]] as const) {
      const cache = new ThreadIndexCache(2 ** 24);
      strictEqual(cache.get(db, 1, total), null);
      let count = 0;
      while (cache.fill()) count++;
      strictEqual(count, batches);
      strictEqual(cache.get(db, 1, total)?.has(first!.seqs.at(-1)!), true);
    }
  });
});

Deno.test("ThreadIndexCache follows memories whose number is used again", async () => {
  await withProjects((db, [first, second]) => {
    first!.change(100);
    const cache = new ThreadIndexCache(2 ** 24);
    for (let round = 0; round < 40; round++) {
      comparePostings(cache.get(db, 1, first!.seqs.length)!, readPostings(db, 1));
      const seq = first!.seqs.at(-1)!;
      first!.delete(first!.seqs.length - 1);
      (round % 2 === 0 ? first! : second!).add(seq);
      const index = cache.get(db, 1, first!.seqs.length)!;
      strictEqual(index.has(seq), first!.seqs.includes(seq));
      compareWindows(db, 1, index, first!.seqs);
      comparePostings(index, readPostings(db, 1));
    }
  });
});

Deno.test("ThreadIndexCache.get() returns a small project at once, but never one beyond the size limit", async () => {
  await withProjects((db, [testProject]) => {
    testProject!.change(100);
    strictEqual(
      new ThreadIndexCache(2 ** 24).get(db, 1, testProject!.seqs.length)?.has(
        testProject!.seqs[0]!,
      ),
      true,
    );
    strictEqual(new ThreadIndexCache(1_000).get(db, 1, testProject!.seqs.length), null);
  });
});

Deno.test("ThreadIndexCache stays within its size limit with many small projects", async () => {
  const projects = Array.from({ length: 60 }, (_, at) => at + 1);
  await withProjects((db, testProjects) => {
    const maxBytes = 2 ** 21;
    const cache = new ThreadIndexCache(maxBytes);
    let largest = 0;
    for (const [at, testProject] of testProjects.entries()) {
      testProject.change(20);
      const index = cache.get(db, projects[at]!, testProject.seqs.length)!;
      strictEqual(index.has(testProject.seqs[0]!), true);
      for (let hash = 0; hash < 50; hash++) {
        index.postings!.set({ term: `term-${hash}`, hash }, Uint32Array.from(testProject.seqs));
      }
      largest = Math.max(largest, cache.byteLength);
    }
    ok(largest <= maxBytes, `${largest} bytes`);
    ok(largest > maxBytes / 2, `${largest} bytes: evicted too much`);
  }, projects);
});

Deno.test("ThreadIndexCache drops posting lists before it evicts an index", async () => {
  await withProjects((db, [first, second]) => {
    for (const testProject of [first!, second!]) testProject.change(100);
    const unlimited = new ThreadIndexCache(Infinity);
    unlimited.get(db, 1, first!.seqs.length);
    unlimited.get(db, 2, second!.seqs.length);
    const maxBytes = unlimited.byteLength + 1_000;
    const cache = new ThreadIndexCache(maxBytes);
    const index = cache.get(db, 1, first!.seqs.length)!;
    comparePostings(index, readPostings(db, 1));
    strictEqual(comparePostings(index, readPostings(db, 1)), TERMS.length);
    const other = cache.get(db, 2, second!.seqs.length)!;
    ok(cache.byteLength <= maxBytes, `${cache.byteLength} bytes`);
    strictEqual(cache.get(db, 1, first!.seqs.length), index);
    other.postings!.set({ term: "heron", hash: 1 }, Uint32Array.from(second!.seqs));
    comparePostings(index, readPostings(db, 1));
    cache.get(db, 2, second!.seqs.length);
    strictEqual(cache.byteLength, index.byteLength + other.byteLength);
    ok(comparePostings(index, readPostings(db, 1)) < TERMS.length);
  });
});
