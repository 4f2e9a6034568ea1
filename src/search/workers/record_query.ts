/** Finds the records that match a filter exactly, in a given order, on a read-only connection. */

import sql, { empty, join, raw, type Sql } from "sql-template-tag";
import type { Connection } from "../../store/sqlite/connection.ts";
import { certainMatches } from "../lexical/certain_matches.ts";
import { sqlPrefilter } from "../lexical/filter_sql.ts";
import { findByTags } from "../lexical/term_search.ts";
import { compileFilter } from "../query/filter.ts";
import {
  DOCUMENT_FIELDS,
  type FilterFields,
  type FilterRecord,
  MEMORY_FIELDS,
} from "../query/filterable.ts";
import { tagClauses } from "../query/filter_tags.ts";
import { parseFilterTree, referencedColumns } from "../query/filter_tree.ts";
import type { QueryPosition, RecordQuery, RecordQueryResult } from "../query/record_query.ts";
import { memoryConditions, parseTags } from "../vectors/vector_source.ts";

/** If at most this many memories have the filter's tags, only those are read. */
const MAX_TAGGED_MEMORIES = 20_000;

/**
 * Sort values of memories without an `event_date`. They come last in either direction: the first
 * sorts before every timestamp, the second after every timestamp.
 */
const MISSING_DATE = { desc: "", asc: "~" } as const;

/** Where each kind of record is stored, and what its filters can read. */
const SOURCES: Readonly<
  Record<RecordQuery["records"], { readonly table: Sql; readonly fields: FilterFields }>
> = {
  memories: { table: raw("memories"), fields: MEMORY_FIELDS },
  documents: { table: raw("document_versions"), fields: DOCUMENT_FIELDS },
};

/** Columns read for each row: its position, and what the filter needs. `metadata` is JSON text. */
interface QueriedRow {
  readonly sort_value: string | number;
  readonly id: string;
  readonly metadata?: string | null;
}

/** What a query reads: conditions in SQL, and the rest of the filter as a predicate. */
interface Selection {
  readonly table: Sql;
  readonly condition: Sql;
  /** Columns that the filter reads, each with a comma in front. */
  readonly columns: Sql;
  readonly matches: (row: QueriedRow) => boolean;
  /** Condition for rows that match for certain, or null. */
  readonly certain: Sql | null;
}

/**
 * Runs a query.
 *
 * Each query reads and sorts the rows of its scope that meet the part of the filter that SQL can
 * express, at .25 µs per row. Rows are then checked one by one, at 2 µs each, until the page is
 * full. A count has to check them all, except those that match for certain.
 */
export function queryRecords(connection: Connection, query: RecordQuery): RecordQueryResult {
  connection.exec("begin");
  try {
    const selection = selectionOf(connection, query);
    return {
      positions: pageOf(connection, query, selection),
      count: query.count ? countMatching(connection, query, selection) : null,
    };
  } finally {
    connection.exec("commit");
  }
}

/** Returns the row numbers of all current documents that match a filter. Reads each of them. */
export function matchingDocuments(
  connection: Connection,
  query: Pick<RecordQuery, "project" | "tags" | "filters">,
): number[] {
  const { table, condition, columns, matches } = selectionOf(connection, {
    ...query,
    records: "documents",
  });
  const rows = connection.iterate<QueriedRow & { readonly seq: number }>(
    sql`select seq, id ${columns} from ${table} where ${condition}`,
  );
  const seqs: number[] = [];
  for (const row of rows) if (matches(row)) seqs.push(row.seq);
  return seqs;
}

function pageOf(
  connection: Connection,
  { orderBy, direction, after, offset = 0, limit }: RecordQuery,
  { table, condition, columns, matches }: Selection,
): QueryPosition[] {
  const value = orderBy === "event_date"
    ? sql`coalesce(event_date, ${MISSING_DATE[direction]})`
    : raw(orderBy);
  const [order, comparison] = [raw(direction), raw(direction === "desc" ? "<" : ">")];
  const rest = after === null
    ? empty
    : sql`and (${value}, id) ${comparison} (${after[0]}, ${after[1]})`;
  const rows = connection.iterate<QueriedRow>(sql`
    select ${value} as sort_value, id ${columns} from ${table}
    where ${condition} ${rest} order by sort_value ${order}, id ${order}`);
  const positions: QueryPosition[] = [];
  let skipped = 0;
  for (const row of rows) {
    if (!matches(row) || skipped++ < offset) continue;
    positions.push([row.sort_value, row.id]);
    if (positions.length === limit) break;
  }
  return positions;
}

function countMatching(
  connection: Connection,
  { filters }: RecordQuery,
  { table, condition, columns, matches, certain }: Selection,
): number {
  const countRows = (where: Sql) =>
    connection.first<{ n: number }>(sql`select count(*) as n from ${table} where ${where}`)!.n;
  if (filters === undefined) return countRows(condition);
  let count = certain === null ? 0 : countRows(sql`${condition} and ${certain}`);
  const others = certain === null ? condition : sql`${condition} and not ${certain}`;
  const rows = sql`select id ${columns} from ${table} where ${others}`;
  for (const row of connection.iterate<QueriedRow>(rows)) if (matches(row)) count++;
  return count;
}

/** The part of a query that selects records. */
type RecordSelection = Pick<RecordQuery, "records" | "project" | "tags" | "filters">;

function selectionOf(connection: Connection, query: RecordSelection): Selection {
  const { table, fields } = SOURCES[query.records];
  const tree = parseFilterTree(query.filters, fields);
  const columns = [...referencedColumns(tree)].filter((name) => name !== "id");
  return {
    table,
    condition: rowCondition(connection, query, fields),
    columns: raw(columns.map((name) => `, ${name}`).join("")),
    matches: query.filters === undefined ? () => true : rowPredicate(query.filters, fields),
    certain: certainMatches(query.filters, fields),
  };
}

/** Returns the condition for rows that can match: project, scope, type, and SQL's part of the filter. */
function rowCondition(
  connection: Connection,
  { records, project, tags, filters }: RecordSelection,
  fields: FilterFields,
): Sql {
  const filterTags = records === "memories" ? tagClauses(filters) : [];
  const tagged = filterTags.length === 0
    ? undefined
    : findByTags(connection, { index: "memories", project }, filterTags, MAX_TAGGED_MEMORIES);
  // The plus sign makes SQLite look up the rows found by their tags instead of the project's index.
  const conditions = tagged === undefined ? [sql`project = ${project}`] : [
    sql`+project = ${project} and seq in (select value from json_each(${JSON.stringify(tagged)}))`,
  ];
  const required = parseTags(tags);
  if (records === "memories") {
    conditions.push(...memoryConditions(connection, project, required));
  } else {
    conditions.push(sql`is_head = 1`);
    for (const { column, value } of required) conditions.push(sql`${raw(column)} = ${value}`);
  }
  const prefilter = sqlPrefilter(filters, fields);
  if (prefilter !== null) conditions.push(prefilter);
  return join(conditions, " and ");
}

/** Returns a predicate that applies a filter to a row with the columns the filter reads. */
export function rowPredicate(
  filters: unknown,
  fields: FilterFields,
): (row: Readonly<{ metadata?: string | null }>) => boolean {
  const matches = compileFilter<FilterRecord>(filters, "filters", fields);
  return (row) => {
    const { metadata } = row;
    return matches({
      ...row,
      metadata: typeof metadata === "string" ? JSON.parse(metadata) : null,
    });
  };
}
