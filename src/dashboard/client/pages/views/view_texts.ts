/** Display texts for codes used in derived views. */

/**
 * Returns an attribute's display text: `lives_in` becomes "lives in", and `decision:database`
 * becomes "decision: database".
 */
export function attributeText(attribute: string): string {
  return attribute.replaceAll("_", " ").replace(":", ": ");
}

const REASON_TEXTS: Readonly<Record<string, string>> = {
  policy_met: "It meets every condition",
  insufficient_keys: "Too few independent memories support it",
  insufficient_contexts: "Its memories come from too few different contexts",
  insufficient_support: "Its share of the total weight is too small",
  insufficient_lead: "Its lead over the next value is too small",
  competing_values: "Other values compete with it",
  key_quarantined: "A source supports two values at once, so it counts for neither",
  echoes_collapsed: "Repeated statements count once",
  evidence_inactive: "No valid memory supports it any longer",
  unresolved: "No value meets the conditions",
  no_evidence: "No memory says anything about it",
  contextual_conflict: "Values in this context conflict with each other or with the general value",
  global_fallback: "Nothing is known for this context, so the general value applies",
  global_fallback_blocked: "The general value does not apply while this context has a conflict",
};

/** Returns a reason code's display text. Unknown codes get spaces instead of underscores. */
export function reasonText(code: string): string {
  return REASON_TEXTS[code] ?? attributeText(code);
}

/** How a belief compares with the same slot's state. */
export const STATE_COMPARISON_TEXTS: Readonly<Record<string, string>> = {
  agreement: "The state has the same value",
  disagreement: "The state has a different value",
  no_winner:
    "The state already has a value: it follows the newest statement, while beliefs need several",
  no_state: "The state has no value at this time",
  no_evidence: "The state has no value either",
};
