/**
 * The numbers of the memories of scopes that were searched lately: reading them takes .13 µs each, at
 * every search of a user with 50,000 memories 6 ms.
 */

import sql, { raw, type Sql } from "sql-template-tag";
import type { Connection } from "../../store/sqlite/connection.ts";

/** Scopes of fewer memories are read anew: that takes no longer than all else does. */
const MIN_CACHED_SCOPE_ROWS = 500;

/** Numbers that are kept, 8 bytes each; the scope searched longest ago goes when there are more. */
const MAX_CACHED_ROWS = 500_000;

/** Changes of a project that are looked through; after more of them its scopes are read anew. */
const MAX_CATCH_UP_CHANGES = 5_000;

/** A user, an agent or a run of a project. */
export interface ScopeKey {
  readonly project: number;
  readonly column: "user_id" | "agent_id" | "run_id";
  readonly value: string;
}

interface CachedScope {
  readonly seqs: readonly number[];
  /** The place in the journal up to which they are known. */
  readonly position: number;
}

/** Scopes with their numbers. */
export class ScopeRowsCache {
  readonly #scopes = new Map<string, CachedScope>();
  #cachedRows = 0;

  /**
   * The `seq` of each memory of a scope, ascending. No number is given twice, but an import takes its
   * numbers ahead, so what it writes may come before the last one that is known. As long as nothing
   * was deleted, though, a scope with as many more memories as have come after the last one has no
   * others.
   *
   * @param total how many it has, by the connection's snapshot
   */
  get(connection: Connection, scope: ScopeKey, total: number): readonly number[] {
    const key = `${scope.project} ${scope.column} ${scope.value}`;
    const known = this.#scopes.get(key);
    const kept = known === undefined ? undefined : catchUp(connection, scope, known, total);
    const seqs = kept ?? readSeqsAfter(connection, scope, 0);
    const { position } = connection.first<Pick<CachedScope, "position">>(
      sql`select coalesce(max(seq), 0) as position from journal`,
    )!;
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

/** What was known, with what has come since; undefined when it has to be read anew. */
function catchUp(
  connection: Connection,
  scope: ScopeKey,
  { seqs, position }: CachedScope,
  total: number,
): readonly number[] | undefined {
  if (mayHaveDeletions(connection, scope.project, position)) return undefined;
  const fresh = readSeqsAfter(connection, scope, seqs.at(-1)!);
  if (seqs.length + fresh.length !== total) return undefined;
  return fresh.length === 0 ? seqs : [...seqs, ...fresh];
}

/** Whether a memory of a project was deleted after a place in the journal, or too much was changed. */
function mayHaveDeletions(connection: Connection, project: number, position: number): boolean {
  const { changes, deleted } = connection.first<{ changes: number; deleted: number }>(sql`
    select count(*) as changes,
      count(*) filter (where kind = 'memory' and change = 'DELETE') as deleted
    from (select kind, change from journal
      where project = ${project} and seq > ${position} limit ${MAX_CATCH_UP_CHANGES})`)!;
  return deleted > 0 || changes === MAX_CATCH_UP_CHANGES;
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

/** The numbers that a query selects, as one text: a row object each takes five times as long. */
export function selectSeqs(connection: Connection, selected: Sql): number[] {
  const read = connection.first<{ seqs: string }>(
    sql`select json_group_array(seq) as seqs from (select ${selected})`,
  );
  return JSON.parse(read!.seqs);
}
