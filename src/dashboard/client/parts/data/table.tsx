/** A table that loads more rows by cursor. On narrow screens, rows become cards. */

import type { ComponentChildren } from "preact";
import type { PagedList } from "../../hooks.ts";
import { ErrorMessage } from "../feedback/error_message.tsx";

type ColumnKind = "grow" | "end" | "action";

/** A column. */
export interface Column<T> {
  readonly title: string;
  readonly cell: (item: T) => ComponentChildren;
  /**
   * `grow` takes up the remaining width and truncates long text. `end` right-aligns numbers, and
   * also shows its title on narrow screens. `action` is for a button, with a column title only for
   * screen readers.
   */
  readonly kind?: ColumnKind;
  /** Whether to hide the column on narrow screens. */
  readonly optional?: boolean;
}

interface TableProps<T> {
  /** Name of the list, for screen readers. */
  readonly label: string;
  readonly columns: readonly Column<T>[];
  readonly items: readonly T[];
  readonly keyOf: (item: T) => string;
  /**
   * Returns the address a row links to. The link itself is in the first column, but the whole row
   * is clickable.
   */
  readonly href?: (item: T) => string;
}

export function Table<T>({ label, columns, items, keyOf, href }: TableProps<T>) {
  // Set the roles explicitly. A table laid out as cards loses its implicit ones.
  return (
    <div class="table-box">
      <table class="table" role="table" aria-label={label}>
        <thead role="rowgroup">
          <tr role="row">
            {columns.map(({ title, kind, optional }) => (
              <th key={title} role="columnheader" scope="col" class={cellClass(kind, optional)}>
                {kind === "action" ? <span class="sr-only">{title}</span> : title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {items.map((item) => (
            <tr key={keyOf(item)} role="row" class={href === undefined ? "" : "linked"}>
              {columns.map(({ title, cell, kind, optional }, index) => (
                <td key={title} role="cell" class={cellClass(kind, optional)} data-title={title}>
                  {index === 0 && href !== undefined
                    ? <a class="row-link" href={href(item)}>{cell(item)}</a>
                    : cell(item)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function cellClass(kind: ColumnKind | undefined, optional: boolean | undefined): string {
  return `${kind ?? ""} ${optional ? "optional" : ""}`.trim();
}

interface PagedTableProps<T> extends Omit<TableProps<T>, "items"> {
  readonly list: PagedList<T>;
  /** Shown when there's nothing to list. */
  readonly empty: ComponentChildren;
}

/** Renders a paginated list as a table, complete with loading, error and empty states. */
export function PagedTable<T>({ list, empty, ...table }: PagedTableProps<T>) {
  if (list.items === undefined) {
    return list.failure === undefined
      ? <LoadingRows />
      : <ErrorMessage failure={list.failure} onRetry={list.reload} />;
  }
  return (
    <>
      <ErrorMessage failure={list.failure} onRetry={list.reload} />
      {list.items.length === 0 ? empty : <Table {...table} items={list.items} />}
      <LoadMore list={list} />
    </>
  );
}

/** Renders the "Show more" button, or nothing if the list is complete. */
export function LoadMore<T>({ list }: { list: PagedList<T> }) {
  if (!list.hasMore || list.items === undefined) return null;
  return (
    <div class="more">
      <button type="button" class="button" disabled={list.loading} onClick={list.loadMore}>
        {list.loading ? "Loading…" : "Show more"}
      </button>
    </div>
  );
}

/** Renders grey placeholder bars for data being loaded. They only appear after a short delay. */
export function LoadingRows({ lines = 4 }: { lines?: number }) {
  return (
    <div class="waiting" role="status">
      <span class="sr-only">Loading</span>
      {Array.from({ length: lines }, (_, index) => <span key={index} class="waiting-bar" />)}
    </div>
  );
}
