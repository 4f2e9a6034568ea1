/** Checks that units of work are all or nothing, even if others in the same group fail. */

import { deepStrictEqual, match, ok, rejects, strictEqual } from "node:assert/strict";
import sql from "sql-template-tag";
import { SqliteStore } from "../../src/store/sqlite/store.ts";
import type { Tx } from "../../src/store/store.ts";
import { makeTempDirSync, rm } from "../../testing/temp_dir.ts";
import { withStore } from "./with_store.ts";

const put = (tx: Tx, name: string) =>
  tx.run(sql`insert into meta (name, value) values (${name}, 'x')`);

async function names(store: SqliteStore): Promise<string[]> {
  const rows = await store.read((db) =>
    db.all<{ name: string }>(sql`select name from meta order by name`)
  );
  return rows.map(({ name }) => name);
}

Deno.test("Store.write() rolls back only the unit that failed", async () => {
  await withStore(async (store) => {
    const outcomes = await Promise.allSettled([
      store.write("maintenance", (tx) => put(tx, "first")),
      store.write("maintenance", async (tx) => {
        await put(tx, "failed");
        throw new Error("no");
      }),
      store.write("maintenance", (tx) => put(tx, "last")),
    ]);
    deepStrictEqual(outcomes.map(({ status }) => status), ["fulfilled", "rejected", "fulfilled"]);
    deepStrictEqual(await names(store), ["first", "last"]);
  });
});

Deno.test("Store.write() does not run the group again if a unit fails before its first change", async () => {
  await withStore(async (store) => {
    let runs = 0;
    const outcomes = await Promise.allSettled([
      store.write("maintenance", (tx) => {
        runs++;
        return put(tx, "first");
      }),
      store.write("maintenance", async (tx) => {
        await tx.first(sql`select 1`);
        throw new Error("no");
      }),
    ]);
    deepStrictEqual(outcomes.map(({ status }) => status), ["fulfilled", "rejected"]);
    strictEqual(runs, 1, "the group was not run again");
  });
});

Deno.test("Tx.post() writes within the unit of work, and the unit's later reads see the change", async () => {
  await withStore(async (store) => {
    const seen = await store.write("maintenance", (tx) => {
      tx.post(sql`insert into meta (name, value) values ('posted', 'x')`);
      return tx.all<{ name: string }>(sql`select name from meta`);
    });
    deepStrictEqual(seen, [{ name: "posted" }]);
    deepStrictEqual(await names(store), ["posted"]);
  });
});

Deno.test("Tx.post() makes the unit of work fail if the change fails, without its other changes", async () => {
  await withStore(async (store) => {
    await store.write("maintenance", (tx) => put(tx, "taken"));
    const failed = store.write("maintenance", async (tx) => {
      await put(tx, "before");
      tx.post(sql`insert into meta (name, value) values ('taken', 'x')`);
    });
    const next = store.write("maintenance", (tx) => put(tx, "next"));
    await rejects(failed, /UNIQUE/);
    await next;
    const later = store.write("maintenance", async (tx) => {
      tx.post(sql`insert into meta (name, value) values ('taken', 'x')`);
      await put(tx, "after");
    });
    await rejects(later, /UNIQUE/);
    deepStrictEqual(await names(store), ["next", "taken"]);
  });
});

Deno.test("Store.write() rejects a unit whose statement fails, and commits the rest of the group", async () => {
  await withStore(async (store) => {
    await store.write("maintenance", (tx) => put(tx, "taken"));
    const outcomes = await Promise.allSettled([
      store.write("maintenance", (tx) => put(tx, "a")),
      store.write("maintenance", async (tx) => {
        await put(tx, "b");
        await put(tx, "taken");
      }),
      store.write("maintenance", (tx) => put(tx, "c")),
    ]);
    deepStrictEqual(outcomes.map(({ status }) => status), ["fulfilled", "rejected", "fulfilled"]);
    deepStrictEqual(await names(store), ["a", "c", "taken"]);
  });
});

Deno.test("Store.write() lets a unit continue after it has caught an error from a statement", async () => {
  await withStore(async (store) => {
    await store.write("maintenance", async (tx) => {
      await put(tx, "a");
      await put(tx, "a").catch(() => {});
      await put(tx, "b");
    });
    deepStrictEqual(await names(store), ["a", "b"]);
  });
});

Deno.test("Store.write() runs units in order, and each one sees the changes made by those before it", async () => {
  await withStore(async (store) => {
    const counts = await Promise.all(
      Array.from({ length: 200 }, (_, index) =>
        store.write("maintenance", async (tx) => {
          await put(tx, `unit ${index}`);
          return (await tx.first<{ n: number }>(sql`select count(*) as n from meta`))!.n;
        })),
    );
    deepStrictEqual(counts, Array.from({ length: 200 }, (_, index) => index + 1));
  });
});

Deno.test("Store.read() sees a unit once it is acknowledged, and never while it is running", async () => {
  await withStore(async (store) => {
    let seenInside: Promise<string[]> | undefined;
    await store.write("maintenance", async (tx) => {
      await put(tx, "a");
      seenInside = names(store);
    });
    ok(["", "a"].includes((await seenInside!).join()));
    deepStrictEqual(await names(store), ["a"]);
  });
});

Deno.test("Store.read() sees a single point in time, even while others write", async () => {
  await withStore(async (store) => {
    await store.write("maintenance", (tx) => put(tx, "before"));
    const counts = await store.read(async (db) => {
      const count = async () =>
        (await db.first<{ n: number }>(sql`select count(*) as n from meta`))!.n;
      const first = await count();
      await store.write("maintenance", (tx) => put(tx, "during"));
      return [first, await count()];
    });
    deepStrictEqual(counts, [1, 1]);
    deepStrictEqual(await names(store), ["before", "during"]);
  });
});

Deno.test("Store.queryOne() sees the last commit, even during a long read", async () => {
  await withStore(async (store) => {
    const found = await store.read(async (db) => {
      await db.first(sql`select 1 from meta`);
      await store.write("maintenance", (tx) => put(tx, "a revoked key"));
      return await store.queryOne<{ name: string }>(sql`select name from meta`);
    });
    strictEqual(found?.name, "a revoked key");
  });
});

Deno.test("Store.write() rejects a unit that waits for anything outside its transaction", async () => {
  await withStore(async (store) => {
    let later: Promise<unknown> | undefined;
    const outcomes = await Promise.allSettled([
      store.write("maintenance", (tx) => put(tx, "before")),
      store.write("maintenance", (tx) => {
        later = (async () => {
          await put(tx, "early");
          await new Promise((resolve) => setTimeout(resolve, 5));
          await put(tx, "late");
        })();
        later.catch(() => {});
        return later;
      }),
      store.write("maintenance", (tx) => put(tx, "after")),
    ]);
    deepStrictEqual(outcomes.map(({ status }) => status), ["fulfilled", "rejected", "fulfilled"]);
    match(
      String((outcomes[1] as PromiseRejectedResult).reason),
      /must not wait for anything outside/,
    );
    await rejects(later!, /after it had ended/);
    deepStrictEqual(await names(store), ["after", "before"]);
  });
});

Deno.test("Store.write() passes a transaction that throws if it is used after the unit has ended", async () => {
  await withStore(async (store) => {
    let ended: Tx | undefined;
    await store.write("maintenance", (tx) => {
      ended = tx;
      return Promise.resolve();
    });
    await rejects(() => put(ended!, "x"), /used its transaction after it had ended/);
    await rejects(() => ended!.all(sql`select 1`), /after it had ended/);
    deepStrictEqual(await names(store), []);
  });
});

Deno.test("Store.write() commits or rejects each of a thousand concurrent units", async () => {
  await withStore(async (store) => {
    const outcomes = await Promise.allSettled(
      Array.from({ length: 1_000 }, (_, index) =>
        store.write("maintenance", async (tx) => {
          await put(tx, `unit ${index}`);
          if (index % 10 === 0) throw new Error("every tenth");
        })),
    );
    strictEqual(outcomes.filter(({ status }) => status === "rejected").length, 100);
    strictEqual((await names(store)).length, 900);
  });
});

Deno.test("Store.close() completes the units that have been submitted", async () => {
  const directory = makeTempDirSync();
  const store = new SqliteStore(directory);
  const writes = Array.from(
    { length: 100 },
    (_, index) => store.write("maintenance", (tx) => put(tx, `unit ${index}`)),
  );
  await Promise.all([store.close(), ...writes]);
  const again = new SqliteStore(directory);
  strictEqual((await names(again)).length, 100);
  await again.close();
  await rm(directory);
});

Deno.test("Store.read() returns integers as integers, and fractions and large numbers exactly", async () => {
  await withStore(async (store) => {
    const numbers = [0, -1, 2 ** 31, 2 ** 53 - 1, -(2 ** 53) + 1, 0.5, -1.25e-7];
    const types = await store.read((db) =>
      Promise.all(numbers.map((number) =>
        db.first<{ type: string; value: number }>(
          sql`select typeof(${number}) as type, ${number} as value`,
        )
      ))
    );
    deepStrictEqual(types.map((row) => row!.value), numbers);
    deepStrictEqual(types.map((row) => row!.type), [
      ...Array.from({ length: 5 }, () => "integer"),
      "real",
      "real",
    ]);
  });
});
