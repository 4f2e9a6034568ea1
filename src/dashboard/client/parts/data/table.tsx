/** A table that loads more rows by cursor. On narrow screens, each row becomes a card. */

import type { ComponentChildren } from "preact";
import type { PagedList } from "../../hooks.ts";
import { ErrorMessage } from "../feedback/error_message.tsx";

type ColumnKind = "grow" | "end" | "action";

/** A column. */
export interface Column<T> {
  readonly title: string;
  readonly cell: (item: T) => ComponentChildren;
  /**
   * `grow` takes up the remaining width and truncates long text. `end` right-aligns numbers.
   * `action` is for a button, whose column title is visible only to screen readers. On narrow
   * screens, `end` also shows its title.
   */
  readonly kind?: ColumnKind;
  /** Whether the column is hidden on narrow screens. */
  readonly optional?: boolean;
}

interface TableProps<T> {
  /** Name of the list, for screen readers. */
  readonly label: string;
  readonly columns: readonly Column<T>[];
  readonly items: readonly T[];
  readonly keyOf: (item: T) => string;
  /**
   * Returns the address that a row links to. The link itself is in the first column, but the whole
   * row is clickable.
   */
  readonly href?: (item: T) => string;
}

export function Table<T>({ label, columns, items, keyOf, href }: TableProps<T>) {
  // We set the roles explicitly because a table that is laid out as cards loses its implicit ones.
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
  /** Shown when the list is empty. */
  readonly empty: ComponentChildren;
}

/** Renders a paginated list as a table, with loading, error and empty states. */
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

/** Renders the button that loads the next page, or nothing if the list is complete. */
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

/**
 * Renders grey bars as placeholders for data that is loading. They appear only after a short delay.
 */
export function LoadingRows({ lines = 4 }: { lines?: number }) {
  return (
    <div class="waiting" role="status">
      <span class="sr-only">Loading</span>
      {Array.from({ length: lines }, (_, index) => <span key={index} class="waiting-bar" />)}
    </div>
  );
}
