/** How large a chunk is, and what each place to cut costs: the numbers that the packer weighs. */

/** The size a chunk aims at, in UTF-8 bytes: about 300 tokens of English, a few paragraphs. */
export const TARGET_CHUNK_BYTES = 1200;

/** No chunk is larger than this, in UTF-8 bytes. */
export const MAX_CHUNK_BYTES = 2000;

/**
 * Places to cut that are nearer to each other than this many UTF-16 units are thinned to the best
 * one. It bounds the choices within one chunk to 2,000 / 24, which keeps packing linear whatever
 * the content is.
 */
export const MIN_CUT_SPACING = 24;

/**
 * The price of a chunk of `bytes`, 0 at the target and 1 both when nearly empty and at the
 * maximum. Squared, so that two chunks of 900 are better than one of 600 and one of 1,200.
 */
export function sizeCost(bytes: number): number {
  const room = bytes < TARGET_CHUNK_BYTES
    ? TARGET_CHUNK_BYTES
    : MAX_CHUNK_BYTES - TARGET_CHUNK_BYTES;
  const miss = (bytes - TARGET_CHUNK_BYTES) / room;
  return miss * miss;
}

/** What one cut costs on the scale of {@link sizeCost}; negative where a cut is welcome. */
export const CutCost = {
  /** Before a heading of level 1 to 6. From -0.3 on, two sections of 700 bytes stay two chunks. */
  section: [-0.35, -0.3, -0.25, -0.2, -0.15, -0.1],
  /** After a thematic break, before a page marker or a further document of the same stream. */
  division: -0.05,
  /** Before a paragraph, list, table, code block or element. */
  block: 0,
  /** Before an item of a list, member of an object, row or indented line; and for each level. */
  item: 0.04,
  itemDepth: 0.04,
  /** Between two blocks of which the first announces the second ("as follows:"). */
  announced: 0.4,
  /** Between two headings with nothing between them. */
  stackedHeading: 0.5,
  /** Inside a block that is too long: between paragraphs of one item, at the end of a line. */
  innerParagraph: 0.1,
  sentenceAtLineEnd: 0.2,
  line: 0.3,
  sentence: 0.35,
  codeAfterBlank: 0.25,
  codeLine: 0.4,
  /** A line break within a sentence: text that was wrapped to a width. */
  wrappedLine: 0.6,
  /** Between words, where nothing better is to be had. */
  word: 0.8,
  /** What a chunk of nothing but white space costs: more than any way around it. */
  blankChunk: 10,
} as const;

/** The cost of a cut before something nested `depth` levels deep, which levels off at 8. */
export function nestedCost(depth: number): number {
  return CutCost.item + CutCost.itemDepth * Math.min(Math.max(depth, 0), 8);
}
