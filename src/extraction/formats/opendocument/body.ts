/** Reads the text of OpenDocument files: paragraphs, lists, tables, notes and frames. */
import { MAX_TABLE_COLUMNS } from "../../limits.ts";
import type { Block, Cell, Span } from "../../model.ts";
import { plainText, unwrapSingleCell } from "../../model.ts";
import { child, elements, textContent, type XmlElement } from "../../xml.ts";
import { meaningfulAltText } from "../office/ooxml.ts";
import { OdfCounters, parseWholeNumber } from "./numbering.ts";
import type { OdfStyles } from "./styles.ts";

/** Returns the blocks for an embedded object (a chart or a formula) by its name in the package. */
export type ObjectReader = (href: string) => Block[];

/** Maximum number of times to write a repeated row. Any more are filler. */
const MAX_REPEATED_ROWS = 50;

interface ListContext {
  readonly id: string;
  readonly style: string | undefined;
  readonly level: number;
  /** The number from which to restart the level. */
  readonly restart?: number | undefined;
}

/** Name of the chapter counters. No list can have this name. */
const CHAPTER_LIST = "chapters";

/** Reads any element with text content. */
export class OdfBody {
  page = 1;
  readonly #styles: OdfStyles;
  readonly #readObject: ObjectReader;
  readonly #notes: Block[] = [];
  readonly #counters = new OdfCounters();
  /** List ids keyed by the name used to continue the list, and the latest list id per style. */
  readonly #listsByName = new Map<string, string>();
  readonly #latestByStyle = new Map<string | undefined, string>();
  #listCount = 0;
  #hasTitle = false;

  constructor(styles: OdfStyles, readObject: ObjectReader) {
    this.#styles = styles;
    this.#readObject = readObject;
  }

  /** Notes read so far. */
  get notes(): readonly Block[] {
    return this.#notes;
  }

  read(parent: XmlElement): Block[] {
    return elements(parent).flatMap((element) => this.#content(element, undefined));
  }

  #content(element: XmlElement, list: ListContext | undefined): readonly Block[] {
    switch (element.name) {
      case "text:h":
      case "text:p":
        return this.#paragraph(element, list, list !== undefined);
      case "text:list":
        return this.#list(element, list);
      case "table:table":
        return unwrapSingleCell(this.table(element));
      case "text:soft-page-break":
        this.page++;
        return [{ kind: "page", page: this.page }];
      case "draw:frame":
      case "draw:custom-shape":
      case "draw:g":
      case "draw:text-box":
      case "draw:rect":
      case "draw:ellipse":
      case "draw:line":
      case "draw:connector":
      case "draw:polygon":
      case "draw:path":
        return this.shape(element);
      case "text:section":
      case "text:index-body":
      case "text:index-title":
      case "text:table-of-content":
      case "text:bibliography":
      case "text:alphabetical-index":
      case "text:illustration-index":
      case "table:table-header-rows":
        return elements(element).flatMap((inner) => this.#content(inner, list));
      default:
        return [];
    }
  }

  /** Returns a drawing shape's blocks: pictures, objects and text. */
  shape(element: XmlElement): Block[] {
    const title = textContent(child(element, "fo:title")) || textContent(child(element, "fo:desc"));
    return elements(element).flatMap((inner): readonly Block[] => {
      if (inner.name === "draw:image") {
        // An object's frame also contains a preview picture.
        return child(element, "draw:object") === undefined
          ? [{ kind: "image", alt: meaningfulAltText(title) }]
          : [];
      }
      if (inner.name === "draw:object") {
        return this.#readObject(inner.attributes["xlink:href"] ?? "");
      }
      if (inner.name === "draw:text-box") return this.read(inner);
      return this.#content(inner, undefined);
    });
  }

  #paragraph(
    element: XmlElement,
    list: ListContext | undefined,
    isFirst: boolean,
  ): readonly Block[] {
    const style = element.attributes["text:style-name"];
    const anchored: Block[] = [];
    const spans = this.#spans(element, {}, anchored);
    const isEmpty = plainText(spans).trim() === "" &&
      spans.every((span) => span.note === undefined);
    if (isEmpty) return anchored;
    const visible = spans.filter((span) => span.text.trim() !== "" || span.note !== undefined);
    if (visible.every((span) => span.math)) {
      return [...visible.map(({ text }): Block => ({ kind: "math", tex: text })), ...anchored];
    }
    return [...this.#styled(element, style, spans, list, isFirst), ...anchored];
  }

  #styled(
    element: XmlElement,
    style: string | undefined,
    spans: readonly Span[],
    list: ListContext | undefined,
    isFirst: boolean,
  ): Block[] {
    const title = this.#styles.titleLevel(style);
    if (element.name === "text:h" || title !== undefined) {
      if (title === 1) this.#hasTitle = true;
      const outline = Number.parseInt(element.attributes["text:outline-level"] ?? "1", 10) || 1;
      const number = title === undefined && element.attributes["text:is-list-header"] !== "true"
        ? this.#headingNumber(style, outline - 1, isFirst ? list : undefined)
        : undefined;
      return [{
        kind: "heading",
        level: title ?? outline + (this.#hasTitle ? 1 : 0),
        spans: number === undefined ? spans : [{ text: `${number.label} ` }, ...spans],
      }];
    }
    if (this.#styles.isPreformatted(style)) return [{ kind: "code", text: plainText(spans) }];
    if (list === undefined || !isFirst) return [{ kind: "paragraph", spans }];
    const item = { kind: "item", level: list.level, list: list.id } as const;
    const number = this.#itemNumber(style, list);
    if (number === undefined) return [{ ...item, spans }];
    return number.compound
      ? [{ ...item, spans: [{ text: `${number.label} ` }, ...spans] }]
      : [{ ...item, number: number.value, spans }];
  }

  #itemNumber(style: string | undefined, { id, level, restart, ...list }: ListContext) {
    const listStyle = this.#styles.listStyleOf(style) ?? list.style;
    return this.#counters.next(id, level, (at) => this.#styles.listLevel(listStyle, at), restart);
  }

  /** Returns a heading's number, counted by its list or the document's chapters. */
  #headingNumber(style: string | undefined, chapter: number, list: ListContext | undefined) {
    if (list !== undefined) return this.#itemNumber(style, list);
    if (this.#styles.listStyleOf(style) === "") return undefined;
    return this.#counters.next(CHAPTER_LIST, chapter, (at) => this.#styles.chapterLevel(at));
  }

  #list(element: XmlElement, outer: ListContext | undefined): Block[] {
    const style = element.attributes["text:style-name"] ?? outer?.style;
    const id = outer?.id ?? this.#listId(element, style);
    return elements(element).flatMap((item) => {
      const context: ListContext = {
        id,
        style,
        level: outer === undefined ? 0 : outer.level + 1,
        restart: parseWholeNumber(item.attributes["text:start-value"]),
      };
      let isFirst = item.name === "text:list-item";
      return elements(item).flatMap((inner): readonly Block[] => {
        if (inner.name === "text:list") return this.#list(inner, context);
        const blocks = inner.name === "text:p" || inner.name === "text:h"
          ? this.#paragraph(inner, context, isFirst)
          : this.#content(inner, undefined);
        isFirst = false;
        return blocks;
      });
    });
  }

  /** Returns the id of the list started or continued by an outermost list element. */
  #listId(element: XmlElement, style: string | undefined): string {
    const { attributes } = element;
    const continued = this.#listsByName.get(attributes["text:continue-list"] ?? "") ??
      (attributes["text:continue-numbering"] === "true"
        ? this.#latestByStyle.get(style)
        : undefined);
    const id = continued ?? `list${++this.#listCount}`;
    this.#listsByName.set(attributes["xml:id"] ?? id, id);
    this.#latestByStyle.set(style, id);
    return id;
  }

  #spans(parent: XmlElement, format: Omit<Span, "text">, anchored: Block[]): Span[] {
    return parent.children.flatMap((node): Span[] => {
      if (typeof node === "string") return [{ ...format, text: node.replace(/[\s]+/g, " ") }];
      switch (node.name) {
        case "text:span":
          return this.#spans(node, {
            ...format,
            ...this.#styles.textFormat(node.attributes["text:style-name"]),
          }, anchored);
        case "text:a":
          return this.#spans(node, { ...format, ...linkOf(node) }, anchored);
        case "text:s":
          return [{
            ...format,
            text: " ".repeat(Math.min(100, Number(node.attributes["text:c"] ?? 1) || 1)),
          }];
        case "text:tab":
          return [{ ...format, text: "\t" }];
        case "text:line-break":
          return [{ ...format, text: "\n" }];
        case "text:note":
          return this.#note(node);
        case "text:soft-page-break":
          this.page++;
          return [];
        case "office:annotation":
        case "text:tracked-changes":
          return [];
        default:
          if (node.name.startsWith("draw:")) {
            const blocks = this.#content(node, undefined);
            const [formula] = blocks;
            // Formulas are anchored like pictures but belong to the line.
            if (blocks.length === 1 && formula?.kind === "math") {
              return [{ text: formula.tex, math: true }];
            }
            anchored.push(...blocks);
            return [];
          }
          if (node.name === "text:ruby") {
            return this.#spans(child(node, "text:ruby-base") ?? node, format, anchored);
          }
          return this.#spans(node, format, anchored);
      }
    });
  }

  #note(note: XmlElement): Span[] {
    const label = `${note.attributes["text:note-class"] === "endnote" ? "e" : ""}${
      textContent(child(note, "text:note-citation")).trim() || this.#notes.length + 1
    }`;
    const spans = this.read(child(note, "text:note-body") ?? note).flatMap((block): Span[] =>
      "spans" in block ? [...block.spans, { text: " " }] : []
    );
    if (spans.length === 0) return [];
    this.#notes.push({ kind: "note", label, spans });
    return [{ text: "", note: label }];
  }

  /** Returns a table's rows, limiting repeats and keeping merged cells. */
  table(table: XmlElement): Cell[][] {
    return tableRows(table).flatMap((row) => {
      const cells = elements(row).flatMap((cell): Cell[] => {
        if (cell.name !== "table:table-cell") return [];
        const span = (name: string) =>
          Math.min(MAX_TABLE_COLUMNS, Number.parseInt(cell.attributes[name] ?? "1", 10) || 1);
        const filled: Cell = {
          blocks: this.read(cell),
          colspan: span("table:number-columns-spanned"),
          rowspan: span("table:number-rows-spanned"),
        };
        return new Array<Cell>(span("table:number-columns-repeated")).fill(filled);
      });
      const repeated = Number.parseInt(row.attributes["table:number-rows-repeated"] ?? "1", 10) ||
        1;
      const isFilled = cells.some((cell) => cell.blocks.length > 0);
      return new Array<Cell[]>(isFilled ? Math.min(MAX_REPEATED_ROWS, repeated) : 1).fill(cells);
    });
  }
}

function linkOf(node: XmlElement): Omit<Span, "text"> {
  const href = node.attributes["xlink:href"] ?? "";
  return href === "" || href.startsWith("#") ? {} : { href };
}

/** Returns a table's row elements, including those in groups and headers. */
export function tableRows(table: XmlElement): XmlElement[] {
  return elements(table).flatMap((element) => {
    if (element.name === "table:table-row") return [element];
    return /^table:(?:table-header-rows|table-rows|table-row-group)$/.test(element.name)
      ? tableRows(element)
      : [];
  });
}
