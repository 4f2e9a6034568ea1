/** The page of entities: the users, agents and runs that own memories. */

import { useState } from "preact/hooks";
import type { Entity } from "../../../entities/schema.ts";
import { idempotencyKey, type Page } from "../api.ts";
import { useCommand, usePaged } from "../live.ts";
import { FormDialog } from "../parts/dialog.tsx";
import { Empty } from "../parts/empty.tsx";
import { Choice } from "../parts/fields.tsx";
import { count, plural } from "../parts/figures.ts";
import { Icon } from "../parts/icon.tsx";
import { PageHead } from "../parts/page_head.tsx";
import { PagedTable } from "../parts/table.tsx";
import { useToast } from "../parts/toast.tsx";
import { When } from "../parts/when.tsx";
import type { PageProps } from "../pages.ts";
import { useProject } from "../project.ts";
import { go } from "../route.ts";

const TYPES = [["", "All"], ["user", "Users"], ["agent", "Agents"], ["run", "Runs"]] as const;

export function Entities({ query }: PageProps) {
  const { id, api, link } = useProject();
  const [removed, setRemoved] = useState<Entity>();
  const type = TYPES.find(([type]) => type === query.get("type"))?.[0] ?? "";
  const list = usePaged(
    (cursor, signal) => api.get<Page<Entity>>("/entities", { type, cursor }, signal),
    [id, type],
    { keyOf, everyMs: 15_000 },
  );
  return (
    <>
      <PageHead
        title="Entities"
        lead="Whoever owns memories. An entity is there as long as it owns one."
      >
        <Choice
          label="Type"
          value={type}
          change={(type) => go(link("/entities", { type }), "replace")}
          options={TYPES}
        />
      </PageHead>
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
            cell: (entity) => count(entity.total_memories),
          },
          {
            title: "First",
            optional: true,
            cell: (entity) => <When at={entity.created_at} />,
          },
          { title: "Last", cell: (entity) => <When at={entity.updated_at} /> },
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
          <Empty icon="entity" title={type === "" ? "No entities yet" : `No ${type}s yet`}>
            Users, agents and runs appear here with their first memory.{" "}
            <a href={link("/memories/new")}>Add one</a>
          </Empty>
        }
      />
      {removed !== undefined && (
        <RemoveEntity
          entity={removed}
          close={() => setRemoved(undefined)}
          done={() => {
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
  readonly close: () => void;
  readonly done: () => void;
}

function RemoveEntity({ entity, close, done }: RemoveEntityProps) {
  const { api } = useProject();
  const tell = useToast();
  const place = `/entities/${entity.type}/${encodeURIComponent(entity.id)}`;
  const remove = useCommand(async () => {
    const { deleted_memories } = await api.call<{ deleted_memories: number }>("DELETE", place, {
      headers: idempotencyKey(),
    });
    tell(`${plural(deleted_memories, "memory is", "memories are")} deleted`);
    done();
  });
  return (
    <FormDialog
      title={`Delete the memories of this ${entity.type}?`}
      action={`Delete ${plural(entity.total_memories, "memory", "memories")}`}
      danger
      close={close}
      running={remove.running}
      failure={remove.failure}
      submit={remove.run}
    >
      <p>
        Every memory of{" "}
        <strong>
          <bdi>{entity.id}</bdi>
        </strong>{" "}
        is gone from lists, searches and views at once. Their histories stay; documents are not
        touched.
      </p>
    </FormDialog>
  );
}
