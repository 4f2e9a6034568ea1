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
import type { Part } from "./windows.ts";

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

/** A word of a sentence and the attributes that it's likely a value of, with probabilities. */
export interface TaggedWord {
  readonly start: number;
  readonly end: number;
  readonly likely: Readonly<Record<string, number>>;
}

/** What the tagger finds in a sentence. */
export interface SentenceTags {
  /** Probability that the sentence is worth storing. */
  readonly store: number;
  readonly spans: readonly TaggedSpan[];
  readonly words: readonly TaggedWord[];
  readonly labels: readonly TaggedLabel[];
  readonly type: MemoryType;
}

/** The model's outputs. `tags` and `states` have one row per token, the others one per sentence. */
export interface Probabilities {
  readonly tags: Float32Array;
  readonly states: Float32Array;
  readonly store: Float32Array;
  readonly labels: Float32Array;
  readonly types: Float32Array;
}

/**
 * How much less likely than the model says a word is taken to be in no span. Most words of a sentence
 * are in none, so the model prefers that when it's unsure which attribute a value has. Chosen on
 * `training/inference/valid`.
 */
const OUTSIDE_PENALTY = 1;

/** Attributes of a word below this aren't reported. */
const MIN_LIKELY = 0.01;

/** Closed values below this are left out. */
const MIN_LABEL = 0.2;

/** Returns what the model found in each sentence of a window. */
export function decode(parts: readonly Part[], output: Probabilities): readonly SentenceTags[] {
  return parts.map(({ words }, part) => {
    const labels = output.labels.subarray(part * LABELS.length, (part + 1) * LABELS.length);
    const types = output.types.subarray(part * TYPES.length, (part + 1) * TYPES.length);
    return {
      store: output.store[part]!,
      ...decodeWords(words, output),
      labels: LABELS.map((label, i) => ({ ...label, confidence: labels[i]! }))
        .filter(({ confidence }) => confidence >= MIN_LABEL),
      type: TYPES[indexOfLargest(TYPES.length, (i) => types[i]!)]!,
    };
  });
}

/** Reads spans off the likeliest sequence of tags. Each word goes by its first token. */
function decodeWords(
  words: readonly Word[],
  output: Probabilities,
): Pick<SentenceTags, "spans" | "words"> {
  const width = 1 + 2 * TAGGED_ATTRIBUTES.length;
  const rows = words.map(({ token }) => output.tags.subarray(token * width, (token + 1) * width));
  const states = words.map(({ token }) =>
    STATES[indexOfLargest(STATES.length, (i) => output.states[token * STATES.length + i]!)]!
  );
  const spans: TaggedSpan[] = [];
  for (const { first, last, attribute } of runs(likeliestTags(rows))) {
    const inside = rows.slice(first, last + 1);
    const sum = inside.reduce((sum, row) => sum + probabilityOf(row, attribute), 0);
    spans.push({
      attribute: TAGGED_ATTRIBUTES[attribute]!,
      start: words[first]!.start,
      end: words[last]!.end,
      state: states[first]!,
      confidence: sum / inside.length,
    });
  }
  return {
    spans,
    words: words.map(({ start, end }, i) => ({ start, end, likely: likelyOf(rows[i]!) })),
  };
}

/** Tag 0 is outside; then there are two per attribute, for the first word of a span and the rest. */
const BEGIN = 1, INSIDE = 2;

const probabilityOf = (row: Float32Array, attribute: number) =>
  row[BEGIN + 2 * attribute]! + row[INSIDE + 2 * attribute]!;

function likelyOf(row: Float32Array): Readonly<Record<string, number>> {
  const likely: Record<string, number> = {};
  for (const [i, attribute] of TAGGED_ATTRIBUTES.entries()) {
    const probability = probabilityOf(row, i);
    if (probability >= MIN_LIKELY) likely[attribute] = probability;
  }
  return likely;
}

/**
 * The likeliest tags, one a word (Viterbi). A word can continue only a span of its own attribute, so
 * a value doesn't fall apart when another attribute leads at one of its words.
 */
function likeliestTags(rows: readonly Float32Array[]): readonly number[] {
  const cameFrom: Int16Array[] = [];
  let scores: Float64Array | undefined;
  for (const row of rows) {
    const before = scores;
    const best = before === undefined ? 0 : indexOfLargest(before.length, (i) => before[i]!);
    const from = new Int16Array(row.length).fill(best);
    scores = new Float64Array(row.length);
    for (let tag = 0; tag < row.length; tag++) {
      const own = Math.log(Math.max(row[tag]!, 1e-4)) - (tag === 0 ? OUTSIDE_PENALTY : 0);
      if (tag === 0 || tag % 2 === BEGIN) scores[tag] = own + (before?.[best] ?? 0);
      else if (before === undefined) scores[tag] = -Infinity;
      else {
        from[tag] = before[tag - 1]! >= before[tag]! ? tag - 1 : tag;
        scores[tag] = own + before[from[tag]!]!;
      }
    }
    cameFrom.push(from);
  }
  if (scores === undefined) return [];
  const tags = [indexOfLargest(scores.length, (i) => scores[i]!)];
  for (const from of cameFrom.slice(1).reverse()) tags.push(from[tags.at(-1)!]!);
  return tags.reverse();
}

/** Consecutive words of the same span. */
interface Run {
  readonly first: number;
  readonly last: number;
  readonly attribute: number;
}

function runs(tags: readonly number[]): readonly Run[] {
  const found: Run[] = [];
  for (const [i, tag] of tags.entries()) {
    if (tag === 0) continue;
    const attribute = (tag - 1) >> 1;
    const before = found.at(-1);
    // Values of a list have something between them, so two in a row are one ("New Zealand").
    const continues = before?.last === i - 1 && before.attribute === attribute;
    if (before !== undefined && continues) found.splice(-1, 1, { ...before, last: i });
    else found.push({ first: i, last: i, attribute });
  }
  return found;
}

function indexOfLargest(length: number, value: (index: number) => number): number {
  let best = 0;
  for (let i = 1; i < length; i++) if (value(i) > value(best)) best = i;
  return best;
}
