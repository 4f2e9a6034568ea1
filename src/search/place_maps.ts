/**
 * The places that a search worker holds in memory: filled in little by little when there is nothing
 * else to do, kept up with the journal, and bounded. Until a project's are whole, and where there is
 * no room for them, the table is read.
 */

import sql, { type Sql } from "sql-template-tag";
import type { Connection } from "../store/sqlite/connection.ts";
import { PlaceMap } from "./place_map.ts";

/** Memories that are filled in at once: a search that comes meanwhile waits some milliseconds. */
const AT_ONCE = 256;

/** Changes that a search catches up with; after more of them it is quicker to begin anew. */
const MOST_CHANGES = 5_000;

/** What a memory is taken to need when it is not known yet. */
const MEMORY_BYTES = 120;

interface Held {
  readonly map: PlaceMap;
  /** The place in the journal up to which changes are in it. */
  position: number;
  /** Up to this number memories are filled in; null when all are. */
  filled: number | null;
}

/** What is read of memories, as columns: JSON, and the hashes of all of them one after the other. */
interface StandingColumns {
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
export class PlaceMaps {
  readonly #connection: Connection;
  readonly #most: number;
  readonly #held = new Map<number, Held>();

  /** @param most bytes that all of them together may take */
  constructor(connection: Connection, most: number) {
    this.#connection = connection;
    this.#most = most;
  }

  /** Bytes that all of them hold. */
  get size(): number {
    let size = 0;
    for (const { map } of this.#held.values()) size += map.size;
    return size;
  }

  /**
   * The places of a project as the connection's snapshot has them; null as long as they are not
   * whole.
   *
   * @param total how many memories the project has
   */
  of(project: number, total: number): PlaceMap | null {
    if (total * MEMORY_BYTES > this.#most) return null;
    const small = total <= AT_ONCE;
    let held = this.#held.get(project);
    const usable = held?.filled === null ? this.#catchUp(project, held) : !small;
    const anew = held === undefined || held.map.worn || !usable;
    if (held === undefined || anew) held = this.#begin(project, small);
    this.#held.delete(project);
    this.#held.set(project, held);
    if (anew) this.#bound(project);
    return held.filled === null ? held.map : null;
  }

  /** Fills in some memories of the project that was used last; false when there are none. */
  fill(): boolean {
    const last = [...this.#held].findLast(([, { filled }]) => filled !== null);
    if (last === undefined) return false;
    this.#fill(...last);
    this.#bound(last[0]);
    return true;
  }

  /** Few memories are set at once; of many, none. */
  #begin(project: number, small: boolean): Held {
    const held: Held = { map: new PlaceMap(), position: this.#end(), filled: small ? null : 0 };
    const all = sql`from memories as each indexed by memories_by_id where project = ${project}`;
    if (small) this.#set(held.map, all);
    return held;
  }

  #fill(project: number, held: Held): void {
    const { highest } = this.#connection.first<{ highest: number }>(sql`
      select coalesce(max(seq), 0) as highest from memories`)!;
    const [after, to] = [held.filled!, held.filled! + AT_ONCE];
    // In the order of the table: the indexes of a project have another one.
    const some = sql`from memories as each not indexed
      where +project = ${project} and seq > ${after} and seq <= ${to}`;
    this.#set(held.map, some);
    held.filled = to < highest ? to : null;
  }

  /** False when too much has changed. */
  #catchUp(project: number, held: Held): boolean {
    const position = this.#end();
    if (position === held.position) return true;
    const read = this.#connection.first<{ count: number; changed: string; deleted: string }>(sql`
      select count(*) as count,
        json_group_array(distinct record_id) filter (where change <> 'DELETE') as changed,
        json_group_array(record_id) filter (where change = 'DELETE') as deleted
      from (select record_id, change from journal where project = ${project}
        and seq > ${held.position} and kind = 'memory' limit ${MOST_CHANGES})`)!;
    if (read.count === MOST_CHANGES) return false;
    const [changed, deleted] = [read.changed, read.deleted].map((ids): string[] => JSON.parse(ids));
    if (deleted!.length > 0) {
      for (const seq of this.#gone(held.map, deleted!)) held.map.delete(seq);
    }
    if (changed!.length > 0) {
      const fresh = sql`from json_each(${JSON.stringify(changed)}) as wanted
        cross join memories as each on project = ${project} and each.id = wanted.value`;
      this.#set(held.map, fresh);
    }
    held.position = position;
    return true;
  }

  #end(): number {
    return this.#connection.first<{ position: number }>(
      sql`select coalesce(max(seq), 0) as position from journal`,
    )!.position;
  }

  /** The numbers of memories that had one of these ids. */
  #gone(map: PlaceMap, ids: readonly string[]): number[] {
    const maybe = map.maybe(ids);
    const { there } = this.#connection.first<{ there: string }>(sql`
      select json_group_array(seq) as there from json_each(${JSON.stringify(maybe)}) as wanted
      cross join memories on seq = wanted.value`)!;
    const kept = new Set<number>(JSON.parse(there));
    return maybe.filter((seq) => !kept.has(seq));
  }

  /** Sets the memories selected. */
  #set(map: PlaceMap, selected: Sql): void {
    const previous = sql`select seq from memories as other indexed by memories_in_thread
      where other.project = each.project and other.thread = each.thread
        and other.position < each.position order by other.position desc limit 1`;
    const read = this.#connection.first<StandingColumns>(sql`
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
      map.set(standing, hashes.subarray(from, from += lengths[at]));
    }
  }

  #bound(kept: number): void {
    let size = this.size;
    for (const [project, { map }] of this.#held) {
      if (size <= this.#most) return;
      if (project === kept) continue;
      this.#held.delete(project);
      size -= map.size;
    }
  }
}
