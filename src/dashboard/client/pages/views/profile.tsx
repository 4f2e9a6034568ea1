/** The profile of a scope: its sections, and those that a question is about first. */

import { useState } from "preact/hooks";
import type { profileSection } from "../../../../derived/schema.ts";
import type { z } from "zod";
import { useLoaded } from "../../live.ts";
import { Copy } from "../../parts/copy.tsx";
import { Empty } from "../../parts/empty.tsx";
import { Highlighted } from "../../parts/highlighted.tsx";
import type { ScopeForm } from "../../parts/scope_fields.tsx";
import { SearchField } from "../../parts/search_field.tsx";
import { Meter } from "../../parts/meter.tsx";
import { Waiting } from "../../parts/table.tsx";
import { useProject } from "../../project.ts";
import { ViewFailed } from "../views.tsx";

type Section = z.output<typeof profileSection>;

/** As many sections as can be asked for. */
const SECTIONS_MOST = 20;

export function Profile({ scope }: { readonly scope: ScopeForm }) {
  const { id, api } = useProject();
  const [query, setQuery] = useState<string>();
  const profile = useLoaded(
    (signal) =>
      api.get<{ data: string | Section[] | null }>(
        "/profile",
        { ...scope, query, limit: SECTIONS_MOST },
        signal,
      ),
    [id, scope, query],
    10_000,
  );
  if (profile.value === undefined) {
    return profile.failure === undefined
      ? <Waiting />
      : <ViewFailed failure={profile.failure} retry={profile.reload} />;
  }
  const { data } = profile.value;
  if (data === null || data.length === 0) {
    return (
      <Empty icon="view" title="Nothing is known yet">
        As soon as memories of this owner hold, they are put together here.
      </Empty>
    );
  }
  const sections = typeof data === "string" ? sectionsOf(data) : data;
  return (
    <>
      <div class="profile-tools">
        <SearchField
          label="What the profile is asked"
          placeholder="What is it needed for? work and home"
          value={query}
          change={setQuery}
        />
        {typeof data === "string" && <Copy text={data} label="Copy the profile" words="Copy" />}
      </div>
      <div class="profile">
        {sections.map(({ title, content, score }) => (
          <section key={title} class="card">
            <h2>
              {title}
              {query !== undefined && (
                <Meter value={score} label="How much the question is about it" />
              )}
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

/** The text of a whole profile, taken apart: titles, each with its lines below. */
function sectionsOf(text: string): Pick<Section, "title" | "content" | "score">[] {
  return text.split("\n\n").map((block) => {
    const [title = "", ...lines] = block.split("\n");
    return { title, content: lines.join("\n"), score: 0 };
  });
}
