/** A memory in a list: type, text, owner and age. */

import type { Memory } from "../../../../memories/schema.ts";
import { useProject } from "../../project.ts";
import { Timestamp } from "../../parts/data/timestamp.tsx";
import { SCOPE_FIELDS } from "../../parts/forms/scope_fields.tsx";
import { TYPES } from "./filter.ts";
import type { ComponentChildren } from "preact";

export interface MemoryRowProps {
  readonly memory: Memory;
  readonly children?: ComponentChildren;
}

export function MemoryRow({ memory, children }: MemoryRowProps) {
  const { link } = useProject();
  const ended = hasEnded(memory);
  return (
    <li class={`row memory-row ${ended ? "ended" : ""}`}>
      <TypeBadge type={memory.memory_type} />
      <div class="row-main">
        <a class="row-title" href={link(`/memories/${memory.id}`)}>
          <span class="clamp" dir="auto">{memory.memory}</span>
        </a>
        <p class="row-notes">
          <Scopes of={memory} />
          {ended && <span class="badge">No longer valid</span>}
        </p>
        {children}
      </div>
      <span class="row-aside">
        <Timestamp at={memory.created_at} />
      </span>
    </li>
  );
}

/** Renders a memory type as a coloured label. */
export function TypeBadge({ type }: { readonly type: Memory["memory_type"] }) {
  return <span class={`type-mark type-${type}`}>{TYPES[type]}</span>;
}

/** Renders a record's scopes, each linked to all records in it. */
export function Scopes(
  { of, page = "/memories" }: {
    readonly of: Pick<Memory, "user_id" | "agent_id" | "run_id">;
    readonly page?: string;
  },
) {
  const { link } = useProject();
  return (
    <>
      {SCOPE_FIELDS.map(([key, name]) =>
        of[key] === null ? null : (
          <a key={key} class="scope" href={link(page, { [key]: of[key] })}>
            <span class="scope-name">{name}</span> <bdi>{of[key]}</bdi>
          </a>
        )
      )}
    </>
  );
}

/** Checks whether a memory's validity has ended, going by the browser's clock. */
export function hasEnded({ valid_to }: Pick<Memory, "valid_to">): boolean {
  return valid_to !== null && Date.parse(valid_to) <= Date.now();
}
