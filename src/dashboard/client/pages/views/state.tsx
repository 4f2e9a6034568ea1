/** A slot's state: its value at a chosen time, and a chart of all its values. */

import { useState } from "preact/hooks";
import { useResource } from "../../hooks.ts";
import { Badge } from "../../parts/data/badge.tsx";
import { EmptyState } from "../../parts/feedback/empty_state.tsx";
import { TextField } from "../../parts/forms/fields.tsx";
import { fromLocalInput, toLocalInput } from "../../parts/forms/local_time.ts";
import type { ScopeForm } from "../../parts/forms/scope_fields.tsx";
import { LoadingRows } from "../../parts/data/table.tsx";
import { Timestamp } from "../../parts/data/timestamp.tsx";
import { useProject } from "../../project.ts";
import { ViewError } from "../views.tsx";
import { type ChosenSlot, Slots } from "./slots.tsx";
import { type StateRecord, ValueChart } from "./value_chart.tsx";
import { attributeText } from "./view_texts.ts";

export interface ViewProps {
  readonly scope: ScopeForm;
  readonly query: URLSearchParams;
}

export function State({ scope, query }: ViewProps) {
  return (
    <Slots scope={scope} query={query} path="/views/state">
      {(slot) => <StatePanel key={`${slot.subject} ${slot.attribute}`} scope={scope} slot={slot} />}
    </Slots>
  );
}

function StatePanel({ scope, slot }: { readonly scope: ScopeForm; readonly slot: ChosenSlot }) {
  const { id, api } = useProject();
  const [asOf, setAsOf] = useState("");
  const history = useResource(
    (signal) => api.get<{ data: StateRecord[] }>("/state/history", { ...scope, ...slot }, signal),
    [id, scope, slot],
    10_000,
  );
  if (history.value === undefined) {
    return history.failure === undefined
      ? <LoadingRows />
      : <ViewError failure={history.failure} onRetry={history.reload} />;
  }
  const records = history.value.data;
  if (records.length === 0) {
    return (
      <EmptyState icon="view" title="No known value">
        No memory of this owner has a value for {slot.subject} · {attributeText(slot.attribute)}.
      </EmptyState>
    );
  }
  const at = Date.parse(fromLocalInput(asOf) ?? new Date().toISOString());
  const current = records.filter((record) => isValidAt(record, at));
  return (
    <>
      <div class="slot-head">
        <div>
          <p class="slot-name">
            <bdi>{slot.subject}</bdi> · {attributeText(slot.attribute)}
          </p>
          <p class="slot-value" role="status" dir="auto">
            {current.length === 0
              ? <span class="faint">no value at this time</span>
              : current.map(({ value }) => value).join(", ")}
          </p>
        </div>
        <div class="as-of">
          <TextField
            label="As of"
            type="datetime-local"
            value={asOf === "" ? toLocalInput(new Date().toISOString()) : asOf}
            onChange={setAsOf}
          />
          <button
            type="button"
            class="button"
            disabled={asOf === ""}
            onClick={() => setAsOf("")}
          >
            Now
          </button>
        </div>
      </div>
      <ValueChart
        records={records}
        at={at}
        now={Date.now()}
        onSelect={(instant) => setAsOf(toLocalInput(new Date(instant).toISOString()))}
      />
      <ValueTable records={records} at={at} />
    </>
  );
}

/** Checks whether a value is valid at an instant. The range is end-exclusive. */
export function isValidAt({ valid_from, valid_to }: StateRecord, at: number): boolean {
  return (valid_from === null || Date.parse(valid_from) <= at) &&
    (valid_to === null || Date.parse(valid_to) > at);
}

function ValueTable(
  { records, at }: { readonly records: readonly StateRecord[]; readonly at: number },
) {
  const { link } = useProject();
  return (
    <div class="table-box">
      <table class="table" role="table" aria-label="Values, oldest first">
        <thead role="rowgroup">
          <tr role="row">
            {["Value", "From", "Until", "Source"].map((title) => (
              <th key={title} role="columnheader" scope="col">{title}</th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {records.map((record) => (
            <tr key={record.id} role="row">
              <td role="cell" class="grow" data-title="Value">
                <bdi>{record.value}</bdi>{" "}
                {isValidAt(record, at) && <Badge tone="good">valid</Badge>}
              </td>
              <td role="cell" data-title="From">
                {record.valid_from === null
                  ? "no start date"
                  : <Timestamp at={record.valid_from} as="day" />}
              </td>
              <td role="cell" data-title="Until">
                {record.valid_to === null
                  ? "no end date"
                  : <Timestamp at={record.valid_to} as="day" />}
              </td>
              <td role="cell" data-title="Source">
                {record.source_ids.map((source, index) => (
                  <a key={source} class="source" href={link(`/memories/${source}`)}>
                    {record.source_ids.length === 1 ? "memory" : `memory ${index + 1}`}
                  </a>
                ))}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
