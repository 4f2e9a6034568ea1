/**
 * Imports files of other products. A file is read to its end before anything is written, so a file
 * that can't be read changes nothing. The import itself is an operation that continues after a
 * restart with the next batch.
 */

import { z } from "zod";
import type { Actor, ReceivedBody } from "../contract/endpoint.ts";
import { type Scope, scopeFields } from "../contract/fields.ts";
import { ApiError, invalidField } from "../kernel/errors.ts";
import { trimHeap } from "../kernel/process/heap.ts";
import type { Operation } from "../operations/schema.ts";
import { operationOf } from "../operations/service.ts";
import type { StoredBlob } from "../store/blobs/blobs.ts";
import { linkBlob, unlinkBlobs } from "../store/blobs/references.ts";
import type { Tx } from "../store/store.ts";
import { enqueueTask } from "../tasks/enqueue.ts";
import type { DisposableFinalizer, TaskContext, TaskHandler } from "../tasks/handler.ts";
import { type PayloadOf, type ProgressOf, taskHandler, taskType } from "../tasks/task_type.ts";
import { IMPORT_FORMATS } from "./formats/all.ts";
import type { ImportFormat } from "./model.ts";
import { stepsOf } from "./reading.ts";
import { type ImportReport, importReport } from "./report.ts";
import { openSource } from "./source_files.ts";
import { emptyReport, tallied, withAdded } from "./tally.ts";
import { HOUR_MS } from "../kernel/clock.ts";
import {
  batchesOf,
  type BatchOutcome,
  type ImportBatch,
  ImportWriter,
  type WriterDeps,
} from "./writer.ts";

const importOptions = z.object({
  format: z.string(),
  /** Owners of records that don't name their own. */
  scope: z.object(scopeFields),
  infer: z.boolean(),
  /** Whether to compare the records with those in the project, for a report. */
  dryRun: z.boolean(),
  /** Name of the file, if it's known. */
  filename: z.string(),
});

/** What to import and how. */
export type ImportOptions = Readonly<z.output<typeof importOptions>>;

/** A file that has been stored and read to its end. */
export interface ReceivedImport {
  readonly blob: StoredBlob;
  readonly options: ImportOptions;
  /** Number of items in the file. */
  readonly total: number;
  /** Without `dryRun`, `added` and `unchanged` are 0. */
  readonly report: ImportReport;
}

const IMPORT_FILE = taskType({
  kind: "import_file",
  payload: z.object({
    /** The file's name in the blobs. */
    hash: z.string(),
    options: importOptions,
    total: z.int(),
    projectId: z.string(),
    requestId: z.string(),
  }),
  progress: z.object({ records_done: z.int(), records_total: z.int(), report: importReport }),
  concurrency: 1,
  timeLimitMs: HOUR_MS,
  resumable: true,
});

type ImportPayload = PayloadOf<typeof IMPORT_FILE>;
type ImportProgress = Readonly<ProgressOf<typeof IMPORT_FILE>>;

/** The service for imports from other products. */
export class ImportService {
  readonly #deps: WriterDeps;
  readonly #writer: ImportWriter;

  constructor(deps: WriterDeps) {
    this.#deps = deps;
    this.#writer = new ImportWriter(deps);
  }

  /**
   * Stores a file and reads it to its end. The file is kept until `release` is called, and after
   * that for as long as an operation refers to it.
   *
   * @throws {ApiError} INVALID_IMPORT if the file can't be read, or nothing in it can be imported
   * @throws {ApiError} INVALID_REQUEST if the format needs an owner and there is none
   */
  async receive(
    bytes: AsyncIterable<Uint8Array>,
    project: number,
    options: ImportOptions,
  ): Promise<ReceivedBody<ReceivedImport>> {
    const { store, blobs } = this.#deps.appContext;
    const format = formatOf(options.format);
    requireOwner(format, options.scope);
    const blob = await blobs.put(bytes);
    const release = async () => {
      blob.release();
      await blobs.deleteIfUnreferenced(store, blob.name);
    };
    try {
      const { total, report } = await this.#inspect(blob.name, project, options);
      return { body: { blob, options, total, report }, digest: blob.sha256, release };
    } catch (error) {
      await release();
      throw error;
    }
  }

  /** Queues the import of a received file. */
  async enqueue(tx: Tx, actor: Actor, received: ReceivedImport): Promise<Operation> {
    const { blob, options, total } = received;
    const { projectId, requestId } = actor;
    const id = await enqueueTask(tx, this.#deps.appContext, actor.project, {
      type: IMPORT_FILE,
      payload: { hash: blob.name, options, total, projectId, requestId },
    });
    await linkBlob(tx, actor.project, id, blob);
    return await operationOf(tx, actor.project, id);
  }

  /** Returns the task handler for imports. */
  handler(): TaskHandler {
    return taskHandler(IMPORT_FILE, { run: (context, ...task) => this.#run(context, ...task) });
  }

  /** Reads a file to its end. With `dryRun`, also compares its records with those in the project. */
  async #inspect(hash: string, project: number, options: ImportOptions) {
    let [total, report] = [0, emptyReport(options.format)];
    for await (const batch of this.#batches(hash, options, 0)) {
      total = batch.end;
      report = reportOf(report, batch);
      if (!options.dryRun) continue;
      report = withOutcome(report, await this.#writer.preview(project, batch));
    }
    requireRecords(report);
    return { total, report };
  }

  async #run(
    context: TaskContext<ImportProgress>,
    { hash, options, total, projectId, requestId }: ImportPayload,
    saved: ImportProgress | null,
  ): Promise<DisposableFinalizer> {
    const { store, blobs } = this.#deps.appContext;
    const { project, id } = context.task;
    const actor: Actor = { project, projectId, requestId };
    let progress = saved ??
      { records_done: 0, records_total: total, report: emptyReport(options.format) };
    for await (const batch of this.#batches(hash, options, progress.records_done)) {
      context.signal.throwIfAborted();
      const prepared = await this.#writer.prepare(project, batch);
      const before = progress;
      try {
        progress = await context.commit(async (tx) => {
          const outcome = await this.#writer.write(tx, actor, prepared, id);
          const report = withOutcome(reportOf(before.report, batch), outcome);
          const after: ImportProgress = { ...before, records_done: batch.end, report };
          await context.saveProgress(tx, after);
          return after;
        });
      } finally {
        this.#writer.dispose(prepared);
        trimHeap();
      }
    }
    return {
      finalize: async (tx) => {
        await unlinkBlobs(tx, project, id);
        return { result: progress.report };
      },
      dispose: () => blobs.deleteIfUnreferenced(store, hash),
    };
  }

  async *#batches(hash: string, options: ImportOptions, done: number): AsyncGenerator<ImportBatch> {
    const { path, release } = await this.#deps.appContext.blobs.local(hash);
    try {
      const source = await openSource(path, options.filename);
      try {
        yield* batchesOf(stepsOf(formatOf(options.format), source, options), done);
      } finally {
        await source.close();
      }
    } finally {
      await release();
    }
  }
}

/**
 * Returns a format.
 *
 * @throws {ApiError} INVALID_REQUEST if there is no such format
 */
export function formatOf(name: string): ImportFormat {
  const format = IMPORT_FORMATS.find((format) => format.name === name);
  if (format !== undefined) return format;
  const names = IMPORT_FORMATS.map(({ name }) => name).join(", ");
  throw invalidField("format", `Must be one of ${names}`);
}

function requireOwner({ requiresOwner, title }: ImportFormat, scope: Scope): void {
  if (!requiresOwner || Object.values(scope).some((value) => value !== undefined)) return;
  throw invalidField(
    "user_id",
    `A file of ${title} doesn't say whose records it contains; pass user_id, agent_id or run_id`,
  );
}

function reportOf(report: ImportReport, { steps }: ImportBatch): ImportReport {
  return steps.reduce(tallied, report);
}

function withOutcome(report: ImportReport, outcome: BatchOutcome): ImportReport {
  const refused = outcome.refused.map((refusal) => ({ kind: "set_aside" as const, ...refusal }));
  const settled = withAdded(refused.reduce(tallied, report), outcome);
  return {
    ...settled,
    documents: without(settled.documents, refused.length),
    inferred_adds: without(settled.inferred_adds, outcome.refusedAdds),
  };
}

/** Takes refused records out of a count. They are neither new nor unchanged. */
function without(
  { found, added, unchanged }: ImportReport["documents"],
  refused: number,
): ImportReport["documents"] {
  return { found: found - refused, added, unchanged: unchanged - refused };
}

/** Throws if a file contains only records that can't be imported. An empty file is fine. */
function requireRecords(report: ImportReport): void {
  const { memories, documents, inferred_adds, set_aside } = report;
  const found = memories.found + documents.found + inferred_adds.found;
  const [first] = set_aside.first;
  if (found > 0 || first === undefined) return;
  // A single file can come without its name.
  const where = first.where === "" ? "" : `${first.where}: `;
  throw new ApiError(
    "INVALID_IMPORT",
    `Nothing in the file can be imported: ${where}${first.reason}`,
    { details: { set_aside } },
  );
}
