/** The state of a subject over time: the value at a moment, and all values drawn along time. */

import { useState } from "preact/hooks";
import { useLoaded } from "../../live.ts";
import { Badge } from "../../parts/badge.tsx";
import { Empty } from "../../parts/empty.tsx";
import { TextField } from "../../parts/fields.tsx";
import { instantOf, localInput } from "../../parts/local_time.ts";
import type { ScopeForm } from "../../parts/scope_fields.tsx";
import { Waiting } from "../../parts/table.tsx";
import { When } from "../../parts/when.tsx";
import { useProject } from "../../project.ts";
import { ViewFailed } from "../views.tsx";
import { type ChosenSlot, Slots } from "./slots.tsx";
import { type StateRecord, ValueChart } from "./value_chart.tsx";
import { attributeName } from "./words.ts";

export interface ViewProps {
  readonly scope: ScopeForm;
  readonly query: URLSearchParams;
}

export function State({ scope, query }: ViewProps) {
  return (
    <Slots scope={scope} query={query} path="/views/state">
      {(slot) => <StateOf key={`${slot.subject} ${slot.attribute}`} scope={scope} slot={slot} />}
    </Slots>
  );
}

function StateOf({ scope, slot }: { readonly scope: ScopeForm; readonly slot: ChosenSlot }) {
  const { id, api } = useProject();
  const [asOf, setAsOf] = useState("");
  const history = useLoaded(
    (signal) => api.get<{ data: StateRecord[] }>("/state/history", { ...scope, ...slot }, signal),
    [id, scope, slot],
    10_000,
  );
  if (history.value === undefined) {
    return history.failure === undefined
      ? <Waiting />
      : <ViewFailed failure={history.failure} retry={history.reload} />;
  }
  const records = history.value.data;
  if (records.length === 0) {
    return (
      <Empty icon="view" title="No value is known">
        No memory of this owner says what the {attributeName(slot.attribute)} of {slot.subject} is.
      </Empty>
    );
  }
  const at = Date.parse(instantOf(asOf) ?? new Date().toISOString());
  const holding = records.filter((record) => holdsAt(record, at));
  return (
    <>
      <div class="slot-head">
        <div>
          <p class="slot-name">
            <bdi>{slot.subject}</bdi> · {attributeName(slot.attribute)}
          </p>
          <p class="slot-value" role="status" dir="auto">
            {holding.length === 0
              ? <span class="faint">no value at this moment</span>
              : holding.map(({ value }) => value).join(", ")}
          </p>
        </div>
        <div class="as-of">
          <TextField
            label="As of"
            type="datetime-local"
            value={asOf === "" ? localInput(new Date().toISOString()) : asOf}
            change={setAsOf}
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
        choose={(instant) => setAsOf(localInput(new Date(instant).toISOString()))}
      />
      <ValueTable records={records} at={at} />
    </>
  );
}

/** Whether a value holds at an instant: from its beginning on, up to and without its end. */
export function holdsAt({ valid_from, valid_to }: StateRecord, at: number): boolean {
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
            {["Value", "From", "Until", "Because of"].map((title) => (
              <th key={title} role="columnheader" scope="col">{title}</th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {records.map((record) => (
            <tr key={record.id} role="row">
              <td role="cell" class="grow" data-title="Value">
                <bdi>{record.value}</bdi> {holdsAt(record, at) && <Badge tone="good">holds</Badge>}
              </td>
              <td role="cell" data-title="From">
                {record.valid_from === null
                  ? "the beginning"
                  : <When at={record.valid_from} as="day" />}
              </td>
              <td role="cell" data-title="Until">
                {record.valid_to === null
                  ? "further notice"
                  : <When at={record.valid_to} as="day" />}
              </td>
              <td role="cell" data-title="Because of">
                {record.source_ids.map((source, index) => (
                  <a key={source} class="source" href={link(`/memories/${source}`)}>
                    {record.source_ids.length === 1 ? "a memory" : `memory ${index + 1}`}
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
