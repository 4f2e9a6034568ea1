/** Chunk sizes and cut costs for the packer to trade off. */

/** Target chunk size, in UTF-8 bytes. About 300 tokens of English, or a few paragraphs. */
export const TARGET_CHUNK_BYTES = 1200;

/** Maximum chunk size, in UTF-8 bytes. */
export const MAX_CHUNK_BYTES = 2000;

/**
 * Minimum distance between two cuts, in UTF-16 code units. If they're any closer, only the best one
 * is kept. This limits the choices within a chunk to 2,000 / 24, so packing takes linear time for
 * any content.
 */
export const MIN_CUT_SPACING = 24;

/**
 * Returns the cost of a chunk with `bytes` bytes: 0 at the target size, 1 if nearly empty or at the
 * maximum size. The cost is squared, so two chunks of 900 bytes beat one of 600 and one of 1,200.
 */
export function sizeCost(bytes: number): number {
  const range = bytes < TARGET_CHUNK_BYTES
    ? TARGET_CHUNK_BYTES
    : MAX_CHUNK_BYTES - TARGET_CHUNK_BYTES;
  const deviation = (bytes - TARGET_CHUNK_BYTES) / range;
  return deviation * deviation;
}

/** Cost of a cut, on the same scale as {@link sizeCost}. Negative where a cut is welcome. */
export const CutCost = {
  /**
   * Before a heading of level 1 to 6. At -0.3 and below, two 700-byte sections remain two chunks.
   */
  section: [-0.35, -0.3, -0.25, -0.2, -0.15, -0.1],
  /** After a thematic break, or before a page marker or the next document in a stream. */
  division: -0.05,
  /** Before a paragraph, list, table, code block or element. */
  block: 0,
  /** Before a list item, object member, row or indented line, plus a cost per level. */
  item: 0.04,
  itemDepth: 0.04,
  /** Between two blocks if the first announces the second ("as follows:"). */
  announced: 0.4,
  /** Between two headings with no text in between. */
  stackedHeading: 0.5,
  /** Inside a block that's too long: between paragraphs in an item, and at line ends. */
  innerParagraph: 0.1,
  sentenceAtLineEnd: 0.2,
  line: 0.3,
  sentence: 0.35,
  codeAfterBlank: 0.25,
  codeLine: 0.4,
  /** At a line break within a sentence, in text wrapped to a fixed width. */
  wrappedLine: 0.6,
  /** Between words, if there's nothing better. */
  word: 0.8,
  /** A chunk of nothing but white space. Costs more than any way of avoiding it. */
  blankChunk: 10,
} as const;

/**
 * Returns the cost of a cut before something at nesting level `depth`. Constant from level 8 on.
 */
export function nestedCost(depth: number): number {
  return CutCost.item + CutCost.itemDepth * Math.min(Math.max(depth, 0), 8);
}
