/** Exports that are cancelled, with the files in a folder and in S3. */

import { deepStrictEqual, rejects, strictEqual } from "node:assert/strict";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import {
  closeServices,
  MANAGEMENT_OPTIONS,
  openServices,
  type Services,
} from "../../src/server/services.ts";
import { enqueueTask } from "../../src/tasks/enqueue.ts";
import { type DisposableFinalizer, isDisposableFinalizer } from "../../src/tasks/handler.ts";
import type { TaskKind } from "../../src/tasks/states.ts";
import { startS3 } from "../../testing/s3.ts";
import { makeTempDirSync, rm } from "../../testing/temp_dir.ts";

/** Creates a project and returns a function that exports it, up to what records the result. */
async function exporter({ appContext, exports, snapshots, projects, queue }: Services) {
  const { store } = appContext;
  const handlers = [exports.handler(), ...snapshots.handlers()];
  const project = await store.write("maintenance", (tx) => projects.create(tx, "default"));
  return async (kind: TaskKind, signal: AbortSignal): Promise<DisposableFinalizer> => {
    const type = { kind, payload: z.unknown() };
    const payload = { format: "markdown", projectId: project.id };
    const id = await store.write(
      project.number,
      (tx) => enqueueTask(tx, appContext, project.number, { type, payload }),
    );
    const task = (await queue.claimOne(project.number, id))!;
    const result = await handlers.find((handler) => handler.kind === kind)!.run({
      task,
      signal,
      commit: (work) => queue.commit(task, work),
      saveProgress: (tx, progress) => queue.saveProgress(tx, task, progress),
      advance: () => signal.throwIfAborted(),
    });
    strictEqual(isDisposableFinalizer(result), true);
    return result as DisposableFinalizer;
  };
}

/** A signal that isn't aborted. */
const NOT_CANCELLED = new AbortController().signal;

Deno.test("an export that is cancelled leaves no file in transfers/", async () => {
  const [s3, directory] = [await startS3(), makeTempDirSync()];
  const options = { ...MANAGEMENT_OPTIONS, blobs: s3.address("instance") };
  const services = await openServices(directory, options);
  const transfers = () => readdirSync(join(directory, "transfers"));
  try {
    await services.appContext.blobs.claim(services.appContext.store);
    const exportUntil = await exporter(services);
    await rejects(
      exportUntil("export_file", AbortSignal.abort(new Error("cancelled"))),
      /cancelled/,
    );
    deepStrictEqual(transfers(), []);

    // It was written completely, but too late to be recorded.
    const late = await exportUntil("export_file", NOT_CANCELLED);
    strictEqual(transfers().length, 1);
    await late.dispose();
    deepStrictEqual(transfers(), []);
  } finally {
    await closeServices(services);
    await s3.close();
    await rm(directory);
  }
});

Deno.test("an export whose project is deleted in the meantime leaves no file", async () => {
  const directory = makeTempDirSync();
  const services = await openServices(directory, MANAGEMENT_OPTIONS);
  const { blobs } = services.appContext;
  try {
    const exportUntil = await exporter(services);
    for (const kind of ["export", "export_file"] as const) {
      const late = await exportUntil(kind, NOT_CANCELLED);
      strictEqual((await Array.fromAsync(blobs.names())).length, 1);
      await late.dispose();
      deepStrictEqual(await Array.fromAsync(blobs.names()), []);
    }
  } finally {
    await closeServices(services);
    await rm(directory);
  }
});
