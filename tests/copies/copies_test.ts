/** Tests search copies: after any changes they equal a copy that's made at once. */

import { deepStrictEqual, notDeepStrictEqual, ok } from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { COPY_FOLDER, SearchCopies } from "../../src/copies/copies.ts";
import { systemClock } from "../../src/kernel/clock.ts";
import type { PgAddress } from "../../src/store/postgres/connection.ts";
import { PgStore } from "../../src/store/postgres/store.ts";
import { databasePath } from "../../src/store/sqlite/store.ts";
import { type TestServer, withServer } from "../../testing/harness.ts";
import { SeededRandom } from "../../testing/seeded_random.ts";
import { makeTempDirSync, rm } from "../../testing/temp_dir.ts";
import { testWith } from "../../testing/tools.ts";
import { waitUntil } from "../../testing/wait_until.ts";
import { postgres } from "../store/engines.ts";
import { contentOf, memoriesIn, newDatabase, projectsIn, TOOLS } from "./content.ts";

/** Number of random changes in the property test. */
const CHANGES = 150;

/** Brings the copies of projects in a folder up to their records, and returns the content. */
async function upToDateContent(
  address: PgAddress,
  folder: string,
  projects: readonly number[],
): Promise<Record<string, unknown>> {
  const store = await PgStore.open(address);
  const copies = new SearchCopies(store, folder, systemClock());
  for (const project of projects) await copies.ready(project);
  await copies.close();
  await store.close();
  return contentOf(folder);
}

const WORDS = ["heron", "otter", "reed", "river", "dawn", "ferry", "lamp", "oak"];

/** Makes a random change in a project, or a search in it. */
async function change(server: TestServer, random: SeededRandom, key: string, ids: string[]) {
  const words = () => Array.from({ length: 4 }, () => random.pick(WORDS)).join(" ");
  const call = (method: string, path: string, body?: unknown) =>
    server.call(method, path, { key, ...(body === undefined ? {} : { body }) });
  const anyId = () => ids[random.below(ids.length)];
  const id = anyId();
  const step = random.below(10);
  if (step < 4 || id === undefined) {
    const user_id = random.pick(["ana", "ben"]);
    const added = await call("POST", "/v1/memories", { content: words(), infer: false, user_id });
    ids.push(added.json.results[0].id);
  } else if (step === 4) await call("PUT", `/v1/memories/${id}`, { content: words() });
  else if (step === 5) await call("PUT", `/v1/memories/${id}`, { importance: 0.9 });
  else if (step === 6) {
    await call("DELETE", `/v1/memories/${id}`);
    ids.splice(ids.indexOf(id), 1);
  } else if (step === 7) {
    const source_key = random.pick(["guide", "notes"]);
    await call("POST", "/v1/documents", { content: words(), source_key, user_id: "ana" });
  } else if (step === 8) {
    const [document] = (await call("GET", "/v1/documents")).json.results;
    if (document !== undefined) await call("DELETE", `/v1/documents/${document.id}`);
  } else await call("POST", "/v1/memories/search", { query: words() });
}

testWith(
  TOOLS,
  "SearchCopies equal the records after any changes in several projects",
  async () => {
    const database = await newDatabase();
    await withServer(async (server) => {
      const random = new SeededRandom(20_611);
      const keys = [server.key, await server.createKey("second")];
      const ids: string[][] = [[], []];
      for (let count = 0; count < CHANGES; count++) {
        const project = random.below(2);
        await change(server, random, keys[project]!, ids[project]!);
      }
      for (const key of keys) {
        const body = { query: "heron" };
        const { results } = (await server.call("POST", "/v1/memories/search", { body, key })).json;
        ok(results.length > 0);
      }
      await server.stop();
      // The stop has recorded which memories were read.
      const folder = join(server.directory, COPY_FOLDER);
      const fresh = makeTempDirSync();
      const followed = await upToDateContent(database, folder, [1, 2]);
      const copied = await upToDateContent(database, fresh, [1, 2]);
      await rm(fresh);
      await server.start();
      deepStrictEqual(followed, copied);
    }, { database });
  },
);

testWith(
  TOOLS,
  "SearchCopies are filled again after the records went back to an earlier moment",
  async () => {
    const database = await newDatabase();
    await withServer(async (server) => {
      const search = async (query: string): Promise<string[]> => {
        const reply = await server.call("POST", "/v1/memories/search", { body: { query } });
        return reply.json.results.map(({ memory }: { memory: string }) => memory);
      };
      await server.add("A heron stood in the reeds");
      await server.add("A heron flew away");
      notDeepStrictEqual(await search("flew"), []);
      await server.stop();
      // As after the restore of a backup, the next entry gets the number of one that is gone.
      const { schema } = database;
      const changed = (await postgres()).query(`set search_path to ${schema};
        delete from memories where memory like '%flew%';
        delete from journal where seq = (select max(seq) from journal);
        select setval('journal_seq_seq', (select max(seq) from journal))`);
      await changed.finally(() => server.start());
      await server.add("An otter came at dawn");
      deepStrictEqual(await search("flew"), []);
      deepStrictEqual(await search("otter"), ["An otter came at dawn"]);
    }, { database });
  },
);

testWith(
  TOOLS,
  "SearchCopies.maintain() keeps the copies of projects that are searched at the same time",
  async () => {
    const database = await newDatabase();
    await withServer(async (server) => {
      const key = await server.createKey("second");
      await server.add("A heron stood in the reeds");
      const body = { content: "An otter came at dawn", infer: false, user_id: "ana" };
      await server.call("POST", "/v1/memories", { body, key });
      const store = await PgStore.open(database);
      const folder = makeTempDirSync();
      const copies = new SearchCopies(store, folder, systemClock());
      await copies.ready(1);
      await Promise.all([copies.maintain(), copies.ready(2), copies.maintain()]);
      await copies.close();
      await store.close();
      deepStrictEqual(projectsIn(folder), [1, 2]);
      await rm(folder);
    }, { database });
  },
);

testWith(
  TOOLS,
  "SearchCopies notice an earlier moment in which the same record was changed otherwise",
  async () => {
    const database = await newDatabase();
    await withServer(async (server) => {
      const id = await server.add("A heron stood in the reeds");
      await server.call("PUT", `/v1/memories/${id}`, { body: { content: "A heron flew away" } });
      const search = () => server.call("POST", "/v1/memories/search", { body: { query: "heron" } });
      await search();
      await server.stop();
      // After a restore, the last change was made again, with another content.
      const changed = (await postgres()).query(`set search_path to ${database.schema};
        update memories set memory = 'A heron swam';
        update journal set at = '2030-01-01T00:00:00.000Z'
          where seq = (select max(seq) from journal where kind = 'memory')`);
      await changed.finally(() => server.start());
      const { results } = (await search()).json;
      deepStrictEqual(results.map(({ memory }: { memory: string }) => memory), ["A heron swam"]);
    }, { database });
  },
);

testWith(TOOLS, "SearchCopies removes the least recently used copy beyond the limit", async () => {
  const database = await newDatabase();
  await withServer(async (server) => {
    const key = await server.createKey("second");
    for (const each of [server.key, key]) {
      const messages = Array.from({ length: 500 }, (_, index) => ({
        role: "user",
        content: `heron ${index} ${"reeds ".repeat(50)}`,
      }));
      const body = { messages, user_id: "ana", infer: false };
      await server.call("POST", "/v1/memories", { body, key: each });
    }
    const folder = makeTempDirSync();
    const store = await PgStore.open(database);
    let now = 0;
    const copies = new SearchCopies(store, folder, { now: () => now }, { maxBytes: 1_000_000 });
    await copies.ready(1);
    await copies.ready(2);
    deepStrictEqual(projectsIn(folder), [1, 2], "a search could be reading the first");
    now = 3_600_000;
    const body = { content: "An oak", user_id: "ana", infer: false };
    await server.call("POST", "/v1/memories", { body, key });
    await copies.ready(2);
    await copies.close();
    await store.close();
    deepStrictEqual(projectsIn(folder), [2]);
    await rm(folder);
  }, { database });
});

testWith(
  TOOLS,
  "SearchCopies.maintain() removes what has been deleted without a search",
  async () => {
    const database = await newDatabase();
    await withServer(async (server) => {
      const id = await server.add("A heron stood in the reeds");
      const store = await PgStore.open(database);
      const folder = makeTempDirSync();
      const copies = new SearchCopies(store, folder, systemClock());
      await copies.ready(1);
      await copies.maintain();
      await server.call("DELETE", `/v1/memories/${id}`);
      // A unit of the server can keep a round from seeing the latest entry.
      const remaining = async () => {
        await copies.maintain();
        return memoriesIn(copies.database(1), 1);
      };
      await waitUntil(remaining, (memories) => memories.length === 0);
      await copies.close();
      await copies.close();
      await store.close();
      deepStrictEqual(contentOf(folder)["memories"], []);
      ok(existsSync(databasePath(folder)));
      await rm(folder);
    }, { database });
  },
);
