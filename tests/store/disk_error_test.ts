/** Tests full and read-only disks: units of work fail as a whole, and later ones succeed. */

import { deepStrictEqual, rejects, strictEqual } from "node:assert/strict";
import { join } from "node:path";
import sql from "sql-template-tag";
import { ApiError } from "../../src/kernel/errors.ts";
import { Connection } from "../../src/store/sqlite/connection.ts";
import { GroupCommit } from "../../src/store/sqlite/group_commit.ts";
import type { Tx } from "../../src/store/store.ts";
import { makeTempDirSync, rm } from "../../testing/temp_dir.ts";

const unavailable = (error: unknown) =>
  error instanceof ApiError && error.code === "STORAGE_UNAVAILABLE";

Deno.test("GroupCommit rejects as a whole any unit that doesn't fit on a full disk, and commits smaller ones", async () => {
  const directory = makeTempDirSync();
  const connection = new Connection(join(directory, "small.db"));
  connection.exec("create table notes (text text not null)");
  connection.exec("pragma max_page_count = 40");
  const commits = new GroupCommit(connection, () => {});
  const note = (bytes: number) => async (tx: Tx) => {
    await tx.run(sql`insert into notes (text) values ('begin')`);
    await tx.run(sql`insert into notes (text) values (${"x".repeat(bytes)})`);
  };
  await commits.submit(note(10));
  await rejects(commits.submit(note(1_000_000)), unavailable);
  const group = await Promise.allSettled([
    commits.submit(note(10)),
    commits.submit(note(1_000_000)),
    commits.submit(note(10)),
  ]);
  strictEqual(group[1]!.status, "rejected");
  const kept = group.filter(({ status }) => status === "fulfilled").length;
  const count = () => connection.first<{ n: number }>(sql`select count(*) as n from notes`)!.n;
  strictEqual(count(), 2 + 2 * kept, "units are committed completely or not at all");
  strictEqual(connection.inTransaction, false);
  connection.exec("pragma max_page_count = 4000");
  await commits.submit(note(1_000_000));
  strictEqual(count(), 4 + 2 * kept);
  connection.close();
  await rm(directory);
});

Deno.test("GroupCommit rejects units on a read-only database, and reads succeed", async () => {
  const directory = makeTempDirSync();
  const path = join(directory, "readonly.db");
  const writable = new Connection(path);
  writable.exec("create table notes (text text not null)");
  writable.close();
  const connection = new Connection(path, { readOnly: true });
  const commits = new GroupCommit(connection, () => {});
  await rejects(
    commits.submit((tx) => tx.run(sql`insert into notes (text) values ('x')`)),
    unavailable,
  );
  deepStrictEqual(connection.all(sql`select text from notes`), []);
  connection.close();
  await rm(directory);
});
