/**
 * Reads thread windows from the database, for projects whose thread index is incomplete or doesn't
 * fit into memory.
 */

import sql from "sql-template-tag";
import type { Connection } from "../../store/sqlite/connection.ts";
import { type JsonColumns, parseColumns } from "./json_columns.ts";
import { type TermHashes, type TermMask, TermMaskTable, ThreadWindow } from "./thread_window.ts";

/** A matching memory. */
interface Hit {
  readonly seq: number;
  readonly thread: number | null;
  readonly position: number | null;
}

/** A memory that isn't in a thread. */
interface UnthreadedRow {
  readonly seq: number;
  readonly event_date: string | null;
  readonly asks: number;
  /** The memory's term hashes, as bytes. */
  readonly terms: Uint8Array;
}

/** A memory in its thread, with the `ThreadWindow` columns. */
interface WindowRow {
  readonly seq: number;
  readonly thread: number;
  readonly position: number;
  readonly event_date: string | null;
  readonly mask: TermMask;
  readonly asks: number;
}

/**
 * Returns the matching memories plus up to `maxSteps` memories before and after each, grouped by
 * thread.
 */
export function readThreadWindow(
  connection: Connection,
  project: number,
  terms: TermHashes,
  found: readonly number[],
  maxSteps: number,
): ThreadWindow {
  const hits = loadHits(connection, project, found);
  const masks = new TermMaskTable(terms);
  const unthreaded = loadUnthreaded(connection, project, masks, hits);
  return toThreadWindow([
    ...unthreaded,
    ...loadSegments(connection, project, masks, hits, maxSteps),
  ]);
}

function toThreadWindow(rows: readonly WindowRow[]): ThreadWindow {
  const threadWindow = new ThreadWindow(rows.length);
  for (const [at, { seq, thread, position, event_date, mask, asks }] of rows.entries()) {
    threadWindow.seqs[at] = seq;
    threadWindow.threads[at] = thread;
    threadWindow.positions[at] = position;
    threadWindow.masks[at] = mask;
    threadWindow.asks[at] = asks;
    if (event_date !== null) threadWindow.dates.set(at, event_date);
  }
  return threadWindow;
}

/** Loads the hits. For hits in threads, terms are loaded later along with their threads. */
function loadHits(connection: Connection, project: number, seqs: readonly number[]): Hit[] {
  // The cross join makes the requested rows the outer loop. Otherwise, SQLite may decide to read
  // the whole project.
  const json = connection.first<JsonColumns<Hit>>(sql`
    select json_group_array(seq) as seq, json_group_array(memories.thread) as thread,
      json_group_array(position) as position
    from json_each(${JSON.stringify(seqs)}) as wanted
    cross join memories on seq = wanted.value and project = ${project}`)!;
  const { seq, thread, position } = parseColumns<Hit>(json);
  return seq.map((seq, at): Hit => ({ seq, thread: thread[at]!, position: position[at]! }));
}

/** Loads the hits that aren't in a thread. */
function loadUnthreaded(
  connection: Connection,
  project: number,
  masks: TermMaskTable,
  hits: readonly Hit[],
): WindowRow[] {
  const seqs = hits.filter(({ thread }) => thread === null).map(({ seq }) => seq);
  if (seqs.length === 0) return [];
  const rows = connection.all<UnthreadedRow>(sql`select seq, event_date, asks, terms
    from json_each(${JSON.stringify(seqs)}) as wanted
    cross join memories on seq = wanted.value and project = ${project}`);
  return rows.map(({ seq, event_date, asks, terms: blob }): WindowRow => {
    // A blob can start at any offset, but the copy is aligned.
    const hashes = new Uint32Array(blob.slice().buffer);
    const mask = masks.maskOf(hashes, 0, hashes.length);
    return { seq, thread: -seq, position: 0, event_date, mask, asks };
  });
}

/** A memory in its thread, with its number of term hashes. */
interface SegmentRow extends Omit<WindowRow, "mask"> {
  readonly length: number;
}

/** Loads the thread segments around the hits, in order. Only reads the index. */
function loadSegments(
  connection: Connection,
  project: number,
  masks: TermMaskTable,
  hits: readonly Hit[],
  maxSteps: number,
): WindowRow[] {
  const segments = segmentsAround(hits, maxSteps);
  if (segments.length === 0) return [];
  // Rows are ordered by segment and then by the index.
  const { hashes: hex, ...json } = connection.first<
    JsonColumns<SegmentRow> & { readonly hashes: string | null }
  >(sql`
    select json_group_array(seq) as seq, json_group_array(memories.thread) as thread,
      json_group_array(position) as position, json_group_array(event_date) as event_date,
      json_group_array(asks) as asks, json_group_array(length(terms) / 4) as length,
      group_concat(hex(terms), '') as hashes
    from json_each(${JSON.stringify(segments)}) as segment
    cross join memories indexed by memories_in_thread on project = ${project}
      and memories.thread = segment.value ->> 0
      and position between segment.value ->> 1 and segment.value ->> 2`)!;
  const columns = parseColumns<SegmentRow>(json);
  const hashes = new Uint32Array(Uint8Array.fromHex(hex ?? "").buffer);
  let from = 0;
  return columns.seq.map((seq, at): WindowRow => ({
    seq,
    thread: columns.thread[at]!,
    position: columns.position[at]!,
    event_date: columns.event_date[at]!,
    asks: columns.asks[at]!,
    mask: masks.maskOf(hashes, from, from += columns.length[at]!),
  }));
}

/** Part of a thread: thread id, first position, last position. */
type ThreadSegment = [thread: number, from: number, to: number];

/**
 * Returns the segments around the hits. Adjacent segments are merged so that no row is read twice.
 */
function segmentsAround(hits: readonly Hit[], maxSteps: number): ThreadSegment[] {
  const threaded = hits.filter((hit) => hit.thread !== null)
    .sort((a, b) => a.thread! - b.thread! || a.position! - b.position!);
  const segments: ThreadSegment[] = [];
  for (const { thread, position } of threaded) {
    const last = segments.at(-1);
    const touches = last?.[0] === thread && position! - maxSteps <= last[2] + 1;
    if (touches) last[2] = position! + maxSteps;
    else segments.push([thread!, position! - maxSteps, position! + maxSteps]);
  }
  return segments;
}
