/** Tests large projects, whose copies are in files of their own. */

import { deepStrictEqual, notStrictEqual, ok, strictEqual } from "node:assert/strict";
import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { databasePath } from "../../src/store/sqlite/store.ts";
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
