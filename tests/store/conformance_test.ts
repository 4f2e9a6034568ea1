/** Rules for the storage interface that both engines keep. */

import { deepStrictEqual, ok, rejects, strictEqual } from "node:assert/strict";
import sql from "sql-template-tag";
import { yieldToEventLoop } from "../../src/kernel/timers.ts";
import {
  integerRows,
  integers,
  recordRows,
  rowNumber,
  textRows,
  texts,
} from "../../src/store/sql.ts";
import type { Reader, Store, Tx } from "../../src/store/store.ts";
import { testStores } from "./engines.ts";

const put = (tx: Tx, name: string, value = "x") =>
  tx.run(sql`insert into meta (name, value) values (${name}, ${value})`);

const listNames = async (db: Reader): Promise<string[]> => {
  const rows = await db.all<{ name: string }>(
    sql`select name from meta where name not like '%version' and name <> 'oldest_schema'
      order by name`,
  );
  return rows.map(({ name }) => name);
};

const names = (store: Store): Promise<string[]> => store.read(listNames);

/** Adds a journal entry and returns its number. */
const journal = (tx: Tx, project: number, id: string) =>
  tx.insert(sql`insert into journal (project, kind, record_id, change, at)
    values (${project}, 'memory', ${id}, 'ADD', '')`);

testStores("reserve() of no numbers returns the next one and uses up none", async (store) => {
  const next = (count: number) => store.write(1, (tx) => store.reserve(tx, "source_assets", count));
  strictEqual(await next(0), 1);
  strictEqual(await next(2), 1);
  strictEqual(await next(0), 3);
  strictEqual(await next(1), 3);
});

testStores("Store.write() rolls back only the unit that failed", async (store) => {
  const outcomes = await Promise.allSettled([
    store.write(1, (tx) => put(tx, "first")),
    store.write(1, async (tx) => {
      await put(tx, "failed");
      throw new Error("no");
    }),
    store.write(1, (tx) => put(tx, "last")),
  ]);
  deepStrictEqual(outcomes.map(({ status }) => status), ["fulfilled", "rejected", "fulfilled"]);
  deepStrictEqual(await names(store), ["first", "last"]);
});

testStores(
  "Store.write() rejects a unit whose statement fails, and commits the others",
  async (store) => {
    await store.write(1, (tx) => put(tx, "taken"));
    const outcomes = await Promise.allSettled([
      store.write(1, (tx) => put(tx, "a")),
      store.write(1, async (tx) => {
        await put(tx, "b");
        await put(tx, "taken");
      }),
      store.write(1, (tx) => put(tx, "c")),
    ]);
    deepStrictEqual(outcomes.map(({ status }) => status), ["fulfilled", "rejected", "fulfilled"]);
    deepStrictEqual(await names(store), ["a", "c", "taken"]);
  },
);

testStores(
  "Store.write() runs units of one owner in order, each with those before it",
  async (store) => {
    await store.write(1, (tx) => put(tx, "count", "0"));
    const seen = await Promise.all(Array.from({ length: 200 }, () =>
      store.write(1, async (tx) => {
        const row = await tx.first<{ value: string }>(
          sql`select value from meta where name = 'count'`,
        );
        await tx.run(
          sql`update meta set value = ${String(Number(row!.value) + 1)} where name = 'count'`,
        );
        return Number(row!.value);
      })));
    deepStrictEqual(seen, Array.from({ length: 200 }, (_, index) => index));
  },
);

testStores("Store.write() resolves when other readers see the change", async (store) => {
  for (let i = 0; i < 20; i++) {
    await store.write(1, (tx) => put(tx, `n${i}`));
    const row = await store.queryOne(sql`select 1 from meta where name = ${`n${i}`}`);
    ok(row !== undefined);
  }
});

testStores("Store.write() of any row repeats a unit that was overtaken", async (store) => {
  await store.write("rows", (tx) => put(tx, "count", "0"));
  const increment = async (tx: Tx) => {
    const row = await tx.first<{ value: string }>(sql`select value from meta where name = 'count'`);
    await tx.run(
      sql`update meta set value = ${String(Number(row!.value) + 1)} where name = 'count'`,
    );
  };
  await Promise.all([
    ...Array.from({ length: 20 }, () => store.write("rows", increment)),
    ...Array.from(
      { length: 20 },
      () =>
        store.write(
          1,
          (tx) =>
            tx.run(sql`update meta set value = cast(cast(value as bigint) + 1 as text)
          where name = 'count'`),
        ),
    ),
  ]);
  const row = await store.queryOne<{ value: string }>(
    sql`select value from meta where name = 'count'`,
  );
  strictEqual(row!.value, "40");
});

testStores(
  "Tx.post() writes within the unit, and the unit's later reads see the change",
  async (store) => {
    const seen = await store.write(1, (tx) => {
      tx.post(sql`insert into meta (name, value) values ('posted', 'x')`);
      return listNames(tx);
    });
    deepStrictEqual(seen, ["posted"]);
    deepStrictEqual(await names(store), ["posted"]);
  },
);

testStores(
  "Tx.post() makes the unit fail if the change fails, without its other changes",
  async (store) => {
    await store.write(1, (tx) => put(tx, "taken"));
    const last = store.write(1, async (tx) => {
      await put(tx, "before");
      tx.post(sql`insert into meta (name, value) values ('taken', 'x')`);
    });
    const next = store.write(1, (tx) => put(tx, "next"));
    await rejects(last, /unique/i);
    await next;
    const early = store.write(1, async (tx) => {
      tx.post(sql`insert into meta (name, value) values ('taken', 'x')`);
      await put(tx, "after");
    });
    await rejects(early, /unique/i);
    deepStrictEqual(await names(store), ["next", "taken"]);
  },
);

testStores(
  "Tx.post() numbers the rows of a table in their order, over all units and ways to insert them",
  async (store) => {
    const post = (tx: Tx, id: string) =>
      tx.post(sql`insert into journal (project, kind, record_id, change, at)
        values (${1}, ${"memory"}, ${id}, ${"ADD"}, ${""})`);
    const postAll = (tx: Tx, ids: readonly string[]) =>
      tx.post(sql`insert into journal (project, kind, record_id, change, at)
        select ${1}, 'memory', value ->> 'id', 'ADD', ''
        from ${recordRows(ids.map((id) => ({ id })))}`);
    const listIds = async (db: Reader) =>
      (await db.all<{ record_id: string }>(sql`select record_id from journal order by seq`))
        .map(({ record_id }) => record_id);
    const units = await Promise.all([
      store.write(1, (tx) => Promise.resolve(post(tx, "a"))),
      store.write(1, (tx) => Promise.resolve(post(tx, "b"))),
      store.write(1, (tx) => {
        postAll(tx, ["c", "d"]);
        postAll(tx, ["e"]);
        post(tx, "f");
        return listIds(tx);
      }),
      store.write(1, (tx) => Promise.resolve(post(tx, "g"))),
    ]);
    deepStrictEqual(units[2], ["a", "b", "c", "d", "e", "f"]);
    deepStrictEqual(await store.read(listIds), ["a", "b", "c", "d", "e", "f", "g"]);
  },
);

testStores("Tx.post() inserts before the triggers of a later unit's changes run", async (store) => {
  const bytes = new Uint8Array(1);
  await store.write("projects", async (tx) => {
    await tx.run(sql`insert into projects (number, id, name, created_at) values (1, 'p', 'p', '')`);
    await tx.run(sql`insert into embedding_models (number, id, dims) values (1, 'm', 1)`);
  });
  for (const change of [sql`update memories set memory = 'b'`, sql`delete from memories`]) {
    await store.write(
      1,
      (tx) =>
        tx.run(sql`insert into memories (seq, project, id, memory_type, importance, created_at,
          updated_at, terms, memory)
        values (1, 1, 'mem', 'fact', 1, '', '', ${bytes}, 'a')
        on conflict do nothing`),
    );
    await Promise.all([
      store.write(1, async (tx) => {
        await tx.run(sql`insert into vectors (project, model, kind, seq, vector)
          values (1, 1, 0, 1, ${bytes})`);
        tx.post(sql`insert into vector_signs (project, model, kind, seq, signs)
          values (${1}, ${1}, ${0}, ${1}, ${bytes})`);
      }),
      store.write(1, (tx) => tx.run(change)),
    ]);
    strictEqual(await store.queryOne(sql`select seq from vector_signs`), undefined);
  }
});

testStores("Tx.post() stores all kinds of values, in one row or many", async (store) => {
  const rows = [
    ["a", 1, 1, null, "{}"],
    ["b", 0.5, null, null, 'quote " comma , brace } backslash \\ null NULL'],
    ["c", 0.25, 7, null, "ümlaut 💡"],
  ] as const;
  const post = (tx: Tx, id: string, [, importance, thread, run, text]: typeof rows[number]) =>
    tx.post(sql`insert into memories (seq, project, id, memory_type, importance, created_at,
        updated_at, thread, run_id, terms, memory)
      values (${rowNumber(null)}, ${1}, ${id}, ${"fact"}, ${importance}, ${""}, ${""}, ${thread},
        ${run}, ${new TextEncoder().encode(text)}, ${text})`);
  await store.write(
    "projects",
    (tx) =>
      tx.run(sql`insert into projects (number, id, name, created_at) values (1, 'p', 'p', '')`),
  );
  await store.write(1, (tx) => {
    for (const row of rows) post(tx, row[0], row);
    return Promise.resolve();
  });
  for (const row of rows) {
    await store.write(1, (tx) => Promise.resolve(post(tx, `${row[0]} alone`, row)));
  }
  const stored = await store.read((db) =>
    db.all<Record<string, unknown>>(sql`select id, importance, thread, run_id, memory, terms
      from memories order by seq`)
  );
  const expected = (suffix: string) =>
    rows.map(([id, importance, thread, run_id, memory]) => ({
      id: id + suffix,
      importance,
      thread,
      run_id,
      memory,
      terms: [...new TextEncoder().encode(memory)],
    }));
  deepStrictEqual(
    stored.map(({ terms, ...row }) => ({ ...row, terms: [...terms as Uint8Array] })),
    [...expected(""), ...expected(" alone")],
  );
});

testStores(
  "Store.lookUpAndWrite() runs a unit again whose row another unit has changed",
  async (store) => {
    const lookup = sql`select value from meta where name = ${"claimed"}`;
    const claim = (by: string) =>
      store.lookUpAndWrite<{ value: string }, string>(1, lookup, async (tx, found) => {
        if (found !== undefined) return found.value;
        // A rule that doesn't hold any more once someone has claimed it.
        const seen = await tx.first(sql`select 1 from meta where name = 'claimed'`);
        if (seen !== undefined) throw new Error("claimed meanwhile");
        tx.post(sql`insert into meta (name, value) values (${"claimed"}, ${by})`);
        return by;
      });
    deepStrictEqual(await Promise.all([claim("a"), claim("b"), claim("c")]), ["a", "a", "a"]);
    const blind = (by: string) =>
      store.lookUpAndWrite(
        1,
        sql`select value from meta where name = 'blind'`,
        (tx, found: { value: string } | undefined) => {
          if (found === undefined) {
            tx.post(sql`insert into meta (name, value) values (${"blind"}, ${by})`);
          }
          return Promise.resolve(found?.value ?? by);
        },
      );
    deepStrictEqual(await Promise.all([blind("a"), blind("b"), blind("c")]), ["a", "a", "a"]);
  },
);

testStores("Store.lookUpAndWrite() rejects with the unit's own error", async (store) => {
  await rejects(
    store.lookUpAndWrite(1, sql`select 1`, () => Promise.reject(new Error("no"))),
    /^Error: no$/,
  );
});

testStores(
  "Tx.insert() returns the row's number, and Tx.run() the number of rows",
  async (store) => {
    const [first, second, changed] = await store.write(1, async (tx) => [
      await journal(tx, 1, "a"),
      await journal(tx, 1, "b"),
      await tx.run(sql`update journal set at = 'now'`),
    ]);
    strictEqual(second! - first!, 1);
    strictEqual(changed, 2);
  },
);

testStores(
  "Tx.notify() calls listeners after the commit, and not if the unit fails",
  async (store) => {
    const seen: string[][] = [];
    const heard = Promise.withResolvers<void>();
    const stop = store.listen("tasks", async () => {
      seen.push(await names(store));
      heard.resolve();
    });
    await rejects(store.write(1, (tx) => {
      tx.notify("tasks");
      return Promise.reject(new Error("no"));
    }));
    await store.write(1, (tx) => {
      tx.notify("tasks");
      return put(tx, "a");
    });
    await heard.promise;
    stop();
    deepStrictEqual(seen, [["a"]]);
  },
);

testStores("Store.snapshot() stays as it was while others write", async (store) => {
  await store.write(1, (tx) => put(tx, "before"));
  const snapshot = await store.snapshot();
  await store.write(1, (tx) => put(tx, "after"));
  deepStrictEqual(await listNames(snapshot), ["before"]);
  await snapshot.close();
  deepStrictEqual(await names(store), ["after", "before"]);
});

testStores("Store.reserve() returns numbers that no one else gets", async (store) => {
  const insert = (tx: Tx, id: string, seq: number | null = null) =>
    tx.insert(sql`insert into memory_history
      (seq, project, id, memory_id, event, source, created_at)
      values (${rowNumber(seq)}, 1, ${id}, 'm', 'ADD', '{}', '')`);
  const before = await store.write(1, (tx) => insert(tx, "before"));
  const first = await store.write(1, (tx) => store.reserve(tx, "memory_history", 10));
  const after = await store.write(1, (tx) => insert(tx, "after"));
  strictEqual(first, before + 1);
  strictEqual(after, first + 10);
  strictEqual(await store.write(1, (tx) => insert(tx, "reserved", first + 3)), first + 3);
});

testStores("Store.reserve() begins at 1 in a new table", async (store) => {
  strictEqual(await store.write(1, (tx) => store.reserve(tx, "tasks", 5)), 1);
  strictEqual(await store.write(1, (tx) => store.reserve(tx, "tasks", 5)), 6);
});

testStores(
  "Store.journalEnd() covers only entries before which nothing can be committed later",
  async (store) => {
    strictEqual(await store.journalEnd(), 0);
    const countUntil = async (end: number) =>
      (await store.queryOne<{ n: number }>(
        sql`select count(*) as n from journal where seq <= ${end}`,
      ))!.n;
    const counts = new Map<number, number>();
    let latest = 0;
    const writers = Array.from({ length: 8 }, async (_, project) => {
      for (let i = 0; i < 10; i++) {
        const written = await store.write(project + 1, (tx) => journal(tx, project + 1, `${i}`));
        latest = Math.max(latest, written);
      }
    });
    let writing = true;
    const follower = (async () => {
      while (writing) {
        const end = await store.journalEnd();
        counts.set(end, await countUntil(end));
        await yieldToEventLoop();
      }
    })();
    await Promise.all(writers);
    writing = false;
    await follower;
    strictEqual(await store.journalEnd(), latest);
    for (const [end, count] of counts) strictEqual(await countUntil(end), count);
  },
);

testStores("lists are passed as one parameter, of any length", async (store) => {
  await store.write(1, async (tx) => {
    for (const name of ["a", 'b"', "c,}"]) await put(tx, name);
  });
  await store.read(async (db) => {
    const named = await db.all(sql`select name from meta
      where name in ${texts(['b"', "c,}", "z"])} order by name`);
    deepStrictEqual(named, [{ name: 'b"' }, { name: "c,}" }]);
    deepStrictEqual(await db.all(sql`select name from meta where name in ${texts([])}`), []);
    const numbered = await db.all(sql`select 1 as n where 3 in ${integers([1, 2, 3])}`);
    deepStrictEqual(numbered, [{ n: 1 }]);
    const rows = await db.all(sql`select value from ${textRows(["y", "x"])} as wanted
      order by wanted.key`);
    deepStrictEqual(rows, [{ value: "y" }, { value: "x" }]);
    const joined = await db.all(sql`select wanted.value + 1 as n
      from ${integerRows([5, 4])} as wanted order by wanted.key`);
    deepStrictEqual(joined, [{ n: 6 }, { n: 5 }]);
    const records = [{ id: "r1", position: 7 }, { id: "r2", position: 8 }];
    deepStrictEqual(
      await db.all(sql`select value ->> 'id' as id, cast(value ->> 'position' as bigint) as position
        from ${recordRows(records)} order by position`),
      records,
    );
  });
});

testStores("values come back as they were written", async (store) => {
  await store.write(1, async (tx) => {
    await tx.run(sql`insert into projects (number, id, name, created_at) values (7, 'p', 'p', '')`);
    await tx.run(sql`insert into memories (project, id, memory_type, importance, created_at,
      updated_at, terms, memory, metadata) values (7, 'm', 'fact', ${0.25}, '', '',
      ${new Uint8Array([0, 255])}, ${"é\u2028\u{1f600}"}, ${null})`);
  });
  const row = await store.queryOne<Record<string, unknown>>(sql`select importance, terms, memory,
    metadata, project, project = 7 as flag, (select count(*) from memories) as n,
    (select sum(number) from projects) as sum from memories`);
  deepStrictEqual({ ...row, terms: [...row!["terms"] as Uint8Array] }, {
    importance: 0.25,
    terms: [0, 255],
    memory: "é\u2028\u{1f600}",
    metadata: null,
    project: 7,
    flag: 1,
    n: 1,
    sum: 7,
  });
});

testStores("text is ordered by bytes", async (store) => {
  await store.write(1, async (tx) => {
    for (const name of ["b", "A", "a", "é", "Z", "_"]) await put(tx, name);
  });
  deepStrictEqual(await names(store), ["A", "Z", "_", "a", "b", "é"]);
});

testStores("JSON in text columns is read by member", async (store) => {
  await store.write(1, (tx) =>
    tx.run(sql`insert into memory_history
      (project, id, memory_id, event, changes, source, created_at)
      values (1, 'h', 'm', 'ADD', ${'{"a":{"b":"c"},"n":1}'}, '{"kind":"x"}', '')`));
  const row = await store.queryOne(sql`select changes -> 'a' ->> 'b' as b, h.changes -> 'a' as a,
    h.source ->> 'kind' as kind from memory_history h where source ->> 'kind' <> 'y'`);
  deepStrictEqual(row, { b: "c", a: '{"b":"c"}', kind: "x" });
});

testStores(
  "queries accept any text, and find nothing for one that can't be stored",
  async (store) => {
    for (const text of ["a\0b", "\ud800", "\0"]) {
      const row = await store.queryOne<{ n: number }>(sql`select count(*) as n from projects
      where name = ${text} or name in ${texts([text])}
        or name in (select value ->> 'name' from ${recordRows([{ name: text }])} as records)`);
      strictEqual(row!.n, 0);
    }
  },
);
