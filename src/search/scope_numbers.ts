/**
 * The numbers of the memories of scopes that were searched lately: reading them takes .13 µs each, at
 * every search of a user with 50,000 memories 6 ms.
 */

import sql, { raw, type Sql } from "sql-template-tag";
import type { Connection } from "../store/sqlite/connection.ts";

/** Scopes of fewer memories are read anew: that takes no longer than all else does. */
const WORTH_KEEPING = 500;

/** Numbers that are kept, 8 bytes each; the scope searched longest ago goes when there are more. */
const KEPT = 500_000;

/** Changes of a project that are looked through; after more of them its scopes are read anew. */
const MOST_CHANGES = 5_000;

/** A user, an agent or a run of a project. */
export interface ScopeName {
  readonly project: number;
  readonly column: "user_id" | "agent_id" | "run_id";
  readonly value: string;
}

interface Known {
  readonly seqs: readonly number[];
  /** The place in the journal up to which they are known. */
  readonly position: number;
}

/** Scopes with their numbers. */
export class ScopeNumbers {
  readonly #known = new Map<string, Known>();
  #kept = 0;

  /**
   * The `seq` of each memory of a scope, ascending. No number is given twice, but an import takes its
   * numbers ahead, so what it writes may come before the last one that is known. As long as nothing
   * was deleted, though, a scope with as many more memories as have come after the last one has no
   * others.
   *
   * @param total how many it has, by the connection's snapshot
   */
  of(connection: Connection, scope: ScopeName, total: number): readonly number[] {
    const key = `${scope.project} ${scope.column} ${scope.value}`;
    const known = this.#known.get(key);
    const kept = known === undefined ? undefined : broughtUp(connection, scope, known, total);
    const seqs = kept ?? readAfter(connection, scope, 0);
    const { position } = connection.first<Pick<Known, "position">>(
      sql`select coalesce(max(seq), 0) as position from journal`,
    )!;
    this.#keep(key, { seqs, position });
    return seqs;
  }

  #keep(key: string, known: Known): void {
    this.#forget(key);
    if (known.seqs.length < WORTH_KEEPING) return;
    this.#known.set(key, known);
    this.#kept += known.seqs.length;
    for (const oldest of this.#known.keys()) {
      if (this.#kept <= KEPT) break;
      this.#forget(oldest);
    }
  }

  #forget(key: string): void {
    this.#kept -= this.#known.get(key)?.seqs.length ?? 0;
    this.#known.delete(key);
  }
}

/** What was known, with what has come since; undefined when it has to be read anew. */
function broughtUp(
  connection: Connection,
  scope: ScopeName,
  { seqs, position }: Known,
  total: number,
): readonly number[] | undefined {
  if (mayHaveLost(connection, scope.project, position)) return undefined;
  const fresh = readAfter(connection, scope, seqs.at(-1)!);
  if (seqs.length + fresh.length !== total) return undefined;
  return fresh.length === 0 ? seqs : [...seqs, ...fresh];
}

/** Whether a memory of a project was deleted after a place in the journal, or too much was changed. */
function mayHaveLost(connection: Connection, project: number, position: number): boolean {
  const { changes, deleted } = connection.first<{ changes: number; deleted: number }>(sql`
    select count(*) as changes,
      count(*) filter (where kind = 'memory' and change = 'DELETE') as deleted
    from (select kind, change from journal
      where project = ${project} and seq > ${position} limit ${MOST_CHANGES})`)!;
  return deleted > 0 || changes === MOST_CHANGES;
}

function readAfter(
  connection: Connection,
  { project, column, value }: ScopeName,
  after: number,
): number[] {
  return numbersOf(
    connection,
    sql`seq from memories where project = ${project} and ${raw(column)} = ${value}
      and seq > ${after} order by seq`,
  );
}

/** The numbers that a query selects, as one text: a row object each takes five times as long. */
export function numbersOf(connection: Connection, selected: Sql): number[] {
  const read = connection.first<{ seqs: string }>(
    sql`select json_group_array(seq) as seqs from (select ${selected})`,
  );
  return JSON.parse(read!.seqs);
}
