/** Exports that are cancelled, with the files in S3. */

import { deepStrictEqual, rejects, strictEqual } from "node:assert/strict";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { closeServices, MANAGEMENT_OPTIONS, openServices } from "../../src/server/services.ts";
import { enqueueTask } from "../../src/tasks/enqueue.ts";
import { type DisposableFinalizer, isDisposableFinalizer } from "../../src/tasks/handler.ts";
import { startS3 } from "../../testing/s3.ts";
import { makeTempDirSync, rm } from "../../testing/temp_dir.ts";

Deno.test("an export that is cancelled leaves no file in transfers/", async () => {
  const [s3, directory] = [await startS3(), makeTempDirSync()];
  const options = { ...MANAGEMENT_OPTIONS, blobs: s3.address("instance") };
  const services = await openServices(directory, options);
  const { appContext, exports, projects, queue } = services;
  const { store, blobs } = appContext;
  const transfers = () => readdirSync(join(directory, "transfers"));
  try {
    await blobs.claim(store);
    const project = await store.write("maintenance", (tx) => projects.create(tx, "default"));
    const exportUntil = async (signal: AbortSignal) => {
      const payload = { format: "markdown", projectId: project.id };
      const kind = "export_file";
      const id = await store.write(
        project.number,
        (tx) => enqueueTask(tx, appContext, project.number, { kind, payload }),
      );
      const task = (await queue.claimOne(project.number, id))!;
      const result = await exports.handler().run({
        task,
        signal,
        commit: (work) => queue.commit(task, work),
        saveProgress: (tx, progress) => queue.saveProgress(tx, task, progress),
      });
      strictEqual(isDisposableFinalizer(result), true);
      return result as DisposableFinalizer;
    };
    await rejects(exportUntil(AbortSignal.abort(new Error("cancelled"))), /cancelled/);
    deepStrictEqual(transfers(), []);

    // It was written completely, but too late to be recorded.
    const late = await exportUntil(new AbortController().signal);
    strictEqual(transfers().length, 1);
    await late.dispose();
    deepStrictEqual(transfers(), []);
  } finally {
    await closeServices(services);
    await s3.close();
    await rm(directory);
  }
});
