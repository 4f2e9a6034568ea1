/** How sure the tagger has to be. Nearly all of these were chosen on `training/inference/valid`. */

/** Minimum probabilities of the tagger's claims. */
export interface Thresholds {
  /** That a sentence is worth storing. */
  readonly store: number;
  /** Of a value of an attribute with several. */
  readonly span: number;
  /** Of a value that replaces the one before. */
  readonly single: number;
  /** Of a value without words. */
  readonly label: number;
}

/** Claims where the rules find none. */
export const ALONE: Thresholds = { store: 0.5, span: 0.65, single: 0.65, label: 0.95 };

/** How likely a sentence must be worth storing if it seems so on its own, but not among the others. */
export const DOUBTED = {
  /** Among the others. In stories, quotes and papers, it's less likely than this. */
  among: 0.01,
  alone: 0.95,
};

/** As `ALONE`, in sentences that mention neither the user nor their people: papers, contracts, news. */
export const IMPERSONAL: Thresholds = { store: 0.9, span: 0.75, single: 0.75, label: 0.95 };

/** Claims in sentences that look like questions, requests or hypotheses. */
export const GATED: Thresholds = { store: 0.9, span: 0.9, single: 0.9, label: 0.97 };

/** Claims in languages that the rules don't read. */
export const FOREIGN: Thresholds = { store: 0.8, span: 0.7, single: 0.7, label: 0.9 };

/** Minimum confidence of claims that are added to those of the rules. */
export const MIN_ADDED = 0.75;

/** How likely an instruction must be worth storing to be taken for a lasting one. */
export const MIN_INSTRUCTION = 0.005;

/** How likely a sentence must be worth storing for what the rules find in it to be kept. */
export interface StoreLimits {
  readonly claims: number;
  /** Without claims. */
  readonly unclaimed: number;
  /** Without claims, but with a date: what the tagger isn't sure of are mostly events. */
  readonly dated: number;
}

/** The limits of a sentence that mentions the user or their people, and of one that doesn't. */
export interface ChannelLimits {
  readonly personal: StoreLimits;
  readonly impersonal: StoreLimits;
}

/** Messages to an assistant, in which little is worth storing. */
export const IN_CHAT: ChannelLimits = {
  personal: { claims: 0.001, unclaimed: 0.8, dated: 0.4 },
  impersonal: { claims: 0.001, unclaimed: 0.98, dated: 0.98 },
};

/**
 * Conversations between people. Their salience is measured by other means, too. Chosen on labelled
 * conversations (`deno task eval facts`).
 */
export const IN_TRANSCRIPT: ChannelLimits = {
  personal: { claims: 0.001, unclaimed: 0.0015, dated: 0.001 },
  impersonal: { claims: 0.001, unclaimed: 0.001, dated: 0.001 },
};

/** Minimum evidence of the tagger for a claim of the rules. */
export const VERIFIED = {
  /** Probability of a related attribute at one of the value's words. */
  support: 0.5,
  /**
   * Probability of the claim's own attribute instead, if its rules only go by the form of a clause
   * ("I paint every Saturday": either a habit or a hobby).
   */
  ownOf: { habit: 0.5, hobby: 0.1 } as Readonly<Record<string, number>>,
  /** Number of supported values of a list from which on the others are kept, too. */
  listed: 3,
  /** Confidence in a span from which on a value is cut to its words. */
  cutting: 0.6,
  /** Confidence in a span of another attribute from which on it contradicts a claim. */
  contradicting: 0.9,
  /** It doesn't if the claim's own attribute has this probability at one of its words. */
  own: 0.03,
};

/** Names next to a word for a relation ("my sister Klara"), which says what they are of. */
export const RELATED_NAME = {
  /** Minimum confidence in the name. */
  english: 0.25,
  /** The same in the languages that the rules don't read. */
  foreign: 0.2,
  /** Confidence in the name with the attribute of the relation. */
  result: 0.8,
};
