/**
 * Exports a project's records as of one point in time, as an archive in an open format. No attempt
 * continues an earlier one, since it couldn't read the records as of the same point in time.
 */

import { z } from "zod";
import type { Actor, EndpointResponse } from "../contract/endpoint.ts";
import type { AppContext } from "../contract/app_context.ts";
import { HOUR_MS, timestamp } from "../kernel/clock.ts";
import { ApiError, invalidField } from "../kernel/errors.ts";
import { LIMITS } from "../kernel/limits.ts";
import type { Operation } from "../operations/schema.ts";
import { operationOf } from "../operations/service.ts";
import { linkBlob } from "../store/blobs/references.ts";
import type { Tx } from "../store/store.ts";
import { enqueueTask } from "../tasks/enqueue.ts";
import type { DisposableFinalizer, TaskContext, TaskHandler } from "../tasks/handler.ts";
import { findTask, type TaskRow } from "../tasks/repository.ts";
import { type PayloadOf, taskHandler, taskType } from "../tasks/task_type.ts";
import { Archive } from "./archive.ts";
import { EXPORT_FORMATS } from "./formats/all.ts";
import type { ExportFormat } from "./formats/format.ts";
import { ProjectRecords } from "./records.ts";
import { ARCHIVE_TYPE, type ExportManifest } from "./schema.ts";

const EXPORT_FILE = taskType({
  kind: "export_file",
  payload: z.object({ format: z.string(), projectId: z.string() }),
  concurrency: 1,
  timeLimitMs: HOUR_MS,
  resumable: true,
});

type ExportPayload = PayloadOf<typeof EXPORT_FILE>;

/** Files listed in the result of an operation. The manifest in the archive lists all of them. */
const MAX_LISTED_FILES = 100;

/** The service for exports in open formats. */
export class ExportService {
  readonly #appContext: AppContext;

  constructor(appContext: AppContext) {
    this.#appContext = appContext;
  }

  /** Queues an export. */
  async enqueue(tx: Tx, actor: Actor, format: string): Promise<Operation> {
    const id = await enqueueTask(tx, this.#appContext, actor.project, {
      type: EXPORT_FILE,
      payload: { format, projectId: actor.projectId },
    });
    return await operationOf(tx, actor.project, id);
  }

  /**
   * Writes an archive piece by piece and returns its manifest.
   *
   * @param advance called before each page of records. May throw, which ends the export
   */
  async write(
    { format: name, projectId }: ExportPayload,
    project: number,
    write: (bytes: Uint8Array) => Promise<void>,
    advance = () => {},
  ): Promise<ExportManifest> {
    const { store, clock } = this.#appContext;
    const format = exportFormatOf(name);
    const exportedAt = timestamp(clock.now());
    const snapshot = await store.snapshot();
    try {
      const records = new ProjectRecords(snapshot, project, advance);
      const archive = await Archive.open(new Date(exportedAt));
      const head = { format: name, exported_at: exportedAt, project_id: projectId };
      const filling = fill(archive, format, records, head);
      const [manifest] = await Promise.all([filling, drain(archive, write)]);
      return manifest;
    } finally {
      await snapshot.close();
    }
  }

  /**
   * Returns a finished export's archive.
   *
   * @throws {ApiError} OPERATION_NOT_FOUND if the project has no such operation
   * @throws {ApiError} OPERATION_FILE_NOT_FOUND if the operation has no file, or not yet, or no longer
   */
  async file(project: number, id: string): Promise<EndpointResponse> {
    const { store, blobs } = this.#appContext;
    const task = await store.read((db) => findTask(db, project, id));
    if (task === undefined) throw new ApiError("OPERATION_NOT_FOUND", `No operation "${id}"`);
    const hash = task.kind === "export_file" ? task.result_blob : null;
    if (hash === null) {
      throw new ApiError("OPERATION_FILE_NOT_FOUND", `Operation "${id}" ${reason(task)}`);
    }
    const length = await blobs.size(hash);
    if (length === null) throw new Error(`The file of ${id} is missing from the blobs`);
    const filename = `${id}.zip`;
    return { status: 200, stream: blobs.stream(hash), length, type: ARCHIVE_TYPE, filename };
  }

  /** Returns the task handler for exports. */
  handler(): TaskHandler {
    return taskHandler(EXPORT_FILE, { run: (context, payload) => this.#run(context, payload) });
  }

  async #run(
    { task, advance }: TaskContext,
    payload: ExportPayload,
  ): Promise<DisposableFinalizer> {
    const { blobs, store } = this.#appContext;
    const writer = await blobs.writer();
    try {
      const write = (bytes: Uint8Array) => writer.write(bytes);
      const manifest = await this.write(payload, task.project, write, advance);
      const blob = await writer.finish(advance);
      return {
        async finalize(tx) {
          await linkBlob(tx, task.project, task.id, blob);
          const files = manifest.files.slice(0, MAX_LISTED_FILES);
          return { result: { ...manifest, files }, blob: blob.name };
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
}

/** Returns why an operation has no file. */
function reason({ kind, status }: TaskRow): string {
  if (kind !== "export_file") return "isn't an export to a file";
  if (status !== "success") return `has no file; its status is ${status}`;
  return `has no file; it was deleted after ${LIMITS.exportFileDays} days`;
}

/**
 * Returns a format.
 *
 * @throws {ApiError} INVALID_REQUEST if there is no such format
 */
function exportFormatOf(name: string): ExportFormat {
  const format = EXPORT_FORMATS.find((format) => format.name === name);
  if (format !== undefined) return format;
  const names = EXPORT_FORMATS.map(({ name }) => name).join(", ");
  throw invalidField("format", `Must be one of ${names}`);
}

async function drain(
  archive: Archive,
  write: (bytes: Uint8Array) => Promise<void>,
): Promise<void> {
  for await (const bytes of archive.bytes) await write(bytes);
}

/** Adds all files and the manifest, and ends the archive. */
async function fill(
  archive: Archive,
  format: ExportFormat,
  records: ProjectRecords,
  head: Pick<ExportManifest, "format" | "exported_at" | "project_id">,
): Promise<ExportManifest> {
  await format.write(records, archive);
  const counts = await records.counts();
  const notCarried = format.notCarried.filter((kind) => counts[kind] > 0);
  const manifest: ExportManifest = {
    ...head,
    counts,
    not_carried: Object.fromEntries(notCarried.map((kind) => [kind, counts[kind]])),
    files: [...archive.files],
  };
  await archive.add("manifest.json", manifestText(manifest));
  archive.end();
  return manifest;
}

async function* manifestText(manifest: ExportManifest) {
  yield [`${JSON.stringify(manifest, null, 2)}\n`, 0] as const;
}
