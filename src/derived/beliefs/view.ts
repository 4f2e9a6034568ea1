/**
 * Picks the parts of a decision shown by each belief view, and compares the decision with the
 * current state.
 */

import type { Applicability, Evidence } from "./evidence.ts";
import { allBeliefs, type Belief, decide, type DecisionInput } from "./policy.ts";

/** `default` shows the supported winner, `conflict` the active candidates, `audit` everything. */
export type BeliefViewName = "default" | "conflict" | "audit";

/** Comparison of the belief with the current state. */
export interface Shadow {
  readonly outcome: "agreement" | "disagreement" | "no_winner" | "no_state" | "no_evidence";
  /** Value of the current state record, or null if there isn't one. */
  readonly state: string | null;
  readonly winner_id: string | null;
}

/** The `data` of the API's belief response. */
export interface BeliefView {
  readonly projection_status: "ready" | "disabled";
  readonly mode: "enforced" | "shadow";
  readonly subject: string;
  readonly attribute: string;
  readonly applicability: Applicability;
  readonly winner: Belief | null;
  readonly candidates: readonly Belief[];
  readonly unresolved: boolean;
  readonly reason_codes: readonly string[];
  readonly shadow: Shadow;
}

/** Input of a belief view. */
export interface BeliefRequest extends DecisionInput {
  readonly view: BeliefViewName;
  readonly mode: "enforced" | "shadow";
  /**
   * Whether to return candidates for every applicability. The caller already made sure that the
   * view is `audit`.
   */
  readonly allApplicability: boolean;
  /** Value of the slot's current state record. */
  readonly state: string | null;
}

/**
 * Returns a belief without evidence, source ids and reason codes, all of which are only shown in
 * the audit view.
 */
const withoutEvidence = (belief: Belief): Belief => ({
  ...belief,
  evidence: [],
  source_ids: [],
  reason_codes: [],
});

function shadowOf(
  winner: Belief | null,
  state: string | null,
  evidence: number,
  comparable: (value: string) => string,
): Shadow {
  const outcome = winner
    ? state === null
      ? "no_state"
      : comparable(state) === comparable(winner.value)
      ? "agreement"
      : "disagreement"
    : evidence
    ? "no_winner"
    : "no_evidence";
  return { outcome, state, winner_id: winner?.id ?? null };
}

/** Returns a slot's view, given its evidence. */
export function beliefView(rows: readonly Evidence[], request: BeliefRequest): BeliefView {
  const decision = decide(rows, request);
  const { view } = request;
  const all = view === "audit" && request.allApplicability
    ? allBeliefs(rows, request)
    : decision.candidates;
  const shown = view === "audit"
    ? all
    : view === "conflict"
    ? all.filter((belief) => belief.status !== "superseded").map(withoutEvidence)
    : decision.winner
    ? [withoutEvidence(decision.winner)]
    : [];
  return {
    projection_status: "ready",
    mode: request.mode,
    subject: request.subject,
    attribute: request.attribute,
    applicability: request.applicability,
    winner: decision.winner &&
      (view === "audit" ? decision.winner : withoutEvidence(decision.winner)),
    candidates: shown,
    unresolved: decision.unresolved,
    reason_codes: decision.reason_codes,
    shadow: shadowOf(decision.winner, request.state, rows.length, request.comparable),
  };
}

/**
 * Returns the view for a project with derivation disabled. It has no beliefs; this isn't an error.
 */
export function disabledBeliefView(
  request: Pick<BeliefRequest, "subject" | "attribute" | "applicability" | "mode">,
): BeliefView {
  return {
    projection_status: "disabled",
    mode: request.mode,
    subject: request.subject,
    attribute: request.attribute,
    applicability: request.applicability,
    winner: null,
    candidates: [],
    unresolved: false,
    reason_codes: ["projection_disabled"],
    shadow: { outcome: "no_evidence", state: null, winner_id: null },
  };
}
