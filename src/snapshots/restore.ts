/**
 * Writes a snapshot's records to an empty project, step by step. After a restart, the import
 * resumes with the next step.
 */

import { z } from "zod";
import { BATCH_BYTES, type SnapshotSection } from "../contract/snapshot.ts";
import { ApiError } from "../kernel/errors.ts";
import { JsonReader } from "../kernel/bytes/json_reader.ts";
import { hasCompetingImport } from "../store/import_guard.ts";
import type { Reader, Store } from "../store/store.ts";
import type { TaskContext } from "../tasks/handler.ts";
import type { InspectedSnapshot, OpenBytes } from "./inspect.ts";
import { type ExistingId, existingIds, hasRows } from "./repository.ts";

/**
 * Maximum number of records per unit of work. Other writers wait no longer than for a large
 * request.
 */
const BATCH_RECORDS = 100;

/** Number of existing ids to compare at once. */
const BATCH_IDS = 5_000;

/** Import order of the sections. Sections referenced by others come first, unlisted ones last. */
const SECTION_ORDER = [
  "memories",
  "history",
  "feedback",
  "documents",
  "document_contents",
  "source_assets",
];

const counts = z.record(z.string(), z.int()).readonly();

type Counts = z.output<typeof counts>;

/** Progress of an import. */
export const restoreProgress = z.object({
  /** First row number in each table, reserved before anything is written. */
  first: counts,
  /** Number of processed records per section. */
  done: counts,
  /** Number of skipped records per section. Missing in imports started by an earlier build. */
  passedOver: counts.optional(),
});

export type RestoreProgress = Readonly<z.output<typeof restoreProgress>>;

/**
 * Throws unless a project is empty.
 *
 * @throws {ApiError} IMPORT_TARGET_NOT_EMPTY if the project contains records
 */
export async function requireEmpty(
  db: Reader,
  sections: readonly SnapshotSection[],
  project: number,
): Promise<void> {
  for (const { rows, name } of sections) {
    if (rows === undefined || !await hasRows(db, project, rows)) continue;
    throw new ApiError(
      "IMPORT_TARGET_NOT_EMPTY",
      `The project already contains ${name}; import into an empty project`,
    );
  }
}

/**
 * Throws if the database already contains an id from the snapshot.
 *
 * @throws {ApiError} SNAPSHOT_ID_CONFLICT if an id is already in use, in any project
 */
export async function requireFreeIds(
  store: Store,
  sections: readonly SnapshotSection[],
  ids: InspectedSnapshot["ids"],
): Promise<void> {
  for (const { rows } of sections) {
    const newIds = rows === undefined ? undefined : ids.get(rows.kind);
    if (rows === undefined || newIds === undefined) continue;
    let last: ExistingId | null = null;
    do {
      const after: ExistingId | null = last;
      const existing: readonly ExistingId[] = await store.read((db) =>
        existingIds(db, rows, after, BATCH_IDS)
      );
      const conflict = existing.find(({ id }) => newIds.has(id));
      if (conflict !== undefined) {
        throw new ApiError(
          "SNAPSHOT_ID_CONFLICT",
          `"${conflict.id}" already exists in this database; delete the project that contains it, ` +
            "or import into another deployment",
          { details: { id: conflict.id } },
        );
      }
      last = existing.length < BATCH_IDS ? null : existing.at(-1)!;
    } while (last !== null);
  }
}

/**
 * Number of imported and skipped records per section. Sections without skipped records are omitted
 * from `passed_over`.
 */
export interface RestoreResult {
  readonly restored: Counts;
  /**
   * Records deleted by clients since the import was accepted, either directly or along with their
   * scope or source.
   */
  readonly passed_over: Counts;
}

/**
 * Writes all records except those deleted by clients in the meantime.
 *
 * @param saved progress of an earlier attempt, or null
 */
export async function restoreRecords(
  context: TaskContext<RestoreProgress>,
  store: Store,
  sections: readonly SnapshotSection[],
  snapshot: InspectedSnapshot,
  open: OpenBytes,
  saved: RestoreProgress | null,
): Promise<RestoreResult> {
  const { project } = context.task;
  let progress: RestoreProgress = saved ??
    await beginRestore(context, store, sections, snapshot);
  for (const section of sortSections(sections)) {
    if (section.insert === undefined) continue;
    const { offset } = snapshot.sections.get(section.name)!;
    const first = section.rows === undefined ? 0 : progress.first[section.rows.table] ?? 0;
    const done = progress.done[section.name] ?? 0;
    const reader = new JsonReader(open(offset), offset);
    try {
      for await (const [start, records] of batchesOf(reader, section, done)) {
        context.signal.throwIfAborted();
        const before: RestoreProgress = progress;
        const ready = await section.prepare?.(project, records) ?? records;
        progress = await context.commit(async (tx) => {
          const passedOver = await section.insert!(tx, project, ready, first + start);
          const after: RestoreProgress = {
            ...before,
            done: { ...before.done, [section.name]: start + records.length },
            passedOver: addCount(before.passedOver, section.name, passedOver),
          };
          await context.saveProgress(tx, after);
          return after;
        });
      }
    } finally {
      await reader.close();
    }
  }
  const { done, passedOver = {} } = progress;
  const restored = Object.fromEntries(
    Object.entries(done).map(([name, count]) => [name, count - (passedOver[name] ?? 0)]),
  );
  return { restored, passed_over: passedOver };
}

function addCount(counts: Counts = {}, name: string, count: number): Counts {
  return count === 0 ? counts : { ...counts, [name]: (counts[name] ?? 0) + count };
}

/**
 * Reserves row numbers for all records in one unit of work, so anything clients write during the
 * import comes after the imported records in every list.
 */
function beginRestore(
  context: TaskContext<RestoreProgress>,
  store: Store,
  sections: readonly SnapshotSection[],
  snapshot: InspectedSnapshot,
): Promise<RestoreProgress> {
  const { project, id } = context.task;
  return context.commit(async (tx) => {
    await requireEmpty(tx, sections, project);
    if (await hasCompetingImport(tx, project, id)) {
      throw new ApiError(
        "IMPORT_TARGET_NOT_EMPTY",
        "Another import into this project has started; import into another project",
      );
    }
    const first: Record<string, number> = {};
    for (const { rows, name } of sections) {
      if (rows === undefined) continue;
      first[rows.table] = await store.reserve(tx, rows.table, snapshot.sections.get(name)!.count);
    }
    const progress: RestoreProgress = { first, done: {} };
    await context.saveProgress(tx, progress);
    return progress;
  });
}

function sortSections(sections: readonly SnapshotSection[]): SnapshotSection[] {
  const rank = ({ name }: SnapshotSection) => {
    const index = SECTION_ORDER.indexOf(name);
    return index < 0 ? SECTION_ORDER.length : index;
  };
  return [...sections].sort((a, b) => rank(a) - rank(b));
}

/** Yields the records after the first `done` in batches, each with its first record's index. */
async function* batchesOf(
  reader: JsonReader,
  section: SnapshotSection,
  done: number,
): AsyncGenerator<[start: number, records: readonly unknown[]]> {
  let [index, bytes, chunk]: [number, number, unknown[]] = [0, 0, []];
  for await (const value of reader.elements()) {
    if (index++ < done) continue;
    const record = section.schema.parse(value);
    chunk.push(record);
    bytes += section.bytesOf?.(record) ?? 0;
    if (chunk.length < BATCH_RECORDS && bytes < BATCH_BYTES) continue;
    yield [index - chunk.length, chunk];
    [bytes, chunk] = [0, []];
  }
  if (chunk.length > 0) yield [index - chunk.length, chunk];
}
