/** Tests how search copies are filled in parts, kept small, and made again. */

import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import sql, { type Sql } from "sql-template-tag";
import { COPY_FOLDER, SearchCopies } from "../../src/copies/copies.ts";
import { lockCopyFolder } from "../../src/copies/folder.ts";
import type { CopyImages } from "../../src/copies/images.ts";
import { DAY_MS } from "../../src/kernel/clock.ts";
import { ApiError } from "../../src/kernel/errors.ts";
import type { PgAddress } from "../../src/store/postgres/connection.ts";
import { PgStore } from "../../src/store/postgres/store.ts";
import { databasePath } from "../../src/store/sqlite/store.ts";
import type { Store } from "../../src/store/store.ts";
import { type TestServer, withServer } from "../../testing/harness.ts";
import { makeTempDirSync, rm } from "../../testing/temp_dir.ts";
import { testWith } from "../../testing/tools.ts";
import { waitUntil } from "../../testing/wait_until.ts";
import { contentOf, memoriesIn, newDatabase, projectsIn, TOOLS } from "./content.ts";

/** A server, and copies of its records in a folder of their own. */
interface Fixture {
  readonly server: TestServer;
  readonly database: PgAddress;
  readonly folder: string;
  /** Time of the copies' clock, in milliseconds. */
  now: number;
  /** Runs work with the copies, and closes them afterwards. */
  use<T>(work: (copies: SearchCopies) => Promise<T>): Promise<T>;
}

async function withCopies(work: (fixture: Fixture) => Promise<void>): Promise<void> {
  const database = await newDatabase();
  const folder = makeTempDirSync();
  await withServer(async (server) => {
    const store = await PgStore.open(database);
    const fixture: Fixture = {
      server,
      database,
      folder,
      now: 0,
      async use(work) {
        const copies = new SearchCopies(store, folder, { now: () => fixture.now });
        try {
          return await work(copies);
        } finally {
          await copies.close();
        }
      },
    };
    await work(fixture).finally(() => store.close());
  }, { database });
  await rm(folder);
}

/** Checks that a copy equals one that's made at once. */
async function checkContent({ database, folder }: Fixture): Promise<void> {
  const fresh = makeTempDirSync();
  const store = await PgStore.open(database);
  const copies = new SearchCopies(store, fresh, { now: () => 0 });
  await copies.ready(1);
  await copies.close();
  await store.close();
  deepStrictEqual(contentOf(folder), contentOf(fresh));
  await rm(fresh);
}

testWith(
  TOOLS,
  "SearchCopies.maintain() removes a copy that hasn't been used for a week",
  () =>
    withCopies(async (fixture) => {
      const { server, folder } = fixture;
      const key = await server.createKey("second");
      await server.add("A heron stood in the reeds");
      const body = { content: "An otter came at dawn", infer: false, user_id: "ana" };
      await server.call("POST", "/v1/memories", { body, key });
      await fixture.use(async (copies) => {
        await copies.ready(1);
        await copies.ready(2);
      });
      fixture.now = 6 * DAY_MS;
      await fixture.use(async (copies) => {
        await copies.maintain();
        await copies.ready(2);
      });
      deepStrictEqual(projectsIn(folder), [1, 2]);
      fixture.now = 8 * DAY_MS;
      await fixture.use((copies) => copies.maintain());
      deepStrictEqual(projectsIn(folder), [2]);
    }),
);

testWith(
  TOOLS,
  "SearchCopies.status says how many copies there are, and when they were up to date",
  () =>
    withCopies(async (fixture) => {
      await fixture.server.add("A heron stood in the reeds");
      await fixture.use(async (copies) => {
        deepStrictEqual(copies.status, { projects: 0, filling: 0, bytes: 0, current_at: null });
        await copies.ready(1);
        fixture.now = DAY_MS;
        await copies.maintain();
        const { bytes, ...status } = copies.status;
        ok(bytes > 0);
        const current_at = "1970-01-02T00:00:00.000Z";
        deepStrictEqual(status, { projects: 1, filling: 0, current_at });
      });
      // A new start knows what is there once it has opened it.
      await fixture.use(async (copies) => {
        await copies.maintain();
        strictEqual(copies.status.projects, 1);
      });
    }),
);

testWith(
  TOOLS,
  "SearchCopies are made again after an update of the program",
  () =>
    withCopies(async (fixture) => {
      await fixture.server.add("A heron stood in the reeds");
      await fixture.use((copies) => copies.ready(1));
      // A copy of an earlier version, with something that this one would never write.
      const database = new DatabaseSync(databasePath(fixture.folder));
      database.exec("update meta set value = '0.0.1' where name = 'copy_version'");
      database.exec("update memories set importance = 0.123");
      database.close();
      await fixture.use((copies) => copies.ready(1));
      await checkContent(fixture);
    }),
);

testWith(
  TOOLS,
  "SearchCopies have all documents of a project with more than fit in a batch",
  () =>
    withCopies(async (fixture) => {
      const { server, folder } = fixture;
      for (let n = 0; n < 40; n++) {
        const body = { content: `Page ${n} about herons`, source_key: `page-${n}`, user_id: "ana" };
        strictEqual((await server.call("POST", "/v1/documents", { body })).status, 200);
      }
      await fixture.use((copies) => copies.ready(1));
      strictEqual((contentOf(folder)["versions"] as unknown[]).length, 40);
      await checkContent(fixture);
    }),
);

testWith(
  TOOLS,
  "SearchCopies have reads that were recorded after later ones",
  () =>
    withCopies(async (fixture) => {
      const { server } = fixture;
      const ids = [await server.add("A heron stood in the reeds"), await server.add("An otter")];
      // As in a flush of several units of work: the copy is brought up between two of them.
      const record = (id: string, at: string) =>
        server.records(sql`insert into memory_access (project, memory_id, count, last_at)
          values (1, ${id}, 1, ${at})`);
      await record(ids[0]!, "2026-05-01T12:00:02.000Z");
      await fixture.use((copies) => copies.ready(1));
      await record(ids[1]!, "2026-05-01T12:00:01.000Z");
      await server.add("A ferry");
      await fixture.use((copies) => copies.ready(1));
      await checkContent(fixture);
    }),
);

testWith(
  TOOLS,
  "POST /v1/memories/search returns 503 while the search copy can't be opened, and recovers",
  async () => {
    const database = await newDatabase();
    await withServer(async (server) => {
      const search = () =>
        server.call("POST", "/v1/memories/search", { body: { query: "tea", user_id: "ana" } });
      // A file has the name of the folder.
      const path = join(server.directory, COPY_FOLDER);
      writeFileSync(path, "");
      const failed = await search();
      strictEqual(failed.status, 503, failed.text);
      strictEqual(failed.json.code, "STORAGE_UNAVAILABLE");
      strictEqual(failed.headers.get("retry-after"), "1");
      rmSync(path);
      strictEqual((await search()).status, 200);
    }, { database });
  },
);

testWith(
  TOOLS,
  "SearchCopies.maintain() removes what has been deleted while a large copy is being filled",
  () =>
    withCopies(async ({ server, database, folder, use }) => {
      const key = await server.createKey("second");
      const id = await server.add("A heron stood in the reeds");
      for (const content of ["An otter came at dawn", "An otter swam"]) {
        const body = { content, infer: false, user_id: "ana" };
        await server.call("POST", "/v1/memories", { body, key });
      }
      await use(async (copies) => {
        await copies.ready(1);
        await copies.ready(2);
      });
      const store = await PgStore.open(database);
      const options = { maxSharedRecords: 1 };
      const copies = new SearchCopies(store, folder, { now: () => 0 }, options);
      const held = Promise.withResolvers<boolean>();
      copies.images = {
        download: () => held.promise,
        stop: () => Promise.resolve(),
      } as unknown as CopyImages;
      const ready = copies.ready(2);
      await waitUntil(() => Promise.resolve(copies.status.filling), (filling) => filling === 1);
      await server.call("DELETE", `/v1/memories/${id}`);
      await copies.maintain();
      deepStrictEqual(memoriesIn(copies.database(1), 1), []);
      strictEqual(copies.status.current_at, null);
      held.resolve(false);
      await ready;
      await copies.maintain();
      strictEqual(copies.status.current_at, "1970-01-01T00:00:00.000Z");
      await copies.close();
      await store.close();
    }),
);

testWith(
  TOOLS,
  "SearchCopies.maintain() follows a copy again that it couldn't bring up",
  () =>
    withCopies(async ({ server, database, folder }) => {
      const store = await PgStore.open(database);
      let isFailing = false;
      const failure = new ApiError("STORAGE_UNAVAILABLE", "The connection was lost");
      const records = {
        read: store.read.bind(store),
        journalEnd: store.journalEnd.bind(store),
        queryOne: (query: Sql) => isFailing ? Promise.reject(failure) : store.queryOne(query),
      } as unknown as Store;
      const copies = new SearchCopies(records, folder, { now: () => 0 });
      await copies.ready(1);
      await copies.maintain();
      await server.add("A heron stood in the reeds");
      isFailing = true;
      // A unit of the server can keep a round from seeing the latest entry.
      const fails = () => copies.maintain().then(() => false, () => true);
      await waitUntil(fails, (failed) => failed);
      isFailing = false;
      await copies.maintain();
      deepStrictEqual(memoriesIn(copies.database(1), 1), ["A heron stood in the reeds"]);
      await copies.close();
      await store.close();
    }),
);

Deno.test("lockCopyFolder() removes the folders of processes that have been killed", async () => {
  const directory = makeTempDirSync();
  const root = join(directory, COPY_FOLDER);
  const first = lockCopyFolder(root);
  const second = lockCopyFolder(root);
  strictEqual(second.path, `${root}-2`);
  // The operating system has released the lock.
  mkdirSync(`${root}-7/part`, { recursive: true });
  writeFileSync(`${root}-7/lock`, "");
  mkdirSync(`${root}-other`);
  const third = lockCopyFolder(root);
  strictEqual(third.path, `${root}-3`);
  deepStrictEqual(
    [`${root}-2`, `${root}-7`, `${root}-other`].map((path) => existsSync(path)),
    [true, false, true],
  );
  for (const folder of [third, second, first]) folder.release();
  deepStrictEqual([`${root}-2`, `${root}-3`, root].map((path) => existsSync(path)), [
    false,
    false,
    true,
  ]);
  await rm(directory);
});
