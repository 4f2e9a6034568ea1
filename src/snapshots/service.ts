/**
 * Exports a project as of a single point in time, and imports snapshots into empty projects. Attempts
 * at an import continue earlier ones. Those at an export can't, since they couldn't read the project
 * as of the same point in time.
 */

import { createReadStream } from "node:fs";
import { z } from "zod";
import type { Actor, ReceivedBody } from "../contract/endpoint.ts";
import type { AppContext } from "../contract/app_context.ts";
import type { SnapshotSection } from "../contract/snapshot.ts";
import { HOUR_MS, timestamp } from "../kernel/clock.ts";
import { ApiError } from "../kernel/errors.ts";
import type { Operation } from "../operations/schema.ts";
import { operationOf } from "../operations/service.ts";
import type { StoredBlob } from "../store/blobs/blobs.ts";
import { linkBlob, unlinkBlobs } from "../store/blobs/references.ts";
import { activeImport, clearDeletions, resetImportState } from "../store/import_guard.ts";
import { appendJournal } from "../store/journal.ts";
import type { Tx } from "../store/store.ts";
import { enqueueTask } from "../tasks/enqueue.ts";
import type { DisposableFinalizer, Finalizer, TaskContext, TaskHandler } from "../tasks/handler.ts";
import { taskHandler, taskType } from "../tasks/task_type.ts";
import { writeSnapshot } from "./export.ts";
import { type InspectedSnapshot, inspectSnapshot, type OpenBytes } from "./inspect.ts";
import {
  requireEmpty,
  requireFreeIds,
  type RestoreProgress,
  restoreProgress,
  restoreRecords,
} from "./restore.ts";
import type { SnapshotOutline } from "./schema.ts";

/** Size of the read buffer for a snapshot, in bytes. */
const READ_BUFFER_BYTES = 256 * 1024;

/** A received and validated snapshot. */
export interface ReceivedSnapshot {
  readonly blob: StoredBlob;
  readonly snapshot: InspectedSnapshot;
}

const TASK_LIMITS = { concurrency: 1, timeLimitMs: HOUR_MS, resumable: true } as const;

const EXPORT = taskType({
  ...TASK_LIMITS,
  kind: "export",
  payload: z.object({ projectId: z.string() }),
});

const IMPORT = taskType({
  ...TASK_LIMITS,
  kind: "import",
  payload: z.object({
    /** The file's name in the blobs. */
    hash: z.string(),
  }),
  progress: restoreProgress,
});

/** The service for exports and imports. */
export class SnapshotService {
  readonly #appContext: AppContext;
  readonly #sections: readonly SnapshotSection[];
  readonly #schemaVersion: number;

  /** @param sections all sections, in any order */
  constructor(
    appContext: AppContext,
    sections: readonly SnapshotSection[],
    schemaVersion: number,
  ) {
    this.#appContext = appContext;
    this.#sections = [...sections].sort((a, b) => a.name < b.name ? -1 : 1);
    this.#schemaVersion = schemaVersion;
  }

  /** Queues an export. */
  async enqueueExport(tx: Tx, actor: Actor): Promise<Operation> {
    const payload = { projectId: actor.projectId };
    const id = await enqueueTask(tx, this.#appContext, actor.project, { type: EXPORT, payload });
    return await operationOf(tx, actor.project, id);
  }

  /**
   * Writes a snapshot of the current state piece by piece and returns its outline.
   *
   * @param advance called before each page of records. May throw, which ends the export
   */
  async write(
    project: number,
    projectId: string,
    write: (bytes: Uint8Array) => Promise<void>,
    advance = () => {},
  ): Promise<SnapshotOutline> {
    const { store, clock } = this.#appContext;
    const snapshot = await store.snapshot();
    try {
      return await writeSnapshot(snapshot, this.#sections, {
        project,
        projectId,
        exportedAt: timestamp(clock.now()),
        schemaVersion: this.#schemaVersion,
        advance,
      }, write);
    } finally {
      await snapshot.close();
    }
  }

  /**
   * Stores and validates a snapshot's bytes. They're kept until `release` is called, and after that
   * for as long as an import refers to them.
   *
   * @param wrapped whether the snapshot must be in the `snapshot` member
   * @throws {ApiError} INVALID_REQUEST, INVALID_UTF8 or INVALID_SNAPSHOT if the snapshot is invalid
   */
  async receive(
    bytes: AsyncIterable<Uint8Array>,
    wrapped: boolean,
  ): Promise<ReceivedBody<ReceivedSnapshot>> {
    const { store, blobs } = this.#appContext;
    const blob = await blobs.put(bytes);
    const release = async () => {
      blob.release();
      await blobs.deleteIfUnreferenced(store, blob.name);
    };
    try {
      const snapshot = await this.#withFile(
        blob.name,
        (open) => inspectSnapshot(open, this.#sections, wrapped),
      );
      return { body: { blob, snapshot }, digest: snapshot.digest, release };
    } catch (error) {
      await release();
      throw error;
    }
  }

  /**
   * Checks a snapshot's ids for conflicts and returns the change that queues its import. Conflicts
   * are only thrown once the change runs: retrying a successful request must return the first
   * response, even though the ids are in use by then.
   */
  async enqueueImport(actor: Actor, { blob, snapshot }: ReceivedSnapshot) {
    const { store } = this.#appContext;
    const conflict = await requireFreeIds(store, this.#sections, snapshot.ids).catch((error) => {
      if (error instanceof ApiError) return error;
      throw error;
    });
    return async (tx: Tx): Promise<Operation> => {
      await requireEmpty(tx, this.#sections, actor.project);
      const unfinished = await activeImport(tx, actor.project);
      if (unfinished !== null) {
        throw new ApiError(
          "IMPORT_TARGET_NOT_EMPTY",
          `Import ${unfinished} into this project is not finished; ` +
            "wait until a server has finished it, or import into another project",
          { details: { operation_id: unfinished } },
        );
      }
      if (conflict instanceof ApiError) throw conflict;
      await resetImportState(tx, actor.project);
      const payload = { hash: blob.name };
      const id = await enqueueTask(tx, this.#appContext, actor.project, { type: IMPORT, payload });
      await linkBlob(tx, actor.project, id, blob);
      return await operationOf(tx, actor.project, id);
    };
  }

  /** Returns the task handlers for exports and imports. */
  handlers(): readonly TaskHandler[] {
    return [
      taskHandler(EXPORT, {
        run: (context, { projectId }) => this.#export(context, projectId),
      }),
      taskHandler(IMPORT, {
        run: (context, { hash }, progress) => this.#import(context, hash, progress),
      }),
    ];
  }

  async #export({ task, advance }: TaskContext, projectId: string): Promise<DisposableFinalizer> {
    const { blobs, store } = this.#appContext;
    const writer = await blobs.writer();
    try {
      const outline = await this.write(
        task.project,
        projectId,
        (bytes) => writer.write(bytes),
        advance,
      );
      const blob = await writer.finish(advance);
      return {
        async finalize(tx) {
          await linkBlob(tx, task.project, task.id, blob);
          return { result: outline, blob: blob.name };
        },
        async dispose() {
          blob.release();
          // The project may have been deleted in the meantime.
          await blobs.deleteIfUnreferenced(store, blob.name);
        },
      };
    } finally {
      await writer.discard();
    }
  }

  async #import(
    context: TaskContext<RestoreProgress>,
    hash: string,
    progress: RestoreProgress | null,
  ): Promise<DisposableFinalizer> {
    const { store, clock, blobs } = this.#appContext;
    const { project, id } = context.task;
    const { snapshot, counts } = await this.#withFile(hash, async (open) => {
      const snapshot = await inspectSnapshot(open, this.#sections, false);
      if (progress === null) await requireFreeIds(store, this.#sections, snapshot.ids);
      const counts = await restoreRecords(
        context,
        store,
        this.#sections,
        snapshot,
        open,
        progress,
      );
      return { snapshot, counts };
    });
    const finalize: Finalizer = async (tx) => {
      const source = snapshot.sourceProjectId;
      appendJournal(tx, project, {
        kind: "project",
        recordId: source,
        change: "IMPORT",
        at: timestamp(clock.now()),
      });
      await unlinkBlobs(tx, project, id);
      await clearDeletions(tx, project);
      return { result: { source: { project_id: source }, ...counts } };
    };
    return { finalize, dispose: () => blobs.deleteIfUnreferenced(store, hash) };
  }

  /** Reads a file, which is kept on this machine until `read` has finished. */
  async #withFile<T>(name: string, read: (open: OpenBytes) => Promise<T>): Promise<T> {
    const { path, release } = await this.#appContext.blobs.local(name);
    try {
      return await read((start) =>
        createReadStream(path, { start, highWaterMark: READ_BUFFER_BYTES })
      );
    } finally {
      await release();
    }
  }
}
