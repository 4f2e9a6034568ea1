/** Filters over documents. */

import { compileFilter } from "../search/query/filter.ts";
import { DOCUMENT_FIELDS, type FilterableDocument } from "../search/query/filterable.ts";
import type { VersionRow } from "./row.ts";

/** The columns of a version that a filter can read. */
type FilterColumns = Pick<VersionRow, "metadata" | keyof FilterableDocument>;

/**
 * Returns a predicate for a version's row.
 *
 * @param filters a filter that compiles, or undefined for none
 */
export function documentFilter(filters: unknown): (row: FilterColumns) => boolean {
  if (filters === undefined) return () => true;
  const matches = compileFilter<FilterableDocument>(filters, "filters", DOCUMENT_FIELDS);
  return (row) => matches({ ...row, metadata: JSON.parse(row.metadata) });
}
