/** A memory's history as a timeline: what changed, when, and why. */

import type { HistoryRecord } from "../../../../memories/schema.ts";
import type { Tone } from "../../parts/data/badge.tsx";
import { Timeline, type TimelineEntry } from "../../parts/data/timeline.tsx";
import { Timestamp } from "../../parts/data/timestamp.tsx";
import { wordDiff } from "../../parts/text/word_diff.ts";
import { useProject } from "../../project.ts";

const EVENT_NAMES: Readonly<Record<HistoryRecord["event"], string>> = {
  ADD: "Added",
  UPDATE: "Updated",
  INVALIDATE: "Ended",
  DELETE: "Deleted",
  FEEDBACK: "Rated",
};

const SOURCE_TEXTS: Readonly<Record<HistoryRecord["source"]["kind"], string>> = {
  api: "by a request",
  inference: "by inference",
  batch: "by a batch",
  scope_delete: "with its scope",
  entity_delete: "with its entity",
  import: "by an import",
};

/** Returns the path to the operation or event behind a change. */
function sourcePath({ kind, operation_id }: HistoryRecord["source"]): string {
  return `/${kind === "inference" ? "events" : "operations"}/${operation_id}`;
}

const FIELD_NAMES: Readonly<Record<string, string>> = {
  memory_type: "Type",
  importance: "Importance",
  metadata: "Metadata",
  valid_from: "Valid from",
  valid_to: "Valid until",
  event_date: "Event date",
};

const RATING_TEXTS: Readonly<Record<string, string>> = {
  positive: "Useful",
  negative: "Not useful",
  very_negative: "Wrong or harmful",
};

const TONES: Readonly<Record<HistoryRecord["event"], Tone>> = {
  ADD: "good",
  UPDATE: "busy",
  INVALIDATE: "warn",
  DELETE: "bad",
  FEEDBACK: "plain",
};

interface MemoryHistoryProps {
  readonly records: readonly HistoryRecord[];
  /** The memory's text, unless it was deleted. */
  readonly current?: string;
  /** Called with an earlier text that the user wants back. */
  readonly onRestore?: (text: string) => void;
}

/** Renders the records in API order, oldest first. */
export function MemoryHistory({ records, current, onRestore }: MemoryHistoryProps) {
  const { link } = useProject();
  const entries = records.map((record): TimelineEntry => ({
    key: record.id,
    at: record.created_at,
    tone: TONES[record.event],
    title: (
      <>
        <strong>{EVENT_NAMES[record.event]}</strong> {SOURCE_TEXTS[record.source.kind]}
        {record.source.operation_id !== null && (
          <>
            {" · "}
            <a href={link(sourcePath(record.source))}>
              {record.source.kind === "inference" ? "event" : "operation"}
            </a>
          </>
        )}
      </>
    ),
    body: (
      <>
        <RecordDetails record={record} />
        {onRestore !== undefined && setsText(record) && record.new_memory !== current && (
          <button
            type="button"
            class="link-button"
            onClick={() => onRestore(record.new_memory!)}
          >
            Restore this text
          </button>
        )}
      </>
    ),
  }));
  return <Timeline label="History of this memory, oldest first" entries={entries} />;
}

function setsText({ event, old_memory, new_memory }: HistoryRecord): boolean {
  return new_memory !== null &&
    (event === "ADD" || event === "UPDATE" && old_memory !== new_memory);
}

function RecordDetails({ record }: { readonly record: HistoryRecord }) {
  const { event, old_memory, new_memory, changes, feedback } = record;
  if (feedback !== null) return <p>{describeFeedback(feedback)}</p>;
  const textChanged = event === "UPDATE" && old_memory !== new_memory;
  const fields = Object.entries(changes ?? {});
  return (
    <>
      {event === "ADD" && new_memory !== null && <p class="life-text" dir="auto">{new_memory}</p>}
      {event === "DELETE" && old_memory !== null && (
        <p class="life-text" dir="auto">
          <del>{old_memory}</del>
        </p>
      )}
      {textChanged && <TextDiff before={old_memory ?? ""} after={new_memory ?? ""} />}
      {fields.length > 0 && (
        <dl class="life-changes">
          {fields.map(([field, change]) => <FieldChange key={field} field={field} {...change} />)}
        </dl>
      )}
      {event === "UPDATE" && !textChanged && fields.length === 0 && (
        <p class="faint">Saved without changes</p>
      )}
    </>
  );
}

function TextDiff({ before, after }: { readonly before: string; readonly after: string }) {
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

function FieldChange(
  { field, from, to }: { readonly field: string; readonly from: unknown; readonly to: unknown },
) {
  const { link } = useProject();
  if (field === "superseded_by") {
    return (
      <div>
        <dt>Replaced by</dt>
        <dd>
          <a href={link(`/memories/${to}`)}>another memory</a>
        </dd>
      </div>
    );
  }
  const isDate = ["valid_from", "valid_to", "event_date"].includes(field);
  const show = (value: unknown) =>
    value === null || value === undefined
      ? <span class="faint">none</span>
      : isDate
      ? <Timestamp at={String(value)} as="moment" />
      : <span dir="auto">{typeof value === "string" ? value : JSON.stringify(value)}</span>;
  return (
    <div>
      <dt>{FIELD_NAMES[field] ?? field}</dt>
      <dd>{show(from)} → {show(to)}</dd>
    </div>
  );
}

function describeFeedback(feedback: NonNullable<HistoryRecord["feedback"]>): string {
  if ("cleared" in feedback) return "Rating removed";
  const reason = feedback.reason === null ? "" : `: “${feedback.reason}”`;
  return `${RATING_TEXTS[feedback.rating]}${reason}`;
}
