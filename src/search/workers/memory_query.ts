/** Finds the memories that match a filter exactly, in a given order, on a read-only connection. */

import sql, { empty, join, raw, type Sql } from "sql-template-tag";
import type { Connection } from "../../store/sqlite/connection.ts";
import { sqlPrefilter } from "../lexical/filter_sql.ts";
import { findByTags } from "../lexical/term_search.ts";
import { tagClauses } from "../query/filter_tags.ts";
import { parseFilterTree, referencedColumns } from "../query/filter_tree.ts";
import type { MemoryQuery, MemoryQueryResult, QueryPosition } from "../query/memory_query.ts";
import { parseTags } from "../vectors/vector_source.ts";
import { type FilterColumns, rowPredicate } from "./memory_rows.ts";

/** If at most this many memories have the filter's tags, only those are read. */
const MAX_TAGGED_MEMORIES = 20_000;

/**
 * Sort values of memories without an `event_date`. They come last in either direction: the first
 * sorts before every timestamp, the second after every timestamp.
 */
const MISSING_DATE = { desc: "", asc: "~" } as const;

/** Columns read for each row: its position, and what the filter needs. */
type QueriedRow = FilterColumns & { readonly sort_value: string | number; readonly id: string };

/**
 * Runs a query.
 *
 * Each query reads and sorts the rows of its scope that meet the part of the filter that SQL can
 * express, at .25 µs per row. Rows are then checked one by one, at 2 µs each, until the page is
 * full. A count has to check them all.
 */
export function queryMemories(connection: Connection, query: MemoryQuery): MemoryQueryResult {
  connection.exec("begin");
  try {
    const condition = rowCondition(connection, query);
    const predicate = query.filters === undefined ? null : rowPredicate(query.filters);
    return {
      positions: pageOf(connection, query, condition, predicate),
      count: query.count ? countMatching(connection, query, condition, predicate) : null,
    };
  } finally {
    connection.exec("commit");
  }
}

type Predicate = ReturnType<typeof rowPredicate> | null;

function pageOf(
  connection: Connection,
  query: MemoryQuery,
  condition: Sql,
  predicate: Predicate,
): QueryPosition[] {
  const { direction, after } = query;
  const value = query.orderBy === "event_date"
    ? sql`coalesce(event_date, ${MISSING_DATE[direction]})`
    : raw(query.orderBy);
  const compare = raw(direction === "desc" ? "<" : ">");
  const later = after === null ? empty : sql`and (${value}, id) ${compare} (${after[0]}, ${after[1]})`;
  const order = raw(direction);
  const rows = connection.iterate<QueriedRow>(sql`
    select ${value} as sort_value, id ${filterColumns(query)} from memories
    where ${condition} ${later} order by sort_value ${order}, id ${order}`);
  const positions: QueryPosition[] = [];
  for (const row of rows) {
    if (predicate !== null && !predicate(row)) continue;
    positions.push([row.sort_value, row.id]);
    if (positions.length === query.limit) break;
  }
  return positions;
}

function countMatching(
  connection: Connection,
  query: MemoryQuery,
  condition: Sql,
  predicate: Predicate,
): number {
  if (predicate === null) {
    return connection.first<{ n: number }>(
      sql`select count(*) as n from memories where ${condition}`,
    )!.n;
  }
  let count = 0;
  const rows = connection.iterate<QueriedRow>(
    sql`select id ${filterColumns(query)} from memories where ${condition}`,
  );
  for (const row of rows) if (predicate(row)) count++;
  return count;
}

/** Returns the condition for rows that can match: project, scope, type, and SQL's part of the filter. */
function rowCondition(connection: Connection, { project, tags, filters }: MemoryQuery): Sql {
  const filterTags = tagClauses(filters);
  const tagged = filterTags.length === 0
    ? undefined
    : findByTags(connection, { index: "memories", project }, filterTags, MAX_TAGGED_MEMORIES);
  const conditions = parseTags(tags).map(({ column, value }) => sql`${raw(column)} = ${value}`);
  const prefilter = sqlPrefilter(filters);
  if (prefilter !== null) conditions.push(prefilter);
  // The plus sign makes SQLite look up the rows found by their tags instead of the project's index.
  const inProject = tagged === undefined
    ? sql`project = ${project}`
    : sql`+project = ${project} and seq in (select value from json_each(${JSON.stringify(tagged)}))`;
  return join([inProject, ...conditions], " and ");
}

/** Returns the columns read by the filter, besides the id, each with a comma in front. */
function filterColumns({ filters }: MemoryQuery): Sql {
  const columns = [...referencedColumns(parseFilterTree(filters))].filter((name) => name !== "id");
  return raw(columns.map((name) => `, ${name}`).join(""));
}
