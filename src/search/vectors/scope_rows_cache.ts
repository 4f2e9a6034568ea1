/**
 * Caches the `seq`s of the memories in recently searched scopes. Reading them takes .13 µs each, so
 * 6 ms on every search for a user with 50,000 memories.
 */

import sql, { raw, type Sql } from "sql-template-tag";
import { JOURNAL_END, summarizeChanges } from "../../store/journal_changes.ts";
import type { Connection } from "../../store/sqlite/connection.ts";

/**
 * Minimum number of memories in a cached scope. For smaller ones, reading the `seq`s takes less
 * time than the rest of a search.
 */
const MIN_CACHED_SCOPE_ROWS = 500;

/**
 * Maximum number of cached `seq`s, 8 bytes each. Beyond it, the least recently searched scope is
 * evicted.
 */
const MAX_CACHED_ROWS = 500_000;

/** A user, agent or run in a project. */
export interface ScopeKey {
  readonly project: number;
  readonly column: "user_id" | "agent_id" | "run_id";
  readonly value: string;
}

interface CachedScope {
  readonly seqs: readonly number[];
  /** Journal position up to which the `seq`s are known. */
  readonly position: number;
}

/** Caches the `seq`s in each scope. */
export class ScopeRowsCache {
  readonly #scopes = new Map<string, CachedScope>();
  #cachedRows = 0;

  /**
   * Returns the `seq`s of the memories in a scope, in ascending order.
   *
   * `seq`s are never reused, but an import reserves its `seq`s ahead of time, so it can insert
   * memories before the last known one. The total gives this away: if nothing was deleted, the
   * known `seq`s and those after the last one are complete exactly if they add up to `total`.
   *
   * @param total number of memories in the scope as of the connection's snapshot
   */
  get(connection: Connection, scope: ScopeKey, total: number): readonly number[] {
    const key = `${scope.project} ${scope.column} ${scope.value}`;
    const cached = this.#scopes.get(key);
    const updated = cached === undefined ? undefined : catchUp(connection, scope, cached, total);
    const seqs = updated ?? readSeqsAfter(connection, scope, 0);
    const { position } = connection.first<Pick<CachedScope, "position">>(JOURNAL_END)!;
    this.#store(key, { seqs, position });
    return seqs;
  }

  #store(key: string, rows: CachedScope): void {
    this.#delete(key);
    if (rows.seqs.length < MIN_CACHED_SCOPE_ROWS) return;
    this.#scopes.set(key, rows);
    this.#cachedRows += rows.seqs.length;
    for (const oldest of this.#scopes.keys()) {
      if (this.#cachedRows <= MAX_CACHED_ROWS) break;
      this.#delete(oldest);
    }
  }

  #delete(key: string): void {
    this.#cachedRows -= this.#scopes.get(key)?.seqs.length ?? 0;
    this.#scopes.delete(key);
  }
}

/** Returns the cached `seq`s plus those added since, or undefined if they need rereading. */
function catchUp(
  connection: Connection,
  scope: ScopeKey,
  { seqs, position }: CachedScope,
  total: number,
): readonly number[] | undefined {
  if (mayHaveDeletions(connection, scope.project, position)) return undefined;
  const added = readSeqsAfter(connection, scope, seqs.at(-1)!);
  if (seqs.length + added.length !== total) return undefined;
  return added.length === 0 ? seqs : [...seqs, ...added];
}

/** Checks whether a memory was deleted after a journal position, or too much has changed to say. */
function mayHaveDeletions(connection: Connection, project: number, position: number): boolean {
  const changes = summarizeChanges<{ deleted: number }>(
    connection,
    { project, after: position },
    sql`kind, change`,
    sql`count(*) filter (where kind = 'memory' and change = 'DELETE') as deleted`,
  );
  return changes === undefined || changes.deleted > 0;
}

function readSeqsAfter(
  connection: Connection,
  { project, column, value }: ScopeKey,
  after: number,
): number[] {
  return selectSeqs(
    connection,
    sql`seq from memories where project = ${project} and ${raw(column)} = ${value}
      and seq > ${after} order by seq`,
  );
}

/** Returns the selected `seq`s, read as one string: a row object each takes five times as long. */
export function selectSeqs(connection: Connection, selected: Sql): number[] {
  const row = connection.first<{ seqs: string }>(
    sql`select json_group_array(seq) as seqs from (select ${selected})`,
  );
  return JSON.parse(row!.seqs);
}
