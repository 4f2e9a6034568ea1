/** The records about each sentence that `explain` shows. */
import type { ExtractedFact } from "../extractor.ts";
import type { SentenceTags } from "../tagger/mod.ts";

/** The facts of a sentence, or the reason why it has none. */
export interface SentenceTrace {
  /** The sentence as it was read, without greetings and wrappers. */
  readonly text: string;
  /** Gate that stopped it: `question`, `hypothesis`, `state` and so on. Null if it passed. */
  readonly stopped: string | null;
  /** Findings of the tagger. Null if it didn't read the sentence. */
  readonly tags: SentenceTags | null;
  /** Ids of the rules that made claims. */
  readonly rules: readonly string[];
  /** Reason for dropping the findings, or null. */
  readonly dropped: "not worth storing" | null;
  readonly facts: readonly ExtractedFact[];
}

/** Receives what the engine records, sentence by sentence. */
export type Trace = (sentence: SentenceTrace) => void;
