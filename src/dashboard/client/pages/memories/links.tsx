/** Where a memory came from and what depends on it. */

import type { Memory } from "../../../../memories/schema.ts";
import type { Links } from "../../../browse/schema.ts";
import { useResource } from "../../hooks.ts";
import { ErrorMessage } from "../../parts/feedback/error_message.tsx";
import { Section } from "../../parts/layout/section.tsx";
import { LoadingRows } from "../../parts/data/table.tsx";
import { type CurrentProject, useProject } from "../../project.ts";
import { attributeText } from "../views/view_texts.ts";

/** Renders a memory's links in two sections. */
export function MemoryLinks({ memory }: { readonly memory: Memory }) {
  const project = useProject();
  const links = useResource(
    (signal) => project.api.get<Links>(`/browse/memories/${memory.id}/links`, {}, signal),
    [project.id, memory.id, memory.updated_at],
  );
  if (links.value === undefined) {
    return links.failure === undefined
      ? <LoadingRows lines={2} />
      : <ErrorMessage failure={links.failure} onRetry={links.reload} />;
  }
  return (
    <>
      <Section title="Source">
        <Origin links={links.value} project={project} />
      </Section>
      <Section title="Used by">
        <Dependents memory={memory} links={links.value} project={project} />
      </Section>
    </>
  );
}

interface LinksProps {
  readonly links: Links;
  readonly project: CurrentProject;
}

function Origin({ links, project }: LinksProps) {
  const { sources, siblings, supersedes } = links;
  return (
    <div class="links">
      {sources.length === 0 && <p>Stored word for word, as it was sent.</p>}
      {sources.map(({ operation_id, messages }) => (
        <p key={operation_id}>
          Extracted by inference from {describeMessages(messages)} of{" "}
          <a href={project.link(`/events/${operation_id}`)}>a conversation</a>. The conversation
          itself is not stored.
        </p>
      ))}
      <Mentions title="From the same conversation" of={siblings} project={project} />
      <Mentions title="Replaces" of={supersedes} project={project} />
    </div>
  );
}

function describeMessages(messages: readonly number[]): string {
  if (messages.length === 0) return "a message";
  const positions = messages.map((index) => index + 1);
  return positions.length === 1 ? `message ${positions[0]}` : `messages ${positions.join(", ")}`;
}

function Dependents({ memory, links, project }: LinksProps & { readonly memory: Memory }) {
  const { claims, superseded_by } = links;
  const scope = { user_id: memory.user_id, agent_id: memory.agent_id };
  return (
    <div class="links">
      {claims.length === 0 && superseded_by === null && (
        <p class="faint">
          No claims about attributes of someone or something. The memory still counts for the
          profile.
        </p>
      )}
      {claims.length > 0 && (
        <>
          <p>State, beliefs and profile use these claims:</p>
          <ul class="claims">
            {claims.map(({ subject, attribute, value, op }) => (
              <li key={`${subject} ${attribute} ${value}`}>
                <a
                  href={project.link("/views/state", {
                    ...(memory.user_id === null && memory.agent_id === null
                      ? { run_id: memory.run_id }
                      : scope),
                    subject,
                    attribute,
                  })}
                >
                  <bdi>{subject}</bdi> · {attributeText(attribute)}
                </a>{" "}
                {op === "end" ? "is no longer" : "is"} <strong dir="auto">{value}</strong>
              </li>
            ))}
          </ul>
        </>
      )}
      {superseded_by !== null && (
        <Mentions title="Replaced by" of={[superseded_by]} project={project} />
      )}
    </div>
  );
}

interface MentionsProps {
  readonly title: string;
  readonly of: readonly { readonly id: string; readonly memory: string | null }[];
  readonly project: CurrentProject;
}

function Mentions({ title, of, project }: MentionsProps) {
  if (of.length === 0) return null;
  return (
    <>
      <h3>{title}</h3>
      <ul class="mentions">
        {of.map(({ id, memory }) => (
          <li key={id}>
            <a href={project.link(`/memories/${id}`)} dir="auto">{memory ?? "a deleted memory"}</a>
          </li>
        ))}
      </ul>
    </>
  );
}
