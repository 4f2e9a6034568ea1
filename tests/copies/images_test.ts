/** Tests images of large search copies. Processes begin with them if they can be used. */

import { deepStrictEqual, rejects, strictEqual } from "node:assert/strict";
import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { pathToFileURL } from "node:url";
import sql from "sql-template-tag";
import { runCommandLine } from "../../src/cli/main.ts";
import { imageJob } from "../../src/copies/image_cleanup.ts";
import { type CopyImage, readImages } from "../../src/copies/image_rows.ts";
import { DAY_MS, HOUR_MS } from "../../src/kernel/clock.ts";
import type { TaskContext } from "../../src/tasks/handler.ts";
import { testDatabaseUrl } from "../../testing/engine.ts";
import { testWith } from "../../testing/tools.ts";
import { contentIn, TOOLS } from "./content.ts";
import { type LargeFixture, MAX_SHARED, withLargeCopies } from "./large_copies.ts";

const MADE = "image of a search copy made";
const USED = "image of a search copy used";
const NOT_USED = "image of a search copy not used";

/** Makes an image of project 1 in a new process, with something that the records don't have. */
async function makeMarkedImage(fixture: LargeFixture): Promise<CopyImage> {
  const { copies } = fixture.process();
  await copies.ready(1);
  const database = new DatabaseSync(copies.database(1));
  database.exec("update memories set importance = 0.123");
  database.close();
  await copies.updateImages();
  const [image] = await fixture.store.read(readImages);
  return image!;
}

/** Brings up the copy of project 1 in a new process, and returns whether it began with the image. */
async function startsWithImage(fixture: LargeFixture): Promise<boolean> {
  const { copies } = fixture.process();
  await copies.ready(1);
  const memories = contentIn(copies.database(1))["memories"] as { importance: number }[];
  return memories.some(({ importance }) => importance === 0.123);
}

testWith(
  TOOLS,
  "a process that begins with an image has the same copy as one that doesn't",
  () =>
    withLargeCopies(async (fixture) => {
      const { server, add } = fixture;
      const [first] = await add(MAX_SHARED + 1, "heron");
      for (let page = 0; page < 3; page++) {
        const body = { content: `Page ${page} on otters`, source_key: `${page}`, user_id: "ana" };
        await server.call("POST", "/v1/documents", { body });
      }
      const maker = fixture.process();
      await maker.copies.ready(1);
      await maker.copies.updateImages();
      // What follows the image.
      const [id] = await add(5, "ferry");
      await server.call("DELETE", `/v1/memories/${first}`);
      await server.call("PUT", `/v1/memories/${id}`, { body: { content: "A lamp" } });
      const [page] = (await server.call("GET", "/v1/documents")).json.results;
      await server.call("DELETE", `/v1/documents/${page.id}`);
      const user = fixture.process();
      await user.copies.ready(1);
      await maker.copies.ready(1);
      const filled = fixture.process();
      filled.copies.images = undefined;
      await filled.copies.ready(1);
      const expected = contentIn(filled.copies.database(1));
      deepStrictEqual(contentIn(user.copies.database(1)), expected);
      deepStrictEqual(contentIn(maker.copies.database(1)), expected);
      deepStrictEqual(fixture.logged, [MADE, USED]);
    }),
);

testWith(
  TOOLS,
  "an image whose file is damaged or gone isn't used, and another one is made",
  () =>
    withLargeCopies(async (fixture) => {
      const { blobs, store, logged } = fixture;
      await fixture.add(MAX_SHARED + 1, "heron");
      const damaged = await makeMarkedImage(fixture);
      strictEqual(await startsWithImage(fixture), true);
      const bytes = await blobs.read(damaged.file);
      bytes[bytes.length - 1]! ^= 1;
      writeFileSync(blobs.path(damaged.file), bytes);
      strictEqual(await startsWithImage(fixture), false);
      strictEqual(await blobs.size(damaged.file), null);
      const gone = await makeMarkedImage(fixture);
      rmSync(blobs.path(gone.file));
      strictEqual(await startsWithImage(fixture), false);
      deepStrictEqual(await store.read(readImages), []);
      deepStrictEqual(logged, [MADE, USED, NOT_USED, MADE, NOT_USED]);
    }),
);

testWith(
  TOOLS,
  "a process doesn't begin with an image of records that were restored since",
  () =>
    withLargeCopies(async (fixture) => {
      await fixture.add(MAX_SHARED + 1, "heron");
      await makeMarkedImage(fixture);
      await fixture.server.records(
        sql`update journal set at = '2020-01-01T00:00:00.000Z' where project = 1`,
      );
      strictEqual(await startsWithImage(fixture), false);
      deepStrictEqual(fixture.logged, [MADE, NOT_USED]);
    }),
);

testWith(
  TOOLS,
  "images of other versions aren't used, and are removed after a day",
  () =>
    withLargeCopies(async (fixture) => {
      const { store } = fixture;
      await fixture.add(MAX_SHARED + 1, "heron");
      const image = await makeMarkedImage(fixture);
      await store.write(
        "rows",
        (tx) =>
          tx.run(sql`update meta set value = replace(value, ${`"${image.version}"`}, '"0.0.1"')
        where name like 'cached_file.%'`),
      );
      strictEqual(await startsWithImage(fixture), false);
      const { copies } = fixture.process();
      await copies.ready(1);
      await copies.updateImages();
      strictEqual((await store.read(readImages)).length, 2);
      fixture.now = DAY_MS + 1;
      strictEqual(await clean(fixture), 1);
      deepStrictEqual((await store.read(readImages)).map(({ version }) => version), [
        image.version,
      ]);
      strictEqual(await fixture.blobs.size(image.file), null);
    }),
);

testWith(
  TOOLS,
  "an image without a later deletion is replaced after half a day, or removed",
  () =>
    withLargeCopies(async (fixture) => {
      const { server, store, blobs } = fixture;
      const [id] = await fixture.add(MAX_SHARED + 2, "heron");
      const { copies } = fixture.process();
      const update = async () => {
        await copies.ready(1);
        await copies.updateImages();
        return (await store.read(readImages))[0]!.file;
      };
      const first = await update();
      fixture.now = 2 * DAY_MS;
      strictEqual(await clean(fixture), 0);
      strictEqual(await update(), first, "it has everything");
      await server.call("DELETE", `/v1/memories/${id}`);
      const second = await update();
      strictEqual(await blobs.size(first), null);
      await fixture.add(1, "ferry");
      fixture.now += 11 * HOUR_MS;
      strictEqual(await update(), second, "it's neither old nor far behind");
      fixture.now += DAY_MS;
      strictEqual(await clean(fixture), 1);
      strictEqual(await blobs.size(second), null);
    }),
);

testWith(
  TOOLS,
  "Blobs.sweep() keeps images, and deletes those that were never recorded",
  () =>
    withLargeCopies(async (fixture) => {
      const { blobs, store } = fixture;
      await fixture.add(MAX_SHARED + 1, "heron");
      const image = await makeMarkedImage(fixture);
      // As after a kill between the upload and the record.
      const lost = await blobs.put([await blobs.read(image.file)]);
      lost.release();
      strictEqual(await blobs.sweep(store, Date.now() + DAY_MS), 1);
      strictEqual(await blobs.size(lost.name), null);
      strictEqual(await startsWithImage(fixture), true);
    }),
);

testWith(
  TOOLS,
  "the deletion of a project deletes its image",
  () =>
    withLargeCopies(async (fixture) => {
      const { server, store, blobs } = fixture;
      const key = await server.createKey("doomed");
      await fixture.add(MAX_SHARED + 1, "heron", key);
      const { copies } = fixture.process();
      await copies.ready(2);
      await copies.updateImages();
      const [image] = await store.read(readImages);
      const environment: Record<string, string | undefined> = {
        COMMONPLACE_DATABASE_URL: testDatabaseUrl(server.directory),
        COMMONPLACE_BLOB_URL: pathToFileURL(blobs.directory).href,
      };
      const args = ["projects", "delete", "doomed", "--yes", "--data", server.directory];
      const status = await runCommandLine(args, {
        print: () => undefined,
        environment: (name) => environment[name],
        confirm: () => null,
      });
      strictEqual(status, 0);
      strictEqual(await blobs.size(image!.file), null);
      deepStrictEqual(await store.read(readImages), []);
      // Its copy is still there until the next round.
      await copies.updateImages();
      deepStrictEqual(await store.read(readImages), []);
    }),
);

testWith(
  TOOLS,
  "a process that can't write an image to its disk fills its copy, and leaves the image to others",
  () =>
    withLargeCopies(async (fixture) => {
      await fixture.add(MAX_SHARED + 1, "heron");
      await makeMarkedImage(fixture);
      const { copies, folder } = fixture.process();
      await copies.maintain();
      // A file has the name of the folder.
      writeFileSync(join(folder, "project-1-1"), "");
      await copies.ready(1);
      deepStrictEqual(fixture.logged, [MADE, NOT_USED]);
      strictEqual(await startsWithImage(fixture), true);
    }),
);

testWith(
  TOOLS,
  "an image that can't be made doesn't keep those of other projects from being made",
  () =>
    withLargeCopies(async (fixture) => {
      const key = await fixture.server.createKey("second");
      await fixture.add(MAX_SHARED + 1, "heron");
      await fixture.add(MAX_SHARED + 1, "otter", key);
      const { copies } = fixture.process();
      await copies.ready(1);
      await copies.ready(2);
      const path = copies.database(1);
      renameSync(path, `${path}.away`);
      mkdirSync(path);
      await rejects(copies.updateImages());
      deepStrictEqual((await fixture.store.read(readImages)).map(({ project }) => project), [2]);
      await copies.updateImages();
      fixture.now += HOUR_MS;
      await rejects(copies.updateImages(), "the project is tried again later");
    }),
);

/** Runs the maintenance job. */
function clean({ store, blobs, now }: LargeFixture): Promise<number> {
  const job = imageJob({ store, blobs, clock: { now: () => now } });
  const commit: TaskContext["commit"] = (work) => store.write("rows", work);
  return job.run({ commit } as TaskContext);
}
