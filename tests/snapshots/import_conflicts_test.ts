/**
 * Tests for unfinished imports: which other imports they prevent, and which deletions they respect.
 */

import { deepStrictEqual, rejects, strictEqual } from "node:assert/strict";
import sql from "sql-template-tag";
import type { Actor } from "../../src/contract/endpoint.ts";
import { newDocument } from "../../src/documents/service.ts";
import {
  closeServices,
  openServices,
  runTaskInProcess,
  type Services,
} from "../../src/server/services.ts";
import { DAY_MS, timestamp } from "../../src/kernel/clock.ts";
import { LIMITS } from "../../src/kernel/limits.ts";
import type { TaskContext } from "../../src/tasks/handler.ts";
import { NO_PROJECT, queueMaintenance } from "../../src/tasks/maintenance.ts";
import { findTask } from "../../src/tasks/repository.ts";
import { withServer } from "../../testing/harness.ts";
import { makeTempDirSync, rm } from "../../testing/temp_dir.ts";
import { exportSnapshot, populate } from "./snapshots.ts";

/** Runs `work` with the services for an empty project. There is no background work running. */
async function inEmptyProject(
  work: (services: Services, actor: Actor) => Promise<void>,
): Promise<void> {
  const directory = makeTempDirSync();
  const services = await openServices(directory);
  try {
    const { store } = services.appContext;
    const { id } = await store.write(
      "maintenance",
      (tx) => services.projects.create(tx, "default"),
    );
    const { number: project } = await store.read((db) =>
      services.projects.getByName(db, "default")
    );
    await work(services, { project, projectId: id, requestId: "req_1" });
  } finally {
    await closeServices(services);
    await rm(directory);
  }
}

async function enqueue(services: Services, actor: Actor, snapshot: unknown): Promise<string> {
  const bytes = async function* () {
    yield new TextEncoder().encode(JSON.stringify(snapshot));
  };
  const { body, release } = await services.snapshots.receive(bytes(), false);
  try {
    const change = await services.snapshots.enqueueImport(actor, body);
    return (await services.appContext.store.write("maintenance", change)).id;
  } finally {
    await release();
  }
}

async function deleteSource({ documents, appContext }: Services, actor: Actor, source_key: string) {
  const body = { content: "Gone", source_key, mime_type: "text/plain", user_id: "ana" } as const;
  const prepared = await documents.prepare(actor.project, newDocument(body));
  const { document } = await appContext.store.write(
    "maintenance",
    (tx) => documents.ingest(tx, actor, prepared),
  );
  documents.dispose(prepared);
  await appContext.store.write("maintenance", (tx) => documents.delete(tx, actor, document.id));
}

const kill = (services: Services, id: string) =>
  services.appContext.store.write(
    "maintenance",
    (tx) => tx.run(sql`update tasks set status = 'dead' where id = ${id}`),
  );

/** Runs maintenance as if an import had died `days` ago. Returns the number of imports given up. */
async function maintainAfter(services: Services, id: string, days: number): Promise<number> {
  const { appContext, appContext: { store, clock } } = services;
  const at = timestamp(clock.now() - days * DAY_MS);
  await store.write("maintenance", async (tx) => {
    await tx.run(sql`delete from tasks where kind = 'maintenance'`);
    await tx.run(sql`update tasks set status = 'dead', created_at = ${at}, completed_at = ${at}
      where id = ${id}`);
    strictEqual(await queueMaintenance(tx, appContext), true);
  });
  const [task] = await store.read((db) =>
    db.all<{ id: string }>(sql`select id from tasks where kind = 'maintenance'`)
  );
  const { status, result } = await runTaskInProcess(services, NO_PROJECT, task!.id);
  strictEqual(status, "success");
  return JSON.parse(result!).failed_snapshot_imports;
}

const retry = (services: Services, project: number, id: string) =>
  services.appContext.store.write("maintenance", (tx) => services.queue.redrive(tx, project, id));

Deno.test("SnapshotService.enqueueImport() throws while a different import is pending, running or unfinished", async () => {
  await withServer(async (server) => {
    await populate(server);
    const { snapshot } = await exportSnapshot(server.call);
    await inEmptyProject(async (services, actor) => {
      const id = await enqueue(services, actor, snapshot);
      const expectRefusal = (expected = {}) =>
        rejects(enqueue(services, actor, snapshot), {
          code: "IMPORT_TARGET_NOT_EMPTY",
          ...expected,
        });
      await expectRefusal({ details: { operation_id: id } });
      // After one unit of work, the row numbers are reserved, but no record has been written yet.
      await interrupt(services, actor.project, id, 1);
      await expectRefusal({ details: { operation_id: id } });
      await interrupt(services, actor.project, id, 1);
      await kill(services, id);
      await expectRefusal();
    });
  });
});

Deno.test("SnapshotService.enqueueImport() ignores an abandoned import that has written nothing", async () => {
  await withServer(async (server) => {
    await populate(server);
    const { snapshot } = await exportSnapshot(server.call);
    for (const units of [0, 1]) {
      await inEmptyProject(async (services, actor) => {
        const { project } = actor;
        const id = await enqueue(services, actor, snapshot);
        await interrupt(services, project, id, units);
        await kill(services, id);
        const other = await enqueue(services, actor, snapshot);
        strictEqual((await runTaskInProcess(services, project, other)).status, "success");
        // The abandoned import has no progress to continue from, and the project is no longer
        // empty.
        strictEqual(await retry(services, project, id), true);
        strictEqual((await runTaskInProcess(services, project, id)).status, "dead");
      });
    }
  });
});

Deno.test("import fails if a different import into the same project started first", async () => {
  await withServer(async (server) => {
    await populate(server);
    const { snapshot } = await exportSnapshot(server.call);
    await inEmptyProject(async (services, actor) => {
      const { project } = actor;
      const id = await enqueue(services, actor, snapshot);
      await kill(services, id);
      const other = await enqueue(services, actor, snapshot);
      await retry(services, project, id);
      await interrupt(services, project, id, 1);
      const { status, error } = await runTaskInProcess(services, project, other);
      strictEqual(status, "dead");
      strictEqual(JSON.parse(error!).code, "IMPORT_TARGET_NOT_EMPTY");
      strictEqual((await runTaskInProcess(services, project, id)).status, "success");
    });
  });
});

Deno.test("import deletes the snapshot file when it succeeds", async () => {
  await withServer(async (server) => {
    await populate(server);
    const { snapshot } = await exportSnapshot(server.call);
    await inEmptyProject(async (services, actor) => {
      const id = await enqueue(services, actor, snapshot);
      const { blobs } = services.appContext;
      strictEqual((await Array.fromAsync(blobs.names())).length, 1);
      strictEqual((await runTaskInProcess(services, actor.project, id)).status, "success");
      deepStrictEqual(await Array.fromAsync(blobs.names()), []);
    });
  });
});

Deno.test("import returns how many records were imported and skipped", async () => {
  await withServer(async (server) => {
    await populate(server);
    const { snapshot } = await exportSnapshot(server.call);
    await inEmptyProject(async (services, actor) => {
      const id = await enqueue(services, actor, snapshot);
      await deleteSource(services, actor, "notes.md");
      const { status, result } = await runTaskInProcess(services, actor.project, id);
      strictEqual(status, "success");
      const { restored, passed_over } = JSON.parse(result!);
      deepStrictEqual(passed_over, { documents: 2, document_contents: 2 });
      const { counts } = snapshot;
      deepStrictEqual(restored, {
        memories: counts.memories,
        history: counts.history,
        feedback: counts.feedback,
        associations: counts.associations,
        episodes: counts.episodes,
        documents: counts.documents - 2,
        document_contents: counts.document_contents - 2,
      });
      // Once the import has finished, deletions are no longer recorded.
      const kept = await services.appContext.store.read((db) =>
        db.all(sql`select * from import_deletions`)
      );
      deepStrictEqual(kept, []);
    });
  });
});

/** Claims an import the way a worker does, and releases it after `units` units of work. */
async function interrupt({ queue }: Services, project: number, id: string, units: number) {
  const task = (await queue.claimOne(project, id))!;
  let remaining = units;
  const context: TaskContext = {
    task,
    signal: new AbortController().signal,
    commit: (work) => {
      if (remaining-- === 0) throw new Error("Interrupted");
      return queue.commit(task, work);
    },
    saveProgress: (tx, progress) => queue.saveProgress(tx, task, progress),
    advance: () => {},
  };
  await rejects(async () => await queue.handlers.get("import")!.run(context), /Interrupted/);
  await queue.release([task]);
}

Deno.test("import does not restore records that were deleted while it was interrupted", async () => {
  await withServer(async (server) => {
    const ids = await populate(server);
    const { snapshot } = await exportSnapshot(server.call);
    await inEmptyProject(async (services, actor) => {
      const id = await enqueue(services, actor, snapshot);
      // The two units of work are the row numbers and the memories.
      await interrupt(services, actor.project, id, 2);
      const { memories, appContext: { store } } = services;
      await store.write("maintenance", (tx) => memories.delete(tx, actor, ids[1]!));
      const { status, result } = await runTaskInProcess(services, actor.project, id);
      strictEqual(status, "success");
      deepStrictEqual(JSON.parse(result!).passed_over, { feedback: 1 });
      const read = store.read((db) => memories.get(db, actor.project, ids[1]!));
      await rejects(read, { code: "MEMORY_NOT_FOUND" });
      const history = await memories.history(actor.project, ids[1]!, { limit: 50 });
      deepStrictEqual(history.results.map(({ event }) => event), ["ADD", "FEEDBACK", "DELETE"]);
    });
  });
});

Deno.test("maintenance deletes the file of a failed import after its days, and cancels the import", async () => {
  await withServer(async (server) => {
    await populate(server);
    const { snapshot } = await exportSnapshot(server.call);
    await inEmptyProject(async (services, actor) => {
      const { blobs, store } = services.appContext;
      const id = await enqueue(services, actor, snapshot);
      strictEqual(await maintainAfter(services, id, LIMITS.failedImportDays - 1), 0);
      strictEqual((await Array.fromAsync(blobs.names())).length, 1);

      strictEqual(await maintainAfter(services, id, LIMITS.failedImportDays + 1), 1);
      deepStrictEqual(await Array.fromAsync(blobs.names()), []);
      const task = await store.read((db) => findTask(db, actor.project, id));
      strictEqual(task!.status, "cancelled");
      strictEqual(await retry(services, actor.project, id), false);
    });
  });
});

Deno.test("a project can be imported into again after an unfinished import was given up", async () => {
  await withServer(async (server) => {
    await populate(server);
    const { snapshot } = await exportSnapshot(server.call);
    await inEmptyProject(async (services, actor) => {
      const id = await enqueue(services, actor, snapshot);
      // The row numbers are reserved, so the import has begun, and nothing is there to be deleted.
      await interrupt(services, actor.project, id, 1);
      await deleteSource(services, actor, "notes.md");
      strictEqual(await maintainAfter(services, id, LIMITS.failedImportDays + 1), 1);
      const other = await enqueue(services, actor, snapshot);
      const { status, result } = await runTaskInProcess(services, actor.project, other);
      strictEqual(status, "success");
      deepStrictEqual(JSON.parse(result!).passed_over, {});
    });
  });
});

Deno.test("giving up an import keeps the deletions that another import respects", async () => {
  await withServer(async (server) => {
    await populate(server);
    const { snapshot } = await exportSnapshot(server.call);
    await inEmptyProject(async (services, actor) => {
      const id = await enqueue(services, actor, snapshot);
      await kill(services, id);
      const other = await enqueue(services, actor, snapshot);
      await interrupt(services, actor.project, other, 1);
      await deleteSource(services, actor, "notes.md");
      strictEqual(await maintainAfter(services, id, LIMITS.failedImportDays + 1), 1);
      const { status, result } = await runTaskInProcess(services, actor.project, other);
      strictEqual(status, "success");
      deepStrictEqual(JSON.parse(result!).passed_over, { documents: 2, document_contents: 2 });
    });
  });
});
