/** The life of a memory as a timeline: what happened, who did it, what it changed. */

import type { HistoryRecord } from "../../../../memories/schema.ts";
import type { Tone } from "../../parts/badge.tsx";
import { type Moment, Timeline } from "../../parts/timeline.tsx";
import { When } from "../../parts/when.tsx";
import { wordDiff } from "../../parts/word_diff.ts";
import { useProject } from "../../project.ts";

const EVENTS: Readonly<Record<HistoryRecord["event"], string>> = {
  ADD: "Added",
  UPDATE: "Changed",
  INVALIDATE: "Ended",
  DELETE: "Deleted",
  FEEDBACK: "Rated",
};

const SOURCES: Readonly<Record<HistoryRecord["source"]["kind"], string>> = {
  api: "by a request",
  inference: "by inference",
  batch: "by a batch",
  scope_delete: "with its whole scope",
  entity_delete: "with its entity",
};

/** The page of the work that a change was part of. */
function placeOf({ kind, operation_id }: HistoryRecord["source"]): string {
  return `/${kind === "inference" ? "events" : "operations"}/${operation_id}`;
}

const FIELDS: Readonly<Record<string, string>> = {
  memory_type: "Type",
  importance: "Importance",
  metadata: "Metadata",
  valid_from: "Holds from",
  valid_to: "Holds until",
  event_date: "Date of the event",
};

const RATINGS: Readonly<Record<string, string>> = {
  positive: "useful",
  negative: "not useful",
  very_negative: "wrong or harmful",
};

const TONES: Readonly<Record<HistoryRecord["event"], Tone>> = {
  ADD: "good",
  UPDATE: "busy",
  INVALIDATE: "warn",
  DELETE: "bad",
  FEEDBACK: "plain",
};

/** Oldest first, as the history is. */
export function Life({ records }: { readonly records: readonly HistoryRecord[] }) {
  const { link } = useProject();
  const moments = records.map((record): Moment => ({
    key: record.id,
    at: record.created_at,
    tone: TONES[record.event],
    title: (
      <>
        <strong>{EVENTS[record.event]}</strong> {SOURCES[record.source.kind]}
        {record.source.operation_id !== null && (
          <>
            {" · "}
            <a href={link(placeOf(record.source))}>
              {record.source.kind === "inference" ? "the event" : "the operation"}
            </a>
          </>
        )}
      </>
    ),
    body: <Substance record={record} />,
  }));
  return <Timeline label="The life of this memory, oldest first" moments={moments} />;
}

function Substance({ record }: { readonly record: HistoryRecord }) {
  const { event, old_memory, new_memory, changes, feedback } = record;
  if (feedback !== null) return <p>{toldOf(feedback)}</p>;
  const rewritten = event === "UPDATE" && old_memory !== new_memory;
  const fields = Object.entries(changes ?? {});
  return (
    <>
      {event === "ADD" && new_memory !== null && <p class="life-text" dir="auto">{new_memory}</p>}
      {event === "DELETE" && old_memory !== null && (
        <p class="life-text" dir="auto">
          <del>{old_memory}</del>
        </p>
      )}
      {rewritten && <Rewriting before={old_memory ?? ""} after={new_memory ?? ""} />}
      {fields.length > 0 && (
        <dl class="life-changes">
          {fields.map(([field, change]) => <Change key={field} field={field} {...change} />)}
        </dl>
      )}
      {event === "UPDATE" && !rewritten && fields.length === 0 && (
        <p class="faint">Saved without a difference</p>
      )}
    </>
  );
}

function Rewriting({ before, after }: { readonly before: string; readonly after: string }) {
  return (
    <p class="life-text" dir="auto">
      {wordDiff(before, after).map(({ kind, text }, index) =>
        kind === "same"
          ? text
          : kind === "added"
          ? <ins key={index}>{text}</ins>
          : <del key={index}>{text}</del>
      )}
    </p>
  );
}

function Change(
  { field, from, to }: { readonly field: string; readonly from: unknown; readonly to: unknown },
) {
  const { link } = useProject();
  if (field === "superseded_by") {
    return (
      <div>
        <dt>Ended by</dt>
        <dd>
          <a href={link(`/memories/${to}`)}>the memory that replaced it</a>
        </dd>
      </div>
    );
  }
  const isDate = ["valid_from", "valid_to", "event_date"].includes(field);
  const show = (value: unknown) =>
    value === null || value === undefined
      ? <span class="faint">none</span>
      : isDate
      ? <When at={String(value)} as="moment" />
      : <span dir="auto">{typeof value === "string" ? value : JSON.stringify(value)}</span>;
  return (
    <div>
      <dt>{FIELDS[field] ?? field}</dt>
      <dd>{show(from)} → {show(to)}</dd>
    </div>
  );
}

function toldOf(feedback: NonNullable<HistoryRecord["feedback"]>): string {
  if ("cleared" in feedback) return "The rating was taken back";
  const reason = feedback.reason === null ? "" : `: “${feedback.reason}”`;
  return `As ${RATINGS[feedback.rating]}${reason}`;
}
