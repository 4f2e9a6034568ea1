/** Tests backup, restore and doctor: copies must open, and damage must be found. */

import { deepStrictEqual, doesNotMatch, match, ok, rejects, strictEqual } from "node:assert/strict";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { BackupSchedule } from "../../src/backup/schedule.ts";
import { copyDataDirectory } from "../../src/backup/copy.ts";
import { sha256 } from "../../src/kernel/hash.ts";
import { jsonLog } from "../../src/kernel/log.ts";
import { systemTimers } from "../../src/kernel/timers.ts";
import { runDoctor } from "../../src/server/doctor/doctor.ts";
import { type TestServer, withServer } from "../../testing/harness.ts";
import { BUSY_TIMEOUT } from "../../testing/busy_timeout.ts";
import { runCommonplace, startServerProcess } from "../../testing/process.ts";
import { makeTempDirSync, rm } from "../../testing/temp_dir.ts";

const FILE = "An uploaded file";

/** Adds memories, documents with a previous version, and a file referenced by a row. */
async function addRecords({ call, directory }: Pick<TestServer, "call" | "directory">) {
  const messages = Array.from(
    { length: 40 },
    (_, n) => ({ role: "user", content: `Note ${n} on Straße and Ĝis` }),
  );
  const body = { messages, user_id: "ana", infer: false };
  strictEqual((await call("POST", "/v1/memories", { body })).status, 200);
  for (const content of ["# One\n\nTea", "# One\n\nCoffee"]) {
    const body = { content, source_key: "notes", mime_type: "text/markdown", user_id: "ana" };
    strictEqual((await call("POST", "/v1/documents", { body })).status, 200);
  }
  const hash = sha256(FILE);
  const path = join(directory, "blobs", hash.slice(0, 2), hash);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, FILE);
  edit(directory, `insert into blob_names values (1, 'task_x', '${hash}', ${FILE.length})`);
  return { path };
}

function edit(directory: string, statement: string): void {
  const db = new DatabaseSync(join(directory, "commonplace.db"), BUSY_TIMEOUT);
  db.exec(statement);
  db.close();
}

const failed = (directory: string) =>
  runDoctor(directory).filter((check) => !check.ok).map((check) => check.name);

/** Runs a test on a copy of that data directory, with no server running. */
async function withRecords(work: (directory: string, blob: string) => Promise<void> | void) {
  const directory = makeTempDirSync();
  try {
    let blob = "";
    await withServer(async (server) => {
      const { path } = await addRecords(server);
      await copyDataDirectory(server.directory, join(directory, "data"));
      blob = path.replace(server.directory, join(directory, "data"));
    });
    await work(join(directory, "data"), blob);
  } finally {
    await rm(directory);
  }
}

Deno.test("backup makes a complete copy that a server can open, even while writes continue", async () => {
  const directory = makeTempDirSync();
  try {
    const [data, copy, restored] = ["data", "copy", "restored"].map((name) =>
      join(directory, name)
    ) as [string, string, string];
    const server = await startServerProcess(data);
    await addRecords({ call: server.call, directory: data });
    let [writing, written] = [true, 0];
    const writer = (async () => {
      while (writing) {
        const body = { content: `While ${written++}`, user_id: "busy", infer: false };
        strictEqual((await server.call("POST", "/v1/memories", { body })).status, 200);
      }
    })();
    const backup = await runCommonplace("backup", copy, "--data", data, "--json");
    writing = false;
    await writer;
    deepStrictEqual([backup.code, backup.stderr], [0, ""]);
    strictEqual(JSON.parse(backup.stdout).files, 1);
    ok(written > 0);
    strictEqual(await server.stop(), 0);
    deepStrictEqual(failed(copy), []);
    strictEqual((await runCommonplace("restore", copy, "--data", restored)).code, 0);
    deepStrictEqual(failed(restored), []);
    const again = await startServerProcess(restored);
    const list = await again.call("GET", "/v1/memories?user_id=ana&limit=100");
    strictEqual(list.json.results.length, 40);
    strictEqual(await again.stop(), 0);
    const refused = await runCommonplace("backup", copy, "--data", data);
    strictEqual(refused.code, 1);
    match(refused.stderr, /is not empty/);
    strictEqual(
      (await runCommonplace("restore", join(directory, "nothing"), "--data", join(directory, "x")))
        .code,
      1,
    );
  } finally {
    await rm(directory);
  }
});

Deno.test("copyDataDirectory() throws if a blob is damaged, and leaves no files behind", async () => {
  await withRecords(async (data, blob) => {
    writeFileSync(blob, "Another file");
    let message = "";
    try {
      await copyDataDirectory(data, `${data}-copy`);
    } catch (error) {
      message = (error as Error).message;
    }
    match(message, /^Blob [0-9a-f]{64} is damaged$/);
    strictEqual(existsSync(`${data}-copy`), false);
    strictEqual(existsSync(`${data}-copy.partial`), false);
  });
});

Deno.test("copyDataDirectory() copies files once, even if others are deleted during the copy", async () => {
  await withRecords(async (data, blob) => {
    rmSync(blob);
    edit(data, "delete from blob_names");
    const contents = ["one", "two", "three", "four"];
    const hashes = contents.map((content) => sha256(content)).sort();
    const pathOf = (directory: string, hash: string) =>
      join(directory, "blobs", hash.slice(0, 2), hash);
    for (const content of contents) {
      const path = pathOf(data, sha256(content));
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, content);
      edit(data, `insert into blob_names values (1, 'task_x', '${sha256(content)}', 5)`);
    }
    const copied: number[] = [];
    await copyDataDirectory(data, `${data}-copy`, (step) => {
      if (step === "Copying file 3 of 4") {
        for (const hash of hashes.slice(1, 3)) {
          rmSync(pathOf(data, hash));
          edit(data, `delete from blob_names where hash = '${hash}'`);
        }
      }
      if (step === "Copying file 1 of 2") {
        copied.push(statSync(pathOf(`${data}-copy.partial`, hashes[0]!)).ino);
      }
    });
    deepStrictEqual(copied, [statSync(pathOf(`${data}-copy`, hashes[0]!)).ino]);
    deepStrictEqual(hashes.map((hash) => existsSync(pathOf(`${data}-copy`, hash))), [
      true,
      false,
      false,
      true,
    ]);
    deepStrictEqual(failed(`${data}-copy`), []);
  });
});

Deno.test("BackupSchedule waits longer after each failure", async () => {
  const directory = makeTempDirSync();
  const clock = { now: () => Date.UTC(2026, 0, 1) };
  const waits: number[] = [];
  const failures = Promise.withResolvers<void>();
  const schedule = new BackupSchedule(
    { source: join(directory, "nothing"), directory, everyMs: 3_600_000, keep: 2 },
    {
      clock,
      timers: {
        after(milliseconds, run) {
          if (waits.push(milliseconds) === 8) failures.resolve();
          else queueMicrotask(run);
          return () => {};
        },
      },
      log: jsonLog(clock, "off", () => {}),
    },
  );
  try {
    schedule.start();
    await failures.promise;
    deepStrictEqual(waits.map((wait) => wait / 60_000), [2, 4, 8, 16, 32, 60, 60, 60]);
  } finally {
    schedule.stop();
    await rm(directory);
  }
});

Deno.test("BackupSchedule makes a backup at once if the only one is from the future", async () => {
  await withRecords(async (data) => {
    const clock = { now: () => Date.UTC(2026, 0, 1) };
    const directory = `${data}-backups`;
    mkdirSync(join(directory, "commonplace-20360101T000000000Z"), { recursive: true });
    const checked = Promise.withResolvers<void>();
    const timers = {
      after() {
        checked.resolve();
        return () => {};
      },
    };
    const plan = { source: data, directory, everyMs: 3_600_000, keep: 1 };
    const schedule = new BackupSchedule(plan, {
      clock,
      timers,
      log: jsonLog(clock, "off", () => {}),
    });
    schedule.start();
    await checked.promise;
    schedule.stop();
    deepStrictEqual(readdirSync(directory), ["commonplace-20260101T000000000Z"]);
  });
});

Deno.test("BackupSchedule keeps the newest backups", async () => {
  await withRecords(async (data) => {
    let now = Date.UTC(2026, 0, 1);
    const clock = { now: () => now };
    const directory = `${data}-backups`;
    const plan = { source: data, directory, everyMs: 3_600_000, keep: 2 };
    const deps = { clock, timers: systemTimers, log: jsonLog(clock, "off", () => {}) };
    const schedule = new BackupSchedule(plan, deps);
    // As a server leaves it that is stopped while it makes a backup.
    mkdirSync(join(directory, "commonplace-20251231T230000000Z.partial", "blobs"), {
      recursive: true,
    });
    mkdirSync(join(directory, "photos.partial"));
    // Made while the clock was ahead.
    mkdirSync(join(directory, "commonplace-20360101T000000000Z"));
    for (let count = 0; count < 3; count++, now += 3_600_000) await schedule.run();
    schedule.stop();
    deepStrictEqual(readdirSync(directory).sort(), [
      "commonplace-20260101T010000000Z",
      "commonplace-20260101T020000000Z",
      "photos.partial",
    ]);
    deepStrictEqual(failed(join(directory, "commonplace-20260101T020000000Z")), []);
  });
});

Deno.test("restore fills an existing empty directory and keeps its inode and mode", async () => {
  await withRecords(async (data) => {
    const volume = `${data}-volume`;
    mkdirSync(volume, { mode: 0o750 });
    const { ino, mode } = statSync(volume);
    const { code, stderr } = await runCommonplace("restore", data, "--data", volume);
    strictEqual(code, 0, stderr);
    deepStrictEqual([statSync(volume).ino, statSync(volume).mode], [ino, mode]);
    deepStrictEqual(failed(volume), []);
    strictEqual(existsSync(join(volume, ".partial")), false);
  });
});

Deno.test("copyDataDirectory() treats the root of a new file system as empty and keeps its lost+found", async () => {
  await withRecords(async (data) => {
    const volume = `${data}-volume`;
    mkdirSync(join(volume, "lost+found"), { recursive: true });
    await copyDataDirectory(data, volume);
    deepStrictEqual(failed(volume), []);
    strictEqual(existsSync(join(volume, "lost+found")), true);
    const used = `${data}-used`;
    mkdirSync(join(used, "lost+found"), { recursive: true });
    writeFileSync(join(used, "diary.txt"), "Not a data directory");
    await rejects(copyDataDirectory(data, used), {
      message: `"${used}" is not empty; specify a new directory`,
    });
    for (const command of [["projects", "create", "shop"], ["projects", "list"]]) {
      const empty = `${data}-${command[1]}`;
      mkdirSync(join(empty, "lost+found"), { recursive: true });
      const { code, stderr } = await runCommonplace(...command, "--data", empty);
      strictEqual(code, 0, stderr);
    }
  });
});

Deno.test("doctor reports no problems in an undamaged directory", async () => {
  await withRecords(async (data) => {
    const { code, stdout } = await runCommonplace("doctor", "--data", data, "--json");
    strictEqual(code, 0, stdout);
    strictEqual(JSON.parse(stdout).ok, true);
  });
});

Deno.test("doctor finds and names each kind of damage", async (t) => {
  const cases: readonly (readonly [
    damage: string,
    check: string,
    make: (data: string, blob: string) => void,
  ])[] = [
    ["a flipped byte in a blob", "blobs", (_, blob) => {
      const bytes = readFileSync(blob);
      bytes[3]! ^= 1;
      writeFileSync(blob, bytes);
    }],
    ["a missing blob", "blobs", (_, blob) => rmSync(blob)],
    [
      "a missing row of the memory index",
      "memory index",
      (data) => edit(data, withoutIndexRow("memories_fts", "text, tags")),
    ],
    [
      "a memory that differs from its index entry",
      "memory index",
      (data) => edit(data, "update memories set memory = 'Other words' where seq = 3"),
    ],
    [
      "an orphan chunk",
      "chunks",
      (data) =>
        edit(
          data,
          `insert into chunks select max(seq) + 1, project, 999, 0, 0, 1, '[]', 'x'
        from chunks`,
        ),
    ],
    [
      "a chunk that differs from the content",
      "chunks",
      (data) => edit(data, "update chunks set content = 'x' where seq = 1"),
    ],
    [
      "changed content",
      "chunks",
      (data) =>
        edit(data, "update document_contents set content = content || '!' where version = 1"),
    ],
    [
      "a wrong total",
      "totals",
      (data) => edit(data, "update scope_totals set total_memories = 7 where type = 'user'"),
    ],
    [
      "a missing total",
      "totals",
      (data) => edit(data, "delete from scope_totals where type = 'user'"),
    ],
    [
      "a vector without its memory",
      "vectors",
      (data) => edit(data, withVectors("update vectors set seq = 999 where kind = 0 and seq = 3")),
    ],
    [
      "a vector of other dimensions than its model's",
      "vectors",
      (data) => edit(data, withVectors("update vectors set vector = x'01' where kind = 1")),
    ],
    [
      "a vector without sign bits",
      "vectors",
      (data) => edit(data, withVectors("delete from vector_signs where kind = 0 and seq = 3")),
    ],
    [
      "a memory without its vector",
      "vectors",
      (data) => edit(data, withVectors("delete from vectors where kind = 0 and seq = 3")),
    ],
    [
      "a chunk without its vector",
      "vectors",
      (data) => edit(data, withVectors("delete from vectors where kind = 1")),
    ],
    [
      "a memory without its project",
      "foreign keys",
      (data) =>
        edit(data, "pragma foreign_keys = off; update memories set project = 99 where seq = 2"),
    ],
    ["a corrupt page", "database", corruptPage],
  ];
  await withRecords(async (data, blob) => {
    for (const [damage, check, make] of cases) {
      await t.step(damage, async () => {
        const copy = `${data}-${damage.replaceAll(" ", "-")}`;
        await copyDataDirectory(data, copy);
        make(copy, blob.replace(data, copy));
        const found = failed(copy);
        ok(found.includes(check), `${damage}: ${found}`);
        for (const { detail } of runDoctor(copy)) doesNotMatch(detail, /\n/);
      });
    }
  });
});

Deno.test("doctor does not report vectors that are still to be computed", async () => {
  await withRecords((data) => {
    edit(data, withVectors("update embedding_models set position = 20"));
    edit(data, "delete from vectors where kind = 0 and seq > 20");
    edit(data, "delete from vectors where kind = 1");
    deepStrictEqual(failed(data), []);
  });
});

Deno.test("doctor reports missing content only if no import is about to add it", async () => {
  await withRecords((data) => {
    edit(
      data,
      `insert into document_versions select max(seq) + 1, 1, 'doc_to_come', 'to come', 0,
      '', '', '', 'text/plain', null, 'ana', null, null, '{}', 0, 0, 0, 0, 'text/plain', ''
      from document_versions`,
    );
    deepStrictEqual(failed(data), ["chunks"]);
    edit(
      data,
      `insert into tasks
      (project, id, kind, status, max_attempts, payload, created_at, updated_at)
      values (1, 'task_import', 'import', 'retry', 5, '{}', '', '')`,
    );
    deepStrictEqual(failed(data), []);
  });
});

/**
 * Returns SQL that gives every memory and current chunk a vector from the serving model, and then
 * does the damage.
 */
function withVectors(damage: string): string {
  const texts = `select 0 as kind, seq from memories union all
    select 1, chunks.seq from chunks join document_versions as head
      on head.seq = version and is_head = 1`;
  return `insert into embedding_models
      values (1, 'test', 4, (select max(seq) from journal), 1);
    insert into vectors select 1, 1, kind, seq, x'01020304' from (${texts});
    insert into vector_signs (project, model, kind, seq, signs)
      select 1, 1, kind, seq, zeroblob(16) from (${texts});
    ${damage};`;
}

/**
 * Returns SQL that removes a single row from a contentless index. Doing so needs the row's exact
 * terms.
 */
function withoutIndexRow(table: string, columns: string): string {
  return `create virtual table temp.words using fts5vocab('main', '${table}', 'instance');
    insert into ${table} (${table}, rowid, ${columns}) select 'delete', 5,
      (select group_concat(term, ' ') from (select term from temp.words
        where doc = 5 and col = 'text' order by offset)),
      (select group_concat(term, ' ') from (select term from temp.words
        where doc = 5 and col = 'tags' order by offset));
    drop table temp.words;`;
}

/** Overwrites the middle of an index page inside the database file. */
function corruptPage(data: string): void {
  const path = join(data, "commonplace.db");
  const db = new DatabaseSync(path);
  const { rootpage } = db.prepare(
    "select rootpage from sqlite_master where name = 'memories_by_id'",
  ).get() as { rootpage: number };
  const { page_size } = db.prepare("pragma page_size").get() as { page_size: number };
  db.close();
  const bytes = readFileSync(path);
  bytes.fill(0x5a, (rootpage - 1) * page_size + 8, (rootpage - 1) * page_size + 200);
  writeFileSync(path, bytes);
}
