/** Tests large projects, whose copies are in files of their own. */

import { deepStrictEqual, notStrictEqual, ok, rejects, strictEqual } from "node:assert/strict";
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { OpenCopies } from "../../src/copies/open_copies.ts";
import { CopyWriters } from "../../src/copies/writers.ts";
import { databasePath } from "../../src/store/sqlite/store.ts";
import { makeTempDirSync, rm } from "../../testing/temp_dir.ts";
import { testWith } from "../../testing/tools.ts";
import { contentIn, projectsIn, TOOLS } from "./content.ts";
import { MAX_SHARED, withLargeCopies } from "./large_copies.ts";

testWith(
  TOOLS,
  "SearchCopies give a large project a file of its own, also after a restart",
  () =>
    withLargeCopies(async (fixture) => {
      const { server, add } = fixture;
      const key = await server.createKey("small");
      await add(MAX_SHARED + 1, "heron");
      await add(1, "otter", key);
      const first = fixture.process("kept");
      await first.copies.ready(1);
      await first.copies.ready(2);
      const path = first.copies.database(1);
      strictEqual(first.copies.database(2), databasePath(first.folder));
      deepStrictEqual(projectsIn(first.folder), [2]);
      await first.close();
      await add(1, "ferry");
      const second = fixture.process("kept");
      await second.copies.ready(1);
      strictEqual(second.copies.database(1), path);
      strictEqual((contentIn(path)["memories"] as unknown[]).length, MAX_SHARED + 2);
    }),
);

testWith(
  TOOLS,
  "SearchCopies move a project that has grown, and remove what it leaves later",
  () =>
    withLargeCopies(async (fixture) => {
      const { add } = fixture;
      await add(MAX_SHARED, "heron");
      const { copies, folder } = fixture.process();
      await copies.ready(1);
      const shared = copies.database(1);
      strictEqual(shared, databasePath(folder));
      await add(1, "ferry");
      await copies.ready(1);
      notStrictEqual(copies.database(1), shared);
      await copies.maintain();
      deepStrictEqual(projectsIn(folder), [1], "a search could be reading the shared file");
      fixture.now = 61_000;
      await copies.maintain();
      deepStrictEqual(projectsIn(folder), []);
      const other = fixture.process();
      await other.copies.ready(1);
      deepStrictEqual(contentIn(copies.database(1)), contentIn(other.copies.database(1)));
    }),
);

testWith(
  TOOLS,
  "SearchCopies.maintain() removes the file of a project, and says so",
  () =>
    withLargeCopies(async (fixture) => {
      await fixture.add(MAX_SHARED + 1, "heron");
      const { copies } = fixture.process();
      const removed: string[] = [];
      copies.onRemoved((database) => void removed.push(database));
      await copies.ready(1);
      const path = copies.database(1);
      const { bytes } = copies.status;
      ok(existsSync(path));
      fixture.now = 8 * 86_400_000;
      await copies.maintain();
      deepStrictEqual(removed, [path]);
      strictEqual(existsSync(dirname(path)), false);
      ok(copies.status.bytes < bytes / 2);
      // The next search makes a new one, which isn't the same file to a thread that has the old open.
      await copies.ready(1);
      notStrictEqual(copies.database(1), path);
    }),
);

testWith(
  TOOLS,
  "SearchCopies fill a file that someone has deleted again, instead of going on with an empty one",
  () =>
    withLargeCopies(async (fixture) => {
      await fixture.add(MAX_SHARED + 1, "heron");
      const first = fixture.process("kept");
      await first.copies.ready(1);
      await first.close();
      const { copies } = fixture.process("kept");
      await copies.ready(1);
      rmSync(dirname(copies.database(1)), { recursive: true });
      await fixture.add(1, "ferry");
      await copies.ready(1);
      const { memories } = contentIn(copies.database(1));
      strictEqual((memories as unknown[]).length, MAX_SHARED + 2);
    }),
);

testWith(
  TOOLS,
  "SearchCopies keep a file that can't be read at the moment, and fill another one",
  () =>
    withLargeCopies(async (fixture) => {
      await fixture.add(MAX_SHARED + 1, "heron");
      const first = fixture.process("kept");
      await first.copies.ready(1);
      const path = first.copies.database(1);
      await first.close();
      renameSync(path, `${path}.away`);
      mkdirSync(path);
      const { copies } = fixture.process("kept");
      await copies.ready(1);
      notStrictEqual(copies.database(1), path);
      ok(existsSync(`${path}.away`));
    }),
);

Deno.test("OpenCopies.startOwnFile() changes nothing if the file can't be filled", async () => {
  const root = makeTempDirSync();
  const copies = await OpenCopies.open(root);
  try {
    const failed = copies.startOwnFile(1, 0, () => Promise.reject(new Error("no connection")));
    await rejects(failed, /no connection/);
    strictEqual(copies.hasOwnFile(1), false);
  } finally {
    await copies.close();
    await rm(root);
  }
});

Deno.test("CopyWriters count files that were there before, also in a thread that was replaced", async () => {
  const root = makeTempDirSync();
  const folder = join(root, "project-1-1");
  mkdirSync(folder);
  writeFileSync(databasePath(folder), new Uint8Array(10_000_000));
  const writers = await CopyWriters.open(root);
  try {
    ok((await writers.run({ clear: 2 })).bytes > 10_000_000);
  } finally {
    await writers.run({ close: true });
    await rm(root);
  }
});
