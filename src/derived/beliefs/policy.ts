/** Decides which value of an attribute is believed, based on evidence alone. */

import {
  type Applicability,
  applicabilityKey,
  compareStrings,
  type Evidence,
  independentEvidence,
  isActiveAt,
  quarantinedKeys,
} from "./evidence.ts";

/** Thresholds for a candidate to be supported. */
export interface BeliefPolicy {
  readonly minKeys: number;
  readonly minContexts: number;
  readonly minSupport: number;
  readonly minLead: number;
}

/** Default policy of the API: three keys, three contexts, a support of 0.6 and a lead of 1. */
export const DEFAULT_POLICY: BeliefPolicy = Object.freeze({
  minKeys: 3,
  minContexts: 3,
  minSupport: 0.6,
  minLead: 1,
});

/** Candidate status: believed, active but not believed, or without active evidence. */
export type BeliefStatus = "supported" | "contested" | "superseded";

/** One value in one applicability. */
export interface Belief {
  readonly id: string;
  readonly subject: string;
  readonly attribute: string;
  readonly value: string;
  readonly applicability: Applicability;
  readonly status: BeliefStatus;
  /** Total weight of all independent evidence. */
  readonly score: number;
  /** Fraction of the total weight of all competing values, from 0 to 1. */
  readonly support: number;
  readonly evidence_count: number;
  readonly context_count: number;
  readonly source_ids: readonly string[];
  readonly first_observed_at: string;
  readonly last_observed_at: string;
  readonly superseded_by: string | null;
  readonly reason_codes: readonly string[];
  readonly evidence: readonly Evidence[];
}

/** The slot to decide, plus everything else the decision depends on except the evidence. */
export interface DecisionInput {
  readonly subject: string;
  readonly attribute: string;
  readonly applicability: Applicability;
  /** Instant to check validity at. */
  readonly at: string;
  readonly policy: BeliefPolicy;
  readonly comparable: (value: string) => string;
  readonly identify: (parts: readonly string[]) => string;
}

/** The full decision. Each view picks parts of it. */
export interface Decision {
  readonly winner: Belief | null;
  /** Candidates in the deciding applicability, best first. */
  readonly candidates: readonly Belief[];
  readonly unresolved: boolean;
  readonly reason_codes: readonly string[];
}

/** A value and its evidence in one applicability. */
interface Candidate {
  /** Normalized value, used for comparison. */
  readonly key: string;
  readonly rows: readonly Evidence[];
  /** Number of rows active at the instant. */
  readonly activeCount: number;
  /** Whether some active rows are excluded because their key claims two different values. */
  readonly hasQuarantined: boolean;
  /** Independent evidence. Nothing else counts toward the score. */
  readonly independent: readonly Evidence[];
  readonly score: number;
}

const totalWeight = (rows: readonly Evidence[]) => rows.reduce((sum, row) => sum + row.weight, 0);

/** Returns the values supported by one applicability's rows. */
function candidatesOf(rows: readonly Evidence[], input: DecisionInput): readonly Candidate[] {
  const quarantined = quarantinedKeys(rows, input.at, input.comparable);
  const values = new Map<string, Evidence[]>();
  for (const row of rows) {
    const key = input.comparable(row.value);
    const group = values.get(key);
    if (group) group.push(row);
    else values.set(key, [row]);
  }
  return [...values].map(([key, own]) => {
    const active = own.filter((row) => isActiveAt(row, input.at));
    const counted = active.filter((row) =>
      !quarantined.has(`${applicabilityKey(row.applicability)}\n${row.evidence_key}`)
    );
    const independent = independentEvidence(counted);
    return {
      key,
      rows: own,
      activeCount: active.length,
      hasQuarantined: counted.length < active.length,
      independent,
      score: totalWeight(independent),
    };
  });
}

/**
 * Total and top scores of all candidates in an applicability, used to compute each one's
 * competition.
 */
interface Competition {
  readonly total: number;
  /** The two highest scores, highest first. */
  readonly topScores: readonly [number, number];
}

function competitionOf(candidates: readonly Candidate[]): Competition {
  const scores = candidates.map(({ score }) => score);
  const [first = 0, second = 0] = [...scores].sort((a, b) => b - a);
  return { total: scores.reduce((sum, score) => sum + score, 0), topScores: [first, second] };
}

/**
 * Returns the total and best score of the values competing with a candidate. All active evidence is
 * valid at the same instant, so all windows overlap and every other value competes. A candidate
 * without active evidence has no competition.
 */
function competingScores(
  { independent, score }: Candidate,
  { total, topScores: [first, second] }: Competition,
): { all: number; best: number } {
  if (independent.length === 0) return { all: 0, best: 0 };
  return { all: total - score, best: score === first ? second : first };
}

/** Returns a reason code for each threshold missed by a candidate. */
function unmetThresholds(
  keys: number,
  contexts: number,
  support: number,
  lead: number,
  policy: BeliefPolicy,
): string[] {
  return [
    ...(keys < policy.minKeys ? ["insufficient_keys"] : []),
    ...(contexts < policy.minContexts ? ["insufficient_contexts"] : []),
    ...(support < policy.minSupport ? ["insufficient_support"] : []),
    ...(lead < policy.minLead ? ["insufficient_lead"] : []),
  ];
}

/** Evaluates a candidate against all others in its applicability. */
function evaluate(
  candidate: Candidate,
  competition: Competition,
  applicability: Applicability,
  input: DecisionInput,
): Belief {
  const { independent, rows, score, activeCount, hasQuarantined } = candidate;
  const competing = competingScores(candidate, competition);
  const support = score > 0 ? score / (score + competing.all) : 0;
  const keys = independent.length;
  const contexts = new Set(independent.map((row) => row.context_id)).size;
  const unmet = unmetThresholds(keys, contexts, support, score - competing.best, input.policy);
  const status: BeliefStatus = activeCount === 0
    ? "superseded"
    : unmet.length > 0
    ? "contested"
    : "supported";
  const observed = rows.map((row) => row.observed_at).sort();
  const independentRows = new Set(independent);
  const sorted = [...rows].sort((a, b) =>
    compareStrings(a.observed_at, b.observed_at) || compareStrings(a.id, b.id)
  );
  return {
    id: input.identify([
      input.subject,
      input.attribute,
      candidate.key,
      applicability.kind,
      applicability.key ?? "",
    ]),
    subject: input.subject,
    attribute: input.attribute,
    value: (sorted.find((row) => independentRows.has(row)) ?? sorted[0])!.value,
    applicability,
    status,
    score,
    support,
    evidence_count: keys,
    context_count: contexts,
    source_ids: [...new Set(sorted.map((row) => row.source_id))],
    first_observed_at: observed[0]!,
    last_observed_at: observed.at(-1)!,
    superseded_by: null,
    reason_codes: status === "supported" ? ["policy_met"] : [
      ...(status === "superseded" ? ["evidence_inactive"] : unmet),
      ...(competing.all > 0 ? ["competing_values"] : []),
      ...(hasQuarantined ? ["key_quarantined"] : []),
      ...(keys < activeCount && !hasQuarantined ? ["echoes_collapsed"] : []),
    ],
    evidence: sorted.map((row) => ({ ...row, active: isActiveAt(row, input.at) })),
  };
}

/**
 * Returns one applicability's candidates, best first. Superseded ones refer to the best active one.
 */
function beliefsIn(
  rows: readonly Evidence[],
  applicability: Applicability,
  input: DecisionInput,
): readonly Belief[] {
  const candidates = candidatesOf(
    rows.filter((row) => applicabilityKey(row.applicability) === applicabilityKey(applicability)),
    input,
  );
  const competition = competitionOf(candidates);
  const beliefs = candidates.map((candidate) =>
    evaluate(candidate, competition, applicability, input)
  )
    .sort((a, b) =>
      Number(b.status === "supported") - Number(a.status === "supported") || b.score - a.score ||
      compareStrings(b.last_observed_at, a.last_observed_at) || compareStrings(a.id, b.id)
    );
  const successor = beliefs.find((belief) => belief.status !== "superseded");
  return beliefs.map((belief) =>
    belief.status === "superseded" && successor
      ? { ...belief, superseded_by: successor.id }
      : belief
  );
}

const GLOBAL: Applicability = { kind: "global", key: null };
const activeBeliefs = (beliefs: readonly Belief[]) =>
  beliefs.filter((belief) => belief.status !== "superseded");

/**
 * Decides a slot. We evaluate the requested applicability first. If it has no winner, a supported
 * global candidate wins, unless there's active evidence for another value in the requested
 * applicability. Expired evidence doesn't count here.
 */
export function decide(rows: readonly Evidence[], input: DecisionInput): Decision {
  const own = beliefsIn(rows, input.applicability, input);
  const winner = own.find((belief) => belief.status === "supported") ?? null;
  if (winner) return { winner, candidates: own, unresolved: false, reason_codes: ["policy_met"] };
  const activeOwn = activeBeliefs(own);
  if (input.applicability.kind === "global") {
    return {
      winner: null,
      candidates: own,
      unresolved: activeOwn.length > 0,
      reason_codes: [
        activeOwn.length ? "unresolved" : own.length ? "evidence_inactive" : "no_evidence",
      ],
    };
  }
  const global = beliefsIn(rows, GLOBAL, input);
  const globalWinner = global.find((belief) => belief.status === "supported") ?? null;
  const ownValues = new Set(activeOwn.map((belief) => input.comparable(belief.value)));
  const conflict = ownValues.size > 1 ||
    (globalWinner !== null && ownValues.size === 1 &&
      !ownValues.has(input.comparable(globalWinner.value)));
  if (conflict) {
    return {
      winner: null,
      candidates: own,
      unresolved: true,
      reason_codes: ["contextual_conflict", ...(globalWinner ? ["global_fallback_blocked"] : [])],
    };
  }
  if (globalWinner) {
    return {
      winner: globalWinner,
      candidates: [...own, ...global],
      unresolved: false,
      reason_codes: ["global_fallback"],
    };
  }
  const isUnresolved = activeOwn.length + activeBeliefs(global).length > 0;
  return {
    winner: null,
    candidates: [...own, ...global],
    unresolved: isUnresolved,
    reason_codes: [
      isUnresolved
        ? "unresolved"
        : own.length + global.length
        ? "evidence_inactive"
        : "no_evidence",
    ],
  };
}

/** Returns the candidates in every applicability with evidence, for audits. */
export function allBeliefs(rows: readonly Evidence[], input: DecisionInput): readonly Belief[] {
  const applicabilities = new Map(
    rows.map((row) => [applicabilityKey(row.applicability), row.applicability] as const),
  );
  return [...applicabilities].sort(([a], [b]) => compareStrings(a, b)).flatMap((
    [, applicability],
  ) => beliefsIn(rows, applicability, input));
}
