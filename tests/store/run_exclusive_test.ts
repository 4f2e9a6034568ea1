/** Tests exclusive writes from other threads, and checkpoints in a worker. */

import { deepStrictEqual, ok, rejects, strictEqual } from "node:assert/strict";
import { statSync } from "node:fs";
import { setImmediate } from "node:timers/promises";
import sql from "sql-template-tag";
import { CheckpointWorker } from "../../src/store/sqlite/wal.ts";
import type { SqliteStore } from "../../src/store/sqlite/store.ts";
import { WorkerStore } from "../../src/store/sqlite/worker_store.ts";
import type { Tx } from "../../src/store/store.ts";
import { withStore } from "./with_store.ts";

/** Size of a write-ahead log page including its header, in bytes. */
const LOG_PAGE = 4096 + 24;

const put = (tx: Tx, name: string, value = "x") =>
  tx.run(sql`insert into meta (name, value) values (${name}, ${value})`);

function names(store: SqliteStore): Promise<{ name: string }[]> {
  return store.read((db) => db.all<{ name: string }>(sql`select name from meta order by name`));
}

Deno.test("SqliteStore.runExclusive() blocks writes, but not reads, until its work has ended", async () => {
  await withStore(async (store) => {
    const other = new WorkerStore(store.path);
    let release = () => {};
    const exclusive = store.runExclusive(async () => {
      await other.write("maintenance", (tx) => put(tx, "exclusive"));
      await new Promise<void>((resolve) => release = resolve);
      return "done";
    });
    let written = false;
    const waiting = store.write("maintenance", (tx) => put(tx, "waiting")).then(() =>
      written = true
    );
    // Reads continue and see what the exclusive work has written.
    while ((await names(store)).length === 0) await setImmediate();
    strictEqual(written, false);
    release();
    strictEqual(await exclusive, "done");
    await waiting;
    deepStrictEqual((await names(store)).map(({ name }) => name), ["exclusive", "waiting"]);
    other.close();
  });
});

Deno.test("SqliteStore.runExclusive() and write() take turns in the order in which they are called", async () => {
  await withStore(async (store) => {
    const order: string[] = [];
    const turn = (name: string) => {
      order.push(name);
      return Promise.resolve();
    };
    await Promise.all([
      store.write("maintenance", () => turn("a")),
      store.runExclusive(() => turn("exclusive 1")),
      store.runExclusive(() => turn("exclusive 2")),
      store.write("maintenance", () => turn("b")),
      store.write("maintenance", () => turn("c")),
    ]);
    deepStrictEqual(order, ["a", "exclusive 1", "exclusive 2", "b", "c"]);
  });
});

Deno.test("SqliteStore.runExclusive() rejects if its work fails, and the next unit is still written", async () => {
  await withStore(async (store) => {
    const failed = store.runExclusive(() => Promise.reject(new Error("no")));
    const next = store.write("maintenance", (tx) => put(tx, "next"));
    await rejects(failed, /no/);
    strictEqual(await next, 1);
  });
});

Deno.test("SqliteStore.runExclusive() releases the lock if its work throws before it returns a promise", async () => {
  await withStore(async (store) => {
    const fails = (): Promise<void> => {
      throw new Error("no thread");
    };
    await rejects(store.runExclusive(fails), /no thread/);
    await store.write("maintenance", (tx) => put(tx, "afterwards"));
    deepStrictEqual((await names(store)).map(({ name }) => name), ["afterwards"]);
  });
});

Deno.test("SqliteStore.delegateCheckpoints() starts the log over while others are writing", async () => {
  await withStore(async (store) => {
    const worker = new CheckpointWorker(store.path);
    let checkpoints = 0;
    store.delegateCheckpoints(() => {
      checkpoints++;
      return worker.run();
    });
    for (let turn = 0; turn < 60; turn++) {
      await store.write("maintenance", (tx) => put(tx, `${turn}`, "x".repeat(400_000)));
    }
    ok(checkpoints >= 1);
    // 60 times 98 pages are 5,880 pages. Without a checkpoint, the log wouldn't have started over.
    const pages = statSync(`${store.path}-wal`).size / LOG_PAGE;
    ok(pages < 5_000, `${pages} pages`);
    await store.erase();
    worker.close();
  });
});

Deno.test("SqliteStore.delegateCheckpoints() does not affect writes if checkpoints fail", async () => {
  await withStore(async (store) => {
    store.delegateCheckpoints(() => Promise.reject(new Error("no")));
    for (let turn = 0; turn < 30; turn++) {
      await store.write("maintenance", (tx) => put(tx, `${turn}`, "x".repeat(400_000)));
    }
    strictEqual((await names(store)).length, 30);
    await store.erase();
    strictEqual(statSync(`${store.path}-wal`).size, 0);
  });
});
