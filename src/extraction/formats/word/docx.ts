/** Reads DOCX: the document body, with notes and text boxes. */
import type { Block, Cell, ExtractedDocument, Span } from "../../model.ts";
import { plainText, unwrapSingleCell } from "../../model.ts";
import { child, descendants, elements, textContent, type XmlElement } from "../../xml.ts";
import type { ZipArchive } from "../../zip.ts";
import { corrupt } from "../../error.ts";
import { readNumbering } from "./docx_numbering.ts";
import { type InlinePiece, RunReader } from "./docx_runs.ts";
import { ListCounters } from "../office/list_numbering.ts";
import { DocxStyles } from "./docx_styles.ts";
import { declaredCount, mainPart, relatedPart, relationships, xmlPart } from "../office/ooxml.ts";

/** Reads a DOCX package. Throws DOCUMENT_CORRUPT if it has no document body. */
export function readDocx(zip: ZipArchive): ExtractedDocument {
  const part = mainPart(zip, "word/document.xml");
  const body = child(xmlPart(zip, part), "w:body");
  if (body === undefined) throw corrupt("The DOCX file has no document body");
  const relations = relationships(zip, part);
  const styles = new DocxStyles(zip, relatedPart(relations, "styles"));
  const numbering = new ListCounters(readNumbering(zip, relatedPart(relations, "numbering")));
  const runs = new RunReader(zip, styles, relations);
  const reader = new BodyReader(styles, numbering, runs);
  const blocks = mergeCode(reader.read(body));
  const notes = ["footnotes", "endnotes"].flatMap((type) =>
    noteBlocks(xmlPart(zip, relatedPart(relations, type) ?? ""), type, reader)
  );
  // Breaks can be left over from an earlier layout, and some programs always declare one page.
  const pageCount = Math.max(declaredCount(zip, "Pages") ?? reader.page, reader.manualPages);
  // Rendered breaks beyond the document's pages are counted twice.
  const isOnPage = (block: Block) => block.kind !== "page" || block.page <= pageCount;
  return { blocks: [...blocks.filter(isOnPage), ...notes], pageCount };
}

/** A position in the text: the page, and whether there's nothing on it yet. */
interface Position {
  readonly page: number;
  readonly isPageEmpty: boolean;
}

/** Reads anything that contains paragraphs and tables: body, cells and text boxes. */
class BodyReader {
  /** Number of pages that the breaks in the text make. */
  manualPages = 1;
  #position: Position = { page: 1, isPageEmpty: true };
  #nestingDepth = 0;
  readonly #styles: DocxStyles;
  readonly #numbering: ListCounters;
  readonly #runs: RunReader;
  #hasTitle = false;

  constructor(styles: DocxStyles, numbering: ListCounters, runs: RunReader) {
    this.#styles = styles;
    this.#numbering = numbering;
    this.#runs = runs;
  }

  /** Number of the page that the reader is on. */
  get page(): number {
    return this.#position.page;
  }

  read(parent: XmlElement): Block[] {
    return elements(parent).flatMap((element) => this.#content(element));
  }

  /** Reads a text box or note. Breaks aren't counted in there. */
  readNested(parent: XmlElement): Block[] {
    const position = this.#position;
    const blocks = this.#readCell(parent);
    this.#position = position;
    return blocks;
  }

  #readCell(parent: XmlElement): Block[] {
    this.#nestingDepth++;
    const blocks = this.read(parent);
    this.#nestingDepth--;
    return blocks;
  }

  #content(element: XmlElement): readonly Block[] {
    switch (element.name) {
      case "w:p":
        return this.#paragraph(element);
      case "w:tbl":
        return this.#table(element);
      case "w:sdt":
        return elements(element, "w:sdtContent").flatMap((content) => this.read(content));
      case "mc:AlternateContent":
        return this.read(child(element, "mc:Choice") ?? child(element, "mc:Fallback") ?? element);
      case "w:ins":
      case "w:moveTo":
      case "w:customXml":
      case "w:smartTag":
        return this.read(element);
      default:
        return [];
    }
  }

  #paragraph(element: XmlElement): Block[] {
    const properties = child(element, "w:pPr");
    const styleId = child(properties, "w:pStyle")?.attributes["w:val"];
    const [blocks, before, after]: [Block[], Block[], Block[]] = [[], [], []];
    let spans: Span[] = [];
    const flush = () => {
      const visible = spans.filter(isVisibleSpan);
      if (visible.length > 0 && visible.every((span) => span.math)) {
        blocks.push(...visible.map(({ text }): Block => ({ kind: "math", tex: text })));
      } else if (visible.length > 0) {
        blocks.push(this.#styled(spans, properties, styleId));
      }
      spans = [];
    };
    const pieces = this.#runs.read(element, styleId);
    const last = pieces.findLastIndex(isVisible);
    for (const [index, piece] of pieces.entries()) {
      if (piece.kind === "span") spans.push(piece.span);
      // A break inside a paragraph goes before it, to keep its text in one piece.
      else if (piece.kind === "break") {
        this.#addPageBreak(piece.manual, index > last ? after : before);
      } else {
        flush();
        blocks.push(...this.#pieceBlocks(piece));
      }
      if (isVisible(piece)) this.#position = { page: this.page, isPageEmpty: false };
    }
    flush();
    return [...before, ...blocks, ...after];
  }

  /**
   * Starts a page. Word also writes where a page ended if that was at a break in the text, and
   * ignores an author's breaks in cells.
   */
  #addPageBreak(isManual: boolean, blocks: Block[]): void {
    const isNested = this.#nestingDepth > 0;
    if (isManual ? isNested : this.#position.isPageEmpty) return;
    this.#position = { page: this.page + 1, isPageEmpty: true };
    if (isManual) this.manualPages++;
    if (!isNested) blocks.push({ kind: "page", page: this.page });
  }

  #pieceBlocks(piece: InlinePiece): Block[] {
    if (piece.kind === "textbox") return this.readNested(piece.content);
    return piece.kind === "block" ? [piece.block] : [];
  }

  #styled(spans: Span[], properties: XmlElement | undefined, styleId: string | undefined): Block {
    const level = this.#styles.headingLevel(properties);
    const numbered = this.#listNumber(properties);
    if (level !== undefined) {
      if (level === 0) this.#hasTitle = true;
      const label = numbered === undefined || numbered.bullet ? "" : `${numbered.label} `;
      const depth = Math.min(6, Math.max(1, this.#hasTitle ? level + 1 : level));
      return {
        kind: "heading",
        level: depth,
        spans: label === "" ? spans : [{ text: label }, ...spans],
      };
    }
    if (isCode(spans, this.#styles.name(styleId))) return { kind: "code", text: plainText(spans) };
    if (numbered === undefined) return { kind: "paragraph", spans };
    const { list, level: depth, bullet, compound, label, value } = numbered;
    if (bullet) return { kind: "item", level: depth, list, spans };
    if (compound) {
      return { kind: "item", level: depth, list, spans: [{ text: `${label} ` }, ...spans] };
    }
    return { kind: "item", level: depth, list, number: value, spans };
  }

  #listNumber(properties: XmlElement | undefined) {
    const own = this.#styles.paragraphProperty(properties, "w:numPr");
    const inherited = this.#styles.paragraphProperty(
      { name: "w:pPr", attributes: {}, children: elements(properties, "w:pStyle") },
      "w:numPr",
    );
    const id = (child(own, "w:numId") ?? child(inherited, "w:numId"))?.attributes["w:val"];
    if (id === undefined || id === "0") return undefined;
    const level = (child(own, "w:ilvl") ?? child(inherited, "w:ilvl"))?.attributes["w:val"] ?? "0";
    return this.#numbering.next(id, Number.parseInt(level, 10) || 0);
  }

  /**
   * Returns a table and the marks of the pages that start with it or inside of it. A page that starts
   * inside of it is marked after it.
   */
  #table(element: XmlElement): Block[] {
    const { page, isPageEmpty } = this.#position;
    const blocks = unwrapSingleCell(this.#tableRows(element));
    if (this.#nestingDepth > 0 || this.page === page) return [...blocks];
    const startsPage = !isPageEmpty && firstContent(element) === "w:lastRenderedPageBreak";
    const firstPage = startsPage ? page + 1 : page;
    return [...pageMark(firstPage, page), ...blocks, ...pageMark(this.page, firstPage)];
  }

  #tableRows(element: XmlElement): Cell[][] {
    const rows: Cell[][] = [];
    // Word writes a break in each column, in the cell that continues on the next page.
    const start = this.#position;
    const ends = new Map<number, Position>();
    const openMerges = new Map<number, { row: number; index: number }>();
    for (const row of tableRows(element)) {
      const cells: Cell[] = [];
      let column =
        Number.parseInt(child(row, "w:trPr", "w:gridBefore")?.attributes["w:val"] ?? "0", 10) || 0;
      for (let skipped = 0; skipped < Math.min(column, 64); skipped++) cells.push({ blocks: [] });
      for (const cell of rowCells(row)) {
        const properties = child(cell, "w:tcPr");
        const span =
          Number.parseInt(child(properties, "w:gridSpan")?.attributes["w:val"] ?? "1", 10) || 1;
        const merge = child(properties, "w:vMerge");
        const above = openMerges.get(column);
        if (merge !== undefined && merge.attributes["w:val"] !== "restart" && above !== undefined) {
          const origin = rows[above.row]?.[above.index];
          const originRow = rows[above.row];
          if (origin !== undefined && originRow !== undefined) {
            originRow[above.index] = { ...origin, rowspan: rows.length - above.row + 1 };
          }
        } else {
          if (merge === undefined) openMerges.delete(column);
          else openMerges.set(column, { row: rows.length, index: cells.length });
          this.#position = ends.get(column) ?? start;
          cells.push({ blocks: this.#readCell(cell), colspan: span });
          ends.set(column, this.#position);
        }
        column += span;
      }
      rows.push(cells);
    }
    const positions = [start, ...ends.values()];
    this.#position = {
      page: positions.reduce((last, { page }) => Math.max(last, page), start.page),
      isPageEmpty: positions.every(({ isPageEmpty }) => isPageEmpty),
    };
    return rows;
  }
}

/** Returns the mark of a page, unless the text before it is on the same one. */
function pageMark(page: number, previousPage: number): Block[] {
  return page > previousPage ? [{ kind: "page", page }] : [];
}

/** Returns the name of the first text or rendered page break in an element. */
function firstContent(parent: XmlElement): string | undefined {
  for (const element of elements(parent)) {
    const isContent = element.name === "w:t" || element.name === "w:lastRenderedPageBreak";
    const found = isContent ? element.name : firstContent(element);
    if (found !== undefined) return found;
  }
  return undefined;
}

function isVisible(piece: InlinePiece): boolean {
  return piece.kind === "span" ? isVisibleSpan(piece.span) : piece.kind !== "break";
}

function isVisibleSpan(span: Span): boolean {
  return span.text.trim() !== "" || span.note !== undefined;
}

function tableRows(table: XmlElement): XmlElement[] {
  return elements(table).flatMap((element) => {
    if (element.name === "w:tr") {
      return child(element, "w:trPr", "w:del") === undefined ? [element] : [];
    }
    if (element.name === "w:sdt") return elements(element, "w:sdtContent").flatMap(tableRows);
    return element.name === "w:customXml" || element.name === "w:ins" ? tableRows(element) : [];
  });
}

function rowCells(row: XmlElement): XmlElement[] {
  return elements(row).flatMap((element) => {
    if (element.name === "w:tc") return [element];
    if (element.name === "w:sdt") return elements(element, "w:sdtContent").flatMap(rowCells);
    return element.name === "w:customXml" ? rowCells(element) : [];
  });
}

/**
 * Checks whether a paragraph is code, i.e. has a code style, or all of its text is monospaced and
 * looks like code.
 */
function isCode(spans: readonly Span[], style: string): boolean {
  if (
    /^(?:source code|source|code|code block|html preformatted|preformatted text|listing)$/i.test(
      style,
    )
  ) {
    return true;
  }
  const text = plainText(spans);
  const isMonospaced = spans.every((span) => span.code || span.text.trim() === "");
  return isMonospaced && /[;{}=<>()[\]]|^\s*(?:def|class|import|return|for|if|while)\b/.test(text);
}

function mergeCode(blocks: readonly Block[]): Block[] {
  const merged: Block[] = [];
  for (const block of blocks) {
    const last = merged.at(-1);
    if (block.kind === "code" && last?.kind === "code") {
      merged[merged.length - 1] = { ...last, text: `${last.text}\n${block.text}` };
    } else merged.push(block);
  }
  return merged;
}

function noteBlocks(root: XmlElement | undefined, type: string, reader: BodyReader): Block[] {
  const notes = elements(root, type === "footnotes" ? "w:footnote" : "w:endnote");
  return notes.flatMap((note): Block[] => {
    const id = note.attributes["w:id"] ?? "";
    if (note.attributes["w:type"] !== undefined && note.attributes["w:type"] !== "normal") {
      return [];
    }
    if (descendants(note, "w:t").map(textContent).join("").trim() === "") return [];
    const spans = reader.readNested(note).flatMap((block): Span[] =>
      "spans" in block ? [...block.spans, { text: " " }] : []
    );
    return [{ kind: "note", label: type === "footnotes" ? id : `e${id}`, spans }];
  });
}
