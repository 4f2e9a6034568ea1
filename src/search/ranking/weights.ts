/** Every number of the ranking, in one place, each with where it was measured. */

/**
 * Chosen on the development half of LoCoMo (5 conversations, 2,760 turns, 760 questions of
 * categories 1 to 4) with `deno task eval`; what each is worth, and what is left of that on a
 * conversation that had no part in the choice, stands in docs/search_measurements.md. The neighbour
 * weights come from a study of all ten conversations, where every setting in a wide range gave +7 to
 * +15 points of R@10.
 */
export const WEIGHTS = {
  /**
   * How much of a term a memory has when it stands one, two or three memories before it. More than
   * after it: an answer follows its question.
   */
  before: [0.5, 0.4, 0.2],
  /** The same for the memories after it. */
  after: [0.4, 0.3, 0.2],
  /** Added when the memory before it asks: an answer seldom repeats what it is the answer to. */
  asked: 0.5,
  /** The same for a term that names the day of the memory's event. */
  date: 0.5,
  /** `saturation.a * v / (v + saturation.b)`: a term counts once, and a little more around it. */
  saturation: { a: 1.6, b: 0.6 },
  /** A memory that speaks of time, when the question asks for one. */
  when: 0.4,
  /** A memory that holds a name, when the question asks who, where, or for something named. */
  name: 0.5,
  /** A memory of the time that the query names; measured with `--dates`. */
  time: 0.5,
  /** A memory whose speaker or subject is named in the query. */
  speaker: 0.35,
  /** A memory that only asks. */
  question: -0.15,
  /** `hybrid` leans a little towards what is important and what is recent. */
  importance: 0.04,
  recency: 0.02,
  /** `typed` favours the memory types that the query's words suggest. */
  typed: 0.35,
  /** A memory whose validity has ended ranks below the one that replaced it. */
  ended: 0.5,
} as const;

/**
 * How wide each strategy looks, how many candidates get their full score, and how much of the best
 * score a result must have. More than 60 candidates with their neighbours gained nothing in R@10
 * (100: 78.3, 60: 78.4) and cost time.
 */
export const STRATEGIES = {
  precision: { candidates: 40, scored: 40, floor: 0.5 },
  balanced: { candidates: 60, scored: 70, floor: 0.1 },
  recall: { candidates: 200, scored: 150, floor: 0 },
} as const;

/**
 * What `precision` demands, as shares of a full match: some of both kinds of evidence, or much of
 * one.
 */
export const PRECISION_THRESHOLDS = { both: 0.3, one: 0.6 } as const;

/** Share of the best score that a memory needs to count as relevant, when something else sorts. */
export const MIN_RELEVANT_SHARE = 0.35;

/**
 * Postings that a query may read: terms are added, rarest first, while they fit. A share of .05 took a
 * third more time of a million memories, for terms that tell little beside the rarer ones.
 */
export const MEMORY_POSTINGS = { share: 0.03, minPostings: 10_000 } as const;

/**
 * How a passage is scored: BM25's two parameters, what a term in a heading counts, and the share
 * that a passage has of its neighbours' words and length. A term counts as often as the query says
 * it: Cranfield's long questions gain .002 by that. Chosen on the development halves of SciFact and
 * Cranfield.
 */
export const PASSAGE = {
  /**
   * By words alone: nDCG@10 .693 and .365, where `meaning` has .688 and .358. With k1 from 1.5 to 2,
   * b from .85 to .95 and headings of 1.25 it is .688 to .694 and .359 to .366.
   */
  words: { k1: 1.75, b: 0.9, heading: 1.25, neighbour: 0.5 },
  /** Beside similarity, which reads headings with the text: `words` costs Cranfield .008 there. */
  meaning: { k1: 1.5, b: 0.85, heading: 1.7, neighbour: 0.5 },
} as const;

/** One of the two. */
export type PassageWeights = typeof PASSAGE[keyof typeof PASSAGE];

/**
 * Postings for a query over chunks. The lists of the common terms that are not asked for still
 * count in the score of what the others found.
 */
export const CHUNK_POSTINGS = { share: 0.03, minPostings: 3_000 } as const;

/**
 * Chunks that get their full score beside those asked for, since they may yet rank above them. Words
 * and meaning are brought to one scale over all of them, so more matter there than could be found.
 */
export const EXTRA_CHUNKS = { words: 40, meaning: 80 } as const;

/** How words and meaning come together; how much meaning counts is the model's own. */
export const FUSION = {
  /**
   * What "says the same" is worth without a word in common, where a full match of words is 1. Scores
   * of passages are lower than those of memories: .5 costs Cranfield .014 nDCG@10, .1 nothing.
   */
  alone: { memories: 0.4, documents: 0.1 },
} as const;

/** How vectors are looked through. */
export const VECTORS = {
  /** Scopes up to this many memories are compared exactly, whatever their signs say. */
  maxExactRecords: 2_000,
  /** Scopes up to this many are looked up first, so that their rows alone are looked at. */
  maxMaskedRecords: 50_000,
  /** Candidates by sign bits: 300 hold 99.7 % of the true ten nearest, 500 98 % of e5's. */
  candidates: 500,
  /** The same in projects of more than `many` memories (recall@10 .97 at a million). */
  largeProjectCandidates: 1_000,
  largeProjectRecords: 200_000,
  /** How much the memory before counts in a similarity, and the one beyond it. */
  before: [0.4, 0.2],
  /** The same for the memories after it. */
  after: [0.3, 0.2],
  /** Candidates that are looked at before a filter is taken to have no more matches. */
  maxCandidates: 20_000,
} as const;
