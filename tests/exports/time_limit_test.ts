/** Exports that take longer than the time limit of an attempt. */

import { deepStrictEqual, ok } from "node:assert/strict";
import { z } from "zod";
import { jsonLog } from "../../src/kernel/log.ts";
import { systemTimers, type Timers } from "../../src/kernel/timers.ts";
import { closeServices, MANAGEMENT_OPTIONS, openServices } from "../../src/server/services.ts";
import { enqueueTask } from "../../src/tasks/enqueue.ts";
import { runTask } from "../../src/tasks/run_task.ts";
import { makeTempDirSync, rm } from "../../testing/temp_dir.ts";

Deno.test("an export succeeds in one attempt if it takes long, since no other could continue it", async () => {
  const directory = makeTempDirSync();
  const services = await openServices(directory, MANAGEMENT_OPTIONS);
  const { appContext: { store, clock, ids }, exports, snapshots, projects, queue } = services;
  let exceedTimeLimit = () => {};
  let limitMs: number | undefined;
  const timers: Timers = {
    after(milliseconds, run) {
      if (milliseconds !== limitMs) return systemTimers.after(milliseconds, run);
      exceedTimeLimit = run;
      return () => {};
    },
  };
  try {
    let pages = 0;
    for (const handler of [exports.handler(), ...snapshots.handlers()]) {
      limitMs = handler.timeLimitMs;
      // Each page of records takes an hour.
      queue.register({
        ...handler,
        run: (context) =>
          handler.run({
            ...context,
            advance() {
              context.advance();
              pages++;
              exceedTimeLimit();
            },
          }),
      });
    }
    const { number, id: projectId } = await store.write(
      "maintenance",
      (tx) => projects.create(tx, "default"),
    );
    const deps = { queue, store, clock, timers, log: jsonLog(clock, "off", () => {}) };
    for (const kind of ["export", "export_file"] as const) {
      pages = 0;
      const id = await store.write(number, (tx) =>
        enqueueTask(tx, { clock, ids }, number, {
          type: { kind, payload: z.unknown() },
          payload: { format: "jsonl", projectId },
        }));
      const { status, attempts } = await runTask(deps, number, id);
      deepStrictEqual({ kind, status, attempts }, { kind, status: "success", attempts: 1 });
      ok(pages > 1);
    }
  } finally {
    await closeServices(services);
    await rm(directory);
  }
});
