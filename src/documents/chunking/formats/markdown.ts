/**
 * Scans Markdown for blocks and headings in a single pass, with one line of lookahead. Plain text
 * is scanned as Markdown with fewer marks.
 */

import { isDigit } from "../characters.ts";
import { stripMarkdown } from "../headings.ts";
import { LineCursor } from "../lines.ts";
import { Outline, type PieceKind } from "../outline.ts";
import { CutCost, nestedCost } from "../sizes.ts";
import {
  announces,
  atxLevel,
  atxTitle,
  closesFence,
  type Fence,
  fenceAt,
  isCommentLine,
  isDelimiterRow,
  isThematicBreak,
  type ListMarker,
  listMarkerAt,
  setextLevel,
} from "./markdown_lines.ts";

/**
 * Most people write lists, quotes and titles in `plain` text the way they would in Markdown, so we
 * scan it the same way, with three differences: `# …` is only a title between blank lines
 * (otherwise it's a comment in a script), an underline must be as long as its title, and
 * indentation doesn't indicate code.
 */
type Dialect = "markdown" | "plain";

type Block = "none" | "paragraph" | "list" | "table" | "code" | "quote";

/** Scans a single document. Not reusable. */
export class MarkdownScanner {
  readonly #text: string;
  readonly #dialect: Dialect;
  readonly #line: LineCursor;
  readonly #outline = new Outline(stripMarkdown);

  #block: Block = "none";
  #afterBlank = true;
  #fence: Fence | undefined;
  /** Start of the current paragraph or table, and its number of lines. */
  #paragraph = { start: 0, textStart: 0, end: 0, lines: 0 };
  /** The column from which a line belongs to the current outermost list item. */
  #itemColumn = 0;
  /** A heading that must stay with the next block. Level 0 is a page marker. */
  #lead: { readonly start: number; readonly level: number } | undefined;
  /** Cost of a cut after the previous block. */
  #costAfter: number = CutCost.block;

  constructor(text: string, dialect: Dialect) {
    this.#text = text;
    this.#dialect = dialect;
    this.#line = new LineCursor(text);
  }

  outline(): Outline {
    let line = this.#line.advance();
    if (line && this.#beginsFrontMatter()) line = this.#skipFrontMatter();
    while (line) {
      this.#readLine();
      line = this.#line.advance();
    }
    return this.#outline;
  }

  #readLine(): void {
    const { text, textStart, end, blank } = this.#line;
    if (this.#fence !== undefined) {
      if (closesFence(text, textStart, end, this.#fence)) this.#closeFence();
      return;
    }
    if (blank) {
      this.#afterBlank = true;
      return;
    }
    this.#readBlockLine();
    this.#afterBlank = false;
  }

  #readBlockLine(): void {
    if (this.#readHeading() || this.#readBreak()) return;
    const { text, textStart, end } = this.#line;
    const fence = fenceAt(text, textStart, end);
    if (fence !== undefined) {
      this.#openFence(fence);
      return;
    }
    if (this.#readListLine() || this.#readTableLine()) return;
    const begins = this.#block !== "paragraph" || this.#afterBlank;
    if (begins && isCommentLine(text, textStart, end)) this.#openMarker();
    else this.#readText();
  }

  // Headings, breaks, markers

  #readHeading(): boolean {
    const { text, start, textStart, end, indent } = this.#line;
    if (indent > 3) return false;
    const level = atxLevel(text, textStart, end);
    if (level > 0) {
      const alone = this.#afterBlank && this.#line.followedByBlank();
      if (this.#dialect === "plain" && (!alone || indent > 0)) return false;
      this.#openHeading(start, level, atxTitle(text, textStart, end, level));
      return true;
    }
    if (this.#block !== "paragraph" || this.#afterBlank || this.#paragraph.lines !== 1) {
      return false;
    }
    const underline = setextLevel(text, textStart, end);
    const title = this.#paragraph;
    // In plain text, a line of dashes is only an underline if it's as long as the line above.
    const fits = Math.abs(title.end - title.textStart - (end - textStart)) <= 2;
    if (underline === 0 || (this.#dialect === "plain" && !fits)) return false;
    this.#openHeading(title.start, underline, text.slice(title.textStart, title.end));
    return true;
  }

  #openHeading(start: number, level: number, title: string): void {
    const cost = CutCost.section[level - 1] ?? CutCost.block;
    const lead = this.#lead;
    if (lead === undefined) this.#outline.open(start, cost, "prose");
    else if (lead.level === 0) this.#outline.open(lead.start, cost, "prose");
    else this.#outline.open(start, CutCost.stackedHeading, "prose");
    // Directly below a higher-level heading, this one applies from the same position, since both
    // enclose the text that follows.
    const from = lead !== undefined && level > lead.level ? lead.start : start;
    this.#outline.addHeading(from, level, title);
    this.#lead = { start: from, level };
    this.#endBlock();
  }

  /** A thematic break belongs to the block before it, so we cut after the break. */
  #readBreak(): boolean {
    const { text, textStart, end, indent } = this.#line;
    if (indent > 3 || !isThematicBreak(text, textStart, end)) return false;
    this.#endBlock();
    this.#costAfter = CutCost.division;
    return true;
  }

  #openMarker(): void {
    const { start } = this.#line;
    if (this.#lead !== undefined) return;
    this.#outline.open(start, CutCost.division, "prose");
    this.#lead = { start, level: 0 };
    this.#endBlock();
  }

  #beginsFrontMatter(): boolean {
    const { text, start, textStart, end } = this.#line;
    return start === 0 && this.#dialect === "markdown" &&
      text.slice(textStart, end).trimEnd() === "---";
  }

  /**
   * Skips front matter, a single item up to its closing line. Without a closing line, the first
   * line is an ordinary break.
   */
  #skipFrontMatter(): boolean {
    const { text } = this.#line;
    const afterOpening = this.#line.next;
    while (this.#line.advance()) {
      const { textStart, end } = this.#line;
      const mark = end - textStart < 8 ? text.slice(textStart, end).trimEnd() : "";
      if (mark === "---" || mark === "...") {
        this.#outline.open(0, CutCost.block, "code");
        return this.#line.advance();
      }
    }
    this.#line.next = afterOpening;
    return this.#line.advance();
  }

  // Fenced code

  #openFence(fence: Fence): void {
    this.#fence = fence;
    if (this.#inItem()) return;
    this.#open(this.#costAfter, "code");
    this.#block = "code";
  }

  #closeFence(): void {
    this.#fence = undefined;
    this.#afterBlank = true;
    if (this.#block === "code") this.#endBlock();
  }

  // Lists and tables

  #readListLine(): boolean {
    const { text, start, textStart, end, indent } = this.#line;
    const marker = listMarkerAt(text, textStart, end);
    if (marker !== undefined && this.#canOpenItem(marker)) {
      const depth = this.#block === "list" ? indent >> 1 : 0;
      const first = this.#block !== "list";
      this.#open(first ? this.#costAfter : nestedCost(depth), "item");
      if (first || indent < this.#itemColumn) this.#itemColumn = indent + marker.width;
      this.#block = "list";
      this.#paragraph = { start, textStart, end, lines: first ? 1 : 2 };
      return true;
    }
    if (!this.#inItem()) return false;
    this.#paragraph.lines++;
    return true;
  }

  #canOpenItem(marker: ListMarker): boolean {
    if (this.#block === "list") return true;
    if (this.#line.indent > 3 && this.#dialect === "markdown") return false;
    return this.#block !== "paragraph" || this.#afterBlank || marker.interrupts;
  }

  /**
   * Checks whether the line belongs to the current list item: it's indented, or there's no blank
   * line before it.
   */
  #inItem(): boolean {
    if (this.#block !== "list") return false;
    return !this.#afterBlank || this.#line.indent >= Math.min(this.#itemColumn, 4);
  }

  #readTableLine(): boolean {
    const { text, start, textStart, end } = this.#line;
    if (this.#block === "table" && !this.#afterBlank) {
      if (!this.#joinsHeaderRow()) {
        this.#open(nestedCost(0), "item");
        this.#paragraph.lines++;
      }
      return true;
    }
    if (this.#block === "paragraph" && !this.#afterBlank) return this.#joinsHeaderRow();
    if (text.charCodeAt(textStart) !== 0x7c) return false;
    this.#open(this.#costAfter, "item");
    this.#block = "table";
    this.#paragraph = { start, textStart, end, lines: 1 };
    return true;
  }

  /** Joins a table's header with its delimiter row and first row to form one piece. */
  #joinsHeaderRow(): boolean {
    const { text, start, textStart, end } = this.#line;
    if (this.#paragraph.lines !== 1 || !isDelimiterRow(text, textStart, end)) return false;
    this.#lead = { start, level: 6 };
    this.#block = "table";
    this.#paragraph.lines++;
    return true;
  }

  // Paragraphs, quotes, indented code

  #readText(): void {
    const { text, start, textStart, end, indent } = this.#line;
    const quote = text.charCodeAt(textStart) === 0x3e;
    const code = indent > 3 && this.#dialect === "markdown";
    const continues = this.#block === "paragraph" || (quote && this.#block === "quote");
    if (continues && !this.#afterBlank) {
      this.#paragraph.lines++;
      this.#updateCostAfter();
      return;
    }
    if (code && this.#block === "code") return;
    if (this.#block === "list" && this.#isNumberedTitle()) this.#costAfter = CutCost.announced;
    this.#open(this.#costAfter, code ? "code" : "prose");
    this.#block = code ? "code" : quote ? "quote" : "paragraph";
    this.#paragraph = { start, textStart, end, lines: 1 };
    this.#updateCostAfter();
  }

  /**
   * Checks whether a single-item list is a section title, e.g. "3. Terms" alone between paragraphs.
   */
  #isNumberedTitle(): boolean {
    const { textStart, lines } = this.#paragraph;
    return lines === 1 && isDigit(this.#line.text.charCodeAt(textStart));
  }

  #updateCostAfter(): void {
    const { text, textStart, end } = this.#line;
    this.#costAfter = announces(text, textStart, end) ? CutCost.announced : CutCost.block;
  }

  /** Begins a piece at the current line, or adds the line to the preceding heading or marker. */
  #open(cost: number, kind: PieceKind): void {
    if (this.#lead !== undefined) this.#outline.join(this.#line.start, kind);
    else this.#outline.open(this.#line.start, cost, kind);
    this.#lead = undefined;
    this.#costAfter = CutCost.block;
  }

  #endBlock(): void {
    this.#block = "none";
    this.#costAfter = CutCost.block;
  }
}
