/** The single-memory page: its text, history, links and rating. */

import { useState } from "preact/hooks";
import type { HistoryRecord, Memory } from "../../../../memories/schema.ts";
import type { Page } from "../../api.ts";
import { type Resource, usePagedList, useResource } from "../../hooks.ts";
import { Badge } from "../../parts/data/badge.tsx";
import { Id } from "../../parts/feedback/copy_button.tsx";
import { type Detail, DetailList } from "../../parts/data/detail_list.tsx";
import { Icon } from "../../parts/layout/icon.tsx";
import { JsonView } from "../../parts/data/json_view.tsx";
import { PageHeader } from "../../parts/layout/page_header.tsx";
import { ErrorMessage } from "../../parts/feedback/error_message.tsx";
import { Section } from "../../parts/layout/section.tsx";
import { LoadingRows, LoadMore } from "../../parts/data/table.tsx";
import { Meter } from "../../parts/data/meter.tsx";
import { Timestamp } from "../../parts/data/timestamp.tsx";
import type { PageProps } from "../../pages.ts";
import { useProject } from "../../project.ts";
import { DeleteMemory, EditMemory, EndMemory } from "./edit_dialogs.tsx";
import { MemoryFeedback } from "./feedback.tsx";
import { MemoryHistory } from "./history.tsx";
import { MemoryLinks } from "./links.tsx";
import { hasEnded, Scopes, TypeBadge } from "./memory_row.tsx";

export function MemoryPage({ params }: PageProps) {
  const id = params["id"]!;
  const { api, link } = useProject();
  const path = `/memories/${encodeURIComponent(id)}`;
  const memory = useResource((signal) => api.get<Memory>(path, {}, signal), [api.id, id], 10_000);
  const history = usePagedList(
    (cursor, signal) =>
      api.get<Page<HistoryRecord>>(`${path}/history`, { limit: 100, cursor }, signal),
    [api.id, id],
    { keyOf: (record) => record.id },
  );
  const onChanged = () => {
    memory.reload();
    history.reload();
  };
  const [restored, setRestored] = useState<string>();
  const back = { href: link("/memories"), title: "Memories" };
  if (memory.value === undefined) {
    return (
      <>
        <PageHeader title="Memory" back={back} />
        {memory.failure === undefined
          ? <LoadingRows />
          : <DeletedMemory memory={memory} records={history.items ?? []} />}
      </>
    );
  }
  return (
    <>
      <PageHeader title="Memory" back={back}>
        <MemoryActions memory={memory.value} onChanged={onChanged} />
      </PageHeader>
      {restored !== undefined && (
        <EditMemory
          memory={memory.value}
          text={restored}
          onClose={() => setRestored(undefined)}
          onDone={() => {
            setRestored(undefined);
            onChanged();
          }}
        />
      )}
      <article class="memory">
        <p class="memory-text" dir="auto">{memory.value.memory}</p>
        <p class="row-notes">
          <TypeBadge type={memory.value.memory_type} />
          <Scopes of={memory.value} />
          {hasEnded(memory.value)
            ? <Badge tone="warn">No longer valid</Badge>
            : <Badge tone="good">Valid</Badge>}
        </p>
      </article>
      <div class="memory-columns">
        <div>
          <Section title="History">
            {history.items === undefined ? <LoadingRows /> : (
              <MemoryHistory
                records={history.items}
                current={memory.value.memory}
                onRestore={setRestored}
              />
            )}
            <ErrorMessage failure={history.failure} onRetry={history.reload} />
            <LoadMore list={history} />
          </Section>
          <MemoryLinks memory={memory.value} />
        </div>
        <div>
          <Section title="Was it useful?" card>
            <MemoryFeedback id={id} onChanged={history.reload} />
          </Section>
          <Section title="Details" card>
            <DetailList of={memoryDetails(memory.value)} />
            {memory.value.metadata !== null && (
              <>
                <h3 class="facts-head">Metadata</h3>
                <JsonView value={memory.value.metadata} label="Metadata" />
              </>
            )}
          </Section>
        </div>
      </div>
    </>
  );
}

function memoryDetails(memory: Memory): Detail[] {
  const { valid_from, valid_to, event_date, importance } = memory;
  const day = (at: string | null) => at === null ? null : <Timestamp at={at} as="moment" />;
  return [
    ["Importance", <Importance key="importance" value={importance} />],
    ["Valid from", valid_from === null ? "no start date" : day(valid_from)],
    ["Valid until", valid_to === null ? "no end date" : day(valid_to)],
    ["Event date", day(event_date)],
    ["Added", day(memory.created_at)],
    ["Last change", day(memory.updated_at)],
    ["ID", <Id key="id" of={memory.id} short />],
  ];
}

function Importance({ value }: { readonly value: number }) {
  return (
    <span class="importance">
      <Meter value={value} label="Importance" />
      {value.toFixed(2)} of 1
    </span>
  );
}

type MemoryDialog = "edit" | "end" | "delete";

function MemoryActions(
  { memory, onChanged }: { readonly memory: Memory; readonly onChanged: () => void },
) {
  const [dialog, setDialog] = useState<MemoryDialog>();
  const close = () => setDialog(undefined);
  const done = () => {
    close();
    onChanged();
  };
  return (
    <>
      <button type="button" class="button" onClick={() => setDialog("edit")}>
        <Icon name="edit" /> Edit
      </button>
      <button type="button" class="button" onClick={() => setDialog("end")}>
        <Icon name="clock" /> {hasEnded(memory) ? "Change end date" : "Mark as ended"}
      </button>
      <button type="button" class="button" onClick={() => setDialog("delete")}>
        <Icon name="trash" /> Delete
      </button>
      {dialog === "edit" && <EditMemory memory={memory} onClose={close} onDone={done} />}
      {dialog === "end" && <EndMemory memory={memory} onClose={close} onDone={done} />}
      {dialog === "delete" && <DeleteMemory memory={memory} onClose={close} />}
    </>
  );
}

/** Renders the history of a deleted memory, or an error if it never existed. */
function DeletedMemory(
  { memory, records }: {
    readonly memory: Resource<Memory>;
    readonly records: readonly HistoryRecord[];
  },
) {
  if (memory.failure?.code !== "MEMORY_NOT_FOUND" || records.length === 0) {
    return memory.failure === undefined
      ? null
      : <ErrorMessage failure={memory.failure} onRetry={memory.reload} />;
  }
  return (
    <>
      <p class="memory-text">
        <Badge tone="bad">Deleted</Badge> This memory no longer exists. Its history is kept.
      </p>
      <Section title="History">
        <MemoryHistory records={records} />
      </Section>
    </>
  );
}
