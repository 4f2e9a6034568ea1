/** taskHandler(): tasks with payloads and progress of this version and earlier ones, and invalid. */

import { deepStrictEqual, strictEqual } from "node:assert/strict";
import sql from "sql-template-tag";
import { z } from "zod";
import { withServer } from "../../testing/harness.ts";
import { waitUntil } from "../../testing/wait_until.ts";
import { taskHandler } from "../../src/tasks/task_type.ts";
import { withQueue } from "./queue_fixture.ts";

Deno.test("taskHandler() fails a task whose payload is invalid, and no other", async () => {
  await withQueue(async ({ store, queue, runner, enqueue, task }) => {
    const tasks = queue("a");
    const ran: string[] = [];
    tasks.register(taskHandler({
      kind: "export",
      payload: z.object({ steps: z.array(z.object({ name: z.string() })) }),
      concurrency: 1,
      timeLimitMs: 60_000,
    }, {
      owner: ({ steps }) => steps.length,
      run: (_, { steps: [step] }) => {
        ran.push(step!.name);
        return Promise.resolve({ result: {} });
      },
    }));
    const [other, text, valid] = [
      await enqueue("export", { steps: [{ name: 1 }] }),
      await enqueue("export"),
      await enqueue("export", { steps: [{ name: "first" }] }),
    ];
    await store.write(
      "maintenance",
      (tx) => tx.run(sql`update tasks set payload = '{"steps' where id = ${text}`),
    );
    const running = runner(tasks);
    await running.start();
    await waitUntil(() => task(valid), ({ status }) => status === "success");
    await running.stop();
    const failures = [await task(other), await task(text)].map(({ status, attempts, error }) => {
      const { code, message } = JSON.parse(error!);
      return [status, attempts, code, message];
    });
    const reason = "INTERNAL_ERROR";
    deepStrictEqual(failures, [
      ["dead", 1, reason, "The task can't be read: payload.steps.0.name: Must be text"],
      ["dead", 1, reason, "The task can't be read: payload: Required"],
    ]);
    deepStrictEqual(ran, ["first"]);
  });
});

Deno.test("taskHandler() fails a task whose progress is invalid, and no other", async () => {
  await withQueue(async ({ store, queue, runner, enqueue, task }) => {
    const tasks = queue("a");
    const continued: (number | null)[] = [];
    tasks.register(taskHandler({
      kind: "import_file",
      payload: z.object({}),
      progress: z.object({ records_done: z.int() }),
      concurrency: 3,
      timeLimitMs: 60_000,
    }, {
      run: (_, __, progress) => {
        continued.push(progress?.records_done ?? null);
        return Promise.resolve({ result: {} });
      },
    }));
    const ids: string[] = [];
    for (const text of ['{"records_done":"1"}', '{"records_done', '{"records_done":1}', "null"]) {
      const id = await enqueue("import_file");
      ids.push(id);
      const progress = sql`update tasks set progress = ${text} where id = ${id}`;
      await store.write("maintenance", (tx) => tx.run(progress));
    }
    const running = runner(tasks);
    await running.start();
    await waitUntil(() => task(ids[3]!), ({ status }) => status === "success");
    await running.stop();
    const rows = await Promise.all(ids.map(task));
    const failed = rows.slice(0, 2).map((
      { status, error },
    ) => [status, JSON.parse(error!).message]);
    deepStrictEqual(failed, [
      ["dead", "The task can't be read: progress.records_done: Must be a number"],
      ["dead", "The task can't be read: progress: Required"],
    ]);
    deepStrictEqual(continued, [1, null]);
  });
});

Deno.test("GET /v1/operations lists a task whose progress is invalid", async () => {
  await withServer(async (server) => {
    const at = "2026-01-01T00:00:00.000Z";
    await server.records(sql`insert into tasks
      (project, id, kind, status, max_attempts, payload, progress, created_at, updated_at)
      values (1, 'task_broken', 'import_file', 'dead', 5, '{}', '{"records', ${at}, ${at})`);
    const { status, json } = await server.call("GET", "/v1/operations");
    strictEqual(status, 200);
    strictEqual(json.results[0].id, "task_broken");
  });
});

/** Payloads as the first versions wrote them, with the members that they did without. */
const EARLIER_PAYLOADS = {
  batch_update: {
    memories: [{ memory_id: "mem_1", content: "x" }],
    projectId: "p",
    requestId: "r",
  },
  batch_delete: { memories: [{ memory_id: "mem_1" }], projectId: "p", requestId: "r" },
  memory_infer: {
    user_id: "ana",
    content: "I live in Lisbon",
    infer: true,
    request_id: "r",
    requested_at: "2026-01-01T00:00:00.000Z",
  },
  export: { projectId: "p" },
  export_file: { format: "markdown", projectId: "p" },
  derive: {},
  rebuild: {},
};

Deno.test("Tasks that an earlier version queued are run", async () => {
  await withServer(async (server) => {
    const at = "2026-01-01T00:00:00.000Z";
    for (const [kind, payload] of Object.entries(EARLIER_PAYLOADS)) {
      await server.records(sql`insert into tasks
        (project, id, kind, status, max_attempts, payload, created_at, updated_at)
        values (1, ${`task_${kind}`}, ${kind}, 'pending', 5, ${
        JSON.stringify(payload)
      }, ${at}, ${at})`);
    }
    const states = await waitUntil(
      () =>
        server.records<{ status: string; error: string | null }>(sql`select status, error
          from tasks where created_at = ${at} and status in ('success', 'retry', 'dead')`),
      (ended) => ended.length === Object.keys(EARLIER_PAYLOADS).length,
    );
    for (const { status, error } of states) strictEqual(status, "success", error ?? "");
  });
});
