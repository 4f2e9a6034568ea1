/**
 * Scans Markdown, and plain text as Markdown with fewer marks, for blocks and headings: one pass
 * over the lines, which looks no further than the line after the one at hand.
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
 * `plain` text is most often typed by people who write lists, quotes and titles as in Markdown, so
 * it is read the same, except that `# …` is a title only with blank lines around it (else it is a
 * comment in a script), an underline must be as long as its title, and indentation makes no code.
 */
type Dialect = "markdown" | "plain";

type Block = "none" | "paragraph" | "list" | "table" | "code" | "quote";

/** Reads one document; use an instance once. */
export class MarkdownScanner {
  readonly #text: string;
  readonly #dialect: Dialect;
  readonly #line: LineCursor;
  readonly #outline = new Outline(stripMarkdown);

  #block: Block = "none";
  #afterBlank = true;
  #fence: Fence | undefined;
  /** Where the paragraph or table at hand begins, and how many lines of it matter. */
  #paragraph = { start: 0, ink: 0, end: 0, lines: 0 };
  /** The column from which a line belongs to the outermost list item at hand. */
  #itemColumn = 0;
  /** The heading (or, with level 0, page marker) that must not be parted from what follows. */
  #lead: { readonly start: number; readonly level: number } | undefined;
  /** What the block before says about a cut after it. */
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
    const { text, ink, end, blank } = this.#line;
    if (this.#fence !== undefined) {
      if (closesFence(text, ink, end, this.#fence)) this.#closeFence();
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
    const { text, ink, end } = this.#line;
    const fence = fenceAt(text, ink, end);
    if (fence !== undefined) {
      this.#openFence(fence);
      return;
    }
    if (this.#readListLine() || this.#readTableLine()) return;
    const begins = this.#block !== "paragraph" || this.#afterBlank;
    if (begins && isCommentLine(text, ink, end)) this.#openMarker();
    else this.#readText();
  }

  // Headings, breaks, markers

  #readHeading(): boolean {
    const { text, start, ink, end, indent } = this.#line;
    if (indent > 3) return false;
    const level = atxLevel(text, ink, end);
    if (level > 0) {
      const alone = this.#afterBlank && this.#line.followedByBlank();
      if (this.#dialect === "plain" && (!alone || indent > 0)) return false;
      this.#openHeading(start, level, atxTitle(text, ink, end, level));
      return true;
    }
    if (this.#block !== "paragraph" || this.#afterBlank || this.#paragraph.lines !== 1) {
      return false;
    }
    const underline = setextLevel(text, ink, end);
    const title = this.#paragraph;
    // In plain text a line of dashes may be just that, unless it is as long as the line above.
    const fits = Math.abs(title.end - title.ink - (end - ink)) <= 2;
    if (underline === 0 || (this.#dialect === "plain" && !fits)) return false;
    this.#openHeading(title.start, underline, text.slice(title.ink, title.end));
    return true;
  }

  #openHeading(start: number, level: number, title: string): void {
    const cost = CutCost.section[level - 1] ?? CutCost.block;
    const lead = this.#lead;
    if (lead === undefined) this.#outline.open(start, cost, "prose");
    else if (lead.level === 0) this.#outline.open(lead.start, cost, "prose");
    else this.#outline.open(start, CutCost.stackedHeading, "prose");
    // Right below a higher heading it is in force from there: both enclose the text that follows.
    const from = lead !== undefined && level > lead.level ? lead.start : start;
    this.#outline.addHeading(from, level, title);
    this.#lead = { start: from, level };
    this.#endBlock();
  }

  /** A thematic break closes what came before it; the cut is after it. */
  #readBreak(): boolean {
    const { text, ink, end, indent } = this.#line;
    if (indent > 3 || !isThematicBreak(text, ink, end)) return false;
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
    const { text, start, ink, end } = this.#line;
    return start === 0 && this.#dialect === "markdown" && text.slice(ink, end).trimEnd() === "---";
  }

  /** Front matter is one item up to its closing line; without one, it is an ordinary break. */
  #skipFrontMatter(): boolean {
    const { text } = this.#line;
    const afterOpening = this.#line.next;
    while (this.#line.advance()) {
      const { ink, end } = this.#line;
      const mark = end - ink < 8 ? text.slice(ink, end).trimEnd() : "";
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
    const { text, start, ink, end, indent } = this.#line;
    const marker = listMarkerAt(text, ink, end);
    if (marker !== undefined && this.#mayOpenItem(marker)) {
      const depth = this.#block === "list" ? indent >> 1 : 0;
      const first = this.#block !== "list";
      this.#open(first ? this.#costAfter : nestedCost(depth), "item");
      if (first || indent < this.#itemColumn) this.#itemColumn = indent + marker.width;
      this.#block = "list";
      this.#paragraph = { start, ink, end, lines: first ? 1 : 2 };
      return true;
    }
    if (!this.#inItem()) return false;
    this.#paragraph.lines++;
    return true;
  }

  #mayOpenItem(marker: ListMarker): boolean {
    if (this.#block === "list") return true;
    if (this.#line.indent > 3 && this.#dialect === "markdown") return false;
    return this.#block !== "paragraph" || this.#afterBlank || marker.interrupts;
  }

  /** True when the line belongs to the list item at hand: indented, or without a blank before. */
  #inItem(): boolean {
    if (this.#block !== "list") return false;
    return !this.#afterBlank || this.#line.indent >= Math.min(this.#itemColumn, 4);
  }

  #readTableLine(): boolean {
    const { text, start, ink, end } = this.#line;
    if (this.#block === "table" && !this.#afterBlank) {
      if (!this.#joinsHeaderRow()) {
        this.#open(nestedCost(0), "item");
        this.#paragraph.lines++;
      }
      return true;
    }
    if (this.#block === "paragraph" && !this.#afterBlank) return this.#joinsHeaderRow();
    if (text.charCodeAt(ink) !== 0x7c) return false;
    this.#open(this.#costAfter, "item");
    this.#block = "table";
    this.#paragraph = { start, ink, end, lines: 1 };
    return true;
  }

  /** A delimiter row under a table's header: header, delimiter and first row are one piece. */
  #joinsHeaderRow(): boolean {
    const { text, start, ink, end } = this.#line;
    if (this.#paragraph.lines !== 1 || !isDelimiterRow(text, ink, end)) return false;
    this.#lead = { start, level: 6 };
    this.#block = "table";
    this.#paragraph.lines++;
    return true;
  }

  // Paragraphs, quotes, indented code

  #readText(): void {
    const { text, start, ink, end, indent } = this.#line;
    const quote = text.charCodeAt(ink) === 0x3e;
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
    this.#paragraph = { start, ink, end, lines: 1 };
    this.#updateCostAfter();
  }

  /** "3. Terms" alone between paragraphs looks like a list of one, and is the title of a section. */
  #isNumberedTitle(): boolean {
    const { ink, lines } = this.#paragraph;
    return lines === 1 && isDigit(this.#line.text.charCodeAt(ink));
  }

  #updateCostAfter(): void {
    const { text, ink, end } = this.#line;
    this.#costAfter = announces(text, ink, end) ? CutCost.announced : CutCost.block;
  }

  /** Begins a piece at the line at hand, or adds it to the heading or marker that leads it. */
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
