/** Every number used in ranking, with the measurement behind it. */

/**
 * Weights for memory search, chosen on the development half of LoCoMo (5 conversations, 2,760
 * turns, 760 questions from categories 1 to 4) with `deno task eval`. See
 * docs/search_measurements.md for what each weight gains, and how much of that remains on a
 * conversation not used to choose it. The neighbour weights come from a study of all ten
 * conversations, in which every setting across a wide range gained +7 to +15 points of R@10.
 */
export const WEIGHTS = {
  /**
   * Fraction of a term a memory gets from the memories one, two and three steps before it. It's
   * higher than for those after it, since replies follow their questions.
   */
  before: [0.5, 0.4, 0.2],
  /** Fraction of a term a memory gets from the memories one, two and three steps after it. */
  after: [0.4, 0.3, 0.2],
  /**
   * Added to the fraction if the previous memory is a question, since replies rarely repeat these.
   */
  asked: 0.5,
  /** Added to the amount of a term that names the day of the memory's event. */
  date: 0.5,
  /**
   * `saturation.a * v / (v + saturation.b)`: once a term occurs, repetitions and neighbours add
   * little.
   */
  saturation: { a: 1.6, b: 0.6 },
  /** A memory that mentions a time, when the query asks for one. */
  when: 0.4,
  /**
   * A memory that mentions a name, when the query asks who, where, or for something with a name.
   */
  name: 0.5,
  /** A memory from the time mentioned in the query. Measured with `--dates`. */
  time: 0.5,
  /** A memory whose speaker or subject is named in the query. */
  speaker: 0.35,
  /** A memory that ends with a question. */
  question: -0.15,
  /** `hybrid` slightly favours important and recent memories. */
  importance: 0.04,
  recency: 0.02,
  /** `typed` favours the memory types suggested by the query's words. */
  typed: 0.35,
  /** A memory whose validity period is over ranks below its successor. */
  ended: 0.5,
} as const;

/**
 * For each strategy: how many matches each list contributes (`candidates`), how many candidates get
 * a full score (`scored`), and the minimum fraction of the best score for a result (`floor`).
 * Scoring more than 60 candidates with their neighbours didn't improve R@10 (100: 78.3, 60: 78.4)
 * and took longer.
 */
export const STRATEGIES = {
  precision: { candidates: 40, scored: 40, floor: 0.5 },
  balanced: { candidates: 60, scored: 70, floor: 0.1 },
  recall: { candidates: 200, scored: 150, floor: 0 },
} as const;

/**
 * Minimum evidence for `precision`, as a fraction of a full match: some evidence of both kinds, or
 * strong evidence of one.
 */
export const PRECISION_THRESHOLDS = { both: 0.3, one: 0.6 } as const;

/**
 * Minimum fraction of the best score for a memory to count as relevant when sorting by something
 * else.
 */
export const MIN_RELEVANT_SHARE = 0.35;

/**
 * Maximum number of postings read per query. Terms are added while they fit, rarest first. A share
 * of .05 took a third longer with a million memories, just to read terms that add little to the
 * rarer ones.
 */
export const MEMORY_POSTINGS = { share: 0.03, minPostings: 10_000 } as const;

/**
 * Parameters for passage scores: the two BM25 parameters, the weight of a term in a heading, and
 * the fraction of its neighbours' words and length a passage gets. A term counts as often as it
 * occurs in the query; this gains .002 on the long questions in Cranfield. Chosen on the
 * development halves of SciFact and Cranfield.
 */
export const PASSAGE = {
  /**
   * For words alone: nDCG@10 is .693 and .365, compared with .688 and .358 for `meaning`. A k1 of
   * 1.5–2, b of .85–.95 and a heading weight of 1.25 score .688–.694 and .359–.366.
   */
  words: { k1: 1.75, b: 0.9, heading: 1.25, neighbour: 0.5 },
  /**
   * For words combined with similarity, which also covers headings. Using `words` here loses .008
   * on Cranfield.
   */
  meaning: { k1: 1.5, b: 0.85, heading: 1.7, neighbour: 0.5 },
} as const;

/** Passage parameters for one kind of search. */
export type PassageWeights = typeof PASSAGE[keyof typeof PASSAGE];

/**
 * Maximum number of postings read per chunk query. Common terms beyond that still count toward the
 * scores of chunks found by other terms.
 */
export const CHUNK_POSTINGS = { share: 0.03, minPostings: 3_000 } as const;

/**
 * Number of chunks that get a full score on top of those requested, since they may still move up.
 * With similarity, more chunks matter than are returned, because words and similarity are
 * normalized over all of them.
 */
export const EXTRA_CHUNKS = { words: 40, meaning: 80 } as const;

/**
 * How words and similarity are combined. The weight of the similarity is a property of the model.
 */
export const FUSION = {
  /**
   * Relevance of a text that means the same but has no words in common; a full word match is 1.
   * Passages score lower than memories: .5 loses .014 nDCG@10 on Cranfield, whereas .1 loses
   * nothing.
   */
  alone: { memories: 0.4, documents: 0.1 },
} as const;

/** Limits and weights for vector search. */
export const VECTORS = {
  /** Scopes with up to this many memories are compared exactly, without sign bits. */
  maxExactRecords: 2_000,
  /**
   * In scopes with up to this many records, we read the records first and then only scan their
   * rows.
   */
  maxMaskedRecords: 50_000,
  /**
   * Number of candidates selected by sign bits: 300 contain 99.7 % of the true ten nearest, and 500
   * contain 98 % for e5.
   */
  candidates: 500,
  /**
   * Number of candidates in projects with more than `largeProjectRecords` records (recall@10 is .97
   * at a million).
   */
  largeProjectCandidates: 1_000,
  largeProjectRecords: 200_000,
  /** Similarity weights for the memories one and two steps before. */
  before: [0.4, 0.2],
  /** Similarity weights for the memories one and two steps after. */
  after: [0.3, 0.2],
  /** Maximum number of candidates to check before a filter counts as exhausted. */
  maxCandidates: 20_000,
} as const;
