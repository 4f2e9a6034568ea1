/** Puts a search trace into words: why each memory was found, and how it got its rank. */

import type { SearchResponse } from "../../../../memories/search/schema.ts";
import type { FeatureName } from "../../../../search/ranking/features.ts";

export type Trace = NonNullable<SearchResponse["trace"]>;
type Item = Trace["fused"][number];

/** A step in a score calculation. */
export interface ScoreStep {
  readonly name: string;
  /** What happened, without a trailing period. */
  readonly note: string;
  /** Amount added to the score. Set for evidence. */
  readonly added?: number;
  /** Factor the score is multiplied by. Set for signals. */
  readonly factor?: number;
}

/** Name of a signal in `src/search/ranking/features.ts`, and why it raises or lowers a score. */
type SignalTexts = readonly [name: string, raises: string, lowers: string];

const TEXTS_BY_SIGNAL: Readonly<Record<FeatureName, SignalTexts>> = {
  when: ["Mentions a time", "the query asks when and it mentions a time", ""],
  name: ["Contains a name", "the query asks for a name and it contains one", ""],
  time: ["Matching time", "its date matches the time in the query", ""],
  speaker: ["Speaker", "the query names its speaker", ""],
  question: ["Question", "", "it is only a question"],
  importance: [
    "Importance",
    "it is more important than average",
    "it is less important than average",
  ],
  recency: ["Recency", "it is recent", ""],
  typed: ["Requested type", "the query asks for this type", ""],
  ended: ["No longer valid", "", "it is no longer valid"],
};

/**
 * Texts by signal name. The page can be older than the service, so it may come across unknown
 * signals.
 */
const SIGNAL_TEXTS: Readonly<Record<string, SignalTexts>> = TEXTS_BY_SIGNAL;

/** Parts of a score that count as evidence. All others are factors. */
const EVIDENCE_PARTS = new Set(["words", "similarity", "relevance"]);

/** How far from 1 a factor must be to get mentioned. The score breakdown shows every factor. */
const MIN_FACTOR_CHANGE = 0.03;

/** Returns an ordinal: 1st, 2nd, 3rd, 4th. */
export function ordinal(rank: number): string {
  const teen = rank % 100 > 10 && rank % 100 < 14;
  return `${rank}${teen ? "th" : ["th", "st", "nd", "rd"][rank % 10] ?? "th"}`;
}

/** Returns the lists a memory was found in, and its rank in each. */
export function describeMatch(trace: Trace, id: string): string {
  const words = trace.lists.lexical.find((entry) => entry.id === id)?.rank;
  const meaning = trace.lists.vector.find((entry) => entry.id === id)?.rank;
  if (words !== undefined && meaning !== undefined) {
    return `Matched by words (${ordinal(words)}) and by meaning (${ordinal(meaning)})`;
  }
  if (words !== undefined) return `Matched by words (${ordinal(words)})`;
  if (meaning !== undefined) return `Matched by meaning only (${ordinal(meaning)})`;
  return "Found because it is next to a matching memory";
}

/** Returns the steps from the evidence to the score, in the order applied by the service. */
export function explainScore(trace: Trace, item: Item): ScoreStep[] {
  const { words = 0, similarity, relevance = words } = item.parts;
  const isLexicalMatch = trace.lists.lexical.some((entry) => entry.id === item.id);
  const steps: ScoreStep[] = [{
    name: "Words",
    note: words === 0
      ? "contains none of the words in the query"
      : isLexicalMatch
      ? "shares words with the query; rare words count more"
      : "contains none of the words in the query, but memories next to it do",
    added: words,
  }];
  if (similarity !== undefined) {
    const gain = relevance - words;
    steps.push({
      name: "Meaning",
      note: gain >= 0
        ? `is closer in meaning than most (similarity ${similarity.toFixed(2)})`
        : `is less close in meaning than most (similarity ${similarity.toFixed(2)})`,
      added: gain,
    });
  }
  for (const [key, factor] of Object.entries(item.parts)) {
    if (EVIDENCE_PARTS.has(key)) continue;
    const [name, raises, lowers] = SIGNAL_TEXTS[key] ?? [key, "it is boosted", "it is lowered"];
    steps.push({ name, note: factor >= 1 ? raises : lowers, factor });
  }
  return steps;
}

/** Returns the signals that noticeably affected a score, or an empty string if none did. */
function describeBoosts(item: Item): string {
  const boosts = Object.entries(item.parts)
    .filter(([key, factor]) => !EVIDENCE_PARTS.has(key) && Math.abs(factor - 1) > MIN_FACTOR_CHANGE)
    .map(([key, factor]) => {
      const [, raises, lowers] = SIGNAL_TEXTS[key] ?? [key, key, key];
      const percent = Math.round(Math.abs(factor - 1) * 100);
      return factor > 1 ? `+${percent}% because ${raises}` : `−${percent}% because ${lowers}`;
    });
  return boosts.join(", ");
}

/** Returns the biggest difference between a memory and the one ranked above it. */
export function decidingDifference(item: Item, above: Item): string {
  const gaps: [reason: string, gap: number][] = [];
  const [a, b] = [above.parts, item.parts];
  const scale = Math.max(a["relevance"] ?? 0, 0.01);
  const words = (a["words"] ?? 0) - (b["words"] ?? 0);
  const meaning = (a["relevance"] ?? 0) - (b["relevance"] ?? 0) - words;
  gaps.push(["its words match the query less", words / scale]);
  gaps.push(["its meaning is less close to the query", meaning / scale]);
  for (const key of new Set([...Object.keys(a), ...Object.keys(b)])) {
    if (EVIDENCE_PARTS.has(key)) continue;
    const gap = Math.log((a[key] ?? 1) / (b[key] ?? 1));
    const [, raises, lowers] = SIGNAL_TEXTS[key] ?? [key, key, key];
    gaps.push([(b[key] ?? 1) < 1 && lowers !== "" ? lowers : oppositeOf(raises), gap]);
  }
  const [reason, gap] = gaps.reduce((largest, entry) => entry[1] > largest[1] ? entry : largest);
  return gap > 0 ? reason : "it was added earlier";
}

function oppositeOf(raises: string): string {
  return raises === "it is recent"
    ? "it is older"
    : raises === "it is more important than average"
    ? "it is less important"
    : `the other one is boosted because ${raises}`;
}

/**
 * Explains a result: how it was found, which signals changed its score, and why it didn't rank
 * higher.
 */
export function explainRank(trace: Trace, id: string, byRelevance: boolean): string {
  const item = trace.selected_items.find((entry) => entry.id === id);
  if (item === undefined) return "";
  const boosts = describeBoosts(item);
  const sentence = `${describeMatch(trace, id)}${boosts === "" ? "" : `; ${boosts}`}.`;
  if (!byRelevance) return `${sentence} Ranked ${ordinal(item.rank)} by relevance.`;
  const above = trace.fused[item.rank - 2];
  return above === undefined
    ? sentence
    : `${sentence} Ranked below the ${ordinal(item.rank - 1)} because ${
      decidingDifference(item, above)
    }.`;
}
