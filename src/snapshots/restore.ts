/** Bringing a snapshot's records into an empty project, in steps that a restart goes on with. */

import { BATCH_BYTES, type SnapshotSection } from "../contract/snapshot.ts";
import { ApiError } from "../kernel/errors.ts";
import { JsonReader } from "../kernel/json_reader.ts";
import { hasCompetingImport } from "../store/import_guard.ts";
import type { NumberedTable, Reader, Store } from "../store/store.ts";
import type { TaskContext } from "../tasks/handler.ts";
import type { InspectedSnapshot, OpenBytes } from "./inspect.ts";
import { type ExistingId, existingIds, hasRows } from "./repository.ts";

/** Records of one unit of work: others wait for it no longer than for a large request. */
const BATCH_RECORDS = 100;

/** Ids that are compared at once. */
const BATCH_IDS = 5_000;

/** The order in which sections are restored: what others are looked up from comes first. */
const SECTION_ORDER = [
  "memories",
  "history",
  "feedback",
  "documents",
  "document_contents",
  "source_assets",
];

/** How far a restoration has come. */
export interface RestoreProgress {
  /** The first row number of each table, taken before anything was written. */
  readonly first: Readonly<Partial<Record<NumberedTable, number>>>;
  /** Records of each section that were looked at. */
  readonly done: Counts;
  /** Those of them that were passed over; absent in what an earlier build has begun. */
  readonly passedOver?: Counts;
}

type Counts = Readonly<Record<string, number>>;

/** @throws ApiError IMPORT_TARGET_NOT_EMPTY */
export async function requireEmpty(
  db: Reader,
  sections: readonly SnapshotSection[],
  project: number,
): Promise<void> {
  for (const { rows, name } of sections) {
    if (rows === undefined || !await hasRows(db, project, rows)) continue;
    throw new ApiError(
      "IMPORT_TARGET_NOT_EMPTY",
      `The project holds ${name} already; import into a new one`,
    );
  }
}

/** @throws ApiError SNAPSHOT_ID_CONFLICT when a record of the snapshot lives in this database */
export async function requireFreeIds(
  store: Store,
  sections: readonly SnapshotSection[],
  ids: InspectedSnapshot["ids"],
): Promise<void> {
  for (const { rows } of sections) {
    const wanted = rows === undefined ? undefined : ids.get(rows.kind);
    if (rows === undefined || wanted === undefined) continue;
    let last: ExistingId | null = null;
    do {
      const after: ExistingId | null = last;
      const taken: readonly ExistingId[] = await store.read((db) =>
        existingIds(db, rows, after, BATCH_IDS)
      );
      const conflict = taken.find(({ id }) => wanted.has(id));
      if (conflict !== undefined) {
        throw new ApiError(
          "SNAPSHOT_ID_CONFLICT",
          `"${conflict.id}" lives in this database; delete the project that holds it first, ` +
            "or import into another deployment",
          { details: { id: conflict.id } },
        );
      }
      last = taken.length < BATCH_IDS ? null : taken.at(-1)!;
    } while (last !== null);
  }
}

/** How many records of each section were written, and how many were passed over, if any. */
export interface RestoreResult {
  readonly restored: Counts;
  /** Clients have deleted them, or what they belong to, since the import was accepted. */
  readonly passed_over: Counts;
}

/** Writes every record that no client has deleted meanwhile. */
export async function restoreRecords(
  context: TaskContext,
  store: Store,
  sections: readonly SnapshotSection[],
  snapshot: InspectedSnapshot,
  open: OpenBytes,
): Promise<RestoreResult> {
  const { project } = context.task;
  let progress: RestoreProgress = context.task.progress as RestoreProgress | null ??
    await beginRestore(context, store, sections, snapshot);
  for (const section of inOrder(sections)) {
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
 * Takes the numbers of all rows to come in one unit of work, so that what is written into the
 * project meanwhile stands after what is restored, in every list.
 */
function beginRestore(
  context: TaskContext,
  store: Store,
  sections: readonly SnapshotSection[],
  snapshot: InspectedSnapshot,
): Promise<RestoreProgress> {
  const { project, id } = context.task;
  return context.commit(async (tx) => {
    await requireEmpty(tx, sections, project);
    if (await hasCompetingImport(tx, project, id)) {
      throw new ApiError("IMPORT_TARGET_NOT_EMPTY", "Another import into the project has begun");
    }
    const first: Partial<Record<NumberedTable, number>> = {};
    for (const { rows, name } of sections) {
      if (rows === undefined) continue;
      first[rows.table] = await store.reserve(tx, rows.table, snapshot.sections.get(name)!.count);
    }
    const progress: RestoreProgress = { first, done: {} };
    await context.saveProgress(tx, progress);
    return progress;
  });
}

function inOrder(sections: readonly SnapshotSection[]): SnapshotSection[] {
  const rank = ({ name }: SnapshotSection) => {
    const place = SECTION_ORDER.indexOf(name);
    return place < 0 ? SECTION_ORDER.length : place;
  };
  return [...sections].sort((a, b) => rank(a) - rank(b));
}

/** Records after the first `done`, with the index of the first of each chunk. */
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
