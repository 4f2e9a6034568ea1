/**
 * The places that a search worker holds in memory: filled in little by little when there is nothing
 * else to do, kept up with the journal, and bounded. Until a project's are whole, and where there is
 * no room for them, the table is read.
 */

import sql, { type Sql } from "sql-template-tag";
import type { Connection } from "../../store/sqlite/connection.ts";
import { ThreadIndex } from "./thread_index.ts";

/** Memories that are filled in at once: a search that comes meanwhile waits some milliseconds. */
const FILL_BATCH_MEMORIES = 256;

/** Changes that a search catches up with; after more of them it is quicker to begin anew. */
const MAX_CATCH_UP_CHANGES = 5_000;

/** What a memory is taken to need when it is not known yet. */
const ESTIMATED_MEMORY_BYTES = 120;

interface CacheEntry {
  readonly index: ThreadIndex;
  /** The place in the journal up to which changes are in it. */
  position: number;
  /** Up to this number memories are filled in; null when all are. */
  filledTo: number | null;
}

/** What is read of memories, as columns: JSON, and the hashes of all of them one after the other. */
interface MemoryColumns {
  readonly seqs: string;
  readonly ids: string;
  readonly threads: string;
  readonly positions: string;
  readonly dates: string;
  readonly asking: string;
  readonly before: string;
  readonly lengths: string;
  readonly hashes: string | null;
}

/** Places by project; those used longest ago go when there is too much. */
export class ThreadIndexCache {
  readonly #connection: Connection;
  readonly #maxBytes: number;
  readonly #entries = new Map<number, CacheEntry>();

  /** @param maxBytes bytes that all of them together may take */
  constructor(connection: Connection, maxBytes: number) {
    this.#connection = connection;
    this.#maxBytes = maxBytes;
  }

  /** Bytes that all of them hold. */
  get byteLength(): number {
    let size = 0;
    for (const { index } of this.#entries.values()) size += index.byteLength;
    return size;
  }

  /**
   * The places of a project as the connection's snapshot has them; null as long as they are not
   * whole.
   *
   * @param total how many memories the project has
   */
  get(project: number, total: number): ThreadIndex | null {
    if (total * ESTIMATED_MEMORY_BYTES > this.#maxBytes) return null;
    const small = total <= FILL_BATCH_MEMORIES;
    let held = this.#entries.get(project);
    const usable = held?.filledTo === null ? this.#catchUp(project, held) : !small;
    const anew = held === undefined || held.index.isFragmented || !usable;
    if (held === undefined || anew) held = this.#create(project, small);
    this.#entries.delete(project);
    this.#entries.set(project, held);
    if (anew) this.#evict(project);
    return held.filledTo === null ? held.index : null;
  }

  /** Fills in some memories of the project that was used last; false when there are none. */
  fill(): boolean {
    const last = [...this.#entries].findLast(([, { filledTo }]) => filledTo !== null);
    if (last === undefined) return false;
    this.#fillBatch(...last);
    this.#evict(last[0]);
    return true;
  }

  /** Few memories are set at once; of many, none. */
  #create(project: number, small: boolean): CacheEntry {
    const held: CacheEntry = {
      index: new ThreadIndex(),
      position: this.#journalEnd(),
      filledTo: small ? null : 0,
    };
    const all = sql`from memories as each indexed by memories_by_id where project = ${project}`;
    if (small) this.#loadInto(held.index, all);
    return held;
  }

  #fillBatch(project: number, entry: CacheEntry): void {
    const { highest } = this.#connection.first<{ highest: number }>(sql`
      select coalesce(max(seq), 0) as highest from memories`)!;
    const [after, to] = [entry.filledTo!, entry.filledTo! + FILL_BATCH_MEMORIES];
    // In the order of the table: the indexes of a project have another one.
    const some = sql`from memories as each not indexed
      where +project = ${project} and seq > ${after} and seq <= ${to}`;
    this.#loadInto(entry.index, some);
    entry.filledTo = to < highest ? to : null;
  }

  /** False when too much has changed. */
  #catchUp(project: number, entry: CacheEntry): boolean {
    const position = this.#journalEnd();
    if (position === entry.position) return true;
    const read = this.#connection.first<{ count: number; changed: string; deleted: string }>(sql`
      select count(*) as count,
        json_group_array(distinct record_id) filter (where change <> 'DELETE') as changed,
        json_group_array(record_id) filter (where change = 'DELETE') as deleted
      from (select record_id, change from journal where project = ${project}
        and seq > ${entry.position} and kind = 'memory' limit ${MAX_CATCH_UP_CHANGES})`)!;
    if (read.count === MAX_CATCH_UP_CHANGES) return false;
    const [changed, deleted] = [read.changed, read.deleted].map((ids): string[] => JSON.parse(ids));
    if (deleted!.length > 0) {
      for (const seq of this.#deletedSeqs(entry.index, deleted!)) entry.index.delete(seq);
    }
    if (changed!.length > 0) {
      const fresh = sql`from json_each(${JSON.stringify(changed)}) as wanted
        cross join memories as each on project = ${project} and each.id = wanted.value`;
      this.#loadInto(entry.index, fresh);
    }
    entry.position = position;
    return true;
  }

  #journalEnd(): number {
    return this.#connection.first<{ position: number }>(
      sql`select coalesce(max(seq), 0) as position from journal`,
    )!.position;
  }

  /** The numbers of memories that had one of these ids. */
  #deletedSeqs(index: ThreadIndex, ids: readonly string[]): number[] {
    const maybe = index.findByIdHash(ids);
    const { there } = this.#connection.first<{ there: string }>(sql`
      select json_group_array(seq) as there from json_each(${JSON.stringify(maybe)}) as wanted
      cross join memories on seq = wanted.value`)!;
    const kept = new Set<number>(JSON.parse(there));
    return maybe.filter((seq) => !kept.has(seq));
  }

  /** Sets the memories selected. */
  #loadInto(index: ThreadIndex, selected: Sql): void {
    const previous = sql`select seq from memories as other indexed by memories_in_thread
      where other.project = each.project and other.thread = each.thread
        and other.position < each.position order by other.position desc limit 1`;
    const read = this.#connection.first<MemoryColumns>(sql`
      select json_group_array(seq) as seqs, json_group_array(id) as ids,
        json_group_array(thread) as threads, json_group_array(coalesce(position, 0)) as positions,
        json_group_array(event_date) as dates, json_group_array(asks) as asking,
        json_group_array(before) as before,
        json_group_array(length(terms) / 4) as lengths, group_concat(hex(terms), '') as hashes
      from (select each.seq, each.id, each.thread, each.position, event_date, asks, terms,
        (${previous}) as before ${selected})`)!;
    const [seqs, ids, threads, positions, dates, asking, before, lengths] = [
      ...[read.seqs, read.ids, read.threads, read.positions, read.dates, read.asking],
      ...[read.before, read.lengths],
    ].map((column) => JSON.parse(column));
    const hashes = new Uint32Array(Uint8Array.fromHex(read.hashes ?? "").buffer);
    let from = 0;
    for (const [at, seq] of seqs.entries()) {
      const standing = {
        ...{ seq, id: ids[at], thread: threads[at], position: positions[at] },
        ...{ event_date: dates[at], asks: asking[at], before: before[at] },
      };
      index.set(standing, hashes.subarray(from, from += lengths[at]));
    }
  }

  #evict(keptProject: number): void {
    let size = this.byteLength;
    for (const [project, { index }] of this.#entries) {
      if (size <= this.#maxBytes) return;
      if (project === keptProject) continue;
      this.#entries.delete(project);
      size -= index.byteLength;
    }
  }
}
