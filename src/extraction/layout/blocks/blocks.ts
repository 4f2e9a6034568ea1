/** Converts ordered page content into blocks: headings, items, paragraphs, code and tables. */
import { append, type Block, plainText, type Span } from "../../model.ts";
import { glyphText, insertSpaces, type LinePiece } from "../lines/lines.ts";
import { headingLevel, type HeadingLevels, isLarge, type Typography } from "./headings.ts";
import { groupIntoParagraphs, type Paragraph } from "./paragraphs.ts";
import type { PageTable } from "../tables/ruled_tables.ts";

/** A page column: lines and tables, from top to bottom. */
export type Flow = readonly (LinePiece | PageTable)[];

/** Returns the paragraphs in a column, leaving out its tables. */
export function flowParagraphs(flow: Flow): Paragraph[] {
  const paragraphs: Paragraph[] = [];
  let lines: LinePiece[] = [];
  for (const part of flow) {
    if (!("rows" in part)) lines.push(part);
    else {
      append(paragraphs, groupIntoParagraphs(lines));
      lines = [];
    }
  }
  append(paragraphs, groupIntoParagraphs(lines));
  return paragraphs;
}

/** Returns the blocks in a column. */
export function columnBlocks(
  flow: Flow,
  typography: Typography,
  levels: HeadingLevels,
): Block[] {
  const blocks: Block[] = [];
  let lines: LinePiece[] = [];
  const flush = (isOverTable: boolean) => {
    const pending = textBlocks(lines, typography, levels);
    const [last, line] = [pending.pop(), lines.at(-1)];
    append(blocks, pending);
    if (last !== undefined && line !== undefined) {
      const isInList = last.kind === "item" && pending.at(-1)?.kind === "item";
      blocks.push(isOverTable && !isInList ? tableHeading(last, line, typography, levels) : last);
    }
    lines = [];
  };
  for (const part of flow) {
    if ("rows" in part) {
      flush(true);
      blocks.push({ kind: "table", rows: part.rows });
    } else lines.push(part);
  }
  flush(false);
  return blocks;
}

/**
 * Returns a short line above a table as the table's heading. Only for documents in which all text
 * is bold, e.g. forms. Elsewhere, a bold line is already a heading.
 */
function tableHeading(
  block: Block,
  line: LinePiece,
  typography: Typography,
  levels: HeadingLevels,
): Block {
  const isText = block.kind === "paragraph" || block.kind === "item";
  if (!isText || !line.bold || !typography.bodyBold) return block;
  const text = plainText(block.spans).trim();
  // The block for a numbered line doesn't include the number.
  const isTitle = line.text.endsWith(text) && line.text.length - text.length < 5 &&
    text.length < 60 && /\p{L}/u.test(text) && !/[.,;:!?؟،]$/.test(text);
  const level = Math.min(6, levels.styles.size + 1);
  return isTitle ? { kind: "heading", level, spans: paragraphSpans([line]) } : block;
}

function textBlocks(
  lines: readonly LinePiece[],
  typography: Typography,
  levels: HeadingLevels,
): Block[] {
  const paragraphs = groupIntoParagraphs(lines);
  const indents = new Indents();
  const blocks: Block[] = [];
  let code: LinePiece[] = [];
  const flushCode = () => {
    if (code.length > 0) blocks.push({ kind: "code", text: codeText(code) });
    code = [];
  };
  for (const paragraph of joinSplitHeadings(paragraphs, typography, levels)) {
    if (!typography.bodyMono && paragraph.lines.every(isMono)) {
      code.push(...paragraph.lines);
      continue;
    }
    flushCode();
    blocks.push(
      paragraphBlock(paragraph, typography, indents, headingLevel(paragraph, typography, levels)),
    );
  }
  flushCode();
  return blocks;
}

/**
 * Joins the lines of long titles. Titles are broken where they read well, before the line is full,
 * but they're still a single heading.
 */
function joinSplitHeadings(
  paragraphs: readonly Paragraph[],
  typography: Typography,
  levels: HeadingLevels,
): Paragraph[] {
  const joined: Paragraph[] = [];
  for (const paragraph of paragraphs) {
    const last = joined.at(-1);
    if (last !== undefined && isSplitHeading(last, paragraph, typography, levels)) {
      joined[joined.length - 1] = { ...last, lines: [...last.lines, ...paragraph.lines] };
    } else joined.push(paragraph);
  }
  return joined;
}

function isSplitHeading(
  open: Paragraph,
  next: Paragraph,
  typography: Typography,
  levels: HeadingLevels,
): boolean {
  const last = open.lines.at(-1);
  const first = next.lines[0];
  if (last === undefined || first === undefined || next.marker !== undefined) return false;
  const isOneSize = isLarge(first, typography) && Math.abs(first.size - last.size) < 0.3;
  const isSame = first.font === last.font && first.bold === last.bold;
  const isNear = first.baseline - last.baseline < 1.45 * first.size;
  const isAligned = Math.abs(first.left - last.left) < 0.5 * first.size ||
    Math.abs(first.left + first.right - last.left - last.right) < first.size;
  return isOneSize && isSame && isNear && isAligned && !/[.!?:]$/.test(last.text) &&
    headingLevel(open, typography, levels) !== undefined &&
    headingLevel({ ...open, lines: [...open.lines, ...next.lines] }, typography, levels) !==
      undefined;
}

function paragraphBlock(
  paragraph: Paragraph,
  { compounds }: Typography,
  indents: Indents,
  level: number | undefined,
): Block {
  if (level !== undefined) {
    indents.clear();
    return { kind: "heading", level, spans: paragraphSpans(paragraph.lines, compounds) };
  }
  const spans = paragraphSpans(paragraph.lines, compounds);
  if (paragraph.marker === undefined) {
    indents.clear();
    return { kind: "paragraph", spans };
  }
  const first = paragraph.lines[0];
  const edge = first === undefined ? 0 : first.rightToLeft ? -first.right : first.left;
  const depth = first?.tag?.kind === "item" ? first.tag.level : indents.levelAt(edge);
  const text = stripMarker(spans, paragraph.marker);
  const number = Number.parseInt(paragraph.marker.replace(/\D/g, ""), 10);
  if (isTextLabel(paragraph.marker)) {
    const levels = paragraph.marker.match(/\d+/g)?.length ?? 1;
    return { kind: "item", level: Math.max(depth, levels - 1), spans };
  }
  return Number.isNaN(number)
    ? { kind: "item", level: depth, spans: text }
    : { kind: "item", level: depth, number, spans: text };
}

/**
 * Checks whether a marker stays in the text because it can't be expressed as a Markdown list
 * number: `a)`, `iv.`, `2.1` and `☒`.
 */
function isTextLabel(marker: string): boolean {
  return /\p{L}|\d\.\d|[☐-☒]/u.test(marker) && marker !== "o";
}

/** Works out the levels of nested items from where they start on the page. */
class Indents {
  #edges: number[] = [];

  levelAt(edge: number): number {
    while (this.#edges.length > 0 && edge < (this.#edges.at(-1) ?? 0) - 3) this.#edges.pop();
    if (this.#edges.length === 0 || edge > (this.#edges.at(-1) ?? 0) + 3) this.#edges.push(edge);
    return this.#edges.length - 1;
  }

  clear(): void {
    this.#edges = [];
  }
}

function isMono(line: LinePiece): boolean {
  return line.glyphs.every((glyph) => glyph.face.mono || glyph.text.trim() === "");
}

function codeText(lines: readonly LinePiece[]): string {
  const left = Math.min(...lines.map((line) => line.left));
  return lines.map((line) => {
    const width = (line.right - line.left) / Math.max(1, line.text.length);
    const indent = Math.round((line.left - left) / Math.max(1, width));
    return " ".repeat(Math.min(80, Math.max(0, indent))) + line.text;
  }).join("\n");
}

const NO_COMPOUNDS: ReadonlySet<string> = new Set();

/** The dots between an entry of the contents and its page number. */
const DOT_LEADER = /\s*(?:[.·…_]\s?){5,}\s*/g;

/**
 * Returns the text in lines as spans. Rejoins words hyphenated at line ends and keeps links.
 *
 * @param compounds words that are written with a hyphen elsewhere in the document
 */
export function paragraphSpans(
  lines: readonly LinePiece[],
  compounds: ReadonlySet<string> = NO_COMPOUNDS,
): Span[] {
  const spans: Span[] = [];
  let before = "";
  for (const line of lines) {
    const text = glyphText(line.glyphs);
    const joint = before === "" ? { drop: 0, glue: "" } : lineJoint(before, text, compounds);
    const last = spans.at(-1);
    if (last !== undefined) {
      spans[spans.length - 1] = {
        ...last,
        text: last.text.slice(0, last.text.length - joint.drop) + joint.glue,
      };
    }
    spans.push(...lineSpans(line));
    before = text;
  }
  return spans.map((span) => ({ ...span, text: span.text.replace(/\u00ad(?=.)/g, "") }))
    .map((span) => ({
      ...span,
      text: span.text.replace(/\u00ad$/, "-").replace(DOT_LEADER, " "),
    }));
}

/** Returns the pairs of words that a hyphen joins in the middle of lines, in small letters. */
export function findCompounds(lines: readonly LinePiece[]): ReadonlySet<string> {
  const compounds = new Set<string>();
  for (const { text } of lines) {
    for (const [word] of text.toLowerCase().matchAll(/\p{L}+(?:[-\u2010]\p{L}+)+/gu)) {
      const parts = word.split(/[-\u2010]/);
      parts.slice(1).forEach((part, index) => compounds.add(`${parts[index]}-${part}`));
    }
  }
  return compounds;
}

/**
 * Returns how to join two lines of a paragraph: how many letters to drop from the end of the first
 * one, and what to insert in between.
 */
export function lineJoint(
  before: string,
  after: string,
  compounds: ReadonlySet<string>,
): { drop: number; glue: string } {
  const start = /(\p{L}+)[-\u00ad\u2010]$/u.exec(before)?.[1];
  const end = /^\p{Ll}\p{L}*/u.exec(after)?.[0];
  if (start !== undefined && end !== undefined) {
    const isCompound = compounds.has(`${start}-${end}`.toLowerCase());
    return { drop: isCompound ? 0 : 1, glue: "" };
  }
  if (start !== undefined || /\d[-\u00ad]$/.test(before)) return { drop: 0, glue: "" };
  const isCjk = /[\u3000-\u9fff]$/.test(before) && /^[\u3000-\u9fff]/.test(after);
  return { drop: 0, glue: isCjk ? "" : " " };
}

function lineSpans(line: LinePiece): Span[] {
  const spans: Span[] = [];
  for (const glyph of insertSpaces(line.glyphs)) {
    const last = spans.at(-1);
    const spaceAfterSpace = glyph.text === " " && last?.text.endsWith(" ") === true;
    if (spaceAfterSpace) continue;
    if (last !== undefined && last.href === glyph.href) {
      spans[spans.length - 1] = { ...last, text: last.text + glyph.text };
    } else {
      spans.push({ text: glyph.text, ...(glyph.href === undefined ? {} : { href: glyph.href }) });
    }
  }
  return spans;
}

function stripMarker(spans: readonly Span[], marker: string): Span[] {
  const [first, ...rest] = spans;
  if (first === undefined) return [];
  return [
    { ...first, text: first.text.replace(/^\s+/, "").slice(marker.length).trimStart() },
    ...rest,
  ];
}
