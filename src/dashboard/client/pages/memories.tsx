/** The page of memories: what there is, and a search that shows how it finds. */

import { Icon } from "../parts/icon.tsx";
import { PageHead } from "../parts/page_head.tsx";
import { SearchField } from "../parts/search_field.tsx";
import type { PageProps } from "../pages.ts";
import { useProject } from "../project.ts";
import { go } from "../route.ts";
import { BrowseMemories } from "./memories/browse.tsx";
import { FILTER_KEYS, formOf, type SearchForm } from "./memories/filter.ts";
import { Filters } from "./memories/filters.tsx";
import { SearchMemories } from "./memories/search.tsx";

export function Memories({ query }: PageProps) {
  const { link } = useProject();
  const form = formOf(query);
  const change = (next: SearchForm) => go(link("/memories", { ...next }), "replace");
  return (
    <>
      <PageHead title="Memories">
        <a class="button primary" href={link("/memories/new")}>
          <Icon name="plus" /> Add a memory
        </a>
      </PageHead>
      <SearchField
        label="Search memories"
        placeholder="Ask in your own words: where does Ana live?"
        value={form.q}
        change={(q) => change({ ...form, q })}
      />
      <Filters form={form} onChange={change} />
      {form.q === undefined
        ? <BrowseMemories filter={pickFilter(form)} />
        : <SearchMemories query={form.q} form={form} />}
    </>
  );
}

function pickFilter(form: SearchForm) {
  return Object.fromEntries(FILTER_KEYS.map((key) => [key, form[key]]));
}
