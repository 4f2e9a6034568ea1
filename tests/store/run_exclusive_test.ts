/** The lock is lent to a thread beside the main one; the log is copied by such a thread. */

import { deepStrictEqual, ok, rejects, strictEqual } from "node:assert/strict";
import { statSync } from "node:fs";
import { setImmediate } from "node:timers/promises";
import sql from "sql-template-tag";
import { CheckpointWorker } from "../../src/store/sqlite/wal.ts";
import type { SqliteStore } from "../../src/store/sqlite/store.ts";
import { WorkerStore } from "../../src/store/sqlite/worker_store.ts";
import type { Tx } from "../../src/store/store.ts";
import { withStore } from "./with_store.ts";

/** A page of SQLite's with its header in the log, in bytes. */
const LOG_PAGE = 4096 + 24;

const put = (tx: Tx, name: string, value = "x") =>
  tx.run(sql`insert into meta (name, value) values (${name}, ${value})`);

function names(store: SqliteStore): Promise<{ name: string }[]> {
  return store.read((db) => db.all<{ name: string }>(sql`select name from meta order by name`));
}

Deno.test("whoever wants to write waits until the lock is given back, and nobody else does", async () => {
  await withStore(async (store) => {
    const beside = new WorkerStore(store.path);
    let giveBack = () => {};
    const lent = store.runExclusive(async () => {
      await beside.write((tx) => put(tx, "borrower"));
      await new Promise<void>((resolve) => giveBack = resolve);
      return "done";
    });
    let written = false;
    const waiting = store.write((tx) => put(tx, "waiting")).then(() => written = true);
    // Reads go on meanwhile, and see what was written by the borrower.
    while ((await names(store)).length === 0) await setImmediate();
    strictEqual(written, false);
    giveBack();
    strictEqual(await lent, "done");
    await waiting;
    deepStrictEqual((await names(store)).map(({ name }) => name), ["borrower", "waiting"]);
    beside.close();
  });
});

Deno.test("units and loans have their turns in the order of their coming", async () => {
  await withStore(async (store) => {
    const order: string[] = [];
    const turn = (name: string) => {
      order.push(name);
      return Promise.resolve();
    };
    await Promise.all([
      store.write(() => turn("a")),
      store.runExclusive(() => turn("loan 1")),
      store.runExclusive(() => turn("loan 2")),
      store.write(() => turn("b")),
      store.write(() => turn("c")),
    ]);
    deepStrictEqual(order, ["a", "loan 1", "loan 2", "b", "c"]);
  });
});

Deno.test("a borrower that fails tells only who sent it, and the next one writes", async () => {
  await withStore(async (store) => {
    const failed = store.runExclusive(() => Promise.reject(new Error("no")));
    const next = store.write((tx) => put(tx, "next"));
    await rejects(failed, /no/);
    strictEqual(await next, 1);
  });
});

Deno.test("a borrower that can't even begin gives the lock back", async () => {
  await withStore(async (store) => {
    const unstarted = (): Promise<void> => {
      throw new Error("no thread");
    };
    await rejects(store.runExclusive(unstarted), /no thread/);
    await store.write((tx) => put(tx, "afterwards"));
    deepStrictEqual((await names(store)).map(({ name }) => name), ["afterwards"]);
  });
});

Deno.test("the log is copied while others write, and begins anew", async () => {
  await withStore(async (store) => {
    const thread = new CheckpointWorker(store.path);
    let copies = 0;
    store.delegateCheckpoints(() => {
      copies++;
      return thread.run();
    });
    for (let turn = 0; turn < 60; turn++) {
      await store.write((tx) => put(tx, `${turn}`, "x".repeat(400_000)));
    }
    ok(copies >= 1);
    // 60 times 98 pages are 5,880: without a copy the log would not have begun anew.
    const pages = statSync(`${store.path}-wal`).size / LOG_PAGE;
    ok(pages < 5_000, `${pages} pages`);
    await store.checkpoint();
    thread.close();
  });
});

Deno.test("a log that can't be copied is as long as it was, and writing goes on", async () => {
  await withStore(async (store) => {
    store.delegateCheckpoints(() => Promise.reject(new Error("no")));
    for (let turn = 0; turn < 30; turn++) {
      await store.write((tx) => put(tx, `${turn}`, "x".repeat(400_000)));
    }
    strictEqual((await names(store)).length, 30);
    await store.checkpoint();
    strictEqual(statSync(`${store.path}-wal`).size, 0);
  });
});
