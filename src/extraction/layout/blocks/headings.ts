/**
 * Recognizes headings by how they're set, compared with the document's body text, and by bookmarks.
 * The level follows from the order of all heading styles in the document.
 */
import { mode } from "../geometry.ts";
import type { LinePiece } from "../lines/lines.ts";
import type { Paragraph } from "./paragraphs.ts";

/** Document-wide typography. */
export interface Typography {
  /** Font size of body text. */
  readonly body: number;
  /** Largest font size in which running text is set, which can be larger than most of the text. */
  readonly largestText: number;
  /**
   * Whether the body text is bold or monospaced. If so, that style carries no meaning in the
   * document.
   */
  readonly bodyBold: boolean;
  readonly bodyMono: boolean;
  readonly bodyFont: string;
  /** Fonts so rare that a line set in one is prominent. */
  readonly rareFonts: ReadonlySet<string>;
  /** Colours so rare that a line set in one is prominent. */
  readonly rareColors: ReadonlySet<number>;
  /** Words that are written with a hyphen, in small letters. */
  readonly compounds: ReadonlySet<string>;
  /** Whether headings have tags. If so, nothing else is a heading. */
  readonly hasTaggedHeadings: boolean;
}

/** Levels of headings, 1 to 6. */
export interface HeadingLevels {
  /** By the name of the style. */
  readonly styles: ReadonlyMap<string, number>;
  /** By the depth of the bookmark, for headings that aren't set like one. */
  readonly bookmarks: ReadonlyMap<number, number>;
}

/** Minimum size of text that's a heading by its size alone, relative to the body text. */
const MIN_SIZE_RATIO = 1.12;
/** Minimum size of text that's a heading even if it's a sentence. */
const MIN_TITLE_RATIO = 1.8;
/** Minimum distance above a heading that isn't bold or larger, relative to that of lines. */
const MIN_GAP_RATIO = 1.2;
/** Minimum number of headings that are only coloured, italic or in small capitals. */
const MIN_WEAK_HEADINGS = 2;
const MAX_TITLE_LENGTH = 200;
const MAX_LENGTH = 130;
/** Maximum length of a heading at the size of the text that isn't bold. */
const MAX_PLAIN_LENGTH = 90;
const CAPTION =
  /^[[(<【]?\s*(?:table|figure|fig\.|chart|exhibit|tabelle|abbildung|abb\.|tableau|표|그림|表|図|图)\s*[\dIVX]/iu;

/** A way to set headings: its name, and its prominence for sorting. */
interface HeadingStyle {
  readonly name: string;
  readonly size: number;
  readonly prominence: number;
  /** Whether a single such line may be something else than a heading. */
  readonly isWeak: boolean;
}

/** Works out the levels from all paragraphs that are set like headings, in reading order. */
export function headingLevels(
  paragraphs: readonly Paragraph[],
  typography: Typography,
): HeadingLevels {
  const styles = new Map<string, HeadingStyle & { count: number }>();
  for (const paragraph of paragraphs) {
    const style = headingStyle(paragraph, typography);
    if (style === undefined) continue;
    const known = styles.get(style.name);
    if (known === undefined) styles.set(style.name, { ...style, count: 1 });
    else known.count++;
  }
  const weakCount = [...styles.values()].filter((style) => style.isWeak)
    .reduce((sum, style) => sum + style.count, 0);
  const order = [...styles.values()]
    .filter((style) => !style.isWeak || weakCount >= MIN_WEAK_HEADINGS)
    .sort((a, b) => b.size - a.size || b.prominence - a.prominence);
  const levels = new Map<string, number>();
  let level = 0;
  order.forEach((style, index) => {
    const above = order[index - 1];
    // One heading at the size of the text makes no level of its own. Its colour or capitals may be
    // those of its words.
    const isSingle = above?.size === style.size && Math.min(above.count, style.count) === 1;
    if (!isSingle) level++;
    levels.set(style.name, Math.min(6, level));
  });
  return { styles: levels, bookmarks: bookmarkLevels(paragraphs, typography, levels) };
}

/** Returns the level of most headings at each depth of the outline, else one below the depth above. */
function bookmarkLevels(
  paragraphs: readonly Paragraph[],
  typography: Typography,
  styles: ReadonlyMap<string, number>,
): Map<number, number> {
  const found = new Map<number, number[]>();
  for (const paragraph of paragraphs) {
    const depth = paragraph.lines[0]?.bookmark;
    if (depth === undefined) continue;
    const level = styles.get(headingStyle(paragraph, typography)?.name ?? "");
    found.set(depth, [...found.get(depth) ?? [], ...level === undefined ? [] : [level]]);
  }
  const levels = new Map<number, number>();
  // A title is rarely in the outline.
  let above = styles.size === 0 ? 0 : 1;
  for (const [depth, depthLevels] of [...found].sort(([a], [b]) => a - b)) {
    const counts = new Map<number, number>();
    for (const level of depthLevels) counts.set(level, (counts.get(level) ?? 0) + 1);
    above = mode(counts) ?? Math.min(6, above + 1);
    levels.set(depth, above);
  }
  return levels;
}

/** Returns a paragraph's heading level, or undefined if it isn't a heading. */
export function headingLevel(
  paragraph: Paragraph,
  typography: Typography,
  levels: HeadingLevels,
): number | undefined {
  if (typography.hasTaggedHeadings) {
    const tag = paragraph.lines[0]?.tag;
    return tag?.kind === "heading" ? tag.level : undefined;
  }
  const style = headingStyle(paragraph, typography);
  const level = style === undefined ? undefined : levels.styles.get(style.name);
  const bookmark = paragraph.lines[0]?.bookmark;
  return level ?? (bookmark === undefined ? undefined : levels.bookmarks.get(bookmark));
}

/** Checks whether a line is larger than the body text, as headings are. */
export function isLarge(line: LinePiece, typography: Typography): boolean {
  return line.size > MIN_SIZE_RATIO * typography.largestText;
}

function headingStyle(paragraph: Paragraph, typography: Typography): HeadingStyle | undefined {
  const [first] = paragraph.lines;
  if (first === undefined || paragraph.lines.length > 4) return undefined;
  const text = paragraph.lines.map((line) => line.text).join(" ").trim();
  if (!/\p{L}/u.test(text) || text.length > MAX_TITLE_LENGTH || /^[\p{Ll}]/u.test(text)) {
    return undefined;
  }
  // "A. Scope" may be a heading, but a bullet can't be one.
  const isBullet = paragraph.marker !== undefined &&
    (!/[\p{L}\d]/u.test(paragraph.marker) || paragraph.marker === "o");
  if (isBullet) return undefined;
  if (isLarge(first, typography)) {
    // A sentence in large type is a pull quote.
    const isSentence = /\p{Ll}{2}["”’]?[.!]["”’]?$/u.test(text) && text.split(/\s+/).length > 5;
    if (isSentence && first.size < MIN_TITLE_RATIO * typography.body) return undefined;
    const size = Math.round(first.size * 2) / 2;
    return { name: `size ${size}`, size, prominence: 0, isWeak: false };
  }
  return textSizeStyle(paragraph, text, typography);
}

/** Returns the style of a heading that's about as large as the text. */
function textSizeStyle(
  { lines, gapAbove, isInList }: Paragraph,
  text: string,
  typography: Typography,
): HeadingStyle | undefined {
  const first = lines[0]!;
  if (lines.length > 2 || first.size < 0.93 * typography.body) return undefined;
  if (text.length > MAX_LENGTH || /[.,;]$/.test(text) || CAPTION.test(text)) return undefined;
  const has = (test: (line: LinePiece) => boolean) => lines.every(test);
  const isBold = has((line) => line.bold) && !typography.bodyBold;
  const isCapital = /\p{Lu}.*\p{Lu}.*\p{Lu}.*\p{Lu}/u.test(text) && !/\p{Ll}/u.test(text);
  const isSmallCapital = has((line) => line.smallCapitals);
  const isColored = has((line) => typography.rareColors.has(line.color));
  const isItalic = has((line) => line.italic);
  const isRare = lines.length === 1 && text.length < 60 && first.upright &&
    ((typography.rareFonts.has(first.font) && first.size >= typography.body) ||
      (first.font !== typography.bodyFont && first.size > 1.04 * typography.largestText));
  const isApart = gapAbove >= MIN_GAP_RATIO && text.length <= MAX_PLAIN_LENGTH;
  // A list item can be coloured, italic or in capitals as a whole.
  const isMarked = !isInList && (isCapital || isSmallCapital || isColored || isItalic);
  if (!isBold && !isRare && !(isApart && isMarked)) return undefined;
  const marks = { isBold, isCapital, isSmallCapital, isColored, isItalic };
  return {
    name: Object.entries(marks).filter(([, is]) => is).map(([name]) => name).join(" "),
    size: typography.body,
    prominence: 4 * Number(isBold) + 3 * Number(isCapital) + 2 * Number(isColored) +
      2 * Number(isSmallCapital) - Number(isItalic),
    isWeak: !isBold && !isRare && !isCapital,
  };
}
