/** The page of one memory: what it says, its life, what it came from and what rests on it. */

import { useState } from "preact/hooks";
import type { HistoryRecord, Memory } from "../../../../memories/schema.ts";
import type { Page } from "../../api.ts";
import { type Loaded, useLoaded, usePaged } from "../../live.ts";
import { Badge } from "../../parts/badge.tsx";
import { Id } from "../../parts/copy.tsx";
import { type Fact, Facts } from "../../parts/facts.tsx";
import { Icon } from "../../parts/icon.tsx";
import { JsonView } from "../../parts/json_view.tsx";
import { PageHead } from "../../parts/page_head.tsx";
import { Problem } from "../../parts/problem.tsx";
import { Section } from "../../parts/section.tsx";
import { More, Waiting } from "../../parts/table.tsx";
import { Meter } from "../../parts/meter.tsx";
import { When } from "../../parts/when.tsx";
import type { PageProps } from "../../pages.ts";
import { useProject } from "../../project.ts";
import { DeleteMemory, EditMemory, EndMemory } from "./change.tsx";
import { FeedbackOn } from "./feedback.tsx";
import { Life } from "./life.tsx";
import { LinksOf } from "./links.tsx";
import { hasEnded, Scopes, TypeMark } from "./row.tsx";

export function MemoryPage({ params }: PageProps) {
  const id = params["id"]!;
  const { api, link } = useProject();
  const place = `/memories/${encodeURIComponent(id)}`;
  const memory = useLoaded((signal) => api.get<Memory>(place, {}, signal), [api.id, id], 10_000);
  const life = usePaged(
    (cursor, signal) =>
      api.get<Page<HistoryRecord>>(`${place}/history`, { limit: 100, cursor }, signal),
    [api.id, id],
    { keyOf: (record) => record.id },
  );
  const changed = () => {
    memory.reload();
    life.reload();
  };
  const back = { href: link("/memories"), title: "Memories" };
  if (memory.value === undefined) {
    return (
      <>
        <PageHead title="Memory" back={back} />
        {memory.failure === undefined
          ? <Waiting />
          : <Gone memory={memory} records={life.items ?? []} />}
      </>
    );
  }
  return (
    <>
      <PageHead title="Memory" back={back}>
        <Changes memory={memory.value} changed={changed} />
      </PageHead>
      <article class="memory">
        <p class="memory-text" dir="auto">{memory.value.memory}</p>
        <p class="row-notes">
          <TypeMark type={memory.value.memory_type} />
          <Scopes of={memory.value} />
          {hasEnded(memory.value)
            ? <Badge tone="warn">No longer holds</Badge>
            : <Badge tone="good">Holds</Badge>}
        </p>
      </article>
      <div class="memory-columns">
        <div>
          <Section title="Its life">
            {life.items === undefined ? <Waiting /> : <Life records={life.items} />}
            <Problem failure={life.failure} retry={life.reload} />
            <More list={life} />
          </Section>
          <LinksOf memory={memory.value} />
        </div>
        <div>
          <Section title="Was it useful?" card>
            <FeedbackOn id={id} changed={life.reload} />
          </Section>
          <Section title="Details" card>
            <Facts of={factsOf(memory.value)} />
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

function factsOf(memory: Memory): Fact[] {
  const { valid_from, valid_to, event_date, importance } = memory;
  const day = (at: string | null) => at === null ? null : <When at={at} as="moment" />;
  return [
    ["Importance", <Importance key="importance" value={importance} />],
    ["Holds from", valid_from === null ? "always" : day(valid_from)],
    ["Holds until", valid_to === null ? "further notice" : day(valid_to)],
    ["Date of the event", day(event_date)],
    ["Added", day(memory.created_at)],
    ["Last change", day(memory.updated_at)],
    ["Id", <Id key="id" of={memory.id} short />],
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

type Change = "edit" | "end" | "delete";

function Changes(
  { memory, changed }: { readonly memory: Memory; readonly changed: () => void },
) {
  const [change, setChange] = useState<Change>();
  const close = () => setChange(undefined);
  const done = () => {
    close();
    changed();
  };
  return (
    <>
      <button type="button" class="button" onClick={() => setChange("edit")}>
        <Icon name="edit" /> Edit
      </button>
      <button type="button" class="button" onClick={() => setChange("end")}>
        <Icon name="clock" /> {hasEnded(memory) ? "Change its end" : "End"}
      </button>
      <button type="button" class="button" onClick={() => setChange("delete")}>
        <Icon name="trash" /> Delete
      </button>
      {change === "edit" && <EditMemory memory={memory} close={close} done={done} />}
      {change === "end" && <EndMemory memory={memory} close={close} done={done} />}
      {change === "delete" && <DeleteMemory memory={memory} close={close} />}
    </>
  );
}

/** A memory that isn't there: deleted, when it has a life to tell of, or never known. */
function Gone(
  { memory, records }: {
    readonly memory: Loaded<Memory>;
    readonly records: readonly HistoryRecord[];
  },
) {
  if (memory.failure?.code !== "MEMORY_NOT_FOUND" || records.length === 0) {
    return memory.failure === undefined
      ? null
      : <Problem failure={memory.failure} retry={memory.reload} />;
  }
  return (
    <>
      <p class="memory-text">
        <Badge tone="bad">Deleted</Badge> This memory is gone. What happened to it is kept.
      </p>
      <Section title="Its life">
        <Life records={records} />
      </Section>
    </>
  );
}
