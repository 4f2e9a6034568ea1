/** All numbers of the ranking, each with the measurement behind it. */

/**
 * Weights of memory search, chosen on the development half of LoCoMo (5 conversations, 2,760 turns,
 * 760 questions of categories 1 to 4) with `deno task eval`. docs/search_measurements.md lists the
 * gain of each weight, and how much of it remains on a conversation that was not used for the
 * choice. The neighbour weights come from a study of all ten conversations, where every setting in
 * a wide range gained +7 to +15 points of R@10.
 */
export const WEIGHTS = {
  /**
   * Share of a term that a memory gets from the memories one, two and three steps before it. It is
   * higher than for those after it, because a reply follows its question.
   */
  before: [0.5, 0.4, 0.2],
  /** Share of a term from the memories one, two and three steps after it. */
  after: [0.4, 0.3, 0.2],
  /**
   * Added to the share if the memory before it is a question, since its reply rarely repeats it.
   */
  asked: 0.5,
  /** Added to the amount of a term that names the day of the memory's event. */
  date: 0.5,
  /**
   * `saturation.a * v / (v + saturation.b)`: repetitions and neighbours add little to one
   * occurrence.
   */
  saturation: { a: 1.6, b: 0.6 },
  /** A memory that mentions a time, if the query asks for one. */
  when: 0.4,
  /** A memory that mentions a name, if the query asks who, where, or for something named. */
  name: 0.5,
  /** A memory from the time that the query mentions. Measured with `--dates`. */
  time: 0.5,
  /** A memory whose speaker or subject the query names. */
  speaker: 0.35,
  /** A memory that is only a question. */
  question: -0.15,
  /** `hybrid` slightly prefers important and recent memories. */
  importance: 0.04,
  recency: 0.02,
  /** `typed` prefers the memory types that the words of the query suggest. */
  typed: 0.35,
  /** A memory whose validity has ended ranks below its successor. */
  ended: 0.5,
} as const;

/**
 * For each strategy: how many matches each list contributes (`candidates`), how many candidates get
 * a full score (`scored`), and the minimum share of the best score that a result must have
 * (`floor`). More than 60 candidates with their neighbours gained nothing in R@10 (100: 78.3, 60:
 * 78.4) and took longer.
 */
export const STRATEGIES = {
  precision: { candidates: 40, scored: 40, floor: 0.5 },
  balanced: { candidates: 60, scored: 70, floor: 0.1 },
  recall: { candidates: 200, scored: 150, floor: 0 },
} as const;

/**
 * Minimum evidence for `precision`, as shares of a full match: some of both kinds, or much of one.
 */
export const PRECISION_THRESHOLDS = { both: 0.3, one: 0.6 } as const;

/**
 * Minimum share of the best score for a memory to be relevant, if results are sorted by something
 * else.
 */
export const MIN_RELEVANT_SHARE = 0.35;

/**
 * Maximum number of postings that a query reads. Terms are added, rarest first, while they fit. A
 * share of .05 took a third longer with a million memories, for terms that add little to the rarer
 * ones.
 */
export const MEMORY_POSTINGS = { share: 0.03, minPostings: 10_000 } as const;

/**
 * Parameters of passage scores: the two parameters of BM25, the weight of a term in a heading, and
 * the share of its neighbours' words and length that a passage gets. A term counts as often as it
 * occurs in the query, which gains .002 on the long questions of Cranfield. Chosen on the
 * development halves of SciFact and Cranfield.
 */
export const PASSAGE = {
  /**
   * For words alone: nDCG@10 .693 and .365, where `meaning` has .688 and .358. With k1 from 1.5 to
   * 2, b from .85 to .95 and headings of 1.25 it is .688 to .694 and .359 to .366.
   */
  words: { k1: 1.75, b: 0.9, heading: 1.25, neighbour: 0.5 },
  /**
   * For words with similarity, which covers headings too: `words` loses .008 on Cranfield there.
   */
  meaning: { k1: 1.5, b: 0.85, heading: 1.7, neighbour: 0.5 },
} as const;

/** Passage parameters for one kind of search. */
export type PassageWeights = typeof PASSAGE[keyof typeof PASSAGE];

/**
 * Maximum number of postings that a query over chunks reads. Common terms beyond it still count in
 * the score of chunks that other terms found.
 */
export const CHUNK_POSTINGS = { share: 0.03, minPostings: 3_000 } as const;

/**
 * Number of chunks that get a full score in addition to the requested ones, since they can still
 * move up. With similarity, more of them matter than can be returned, because words and similarity
 * are normalized over all of them.
 */
export const EXTRA_CHUNKS = { words: 40, meaning: 80 } as const;

/** How words and similarity are combined. The weight of similarity is a property of the model. */
export const FUSION = {
  /**
   * Relevance of a text with the same meaning and not a single word in common, where a full match
   * of words is 1. Passages have lower scores than memories: .5 loses .014 nDCG@10 on Cranfield, .1
   * nothing.
   */
  alone: { memories: 0.4, documents: 0.1 },
} as const;

/** Limits and weights of vector search. */
export const VECTORS = {
  /** Scopes of at most this many memories are compared exactly, without sign bits. */
  maxExactRecords: 2_000,
  /** Scopes of at most this many records are read first, and then only their rows are scanned. */
  maxMaskedRecords: 50_000,
  /** Candidates by sign bits: 300 hold 99.7 % of the true ten nearest, 500 98 % of e5's. */
  candidates: 500,
  /**
   * Candidates in projects with more than `largeProjectRecords` records (recall@10 .97 at a
   * million).
   */
  largeProjectCandidates: 1_000,
  largeProjectRecords: 200_000,
  /** Weight of the similarity of the memories one and two steps before. */
  before: [0.4, 0.2],
  /** Weight of the similarity of the memories one and two steps after. */
  after: [0.3, 0.2],
  /** Maximum number of candidates to check before a filter counts as exhausted. */
  maxCandidates: 20_000,
} as const;
