/** A search's trace in plain words: why a memory was found, and why it stands where it does. */

import type { SearchResponse } from "../../../../memories/search_schema.ts";
import type { FeatureName } from "../../../../search/ranking/features.ts";

export type Trace = NonNullable<SearchResponse["trace"]>;
type Item = Trace["fused"][number];

/** One step from the words of the query to the score, for drawing. */
export interface ScoreStep {
  readonly name: string;
  /** What happened here, as a sentence without its end. */
  readonly note: string;
  /** Set for evidence that is added up. */
  readonly added?: number;
  /** Set for a factor that multiplies. */
  readonly factor?: number;
}

/** What a signal of `src/search/signals.ts` says, when it lifts and when it lowers. */
type SignalTexts = readonly [name: string, lifts: string, lowers: string];

const TEXTS_BY_SIGNAL: Readonly<Record<FeatureName, SignalTexts>> = {
  when: ["Speaks of time", "the query asks when, and it speaks of a time", ""],
  name: ["Holds a name", "the query asks who, where or which, and it holds a name", ""],
  time: ["Time named", "it is of the time that the query names", ""],
  speaker: ["Speaker named", "the query names who speaks here", ""],
  question: ["Only asks", "", "it only asks"],
  importance: ["Importance", "it is more important than most", "it is less important than most"],
  recency: ["Recency", "it is recent", ""],
  typed: ["Type asked for", "the query asks for this type", ""],
  ended: ["No longer holds", "", "it no longer holds"],
};

/** A page may be older than the service that answers it. */
const SIGNAL_TEXTS: Readonly<Record<string, SignalTexts>> = TEXTS_BY_SIGNAL;

/** Parts of a score that are evidence; every other one is a factor. */
const EVIDENCE_PARTS = new Set(["words", "similarity", "relevance"]);

/** Factors within this of 1 are too small to be worth a word; the drawing has them all. */
const MIN_FACTOR_CHANGE = 0.03;

/** 1st, 2nd, 3rd, 4th … */
export function ordinal(rank: number): string {
  const teen = rank % 100 > 10 && rank % 100 < 14;
  return `${rank}${teen ? "th" : ["th", "st", "nd", "rd"][rank % 10] ?? "th"}`;
}

/** By which of the two lists a memory was found, and how far up. */
export function describeMatch(trace: Trace, id: string): string {
  const words = trace.lists.lexical.find((each) => each.id === id)?.rank;
  const meaning = trace.lists.vector.find((each) => each.id === id)?.rank;
  if (words !== undefined && meaning !== undefined) {
    return `Found by its words (${ordinal(words)}) and by its meaning (${ordinal(meaning)})`;
  }
  if (words !== undefined) return `Found by its words (${ordinal(words)})`;
  if (meaning !== undefined) return `Found by its meaning alone (${ordinal(meaning)})`;
  return "Found because it stands next to a memory that was found";
}

/** The way from evidence to score, in the order in which it was gone. */
export function explainScore(trace: Trace, item: Item): ScoreStep[] {
  const { words = 0, similarity, relevance = words } = item.parts;
  const own = trace.lists.lexical.some((each) => each.id === item.id);
  const steps: ScoreStep[] = [{
    name: "Words",
    note: words === 0
      ? "has none of the query's words"
      : own
      ? "shares words with the query; rare ones count more"
      : "has none of the query's words itself, the memories around it do",
    added: words,
  }];
  if (similarity !== undefined) {
    const gain = relevance - words;
    steps.push({
      name: "Meaning",
      note: gain >= 0
        ? `is nearer in meaning than most (similarity ${similarity.toFixed(2)})`
        : `is further in meaning than most (similarity ${similarity.toFixed(2)})`,
      added: gain,
    });
  }
  for (const [key, factor] of Object.entries(item.parts)) {
    if (EVIDENCE_PARTS.has(key)) continue;
    const [name, lifts, lowers] = SIGNAL_TEXTS[key] ?? [key, "it counts more", "it counts less"];
    steps.push({ name, note: factor >= 1 ? lifts : lowers, factor });
  }
  return steps;
}

/** The signals that moved a memory, in a few words; empty when none did worth mentioning. */
function describeBoosts(item: Item): string {
  const boosts = Object.entries(item.parts)
    .filter(([key, factor]) => !EVIDENCE_PARTS.has(key) && Math.abs(factor - 1) > MIN_FACTOR_CHANGE)
    .map(([key, factor]) => {
      const [, lifts, lowers] = SIGNAL_TEXTS[key] ?? [key, key, key];
      const percent = Math.round(Math.abs(factor - 1) * 100);
      return factor > 1 ? `+${percent} % because ${lifts}` : `−${percent} % because ${lowers}`;
    });
  return boosts.join(", ");
}

/** What decided between a memory and the one above it: the largest of the differences. */
export function decidingDifference(item: Item, above: Item): string {
  const gaps: [why: string, gap: number][] = [];
  const [a, b] = [above.parts, item.parts];
  const scale = Math.max(a["relevance"] ?? 0, 0.01);
  const words = (a["words"] ?? 0) - (b["words"] ?? 0);
  const meaning = (a["relevance"] ?? 0) - (b["relevance"] ?? 0) - words;
  gaps.push(["its words fit the query less", words / scale]);
  gaps.push(["its meaning is further from the query", meaning / scale]);
  for (const key of new Set([...Object.keys(a), ...Object.keys(b)])) {
    if (EVIDENCE_PARTS.has(key)) continue;
    const gap = Math.log((a[key] ?? 1) / (b[key] ?? 1));
    const [, lifts, lowers] = SIGNAL_TEXTS[key] ?? [key, key, key];
    gaps.push([(b[key] ?? 1) < 1 && lowers !== "" ? lowers : oppositeOf(lifts), gap]);
  }
  const [why, gap] = gaps.reduce((largest, each) => each[1] > largest[1] ? each : largest);
  return gap > 0 ? why : "it came first in writing";
}

function oppositeOf(lifts: string): string {
  return lifts === "it is recent"
    ? "it is older"
    : lifts === "it is more important than most"
    ? "it is less important"
    : `that one gains because ${lifts}`;
}

/** One sentence on a result: how it was found, what moved it, and what keeps it from going up. */
export function explainRank(trace: Trace, id: string, byRelevance: boolean): string {
  const item = trace.selected_items.find((each) => each.id === id);
  if (item === undefined) return "";
  const boosts = describeBoosts(item);
  const sentence = `${describeMatch(trace, id)}${boosts === "" ? "" : `; ${boosts}`}.`;
  if (!byRelevance) return `${sentence} Ranked ${ordinal(item.rank)} by relevance.`;
  const above = trace.fused[item.rank - 2];
  return above === undefined
    ? sentence
    : `${sentence} Below ${item.rank - 1}: ${decidingDifference(item, above)}.`;
}
