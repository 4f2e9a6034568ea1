/** The belief policy: which value of an attribute is believed, from evidence rows alone. */

import {
  type Applicability,
  applicabilityKey,
  compareStrings,
  type Evidence,
  independentEvidence,
  isActiveAt,
  quarantinedKeys,
} from "./evidence.ts";

/** Figures that a candidate must reach to be believed. */
export interface BeliefPolicy {
  readonly minKeys: number;
  readonly minContexts: number;
  readonly minSupport: number;
  readonly minLead: number;
}

/** The interface's default: three keys, three contexts, 0.6 weighted support, a weighted lead of 1. */
export const DEFAULT_POLICY: BeliefPolicy = Object.freeze({
  minKeys: 3,
  minContexts: 3,
  minSupport: 0.6,
  minLead: 1,
});

/** A candidate's standing: believed, active but not believed, or of the past. */
export type BeliefStatus = "supported" | "contested" | "superseded";

/** One value in one applicability. */
export interface Belief {
  readonly id: string;
  readonly subject: string;
  readonly attribute: string;
  readonly value: string;
  readonly applicability: Applicability;
  readonly status: BeliefStatus;
  /** Sum of the weights of its independent voices. */
  readonly score: number;
  /** Its share of the weight of everything that competes with it, 0 to 1. */
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

/** What was asked, and what the decision depends on besides the evidence. */
export interface DecisionInput {
  readonly subject: string;
  readonly attribute: string;
  readonly applicability: Applicability;
  /** The instant at which validity is judged. */
  readonly at: string;
  readonly policy: BeliefPolicy;
  readonly comparable: (value: string) => string;
  readonly identify: (parts: readonly string[]) => string;
}

/** The decision before a view is cut from it. */
export interface Decision {
  readonly winner: Belief | null;
  /** Candidates of the applicability that decided, best first. */
  readonly candidates: readonly Belief[];
  readonly unresolved: boolean;
  readonly reason_codes: readonly string[];
}

/** A value with its evidence in one applicability. */
interface Candidate {
  /** The value in the form in which values are compared. */
  readonly key: string;
  readonly rows: readonly Evidence[];
  /** How many of the rows speak at the instant asked for. */
  readonly activeCount: number;
  /** Whether some of these are kept out, since their key claims two values at once. */
  readonly hasQuarantined: boolean;
  /** The independent voices: all that its score is made of. */
  readonly independent: readonly Evidence[];
  readonly score: number;
}

const totalWeight = (rows: readonly Evidence[]) => rows.reduce((sum, row) => sum + row.weight, 0);

/** The values that rows of one applicability speak for. */
function candidatesOf(rows: readonly Evidence[], question: DecisionInput): readonly Candidate[] {
  const quarantined = quarantinedKeys(rows, question.at, question.comparable);
  const values = new Map<string, Evidence[]>();
  for (const row of rows) {
    const key = question.comparable(row.value);
    const held = values.get(key);
    if (held) held.push(row);
    else values.set(key, [row]);
  }
  return [...values].map(([key, own]) => {
    const speaking = own.filter((row) => isActiveAt(row, question.at));
    const heard = speaking.filter((row) =>
      !quarantined.has(`${applicabilityKey(row.applicability)}\n${row.evidence_key}`)
    );
    const independent = independentEvidence(heard);
    return {
      key,
      rows: own,
      activeCount: speaking.length,
      hasQuarantined: heard.length < speaking.length,
      independent,
      score: totalWeight(independent),
    };
  });
}

/** What all candidates of an applicability weigh: enough to tell what competes with each. */
interface Competition {
  readonly total: number;
  /** The two greatest scores, the greatest first. */
  readonly topScores: readonly [number, number];
}

function competitionOf(candidates: readonly Candidate[]): Competition {
  const scores = candidates.map(({ score }) => score);
  const [first = 0, second = 0] = [...scores].sort((a, b) => b - a);
  return { total: scores.reduce((sum, score) => sum + score, 0), topScores: [first, second] };
}

/**
 * Weight of what competes with a candidate: voices for other values whose windows overlap with its own.
 * All voices speak at the instant asked for, so that all of them overlap; who has none has no rival.
 */
function competingScores(
  { independent, score }: Candidate,
  { total, topScores: [first, second] }: Competition,
): { all: number; best: number } {
  if (independent.length === 0) return { all: 0, best: 0 };
  return { all: total - score, best: score === first ? second : first };
}

/** The reason codes of all figures that a candidate doesn't reach. */
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

/** What a candidate comes to, beside all candidates of its applicability. */
function evaluate(
  candidate: Candidate,
  rivalry: Competition,
  where: Applicability,
  question: DecisionInput,
): Belief {
  const { independent, rows, score, activeCount, hasQuarantined } = candidate;
  const rival = competingScores(candidate, rivalry);
  const support = score > 0 ? score / (score + rival.all) : 0;
  const keys = independent.length;
  const contexts = new Set(independent.map((row) => row.context_id)).size;
  const missing = unmetThresholds(keys, contexts, support, score - rival.best, question.policy);
  const status: BeliefStatus = activeCount === 0
    ? "superseded"
    : missing.length > 0
    ? "contested"
    : "supported";
  const seen = rows.map((row) => row.observed_at).sort();
  const heard = new Set(independent);
  const sorted = [...rows].sort((a, b) =>
    compareStrings(a.observed_at, b.observed_at) || compareStrings(a.id, b.id)
  );
  return {
    id: question.identify([
      question.subject,
      question.attribute,
      candidate.key,
      where.kind,
      where.key ?? "",
    ]),
    subject: question.subject,
    attribute: question.attribute,
    value: (sorted.find((row) => heard.has(row)) ?? sorted[0])!.value,
    applicability: where,
    status,
    score,
    support,
    evidence_count: keys,
    context_count: contexts,
    source_ids: [...new Set(sorted.map((row) => row.source_id))],
    first_observed_at: seen[0]!,
    last_observed_at: seen.at(-1)!,
    superseded_by: null,
    reason_codes: status === "supported" ? ["policy_met"] : [
      ...(status === "superseded" ? ["evidence_inactive"] : missing),
      ...(rival.all > 0 ? ["competing_values"] : []),
      ...(hasQuarantined ? ["key_quarantined"] : []),
      ...(keys < activeCount && !hasQuarantined ? ["echoes_collapsed"] : []),
    ],
    evidence: sorted.map((row) => ({ ...row, active: isActiveAt(row, question.at) })),
  };
}

/** Candidates of one applicability, best first; the past ones name the one that took their place. */
function beliefsIn(
  rows: readonly Evidence[],
  where: Applicability,
  question: DecisionInput,
): readonly Belief[] {
  const candidates = candidatesOf(
    rows.filter((row) => applicabilityKey(row.applicability) === applicabilityKey(where)),
    question,
  );
  const rivalry = competitionOf(candidates);
  const beliefs = candidates.map((one) => evaluate(one, rivalry, where, question))
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
 * Decides a slot. The asked applicability is judged first; active evidence there that names another value
 * than the global winner blocks the fallback, while expired or absent evidence lets a supported global
 * candidate stand in.
 */
export function decide(rows: readonly Evidence[], question: DecisionInput): Decision {
  const own = beliefsIn(rows, question.applicability, question);
  const winner = own.find((belief) => belief.status === "supported") ?? null;
  if (winner) return { winner, candidates: own, unresolved: false, reason_codes: ["policy_met"] };
  const activeOwn = activeBeliefs(own);
  if (question.applicability.kind === "global") {
    return {
      winner: null,
      candidates: own,
      unresolved: activeOwn.length > 0,
      reason_codes: [
        activeOwn.length ? "unresolved" : own.length ? "evidence_inactive" : "no_evidence",
      ],
    };
  }
  const global = beliefsIn(rows, GLOBAL, question);
  const general = global.find((belief) => belief.status === "supported") ?? null;
  const names = new Set(activeOwn.map((belief) => question.comparable(belief.value)));
  const conflict = names.size > 1 ||
    (general !== null && names.size === 1 && !names.has(question.comparable(general.value)));
  if (conflict) {
    return {
      winner: null,
      candidates: own,
      unresolved: true,
      reason_codes: ["contextual_conflict", ...(general ? ["global_fallback_blocked"] : [])],
    };
  }
  if (general) {
    return {
      winner: general,
      candidates: [...own, ...global],
      unresolved: false,
      reason_codes: ["global_fallback"],
    };
  }
  const open = activeOwn.length + activeBeliefs(global).length > 0;
  return {
    winner: null,
    candidates: [...own, ...global],
    unresolved: open,
    reason_codes: [
      open ? "unresolved" : own.length + global.length ? "evidence_inactive" : "no_evidence",
    ],
  };
}

/** Candidates of every applicability that has evidence, for an audit. */
export function allBeliefs(rows: readonly Evidence[], question: DecisionInput): readonly Belief[] {
  const places = new Map(
    rows.map((row) => [applicabilityKey(row.applicability), row.applicability] as const),
  );
  return [...places].sort(([a], [b]) => compareStrings(a, b)).flatMap(([, where]) =>
    beliefsIn(rows, where, question)
  );
}
