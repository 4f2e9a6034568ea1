/** Turns the tagger's probabilities into spans. */

import {
  type ClosedValue,
  LABELS,
  type SpanState,
  STATES,
  TAGGED_ATTRIBUTES,
  TYPES,
} from "./labels.ts";
import type { MemoryType } from "../../memories/schema.ts";
import type { Word } from "./tokens.ts";

/** Words of a sentence that are the value of a claim. Offsets are in UTF-16 units. */
export interface TaggedSpan {
  readonly attribute: string;
  readonly start: number;
  readonly end: number;
  readonly state: SpanState;
  /** Mean probability of the attribute over its words. */
  readonly confidence: number;
}

/** A closed value that the sentence states or ends, with its probability. */
export interface TaggedLabel extends ClosedValue {
  readonly confidence: number;
}

/** What the tagger finds in a sentence. */
export interface SentenceTags {
  /** Probability that the sentence is worth storing. */
  readonly store: number;
  readonly spans: readonly TaggedSpan[];
  readonly labels: readonly TaggedLabel[];
  readonly type: MemoryType;
}

/** The model's outputs. `tags` and `states` have one row per token. */
export interface Probabilities {
  readonly tags: Float32Array;
  readonly states: Float32Array;
  readonly store: Float32Array;
  readonly labels: Float32Array;
  readonly types: Float32Array;
}

/** Words whose probability of being in any span is below this are in none. */
const MIN_INSIDE = 0.3;

/** A word joins the span before it at this probability of its attribute, though another leads. */
const MIN_JOINING = 0.25;

/** Closed values below this are left out. */
const MIN_LABEL = 0.2;

/** A span while it is being read. `sums` are of the probabilities of its words. */
interface OpenSpan {
  readonly attribute: number;
  readonly start: number;
  readonly token: number;
  end: number;
  sum: number;
  words: number;
}

/** Reads spans word by word. Each word goes by the probabilities of its first token. */
export function decode(words: readonly Word[], output: Probabilities): SentenceTags {
  const width = 1 + 2 * TAGGED_ATTRIBUTES.length;
  const spans: OpenSpan[] = [];
  let current: OpenSpan | undefined;
  for (const { start, end, token } of words) {
    const row = output.tags.subarray(token * width, (token + 1) * width);
    if (1 - row[0]! < MIN_INSIDE) {
      current = undefined;
      continue;
    }
    const probability = (attribute: number) => row[1 + 2 * attribute]! + row[2 + 2 * attribute]!;
    const best = indexOfLargest(TAGGED_ATTRIBUTES.length, probability);
    const begins = row[1 + 2 * best]! > row[2 + 2 * best]!;
    const joins = current !== undefined && !begins &&
      (best === current.attribute || probability(current.attribute) > MIN_JOINING);
    if (current !== undefined && joins) {
      current.end = end;
      current.sum += probability(current.attribute);
      current.words++;
    } else {
      current = { attribute: best, start, token, end, sum: probability(best), words: 1 };
      spans.push(current);
    }
  }
  return {
    store: output.store[0]!,
    spans: spans.map(({ attribute, start, end, token, sum, words }) => ({
      attribute: TAGGED_ATTRIBUTES[attribute]!,
      start,
      end,
      state:
        STATES[indexOfLargest(STATES.length, (i) => output.states[token * STATES.length + i]!)]!,
      confidence: sum / words,
    })),
    labels: LABELS.map((label, i) => ({ ...label, confidence: output.labels[i]! }))
      .filter(({ confidence }) => confidence >= MIN_LABEL),
    type: TYPES[indexOfLargest(TYPES.length, (i) => output.types[i]!)]!,
  };
}

function indexOfLargest(length: number, value: (index: number) => number): number {
  let best = 0;
  for (let i = 1; i < length; i++) if (value(i) > value(best)) best = i;
  return best;
}
