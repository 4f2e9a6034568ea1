/** A list in columns that grows by cursor; on a narrow screen each row becomes a small card. */

import type { ComponentChildren } from "preact";
import type { PagedList } from "../../hooks.ts";
import { ErrorMessage } from "../feedback/error_message.tsx";

type ColumnKind = "grow" | "end" | "action";

/** One column. */
export interface Column<T> {
  readonly title: string;
  readonly cell: (item: T) => ComponentChildren;
  /**
   * `grow`: takes what is left and cuts long text; `end`: right-aligned figures; `action`: a button,
   * its title for screen readers only. On narrow screens `end` says its title too.
   */
  readonly kind?: ColumnKind;
  /** Left out on narrow screens. */
  readonly optional?: boolean;
}

interface TableProps<T> {
  /** What is listed, for screen readers. */
  readonly label: string;
  readonly columns: readonly Column<T>[];
  readonly items: readonly T[];
  readonly keyOf: (item: T) => string;
  /** Where a row leads: the first column becomes its link, the whole row its target. */
  readonly href?: (item: T) => string;
}

export function Table<T>({ label, columns, items, keyOf, href }: TableProps<T>) {
  // Roles are said outright, since a table that is laid out as cards loses its own.
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
  /** Shown when there is nothing. */
  readonly empty: ComponentChildren;
}

/** A table over a paged list, with its waiting, its failure and its emptiness. */
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

/** The button under a list that has more. */
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

/** Grey bars in the place of what is on its way; they appear only when it takes a while. */
export function LoadingRows({ lines = 4 }: { lines?: number }) {
  return (
    <div class="waiting" role="status">
      <span class="sr-only">Loading</span>
      {Array.from({ length: lines }, (_, index) => <span key={index} class="waiting-bar" />)}
    </div>
  );
}
