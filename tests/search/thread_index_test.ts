/** Places held in memory are those that the table has, whatever happens to the memories. */

import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import sql from "sql-template-tag";
import { WINDOW_STEPS } from "../../src/search/threads/context.ts";
import type { ThreadWindow } from "../../src/search/threads/thread_window.ts";
import { ThreadIndexCache } from "../../src/search/threads/thread_index_cache.ts";
import { readThreadWindow } from "../../src/search/threads/thread_window_sql.ts";
import { packTermHashes, termHash } from "../../src/search/query/terms.ts";
import { Connection } from "../../src/store/sqlite/connection.ts";
import { SqliteStore } from "../../src/store/sqlite/store.ts";
import { SeededRandom } from "../../testing/seeded_random.ts";
import { makeTempDirSync, rm } from "../../testing/temp_dir.ts";

const AT = "2026-03-01T00:00:00.000Z";
const WORDS = ["heron", "reed", "marsh", "dawn", "nest", "wing", "water", "fish"];
const QUERY = WORDS.slice(0, 4).map((term) => ({ hash: termHash(term) }));
const MAX_NEIGHBOURS = WINDOW_STEPS;

/** Memories that come, change and go, as the service writes them. */
class Marsh {
  readonly there: number[] = [];
  readonly #random: SeededRandom;
  readonly #db: Connection;
  readonly #project: number;
  #made = 0;

  constructor(db: Connection, project: number, random: SeededRandom) {
    this.#db = db;
    this.#project = project;
    this.#random = random;
    db.run(sql`insert into projects (number, id, name, created_at)
      values (${project}, ${`id-${project}`}, ${`name-${project}`}, ${AT})`);
  }

  /** Adds to one of a few threads, now and then between others, or to none. */
  #add(): void {
    const thread = this.#random.below(8);
    const position = this.#random.below(2_000);
    const taken = this.#db.first(sql`select 1 from memories
      where project = ${this.#project} and thread = ${thread} and position = ${position}`);
    if (taken !== undefined) return;
    const placed = thread === 0 ? [null, null] : [thread, position];
    const id = `memory-${this.#project}-${this.#made++}`;
    const seq = this.#db.insert(sql`insert into memories (project, id, memory_type, importance,
      created_at, updated_at, event_date, thread, position, terms, memory)
      values (${this.#project}, ${id}, 'fact', .5, ${AT}, ${AT},
      ${this.#random.below(3) === 0 ? AT : null}, ${placed[0]}, ${placed[1]}, ${this.#terms()},
      ${this.#random.below(2) === 0 ? "Where is it?" : "There"})`);
    this.#note(id, "ADD");
    this.there.push(seq);
  }

  #update(): void {
    if (this.there.length === 0) return;
    const seq = this.#random.pick(this.there)!;
    this.#db.run(sql`update memories set terms = ${this.#terms()}, memory = 'Here',
      event_date = null where seq = ${seq}`);
    this.#note(this.#idOf(seq), "UPDATE");
  }

  #delete(): void {
    if (this.there.length === 0) return;
    const [seq] = this.there.splice(this.#random.below(this.there.length), 1);
    const id = this.#idOf(seq!);
    this.#db.run(sql`delete from memories where seq = ${seq}`);
    this.#note(id, "DELETE");
  }

  /** Adds twice as often as it takes away. */
  live(times: number): void {
    this.#db.exec("begin");
    for (let each = 0; each < times; each++) {
      const drawn = this.#random.below(5);
      if (drawn < 3) this.#add();
      else if (drawn === 3) this.#update();
      else this.#delete();
    }
    this.#db.exec("commit");
  }

  #terms(): Uint8Array {
    return packTermHashes(WORDS.filter(() => this.#random.below(2) === 0));
  }

  #idOf(seq: number): string {
    return this.#db.first<{ id: string }>(sql`select id from memories where seq = ${seq}`)!.id;
  }

  #note(id: string, change: string): void {
    this.#db.run(sql`insert into journal (project, kind, record_id, change, at)
      values (${this.#project}, 'memory', ${id}, ${change}, ${AT})`);
  }
}

async function withMarshes(
  work: (db: Connection, marshes: readonly Marsh[]) => void,
  projects = [1, 2],
) {
  const directory = makeTempDirSync();
  const store = new SqliteStore(directory);
  const db = new Connection(store.path);
  const random = new SeededRandom(11);
  try {
    work(db, projects.map((project) => new Marsh(db, project, random)));
  } finally {
    db.close();
    await store.close();
    await rm(directory);
  }
}

/** What surrounds each of the memories found, whatever the threads are called. */
function surroundings(places: ThreadWindow, found: readonly number[]): string[][] {
  const { seqs, positions, masks, asks, dates } = places;
  const { first, end } = places.windowBounds(MAX_NEIGHBOURS);
  return found.map((seq) => {
    const at = seqs.indexOf(seq);
    const around: string[] = [];
    for (let each = first[at]!; each < end[at]!; each++) {
      const place = [seqs[each], positions[each], masks[each], asks[each], dates.get(each)];
      around.push(place.join(" "));
    }
    return around;
  });
}

Deno.test("places in memory follow every change, in the middle of filling and after it", async () => {
  await withMarshes((db, marshes) => {
    const maps = new ThreadIndexCache(db, 2 ** 24);
    const random = new SeededRandom(5);
    const compare = () => {
      let whole = 0;
      for (const [index, { there }] of marshes.entries()) {
        const project = index + 1;
        // Two thousand and more in all: these are filled in piece by piece.
        const map = maps.get(project, 5_000);
        if (map === null) continue;
        whole++;
        const found = there.filter(() => random.below(40) === 0);
        deepStrictEqual(
          surroundings(map.windowAround(QUERY, found, MAX_NEIGHBOURS), found),
          surroundings(readThreadWindow(db, project, QUERY, found, MAX_NEIGHBOURS), found),
        );
        deepStrictEqual(there.filter((seq) => !map.has(seq)), []);
      }
      return whole;
    };
    for (const marsh of marshes) marsh.live(4_000);
    strictEqual(compare(), 0);
    while (maps.fill()) for (const marsh of marshes) marsh.live(25);
    for (let round = 0; round < 60; round++) {
      for (const marsh of marshes) marsh.live(25);
      strictEqual(compare(), 2);
    }
    // More than is worth following: filled in anew.
    for (const marsh of marshes) marsh.live(6_000);
    strictEqual(compare(), 0);
    while (maps.fill());
    strictEqual(compare(), 2);
  });
});

Deno.test("a small project's places are there at once, those of a large one never", async () => {
  await withMarshes((db, [marsh]) => {
    marsh!.live(100);
    strictEqual(
      new ThreadIndexCache(db, 2 ** 24).get(1, marsh!.there.length)?.has(marsh!.there[0]!),
      true,
    );
    strictEqual(new ThreadIndexCache(db, 1_000).get(1, marsh!.there.length), null);
  });
});

Deno.test("the places of many small projects take no more than they may all together", async () => {
  const projects = Array.from({ length: 60 }, (_, at) => at + 1);
  await withMarshes((db, marshes) => {
    const most = 2 ** 21;
    const maps = new ThreadIndexCache(db, most);
    let largest = 0;
    for (const [at, marsh] of marshes.entries()) {
      marsh.live(20);
      strictEqual(maps.get(projects[at]!, marsh.there.length)?.has(marsh.there[0]!), true);
      largest = Math.max(largest, maps.byteLength);
    }
    ok(largest <= most, `${largest} bytes`);
    ok(largest > most / 2, `${largest} bytes: more could have stayed`);
  }, projects);
});
