/** Outputs of the tagger, written by hand: for tests of what the engine makes of them. */

import type {
  SentenceTags,
  SpanState,
  TaggedSpan,
  Tagger,
} from "../../src/inference/tagger/mod.ts";

/** What the tagger is to find in a sentence. */
export interface Marks {
  readonly store?: number;
  /** Attributes with their words, each found with `confidence`. */
  readonly spans?: Readonly<Record<string, string>>;
  readonly confidence?: number;
  /** The same of another person or an animal. */
  readonly others?: Readonly<Record<string, string>>;
  /** The state of all spans, `holds` if omitted. */
  readonly state?: SpanState;
  /** Attributes that it takes for possible, with the words and a probability. */
  readonly likely?: readonly (readonly [attribute: string, words: string, probability: number])[];
}

/** Returns a sentence's tags with the given marks. */
export function marked(sentence: string, marks: Marks): SentenceTags {
  const { store = 0.99, confidence = 0.99, state = "holds" } = marks;
  const offsets = (words: string) => {
    const start = sentence.indexOf(words);
    if (start < 0) throw new Error(`"${sentence}" has no "${words}"`);
    return { start, end: start + words.length };
  };
  const spansOf = (words: Readonly<Record<string, string>>, state: SpanState) =>
    Object.entries(words).map(([attribute, words]): TaggedSpan => ({
      attribute,
      ...offsets(words),
      state,
      confidence,
    }));
  const spans = [...spansOf(marks.spans ?? {}, state), ...spansOf(marks.others ?? {}, "other")]
    .sort((a, b) => a.start - b.start);
  const likely = [
    ...spans.map(({ attribute, start, end }) => ({ attribute, start, end, p: confidence })),
    ...(marks.likely ?? []).map(([attribute, words, p]) => ({ attribute, ...offsets(words), p })),
  ];
  const words = [...sentence.matchAll(/[\p{L}\p{N}]+/gu)].map(({ 0: word, index: start }) => ({
    start,
    end: start + word.length,
    likely: Object.fromEntries(
      likely.filter((one) => one.start <= start && start < one.end)
        .map(({ attribute, p }) => [attribute, p]),
    ),
  }));
  return { store, spans, words, labels: [], type: "fact" };
}

/** A tagger that finds the same in each sentence that has the marked words. */
export const markingTagger = (marks: Marks): Tagger => ({
  multilingual: false,
  tag: (sentences, index) => Promise.resolve(marked(sentences[index]!, marks)),
});
