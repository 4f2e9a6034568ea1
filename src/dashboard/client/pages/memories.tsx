/** The memories page: the memory list, and a search that explains its results. */

import { Icon } from "../parts/layout/icon.tsx";
import { PageHeader } from "../parts/layout/page_header.tsx";
import { SearchField } from "../parts/forms/search_field.tsx";
import type { PageProps } from "../pages.ts";
import { useProject } from "../project.ts";
import { navigate } from "../route.ts";
import { BrowseMemories } from "./memories/browse.tsx";
import { FILTER_KEYS, parseSearchForm, type SearchForm } from "./memories/filter.ts";
import { Filters } from "./memories/filters.tsx";
import { SearchMemories } from "./memories/search.tsx";

export function Memories({ query }: PageProps) {
  const { link } = useProject();
  const form = parseSearchForm(query);
  const change = (next: SearchForm) => navigate(link("/memories", { ...next }), "replace");
  return (
    <>
      <PageHeader title="Memories">
        <a class="button primary" href={link("/memories/new")}>
          <Icon name="plus" /> Add a memory
        </a>
      </PageHeader>
      <SearchField
        label="Search memories"
        placeholder="Ask in your own words: where does Ana live?"
        value={form.q}
        onChange={(q) => change({ ...form, q })}
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
