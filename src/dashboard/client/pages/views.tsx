/** The views page: the state, beliefs and profile derived from a scope's memories. */

import type { ComponentChildren } from "preact";
import type { Entity } from "../../../entities/schema.ts";
import { type Page, type RequestError } from "../api.ts";
import { useResource } from "../hooks.ts";
import { EmptyState } from "../parts/feedback/empty_state.tsx";
import { FilterBar } from "../parts/forms/filter_bar.tsx";
import { formatPlural } from "../parts/data/number_format.ts";
import { PageHeader } from "../parts/layout/page_header.tsx";
import { ErrorMessage } from "../parts/feedback/error_message.tsx";
import { ScopeFields, type ScopeForm } from "../parts/forms/scope_fields.tsx";
import { LoadingRows } from "../parts/data/table.tsx";
import type { PageProps } from "../pages.ts";
import { useProject } from "../project.ts";
import { navigate } from "../route.ts";
import { Beliefs } from "./views/beliefs.tsx";
import { Profile } from "./views/profile.tsx";
import { State } from "./views/state.tsx";

const VIEWS = [["state", "State"], ["beliefs", "Beliefs"], ["profile", "Profile"]] as const;

const VIEW_DESCRIPTIONS: Readonly<Record<string, string>> = {
  state: "Current and past values of each attribute.",
  beliefs: "How well each value is supported, and by which memories.",
  profile: "Everything currently known about an owner, in one text.",
};

export function Views({ params, query }: PageProps) {
  const { link } = useProject();
  const kind = VIEWS.find(([kind]) => kind === params["kind"])?.[0] ?? "state";
  const scope = parseScope(query);
  const chosen = Object.values(scope).some((value) => value !== undefined);
  const path = `/views/${kind}`;
  const slot = { subject: query.get("subject"), attribute: query.get("attribute") };
  return (
    <>
      <PageHeader title="Views" lead={VIEW_DESCRIPTIONS[kind]} />
      <nav class="tabs" aria-label="Views">
        {VIEWS.map(([view, name]) => (
          <a
            key={view}
            href={link(`/views/${view}`, { ...scope, ...(view === "profile" ? {} : slot) })}
            aria-current={view === kind ? "page" : undefined}
          >
            {name}
          </a>
        ))}
      </nav>
      <FilterBar label="Owner" activeCount={Object.values(scope).filter(Boolean).length}>
        <ScopeFields
          value={scope}
          onChange={(change) => navigate(link(path, { ...scope, ...change }), "replace")}
        />
      </FilterBar>
      {!chosen
        ? <ChooseScope path={path} />
        : kind === "state"
        ? <State scope={scope} query={query} />
        : kind === "beliefs"
        ? <Beliefs scope={scope} query={query} />
        : <Profile scope={scope} />}
    </>
  );
}

function parseScope(query: URLSearchParams): ScopeForm {
  return {
    user_id: query.get("user_id") || undefined,
    agent_id: query.get("agent_id") || undefined,
    run_id: query.get("run_id") || undefined,
  };
}

/** Maximum number of owners to choose from. */
const MAX_OWNERS = 24;

/** Lists the project's users, or its other entities if it has none, until a scope is chosen. */
function ChooseScope({ path }: { readonly path: string }) {
  const { id, api, link } = useProject();
  const known = useResource(
    async (signal) => {
      const list = (type?: Entity["type"]) =>
        api.get<Page<Entity>>("/entities", { limit: MAX_OWNERS, type }, signal);
      // Runs are often the newest entities by far, and would push the users off the page.
      const users = await list("user");
      return users.results.length > 0 ? users : await list();
    },
    [id],
  );
  if (known.value === undefined) {
    return known.failure === undefined
      ? <LoadingRows lines={2} />
      : <ErrorMessage failure={known.failure} onRetry={known.reload} />;
  }
  const { results } = known.value;
  if (results.length === 0) {
    return (
      <EmptyState icon="view" title="No views yet">
        <p>
          Views are derived from memories.{" "}
          <a href={link("/memories/new")}>Add one</a>, for example “I moved to Porto in May”.
        </p>
      </EmptyState>
    );
  }
  return (
    <section class="choose-scope">
      <h2>Choose an owner</h2>
      <ul>
        {results.map(({ type, id, total_memories }) => (
          <li key={`${type} ${id}`}>
            <a class="card" href={link(path, { [`${type}_id`]: id })}>
              <strong>
                <bdi>{id}</bdi>
              </strong>
              <span class="faint">
                {type}, {formatPlural(total_memories, "memory", "memories")}
              </span>
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Renders a view's error. Views that are off or still being built get their own explanation. */
export function ViewError(
  { failure, onRetry }: { readonly failure: RequestError; readonly onRetry: () => void },
): ComponentChildren {
  const { link } = useProject();
  if (failure.code === "DERIVATION_DISABLED") {
    return (
      <EmptyState icon="view" title="Views are turned off for this project">
        <p>
          Memories are not affected. <a href={link("/settings")}>Turn views on in the settings</a>
          {" "}
          to rebuild them from the memories.
        </p>
      </EmptyState>
    );
  }
  if (failure.code === "PROJECTION_NOT_BUILT") {
    return (
      <EmptyState icon="clock" title="Views are being built">
        This takes a moment per 10,000 memories.{" "}
        <button type="button" class="link-button" onClick={onRetry}>Check again</button>
      </EmptyState>
    );
  }
  return <ErrorMessage failure={failure} onRetry={onRetry} />;
}
