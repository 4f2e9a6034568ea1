/** The service's words for derived views, as people say them. */

/** `lives_in` → "lives in", `decision:database` → "decision: database". */
export function attributeText(attribute: string): string {
  return attribute.replaceAll("_", " ").replace(":", ": ");
}

const REASON_TEXTS: Readonly<Record<string, string>> = {
  policy_met: "It meets every condition",
  insufficient_keys: "Too few independent memories speak for it",
  insufficient_contexts: "They come from too few different contexts",
  insufficient_support: "It has too little of the weight",
  insufficient_lead: "It is too close to another value",
  competing_values: "Other values compete with it",
  key_quarantined: "A source speaks for two values at once, and isn't believed for either",
  echoes_collapsed: "The same words told again count once",
  evidence_inactive: "Nothing speaks for it any more",
  unresolved: "No value meets the conditions",
  no_evidence: "No memory says anything about it",
  contextual_conflict: "The values of this context contradict each other",
  global_fallback: "Nothing is known for this context; what holds everywhere is taken",
  global_fallback_blocked: "What holds everywhere isn't taken while this context is in conflict",
};

/** A reason code in words; one that isn't known yet as it is. */
export function reasonText(code: string): string {
  return REASON_TEXTS[code] ?? attributeText(code);
}

/** How a belief compares with the state of the same slot. */
export const STATE_COMPARISON_TEXTS: Readonly<Record<string, string>> = {
  agreement: "The state says the same",
  disagreement: "The state says something else",
  no_winner: "The state has a value already: it takes the newest statement, beliefs want several",
  no_state: "The state has no value at this moment",
  no_evidence: "The state has no value either",
};
