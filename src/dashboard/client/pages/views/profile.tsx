/** A scope's profile. If the user asks a question, relevant sections come first. */

import { useState } from "preact/hooks";
import type { profileSection } from "../../../../derived/schema.ts";
import type { z } from "zod";
import { useResource } from "../../hooks.ts";
import { CopyButton } from "../../parts/feedback/copy_button.tsx";
import { EmptyState } from "../../parts/feedback/empty_state.tsx";
import { Highlighted } from "../../parts/text/highlighted.tsx";
import type { ScopeForm } from "../../parts/forms/scope_fields.tsx";
import { SearchField } from "../../parts/forms/search_field.tsx";
import { Meter } from "../../parts/data/meter.tsx";
import { LoadingRows } from "../../parts/data/table.tsx";
import { useProject } from "../../project.ts";
import { ViewError } from "../views.tsx";

type Section = z.output<typeof profileSection>;

/** Maximum number of sections the API returns. */
const MAX_SECTIONS = 20;

export function Profile({ scope }: { readonly scope: ScopeForm }) {
  const { id, api } = useProject();
  const [query, setQuery] = useState<string>();
  const profile = useResource(
    (signal) =>
      api.get<{ data: string | Section[] | null }>(
        "/profile",
        { ...scope, query, limit: MAX_SECTIONS },
        signal,
      ),
    [id, scope, query],
    10_000,
  );
  if (profile.value === undefined) {
    return profile.failure === undefined
      ? <LoadingRows />
      : <ViewError failure={profile.failure} onRetry={profile.reload} />;
  }
  const { data } = profile.value;
  if (data === null || data.length === 0) {
    return (
      <EmptyState icon="view" title="No profile yet">
        The profile is built from valid memories, and this owner has none.
      </EmptyState>
    );
  }
  const sections = typeof data === "string" ? parseSections(data) : data;
  return (
    <>
      <div class="profile-tools">
        <SearchField
          label="Question for the profile"
          placeholder="What do you want to know? work and home"
          value={query}
          onChange={setQuery}
        />
        {typeof data === "string" && <CopyButton text={data} label="Copy profile" caption="Copy" />}
      </div>
      <div class="profile">
        {sections.map(({ title, content, score }) => (
          <section key={title} class="card">
            <h2>
              {title}
              {query !== undefined && <Meter value={score} label="Relevance to the question" />}
            </h2>
            <ul>
              {content.split("\n").map((line, index) => (
                <li key={index} dir="auto">
                  <Highlighted text={line.replace(/^- /, "")} query={query ?? ""} />
                </li>
              ))}
            </ul>
          </section>
        ))}
      </div>
    </>
  );
}

/** Splits a complete profile's text into sections, each a title with the lines after it. */
function parseSections(text: string): Pick<Section, "title" | "content" | "score">[] {
  return text.split("\n\n").map((block) => {
    const [title = "", ...lines] = block.split("\n");
    return { title, content: lines.join("\n"), score: 0 };
  });
}
