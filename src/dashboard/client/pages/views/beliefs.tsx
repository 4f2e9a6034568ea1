/** Beliefs about a slot: each value with who speaks for it, and why it is or isn't believed. */

import type { beliefAnswer } from "../../../../derived/schema.ts";
import type { z } from "zod";
import { useLoaded } from "../../live.ts";
import { Badge, type Tone } from "../../parts/badge.tsx";
import { Empty } from "../../parts/empty.tsx";
import { plural } from "../../parts/figures.ts";
import { Waiting } from "../../parts/table.tsx";
import { When } from "../../parts/when.tsx";
import { useProject } from "../../project.ts";
import { Meter } from "../../parts/meter.tsx";
import type { ScopeForm } from "../../parts/scope_fields.tsx";
import { ViewFailed } from "../views.tsx";
import { type ChosenSlot, Slots } from "./slots.tsx";
import type { ViewProps } from "./state.tsx";
import { attributeName, reasonOf, SHADOWS } from "./words.ts";

type View = z.output<typeof beliefAnswer>["data"];
type Belief = View["candidates"][number];

const TONES: Readonly<Record<Belief["status"], Tone>> = {
  supported: "good",
  contested: "warn",
  superseded: "plain",
};

export function Beliefs({ scope, query }: ViewProps) {
  return (
    <Slots scope={scope} query={query} path="/views/beliefs">
      {(slot) => <BeliefOf key={`${slot.subject} ${slot.attribute}`} scope={scope} slot={slot} />}
    </Slots>
  );
}

function BeliefOf({ scope, slot }: { readonly scope: ScopeForm; readonly slot: ChosenSlot }) {
  const { id, api, link } = useProject();
  const belief = useLoaded(
    (signal) => {
      const query = { ...scope, ...slot, view: "audit", all_applicability: true };
      return api.get<{ data: View }>("/beliefs", query, signal);
    },
    [id, scope, slot],
  );
  if (belief.value === undefined) {
    return belief.failure === undefined
      ? <Waiting />
      : <ViewFailed failure={belief.failure} retry={belief.reload} />;
  }
  const view = belief.value.data;
  if (view.projection_status === "disabled") {
    return (
      <Empty icon="view" title="Views are switched off for this project">
        <a href={link("/settings")}>Switch them on in the settings</a>
      </Empty>
    );
  }
  return (
    <>
      <p class="slot-name">
        <bdi>{slot.subject}</bdi> · {attributeName(slot.attribute)}
      </p>
      <p class="slot-value" dir="auto">
        {view.winner?.value ?? <span class="faint">not settled</span>}
      </p>
      <ul class="belief-reasons">
        {view.reason_codes.map((code) => <li key={code}>{reasonOf(code)}</li>)}
        <li>{SHADOWS[view.shadow.outcome]}</li>
      </ul>
      <p class="hint">
        A value is believed with three independent memories from three different contexts, six
        tenths of the weight, and a lead of one.
      </p>
      <ol class="beliefs" aria-label="Values, best supported first">
        {view.candidates.map((candidate) => (
          <BeliefCard
            key={candidate.id}
            belief={candidate}
            won={candidate.id === view.winner?.id}
          />
        ))}
      </ol>
    </>
  );
}

function BeliefCard({ belief, won }: { readonly belief: Belief; readonly won: boolean }) {
  const { applicability, support, status } = belief;
  const quarantined = belief.reason_codes.includes("key_quarantined");
  return (
    <li class={`card belief ${won ? "won" : ""}`}>
      <div class="belief-head">
        <strong dir="auto">{belief.value}</strong>
        <Badge tone={TONES[status]}>{status}</Badge>
        {quarantined && <Badge tone="bad">quarantine</Badge>}
        {applicability.kind !== "global" && (
          <Badge>
            {applicability.kind} <bdi>{applicability.key}</bdi>
          </Badge>
        )}
      </div>
      <div class="support">
        <Meter value={support} label="Share of the weight" />
        <span>
          {Math.round(support * 100)} % of the weight, {plural(belief.evidence_count, "voice")} from
          {" "}
          {plural(belief.context_count, "context")}
        </span>
      </div>
      <ul class="belief-reasons">
        {belief.reason_codes.map((code) => <li key={code}>{reasonOf(code)}</li>)}
      </ul>
      <details>
        <summary>
          Evidence: {plural(belief.evidence.length, "memory", "memories")}
        </summary>
        <Evidence belief={belief} />
      </details>
    </li>
  );
}

function Evidence({ belief }: { readonly belief: Belief }) {
  const { link } = useProject();
  const voices = Map.groupBy(belief.evidence, (row) => row.evidence_key);
  return (
    <ul class="evidence">
      {belief.evidence.map((row) => {
        const echo = voices.get(row.evidence_key)?.[0] !== row;
        return (
          <li key={row.id} class={row.active ? "" : "faint"}>
            <a href={link(`/memories/${row.source_id}`)}>Memory</a> told{" "}
            <When at={row.observed_at} as="day" /> in <bdi class="context">{row.context_id}</bdi>
            {row.weight !== 1 && `, weight ${row.weight}`}
            {row.valid_to !== null && (
              <>
                , until <When at={row.valid_to} as="day" />
              </>
            )}
            {!row.active && ", no longer counts"}
            {echo && ", an echo: the same words count once"}
          </li>
        );
      })}
    </ul>
  );
}
