/** What a memory came from, and what rests on it. */

import type { Memory } from "../../../../memories/schema.ts";
import type { Links } from "../../../browse/schema.ts";
import { useLoaded } from "../../live.ts";
import { Problem } from "../../parts/problem.tsx";
import { Section } from "../../parts/section.tsx";
import { Waiting } from "../../parts/table.tsx";
import { type Place, useProject } from "../../project.ts";
import { attributeName } from "../views/words.ts";

/** Everything that is linked to a memory, in two sections. */
export function LinksOf({ memory }: { readonly memory: Memory }) {
  const place = useProject();
  const links = useLoaded(
    (signal) => place.api.get<Links>(`/browse/memories/${memory.id}/links`, {}, signal),
    [place.id, memory.id, memory.updated_at],
  );
  if (links.value === undefined) {
    return links.failure === undefined
      ? <Waiting lines={2} />
      : <Problem failure={links.failure} retry={links.reload} />;
  }
  return (
    <>
      <Section title="Where it comes from">
        <Origin links={links.value} place={place} />
      </Section>
      <Section title="What rests on it">
        <Supported memory={memory} links={links.value} place={place} />
      </Section>
    </>
  );
}

interface PartProps {
  readonly links: Links;
  readonly place: Place;
}

function Origin({ links, place }: PartProps) {
  const { sources, siblings, supersedes } = links;
  return (
    <div class="links">
      {sources.length === 0 && <p>It was stored word for word, as it was sent.</p>}
      {sources.map(({ operation_id, messages }) => (
        <p key={operation_id}>
          Inference found it in {messagesTold(messages)} of{" "}
          <a href={place.link(`/events/${operation_id}`)}>a conversation</a>. The conversation
          itself is not kept.
        </p>
      ))}
      <Mentions title="Found together with" of={siblings} place={place} />
      <Mentions title="It replaced" of={supersedes} place={place} />
    </div>
  );
}

function messagesTold(messages: readonly number[]): string {
  if (messages.length === 0) return "a message";
  const places = messages.map((place) => place + 1);
  return places.length === 1 ? `message ${places[0]}` : `messages ${places.join(", ")}`;
}

function Supported({ memory, links, place }: PartProps & { readonly memory: Memory }) {
  const { claims, superseded_by } = links;
  const scope = { user_id: memory.user_id, agent_id: memory.agent_id };
  return (
    <div class="links">
      {claims.length === 0 && superseded_by === null && (
        <p class="faint">
          Nothing yet: no statement about an attribute of somebody or something was read out of it.
          It still counts for the profile.
        </p>
      )}
      {claims.length > 0 && (
        <>
          <p>State, beliefs and profile take this from it:</p>
          <ul class="claims">
            {claims.map(({ subject, attribute, value, op }) => (
              <li key={`${subject} ${attribute} ${value}`}>
                <a
                  href={place.link("/views/state", {
                    ...(memory.user_id === null && memory.agent_id === null
                      ? { run_id: memory.run_id }
                      : scope),
                    subject,
                    attribute,
                  })}
                >
                  <bdi>{subject}</bdi> · {attributeName(attribute)}
                </a>{" "}
                {op === "end" ? "is no longer" : "is"} <strong dir="auto">{value}</strong>
              </li>
            ))}
          </ul>
        </>
      )}
      {superseded_by !== null && (
        <Mentions title="It was replaced by" of={[superseded_by]} place={place} />
      )}
    </div>
  );
}

interface MentionsProps {
  readonly title: string;
  readonly of: readonly { readonly id: string; readonly memory: string | null }[];
  readonly place: Place;
}

function Mentions({ title, of, place }: MentionsProps) {
  if (of.length === 0) return null;
  return (
    <>
      <h3>{title}</h3>
      <ul class="mentions">
        {of.map(({ id, memory }) => (
          <li key={id}>
            <a href={place.link(`/memories/${id}`)} dir="auto">{memory ?? "a deleted memory"}</a>
          </li>
        ))}
      </ul>
    </>
  );
}
