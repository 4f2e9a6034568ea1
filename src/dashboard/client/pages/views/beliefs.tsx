/** Beliefs about a slot: each value with its evidence and the reasons for and against it. */

import type { beliefResponse } from "../../../../derived/schema.ts";
import type { z } from "zod";
import { useResource } from "../../hooks.ts";
import { Badge, type Tone } from "../../parts/data/badge.tsx";
import { EmptyState } from "../../parts/feedback/empty_state.tsx";
import { formatPlural } from "../../parts/data/number_format.ts";
import { LoadingRows } from "../../parts/data/table.tsx";
import { Timestamp } from "../../parts/data/timestamp.tsx";
import { useProject } from "../../project.ts";
import { Meter } from "../../parts/data/meter.tsx";
import type { ScopeForm } from "../../parts/forms/scope_fields.tsx";
import { ViewError } from "../views.tsx";
import { type ChosenSlot, Slots } from "./slots.tsx";
import type { ViewProps } from "./state.tsx";
import { attributeText, reasonText, STATE_COMPARISON_TEXTS } from "./view_texts.ts";

type BeliefView = z.output<typeof beliefResponse>["data"];
type Belief = BeliefView["candidates"][number];

const STATUS_TONES: Readonly<Record<Belief["status"], Tone>> = {
  supported: "good",
  contested: "warn",
  superseded: "plain",
};

export function Beliefs({ scope, query }: ViewProps) {
  return (
    <Slots scope={scope} query={query} path="/views/beliefs">
      {(slot) => (
        <BeliefPanel
          key={`${slot.subject} ${slot.attribute}`}
          scope={scope}
          slot={slot}
        />
      )}
    </Slots>
  );
}

function BeliefPanel({ scope, slot }: { readonly scope: ScopeForm; readonly slot: ChosenSlot }) {
  const { id, api, link } = useProject();
  const belief = useResource(
    (signal) => {
      const query = { ...scope, ...slot, view: "audit", all_applicability: true };
      return api.get<{ data: BeliefView }>("/beliefs", query, signal);
    },
    [id, scope, slot],
  );
  if (belief.value === undefined) {
    return belief.failure === undefined
      ? <LoadingRows />
      : <ViewError failure={belief.failure} onRetry={belief.reload} />;
  }
  const view = belief.value.data;
  if (view.projection_status === "disabled") {
    return (
      <EmptyState icon="view" title="Views are turned off for this project">
        <a href={link("/settings")}>Turn views on in the settings</a>
      </EmptyState>
    );
  }
  return (
    <>
      <p class="slot-name">
        <bdi>{slot.subject}</bdi> · {attributeText(slot.attribute)}
      </p>
      <p class="slot-value" dir="auto">
        {view.winner?.value ?? <span class="faint">undecided</span>}
      </p>
      <ul class="belief-reasons">
        {view.reason_codes.map((code) => <li key={code}>{reasonText(code)}</li>)}
        <li>{STATE_COMPARISON_TEXTS[view.shadow.outcome]}</li>
      </ul>
      <p class="hint">
        A value is believed if at least three independent memories from three contexts support it,
        with at least 60% of the total weight and a lead of at least 1.
      </p>
      <ol class="beliefs" aria-label="Values, best supported first">
        {view.candidates.map((candidate) => (
          <BeliefCard
            key={candidate.id}
            belief={candidate}
            isWinner={candidate.id === view.winner?.id}
          />
        ))}
      </ol>
    </>
  );
}

function BeliefCard({ belief, isWinner }: { readonly belief: Belief; readonly isWinner: boolean }) {
  const { applicability, support, status } = belief;
  const quarantined = belief.reason_codes.includes("key_quarantined");
  return (
    <li class={`card belief ${isWinner ? "won" : ""}`}>
      <div class="belief-head">
        <strong dir="auto">{belief.value}</strong>
        <Badge tone={STATUS_TONES[status]}>{status}</Badge>
        {quarantined && <Badge tone="bad">quarantined</Badge>}
        {applicability.kind !== "global" && (
          <Badge>
            {applicability.kind} <bdi>{applicability.key}</bdi>
          </Badge>
        )}
      </div>
      <div class="support">
        <Meter value={support} label="Share of the total weight" />
        <span>
          {Math.round(support * 100)}% of the total weight,{" "}
          {formatPlural(belief.evidence_count, "independent memory", "independent memories")} from
          {" "}
          {formatPlural(belief.context_count, "context")}
        </span>
      </div>
      <ul class="belief-reasons">
        {belief.reason_codes.map((code) => <li key={code}>{reasonText(code)}</li>)}
      </ul>
      <details>
        <summary>
          Evidence: {formatPlural(belief.evidence.length, "memory", "memories")}
        </summary>
        <Evidence belief={belief} />
      </details>
    </li>
  );
}

function Evidence({ belief }: { readonly belief: Belief }) {
  const { link } = useProject();
  const rowsByKey = Map.groupBy(belief.evidence, (row) => row.evidence_key);
  return (
    <ul class="evidence">
      {belief.evidence.map((row) => {
        const isDuplicate = rowsByKey.get(row.evidence_key)?.[0] !== row;
        return (
          <li key={row.id} class={row.active ? "" : "faint"}>
            <a href={link(`/memories/${row.source_id}`)}>Memory</a> from{" "}
            <Timestamp at={row.observed_at} as="day" /> in{" "}
            <bdi class="context">{row.context_id}</bdi>
            {row.weight !== 1 && `, weight ${row.weight}`}
            {row.valid_to !== null && (
              <>
                , valid until <Timestamp at={row.valid_to} as="day" />
              </>
            )}
            {!row.active && ", no longer counted"}
            {isDuplicate && ", duplicate: repeated statements count once"}
          </li>
        );
      })}
    </ul>
  );
}
