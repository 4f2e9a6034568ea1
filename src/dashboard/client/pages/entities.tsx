/** The entities page. Lists the users, agents and runs that have memories. */

import { useState } from "preact/hooks";
import type { Entity } from "../../../entities/schema.ts";
import type { Page } from "../api.ts";
import { useCommand, useMutation, usePagedList } from "../hooks.ts";
import { FormDialog } from "../parts/forms/dialog.tsx";
import { EmptyState } from "../parts/feedback/empty_state.tsx";
import { RadioGroup } from "../parts/forms/fields.tsx";
import { formatCount, formatPlural } from "../parts/data/number_format.ts";
import { Icon } from "../parts/layout/icon.tsx";
import { PageHeader } from "../parts/layout/page_header.tsx";
import { PagedTable } from "../parts/data/table.tsx";
import { useToast } from "../parts/feedback/toast.tsx";
import { Timestamp } from "../parts/data/timestamp.tsx";
import type { PageProps } from "../pages.ts";
import { useProject } from "../project.ts";
import { navigate } from "../route.ts";

const TYPE_OPTIONS = [["", "All"], ["user", "Users"], ["agent", "Agents"], [
  "run",
  "Runs",
]] as const;

export function Entities({ query }: PageProps) {
  const { id, api, link } = useProject();
  const [removed, setRemoved] = useState<Entity>();
  const type = TYPE_OPTIONS.find(([type]) => type === query.get("type"))?.[0] ?? "";
  const list = usePagedList(
    (cursor, signal) => api.get<Page<Entity>>("/entities", { type, cursor }, signal),
    [id, type],
    { keyOf, everyMs: 15_000 },
  );
  return (
    <>
      <PageHeader
        title="Entities"
        lead="Users, agents and runs that have at least one memory."
      >
        <RadioGroup
          label="Type"
          value={type}
          onChange={(type) => navigate(link("/entities", { type }), "replace")}
          options={TYPE_OPTIONS}
        />
      </PageHeader>
      <PagedTable
        label="Entities"
        list={list}
        keyOf={keyOf}
        href={(entity) => link("/memories", { [`${entity.type}_id`]: entity.id })}
        columns={[
          { title: "Name", kind: "grow", cell: (entity) => <bdi>{entity.id}</bdi> },
          { title: "Type", cell: (entity) => entity.type },
          {
            title: "Memories",
            kind: "end",
            cell: (entity) => formatCount(entity.total_memories),
          },
          {
            title: "First memory",
            optional: true,
            cell: (entity) => <Timestamp at={entity.created_at} />,
          },
          { title: "Last change", cell: (entity) => <Timestamp at={entity.updated_at} /> },
          {
            title: "Actions",
            cell: (entity) => (
              <span class="row-actions">
                <a
                  class="button small"
                  href={link("/views/state", { [`${entity.type}_id`]: entity.id })}
                >
                  Views
                </a>
                <button
                  type="button"
                  class="icon-button"
                  aria-label={`Delete ${entity.id}`}
                  onClick={() => setRemoved(entity)}
                >
                  <Icon name="trash" />
                </button>
              </span>
            ),
          },
        ]}
        empty={
          <EmptyState icon="entity" title={type === "" ? "No entities yet" : `No ${type}s yet`}>
            Users, agents and runs appear here with their first memory.{" "}
            <a href={link("/memories/new")}>Add one</a>
          </EmptyState>
        }
      />
      {removed !== undefined && (
        <RemoveEntity
          entity={removed}
          onClose={() => setRemoved(undefined)}
          onDone={() => {
            setRemoved(undefined);
            list.reload();
          }}
        />
      )}
    </>
  );
}

function keyOf({ type, id }: Entity): string {
  return `${type} ${id}`;
}

interface RemoveEntityProps {
  readonly entity: Entity;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

function RemoveEntity({ entity, onClose, onDone }: RemoveEntityProps) {
  const { api } = useProject();
  const showToast = useToast();
  const path = `/entities/${entity.type}/${encodeURIComponent(entity.id)}`;
  const command = useCommand();
  const remove = useMutation(async () => {
    const { deleted_memories } = await api.call<{ deleted_memories: number }>("DELETE", path, {
      command,
    });
    showToast(`${formatPlural(deleted_memories, "memory", "memories")} deleted`);
    onDone();
  });
  return (
    <FormDialog
      title={`Delete all memories of this ${entity.type}?`}
      submitLabel={`Delete ${formatPlural(entity.total_memories, "memory", "memories")}`}
      danger
      onClose={onClose}
      running={remove.running}
      failure={remove.failure}
      onSubmit={remove.run}
    >
      <p>
        Every memory of{" "}
        <strong>
          <bdi>{entity.id}</bdi>
        </strong>{" "}
        disappears from lists, searches and views immediately. The history is kept, and documents
        are not affected.
      </p>
    </FormDialog>
  );
}
