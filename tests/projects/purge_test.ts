/** Deleting a project: access ends immediately, and none of the project's data remains. */

import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import sql from "sql-template-tag";
import { purgeHandler } from "../../src/projects/purge.ts";
import type { NumberedProject } from "../../src/projects/service.ts";
import { addBody } from "../../src/memories/schema.ts";
import { closeServices, MANAGEMENT_OPTIONS, openServices } from "../../src/server/services.ts";
import { MAX_BACKOFF_MS } from "../../src/tasks/backoff.ts";
import { MARK_NAME } from "../../src/store/blobs/mark.ts";
import { tablesWith } from "../../testing/engine.ts";
import { withServer } from "../../testing/harness.ts";
import { type Call, exportSnapshot, freshKey } from "../snapshots/snapshots.ts";
import { runMaintenance } from "../../testing/maintenance.ts";
import { runCommonplace, startServerProcess } from "../../testing/process.ts";
import { makeTempDirSync, rm } from "../../testing/temp_dir.ts";
import { waitUntil } from "../../testing/wait_until.ts";

/** A word that occurs nowhere else. */
const MARK = "zyxquill";

async function withDirectory(work: (directory: string) => Promise<void>): Promise<void> {
  const directory = makeTempDirSync();
  try {
    await work(directory);
  } finally {
    await rm(directory);
  }
}

/** Returns the files that contain the mark. */
function filesWithMark(directory: string): string[] {
  return readdirSync(directory, { recursive: true, encoding: "utf8" }).filter((name) => {
    const path = join(directory, name);
    return statSync(path).isFile() && readFileSync(path).includes(MARK);
  });
}

Deno.test("projects delete leaves none of the project's rows, words or files behind", async () => {
  await withDirectory(async (data) => {
    const flags = ["--data", data, "--json"];
    const server = await startServerProcess(data);
    await runCommonplace("projects", "create", "doomed", ...flags);
    const { key } = JSON.parse(
      (await runCommonplace("keys", "create", "--project", "doomed", ...flags)).stdout,
    );
    const kept = await server.call("POST", "/v1/memories", {
      body: { content: "A note that stays", user_id: "ana", infer: false },
    });
    const messages = Array.from(
      { length: 300 },
      (_, n) => ({ role: "user", content: `${MARK} ${n}` }),
    );
    const body = { messages, user_id: MARK, infer: false, metadata: { word: MARK } };
    const added = await server.call("POST", "/v1/memories", {
      key,
      body,
      headers: { "idempotency-key": MARK },
    });
    const id = added.json.results[0].id;
    await server.call("POST", `/v1/memories/${id}/feedback`, { key, body: { rating: "positive" } });
    await server.call("POST", "/v1/memories", {
      key,
      body: { content: MARK, user_id: "ana" },
      headers: { "idempotency-key": "inferred" },
    });
    for (const version of [1, 2]) {
      const content = `# ${MARK}\n\nThe ${MARK} of version ${version}`;
      const ingest = { content, source_key: MARK, user_id: "ana" };
      strictEqual((await server.call("POST", "/v1/documents", { key, body: ingest })).status, 200);
    }
    const deleted = await runCommonplace("projects", "delete", "doomed", "--yes", ...flags);
    deepStrictEqual(deleted.stderr, "");
    const { deleted: done, name } = JSON.parse(deleted.stdout);
    deepStrictEqual([done, name], [true, "doomed"]);
    strictEqual((await server.call("GET", "/v1/memories?user_id=ana", { key })).status, 401);
    const found = await server.call("GET", `/v1/memories/${kept.json.results[0].id}`);
    strictEqual(found.json.memory, "A note that stays");
    strictEqual(await server.stop(), 0);
    deepStrictEqual(await tablesWith(data, 2), []);
    deepStrictEqual(filesWithMark(data), []);
    const listed = await runCommonplace("projects", "list", ...flags);
    deepStrictEqual(JSON.parse(listed.stdout).map(({ name }: { name: string }) => name), [
      "default",
    ]);
  });
});

/**
 * This is more than socket buffers can store (in MiB), so once all of it has been sent, the server
 * is reading.
 */
const PADDING_MIB = 64;

Deno.test("projects delete makes a request fail if it is still arriving, and keeps none of it", async () => {
  await withServer(async (server) => {
    const key = await server.createKey("doomed");
    const call: Call = (method, path, options) => server.call(method, path, { ...options, key });
    const { snapshot } = await exportSnapshot(call);
    const pad = new TextEncoder().encode(" ".repeat(2 ** 20));
    let sent = 0;
    const raw = new ReadableStream<Uint8Array>({
      async pull(controller) {
        if (sent++ < PADDING_MIB) return controller.enqueue(pad);
        await server.manage("projects", "delete", "doomed", "--yes");
        controller.enqueue(new TextEncoder().encode(JSON.stringify({ snapshot })));
        controller.close();
      },
    });
    const headers = { "content-type": "application/json", ...freshKey() };
    const late = await call("POST", "/v1/imports", { raw, headers });
    deepStrictEqual([late.status, late.json.code], [401, "INVALID_API_KEY"]);
    deepStrictEqual(await tablesWith(server.directory, 2), []);
    const files = readdirSync(join(server.directory, "blobs"), { recursive: true });
    deepStrictEqual(
      files.filter((name) =>
        name !== MARK_NAME && statSync(join(server.directory, "blobs", String(name))).isFile()
      ),
      [],
    );
  });
});

Deno.test("projects delete requires --yes, and makes the project's name available again", async () => {
  await withDirectory(async (data) => {
    const flags = ["--data", data, "--json"];
    await runCommonplace("projects", "create", "once", ...flags);
    const refused = await runCommonplace("projects", "delete", "once", ...flags);
    strictEqual(refused.code, 1);
    strictEqual((await runCommonplace("projects", "delete", "once", "--yes", ...flags)).code, 0);
    strictEqual((await runCommonplace("projects", "delete", "once", "--yes", ...flags)).code, 1);
    strictEqual((await runCommonplace("projects", "create", "once", ...flags)).code, 0);
  });
});

Deno.test("ProjectService.delete() leaves no task of the project to claim", async () => {
  await withDirectory(async (directory) => {
    const services = await openServices(directory, MANAGEMENT_OPTIONS);
    try {
      const { appContext: { store }, projects, memories, queue } = services;
      const [doomed, kept] = await store.write("projects", async (tx) => [
        await projects.create(tx, "doomed"),
        await projects.create(tx, "kept"),
      ]);
      for (const { number: project, id: projectId } of [doomed, kept]) {
        const actor = { project, projectId, requestId: "req_x" };
        const body = addBody.parse({ content: "Ana sails", user_id: "ana" });
        await store.write(project, (tx) => memories.enqueueInference(tx, actor, body));
      }
      await store.write("projects", (tx) => projects.delete(tx, doomed));
      const claimed = await queue.claim(new Map([["memory_infer", 9], ["purge", 9]]));
      deepStrictEqual(
        claimed.map(({ kind, project }) => [kind, project]).sort(),
        [["memory_infer", kept.number], ["purge", 0]],
      );
    } finally {
      await closeServices(services);
    }
  });
});

Deno.test("purgeHandler() saves its progress only when it has deleted something", async () => {
  await withDirectory(async (directory) => {
    const services = await openServices(directory, MANAGEMENT_OPTIONS);
    try {
      const { appContext, projects, queue } = services;
      const { store } = appContext;
      const handler = purgeHandler(appContext, []);
      const purge = async (project: NumberedProject) => {
        const id = await store.write("projects", (tx) => projects.delete(tx, project));
        const task = (await queue.claimOne(0, id))!;
        const saved: unknown[] = [];
        await handler.run({
          task,
          signal: new AbortController().signal,
          commit: (work) => queue.commit(task, work),
          async saveProgress(tx, progress) {
            await queue.saveProgress(tx, task, progress);
            saved.push(progress);
          },
          advance: () => {},
        });
        return saved;
      };
      const create = (name: string) => store.write("projects", (tx) => projects.create(tx, name));
      deepStrictEqual(await purge(await create("empty")), []);

      const used = await create("used");
      await store.write(
        "maintenance",
        (tx) =>
          tx.run(sql`insert into activity (project, hour, kind, count)
          values (${used.number}, '2026-01-01T00', 'add', 1)`),
      );
      deepStrictEqual(await purge(used), ["activity"]);
    } finally {
      await closeServices(services);
    }
  });
});

Deno.test("Maintenance resumes a purge whose last attempt failed, unless one is queued", async () => {
  await withServer(async (server) => {
    await server.createKey("doomed");
    // As after `projects delete` whose attempts have all failed.
    await server.records(
      sql`update projects set deleted_at = created_at, name = '~' || id where name = 'doomed'`,
    );
    const at = "2026-01-01T00:00:00.000Z";
    // A longer delay would count as one from a clock that was ahead: the purge would start at once.
    const later = new Date(Date.now() + MAX_BACKOFF_MS).toISOString();
    await server.records(sql`insert into tasks
      (project, id, kind, status, max_attempts, payload, next_attempt_at, created_at, updated_at)
      select 0, 'task_purge', 'purge', 'retry', 5,
        '{"project":' || number || ',"project_id":"' || id || '"}', ${later}, ${at}, ${at}
      from projects where deleted_at is not null`);
    strictEqual((await runMaintenance(server)).failed_purges, 0);

    await server.records(
      sql`update tasks set status = 'dead', next_attempt_at = null where id = 'task_purge'`,
    );
    strictEqual((await runMaintenance(server)).failed_purges, 1);
    await waitUntil(
      () => server.records(sql`select 1 from projects where deleted_at is not null`),
      (rows) => rows.length === 0,
    );
    deepStrictEqual(await tablesWith(server.directory, 2), []);
  });
});
