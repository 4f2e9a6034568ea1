/** The memory list, newest first, filtered by scope, type and validity. */

import { useEffect } from "preact/hooks";
import type { Memory } from "../../../../memories/schema.ts";
import type { Page } from "../../api.ts";
import { usePagedList } from "../../hooks.ts";
import { EmptyState } from "../../parts/feedback/empty_state.tsx";
import { ErrorMessage } from "../../parts/feedback/error_message.tsx";
import { LoadingRows, LoadMore } from "../../parts/data/table.tsx";
import { useProject } from "../../project.ts";
import { type Filter, filterQuery, hasFilter } from "./filter.ts";
import { MemoryRow } from "./memory_row.tsx";

/**
 * Number of rows that fill a screen. As long as the list is shorter, the next page is loaded
 * automatically.
 */
const MIN_VISIBLE_ROWS = 25;

export interface BrowseProps {
  readonly filter: Filter;
}

/** Renders the list shown in the absence of a search query. */
export function BrowseMemories({ filter }: BrowseProps) {
  const { id, api, link } = useProject();
  const list = usePagedList(
    (cursor, signal) =>
      api.get<Page<Memory>>("/browse/memories", { ...filterQuery(filter), cursor }, signal),
    [id, filter],
    { keyOf: (memory) => memory.id, everyMs: 15_000 },
  );
  const isShort = list.items !== undefined && list.items.length < MIN_VISIBLE_ROWS;
  // Filtered pages can be short because only a limited number of rows is scanned. Load the next one
  // right away.
  useEffect(() => {
    if (isShort && list.hasMore && !list.loading && list.failure === undefined) list.loadMore();
  });
  if (list.items === undefined) {
    return list.failure === undefined
      ? <LoadingRows />
      : <ErrorMessage failure={list.failure} onRetry={list.reload} />;
  }
  if (list.items.length === 0 && !list.hasMore) {
    return hasFilter(filter)
      ? (
        <EmptyState icon="memory" title="No memories match these filters">
          <a class="button" href={link("/memories")}>Clear filters</a>
        </EmptyState>
      )
      : (
        <EmptyState icon="memory" title="No memories yet">
          <p>
            A memory is a short fact that an application can use later: “Ana lives in Porto”, “The
            team chose SQLite”.
          </p>
          <a class="button primary" href={link("/memories/new")}>Add your first memory</a>
        </EmptyState>
      );
  }
  return (
    <>
      <ul class="rows" aria-label="Memories" aria-busy={list.loading}>
        {list.items.map((memory) => <MemoryRow key={memory.id} memory={memory} />)}
      </ul>
      <ErrorMessage failure={list.failure} onRetry={list.reload} />
      {list.items.length === 0 && <p class="faint" role="status">Searching older memories…</p>}
      <LoadMore list={list} />
    </>
  );
}
