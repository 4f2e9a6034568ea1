/** Makes sure that the table of upload transitions is complete. */

import { deepStrictEqual, ok } from "node:assert/strict";
import { join } from "node:path";
import sql from "sql-template-tag";
import { closeServices, openServices, type Services } from "../../src/server/services.ts";
import { toFinalizer } from "../../src/tasks/attempt.ts";
import { TaskError } from "../../src/tasks/errors.ts";
import type { TaskContext } from "../../src/tasks/handler.ts";
import { CLAIMED_COLUMNS, type ClaimedRow, toClaimedTask } from "../../src/tasks/repository.ts";
import type { TaskStatus } from "../../src/tasks/states.ts";
import { uploadJobs } from "../../src/uploads/maintenance.ts";
import {
  ASSET_STATUSES,
  type AssetStatus,
  type AssetTransition,
  TRANSITIONS,
} from "../../src/uploads/states.ts";
import { makeTempDirSync, rm } from "../../testing/temp_dir.ts";
import { bytesOf, description } from "./files.ts";
import { createBody } from "../../src/uploads/schema.ts";

const OLD = "2000-01-01T00:00:00.000Z";
const DOCUMENT = "doc_of-every-upload";

/** Statuses an operation can have along with its upload. Both change in a single unit of work. */
const TASK_STATUSES_BY_ASSET_STATUS: Readonly<Record<AssetStatus, readonly TaskStatus[]>> = {
  awaiting_upload: ["awaiting_upload"],
  uploaded: ["awaiting_upload"],
  queued: ["pending"],
  processing: ["processing"],
  ready: ["success"],
  failed: ["retry", "dead"],
  cancelled: ["cancelled"],
};

/** An upload and its operation, forced into particular states. */
interface UploadFixture extends Services {
  readonly project: number;
  readonly id: string;
  readonly operation: string;
  readonly directory: string;
}

type Command = (fixture: UploadFixture) => Promise<unknown>;

const failWith = (retryable: boolean): Command => async ({ queue, ...fixture }) =>
  await queue.fail(
    await claimedTask({ queue, ...fixture }),
    new TaskError("X", "It failed", { retryable }),
  );

/** Every way to request each transition. */
const COMMANDS: Readonly<Record<AssetTransition, readonly Command[]>> = {
  store: [async ({ uploads, project, id, appContext }) => {
    const request = new Request("http://localhost", { method: "PUT", body: "x" });
    const { body, release } = await uploads.receive(request, project, id);
    await appContext.store.write("maintenance", (tx) => uploads.put(tx, project, id, body)).finally(
      release,
    );
  }],
  submit: [
    ({ appContext, uploads, project, id }) =>
      appContext.store.write("maintenance", (tx) => uploads.complete(tx, project, id)),
  ],
  claim: [
    ({ queue }) => queue.claim(new Map([["document_extract", 9]])),
    ({ queue, project, operation }) => queue.claimOne(project, operation),
  ],
  finish: [async (fixture) => {
    const { queue } = fixture;
    const task = await claimedTask(fixture);
    const finalizer = await queue.handlers.get("document_extract")!.run({
      task,
      signal: AbortSignal.timeout(60_000),
      commit: (work) => queue.commit(task, work),
      saveProgress: (tx, progress) => queue.saveProgress(tx, task, progress),
      advance: () => {},
    });
    await queue.succeed(task, toFinalizer(finalizer));
  }],
  fail: [failWith(true), failWith(false), ({ queue }) => queue.reapOrphaned()],
  release: [async (fixture) => fixture.queue.release([await claimedTask(fixture)])],
  redrive: [
    ({ appContext, queue, project, operation }) =>
      appContext.store.write("maintenance", (tx) => queue.redrive(tx, project, operation)),
  ],
  cancel: [
    ({ appContext, uploads, project, id }) =>
      appContext.store.write("maintenance", (tx) => uploads.delete(tx, project, id)),
  ],
  clean: [({ uploads }) => {
    uploads.cleanup.checkLeftovers();
    return uploads.cleanUp();
  }],
  expire: [async ({ appContext: { store, clock }, queue, uploads: { cleanup }, directory }) => {
    const workDirectory = join(directory, "extraction");
    const context = {
      signal: AbortSignal.timeout(60_000),
      commit: (work) => store.write("maintenance", work),
    } as Pick<TaskContext, "signal" | "commit"> as TaskContext;
    // The jobs also remove cancelled uploads, which is a separate transition.
    for (const job of uploadJobs({ store, clock, queue, cleanup, workDirectory })) {
      await job.run(context);
    }
  }],
  follow: [
    ({ appContext, uploads, project }) =>
      appContext.store.write("maintenance", (tx) => uploads.onDelete(tx, project, [DOCUMENT])),
  ],
};

Deno.test("TRANSITIONS for uploads lists everything that can happen to an upload", async () => {
  const directory = makeTempDirSync();
  const services = await openServices(directory);
  const { store, blobs } = services.appContext;
  try {
    await store.write("maintenance", (tx) => services.projects.create(tx, "default"));
    const project = 1;
    const artifact = await blobs.put([bytesOf("# Artifact\n")]);
    const found = new Set<string>();
    for (const [name, commands] of Object.entries(COMMANDS)) {
      const { from, to } = TRANSITIONS[name as AssetTransition];
      for (const command of commands) {
        for (const status of ASSET_STATUSES) {
          for (const task of TASK_STATUSES_BY_ASSET_STATUS[status]) {
            const { id, operation } = await createTestUpload(services, project);
            await force(services, id, operation, status, task, artifact.name);
            const fixture = { ...services, project, id, operation, directory };
            await command(fixture).catch(() => undefined);
            const row = await store.read((db) =>
              db.first<{ status: string }>(sql`select status from source_assets where id = ${id}`)
            );
            await store.write("maintenance", (tx) => tx.run(sql`delete from source_assets`));
            await store.write(
              "maintenance",
              (tx) => tx.run(sql`update tasks set status = 'success'`),
            );
            const after = row?.status ?? null;
            if (after === status) continue;
            const step = `${name}: ${status} -> ${after}`;
            if (name === "expire" && status === "cancelled") continue;
            ok((from as readonly string[]).includes(status) && after === to, `${step} (${task})`);
            found.add(step);
          }
        }
      }
    }
    const expected = Object.entries(TRANSITIONS).flatMap(([name, { from, to }]) =>
      from.map((status) => `${name}: ${status} -> ${to}`)
    );
    deepStrictEqual([...found].sort(), expected.sort());
  } finally {
    await closeServices(services);
    await rm(directory);
  }
});

async function createTestUpload({ appContext, uploads }: Services, project: number) {
  const body = createBody.parse(description({ bytes: bytesOf("x") }));
  const actor = { project, projectId: "proj_x", requestId: "req_x" };
  const { source_asset } = await appContext.store.write(
    "maintenance",
    (tx) => uploads.create(tx, actor, body, "http://localhost"),
  );
  return { id: source_asset.id, operation: source_asset.operation_id };
}

async function force(
  { appContext }: Services,
  id: string,
  operation: string,
  status: string,
  task: string,
  artifact: string,
): Promise<void> {
  const leased = task === "processing" ? "another-boot" : null;
  const sha256 = status === "awaiting_upload" ? null : artifact;
  await appContext.store.write("maintenance", async (tx) => {
    await tx.run(sql`update source_assets set status = ${status}, sha256 = ${sha256},
      artifact_id = 'artifact_x', artifact_sha256 = ${artifact}, extractor = 'x',
      extractor_version = '1', document_id = ${DOCUMENT}, updated_at = ${OLD} where id = ${id}`);
    await tx.run(sql`update tasks set status = ${task}, boot_id = ${leased}, attempts = 1,
      lease_token = ${leased}, lease_expires_at = ${leased && OLD} where id = ${operation}`);
  });
}

/** Returns the task as if claimed by the worker whose lease `force` wrote. */
async function claimedTask({ appContext, operation }: UploadFixture) {
  const row = await appContext.store.read((db) =>
    db.first<ClaimedRow>(sql`select ${CLAIMED_COLUMNS} from tasks where id = ${operation}`)
  );
  return toClaimedTask({ ...row!, lease_token: "another-boot" });
}
