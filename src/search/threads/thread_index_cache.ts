/**
 * The thread indexes a search worker keeps in memory: filled in small batches while the worker is
 * idle, updated from the journal, and limited in size. Searches fall back to the table if an index
 * is incomplete or doesn't fit into memory.
 */

import sql, { type Sql } from "sql-template-tag";
import { LruCache } from "../../kernel/caches/lru_cache.ts";
import { JOURNAL_END, summarizeChanges } from "../../store/journal_changes.ts";
import type { Connection } from "../../store/sqlite/connection.ts";
import { termHash } from "../query/terms.ts";
import { type JsonColumns, parseColumns } from "./json_columns.ts";
import { type IndexedMemory, ThreadIndex } from "./thread_index.ts";

/** Memories loaded at once. An incoming search waits a few milliseconds for them. */
const FILL_BATCH_MEMORIES = 256;

/**
 * Number of rows of the table for each memory of a project, up to which all of them are read in
 * order. Beyond it, only the project's memories are read, by an index that takes longer for each.
 */
const MAX_READ_PER_MEMORY = 20;

/** Estimated size of a memory in the index, without posting lists. */
const ESTIMATED_MEMORY_BYTES = 120;

interface CacheEntry {
  /** Where the memories are. */
  readonly connection: Connection;
  readonly index: ThreadIndex;
  /** Size of the index when it was last counted, in bytes. */
  bytes: number;
  /** Journal position the index is current up to. */
  position: number;
  /** The id or the `seq` up to which memories are loaded; null once all are. */
  filledTo: string | number | null;
}

/** A memory to load, with its number of term hashes. */
interface LoadedMemory extends IndexedMemory {
  readonly length: number;
}

/**
 * Thread indexes by project. When they exceed the size limit, evicts posting lists and then whole
 * indexes, those of the least recently used projects first. Indexes can be from several databases,
 * each project from one at a time.
 */
export class ThreadIndexCache {
  readonly #maxBytes: number;
  /** Bounded by bytes in `#evict()`, not by number. */
  readonly #entries = new LruCache<number, CacheEntry>(Infinity);
  /** Sum of the counted sizes. Adding up thousands of indexes would take longer than a search. */
  #bytes = 0;
  /** The entry used last. Only its size can differ from the counted one. */
  #latest: CacheEntry | undefined;

  /** @param maxBytes size limit for all indexes combined */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Size of all indexes in bytes. */
  get byteLength(): number {
    if (this.#latest !== undefined) this.#count(this.#latest);
    return this.#bytes;
  }

  /**
   * Returns a project's index as of the connection's snapshot, or null while it's incomplete.
   *
   * @param total number of memories in the project
   */
  get(connection: Connection, project: number, total: number): ThreadIndex | null {
    if (total * ESTIMATED_MEMORY_BYTES > this.#maxBytes) return null;
    const small = total <= FILL_BATCH_MEMORIES;
    const known = this.#entries.get(project);
    let entry = known?.connection === connection ? known : undefined;
    if (entry !== undefined) this.#use(entry);
    const usable = entry?.filledTo === null ? this.#catchUp(project, entry) : !small;
    const mustRebuild = entry === undefined || entry.index.isFragmented || !usable;
    if (entry === undefined || mustRebuild) {
      this.#delete(project);
      entry = this.#create(connection, project, total);
      this.#entries.set(project, entry);
      this.#use(entry);
      this.#evict(project);
    }
    return entry.filledTo === null ? entry.index : null;
  }

  /** Forgets the indexes of a database, before it's closed. */
  forget(connection: Connection): void {
    for (const [project, entry] of this.#entries) {
      if (entry.connection === connection) this.#delete(project);
    }
  }

  /**
   * Loads a batch of memories for the most recently used project. Returns false if every index is
   * complete.
   */
  fill(): boolean {
    const incomplete = [...this.#entries].findLast(([, { filledTo }]) => filledTo !== null);
    if (incomplete === undefined) return false;
    const [project, entry] = incomplete;
    this.#use(entry);
    fillBatch(project, entry);
    this.#evict(project);
    return true;
  }

  /**
   * Creates a project's index. Small projects are loaded right away, large ones are left to
   * `fill()`.
   */
  #create(connection: Connection, project: number, total: number): CacheEntry {
    const small = total <= FILL_BATCH_MEMORIES;
    const isLargeShare = total * MAX_READ_PER_MEMORY >= highestSeq(connection);
    const entry: CacheEntry = {
      connection,
      index: new ThreadIndex(() => this.#maxBytes - this.byteLength),
      bytes: 0,
      position: journalEnd(connection),
      filledTo: small ? null : isLargeShare ? 0 : "",
    };
    if (small) loadInto(entry, sql`${BY_ID} where project = ${project}`);
    return entry;
  }

  /** Applies the changes since the last search. Returns false if there are too many. */
  #catchUp(project: number, entry: CacheEntry): boolean {
    const position = journalEnd(entry.connection);
    if (position === entry.position) return true;
    const changes = summarizeChanges<{ changed: string; deleted: string }>(
      entry.connection,
      { project, after: entry.position, kind: "memory" },
      sql`record_id, change`,
      sql`json_group_array(distinct record_id) filter (where change <> 'DELETE') as changed,
        json_group_array(record_id) filter (where change = 'DELETE') as deleted`,
    );
    if (changes === undefined) return false;
    const [changed, deleted] = [changes.changed, changes.deleted].map((ids): string[] =>
      JSON.parse(ids)
    );
    if (deleted!.length > 0) {
      for (const seq of deletedSeqs(entry, project, deleted!)) entry.index.delete(seq);
    }
    if (changed!.length > 0) {
      const rows = sql`from json_each(${JSON.stringify(changed)}) as wanted
        cross join memories as each on project = ${project} and each.id = wanted.value`;
      loadInto(entry, rows);
      this.#evict(project);
    }
    entry.position = position;
    return true;
  }

  #evict(keptProject: number): void {
    let excess = this.byteLength - this.#maxBytes;
    // Posting lists are quicker to read again than an index.
    for (const entry of this.#entries.values()) {
      if (excess <= 0) return;
      excess -= entry.index.dropPostings(excess);
      this.#count(entry);
    }
    for (const [project, { bytes }] of this.#entries) {
      if (excess <= 0) return;
      if (project === keptProject) continue;
      this.#delete(project);
      excess -= bytes;
    }
  }

  #use(entry: CacheEntry): void {
    if (this.#latest !== undefined && this.#latest !== entry) this.#count(this.#latest);
    this.#latest = entry;
  }

  #count(entry: CacheEntry): void {
    const bytes = entry.index.byteLength;
    this.#bytes += bytes - entry.bytes;
    entry.bytes = bytes;
  }

  #delete(project: number): void {
    const entry = this.#entries.get(project);
    if (entry === undefined) return;
    this.#bytes -= entry.bytes;
    if (this.#latest === entry) this.#latest = undefined;
    this.#entries.delete(project);
  }
}

/** Memories in the order of their ids, which is about the order of the table. */
const BY_ID = sql`from memories as each indexed by memories_by_id`;

/** Loads the next memories of an index. */
function fillBatch(project: number, entry: CacheEntry): void {
  if (typeof entry.filledTo === "number") return scanBatch(project, entry, entry.filledTo);
  const ids = loadInto(
    entry,
    sql`${BY_ID} where project = ${project} and id > ${entry.filledTo!}
      order by id limit ${FILL_BATCH_MEMORIES}`,
  );
  entry.filledTo = ids.length < FILL_BATCH_MEMORIES ? null : ids.at(-1)!;
}

/** Loads the memories in the next range of the table. Those of other projects are passed over. */
function scanBatch(project: number, entry: CacheEntry, after: number): void {
  const to = after + FILL_BATCH_MEMORIES;
  loadInto(
    entry,
    sql`from memories as each not indexed
      where +project = ${project} and seq > ${after} and seq <= ${to}`,
  );
  entry.filledTo = to < highestSeq(entry.connection) ? to : null;
}

function highestSeq(connection: Connection): number {
  const query = sql`select coalesce(max(seq), 0) as highest from memories`;
  return connection.first<{ highest: number }>(query)!.highest;
}

function journalEnd(connection: Connection): number {
  return connection.first<{ position: number }>(JOURNAL_END)!.position;
}

/**
 * Returns the `seq`s of deleted memories that had one of these ids. Another memory, or another
 * project, can have the number by now.
 */
function deletedSeqs(
  { connection, index }: CacheEntry,
  project: number,
  ids: readonly string[],
): number[] {
  const candidates = index.findByIdHash(ids);
  const { existing } = connection.first<{ existing: string }>(sql`
    select json_group_array(json_array(seq, memories.id)) as existing
    from json_each(${JSON.stringify(candidates)}) as wanted
    cross join memories on seq = wanted.value and project = ${project}`)!;
  const hashes = new Set(ids.map(termHash));
  const remaining = new Set<number>();
  for (const [seq, id] of JSON.parse(existing)) if (hashes.has(termHash(id))) remaining.add(seq);
  return candidates.filter((seq) => !remaining.has(seq));
}

/** Loads the selected memories into an index. Returns their ids. */
function loadInto({ connection, index }: CacheEntry, selected: Sql): readonly string[] {
  const previous = sql`select seq from memories as other indexed by memories_in_thread
    where other.project = each.project and other.thread = each.thread
      and other.position < each.position order by other.position desc limit 1`;
  const { hashes: hex, ...json } = connection.first<
    JsonColumns<LoadedMemory> & { readonly hashes: string | null }
  >(sql`
    select json_group_array(seq) as seq, json_group_array(id) as id,
      json_group_array(thread) as thread, json_group_array(coalesce(position, 0)) as position,
      json_group_array(event_date) as event_date, json_group_array(asks) as asks,
      json_group_array(before) as before,
      json_group_array(length(terms) / 4) as length, group_concat(hex(terms), '') as hashes
    from (select each.seq, each.id, each.thread, each.position, event_date, asks, terms,
      (${previous}) as before ${selected})`)!;
  const columns = parseColumns<LoadedMemory>(json);
  const hashes = new Uint32Array(Uint8Array.fromHex(hex ?? "").buffer);
  let from = 0;
  for (const [at, seq] of columns.seq.entries()) {
    const memory: IndexedMemory = {
      seq,
      id: columns.id[at]!,
      thread: columns.thread[at]!,
      position: columns.position[at]!,
      event_date: columns.event_date[at]!,
      asks: columns.asks[at]!,
      before: columns.before[at]!,
    };
    index.set(memory, hashes.subarray(from, from += columns.length[at]!));
  }
  return columns.id;
}
