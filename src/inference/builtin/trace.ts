/** What the engine records about each sentence when it's asked to explain itself. */
import type { ExtractedFact } from "../extractor.ts";
import type { SentenceTags } from "../tagger/mod.ts";

/** Why a sentence yields nothing, or what it yields. */
export interface SentenceTrace {
  /** The sentence as it was read, without greetings and wrappers. */
  readonly text: string;
  /** Gate that stopped it: `question`, `hypothesis`, `state` and so on. Null if it passed. */
  readonly stopped: string | null;
  /** What the tagger found. Null if it didn't read the sentence. */
  readonly tags: SentenceTags | null;
  /** Ids of the rules that made claims. */
  readonly rules: readonly string[];
  /** Why findings were dropped, or null. */
  readonly dropped: "not worth storing" | null;
  readonly facts: readonly ExtractedFact[];
}

/** Receives what the engine records, sentence by sentence. */
export type Trace = (sentence: SentenceTrace) => void;
