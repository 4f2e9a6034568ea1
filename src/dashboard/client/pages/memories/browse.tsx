/** The memories of a project, newest first, by scope, type and validity. */

import { useEffect } from "preact/hooks";
import type { Memory } from "../../../../memories/schema.ts";
import type { Page } from "../../api.ts";
import { usePaged } from "../../live.ts";
import { Empty } from "../../parts/empty.tsx";
import { Problem } from "../../parts/problem.tsx";
import { More, Waiting } from "../../parts/table.tsx";
import { useProject } from "../../project.ts";
import { conditionsOf, type Filter, isFiltered } from "./filter.ts";
import { MemoryRow } from "./row.tsx";

/** Rows that fill a screen: with fewer, the list goes on by itself as long as there is more. */
const ENOUGH = 25;

export interface BrowseProps {
  readonly filter: Filter;
}

/** The list that one scrolls through when nothing is searched for. */
export function BrowseMemories({ filter }: BrowseProps) {
  const { id, api, link } = useProject();
  const list = usePaged(
    (cursor, signal) =>
      api.get<Page<Memory>>("/browse/memories", { ...conditionsOf(filter), cursor }, signal),
    [id, filter],
    { keyOf: (memory) => memory.id, everyMs: 15_000 },
  );
  const short = list.items !== undefined && list.items.length < ENOUGH;
  // A page that was filtered out of many comes short: the next one is looked through at once.
  useEffect(() => {
    if (short && list.more && !list.loading && list.failure === undefined) list.loadMore();
  });
  if (list.items === undefined) {
    return list.failure === undefined
      ? <Waiting />
      : <Problem failure={list.failure} retry={list.reload} />;
  }
  if (list.items.length === 0 && !list.more) {
    return isFiltered(filter)
      ? (
        <Empty icon="memory" title="No memory fits these filters">
          <a class="button" href={link("/memories")}>Clear the filters</a>
        </Empty>
      )
      : (
        <Empty icon="memory" title="No memories yet">
          <p>
            A memory is a short fact that an application should know again later: “Ana lives in
            Porto”, “The team chose SQLite”.
          </p>
          <a class="button primary" href={link("/memories/new")}>Add the first memory</a>
        </Empty>
      );
  }
  return (
    <>
      <ul class="rows" aria-label="Memories" aria-busy={list.loading}>
        {list.items.map((memory) => <MemoryRow key={memory.id} memory={memory} />)}
      </ul>
      <Problem failure={list.failure} retry={list.reload} />
      {list.items.length === 0 && <p class="faint" role="status">Looking further back…</p>}
      <More list={list} />
    </>
  );
}
