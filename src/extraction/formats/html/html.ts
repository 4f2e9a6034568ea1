/** Reads the visible text of HTML pages, parsed the way browsers parse them. */
import type { Budget } from "../../budget.ts";
import type { Block, Cell, ExtractedDocument, Span } from "../../model.ts";
import { append, plainText } from "../../model.ts";
import {
  attribute,
  collapseWhitespace,
  type Element,
  isElement,
  isHidden,
  type ParentNode,
  parseBody,
  rawText,
  SKIPPED_ELEMENTS,
} from "./html_tree.ts";
import { mathSpans } from "./html_math.ts";

const INLINE_ELEMENTS = new Set(
  ("a abbr acronym b bdi bdo big cite code data del dfn em font i img ins kbd label mark math output q " +
    "ruby rb s samp small span strike strong sub sup time tt u var wbr br button nobr").split(" "),
);

/** Maximum number of blocks besides list items in a cell of a data table without header cells. */
const MAX_VALUE_BLOCKS = 3;

/** Minimum fraction of cells that are parts of the page in a layout table with equal rows. */
const MIN_PART_SHARE = 0.25;
/** Minimum number of rows that show that they are equal on purpose. */
const MIN_EQUAL_ROWS = 3;

/** Reads an HTML page. Throws if {@link parseBody} throws. */
export function readHtml(text: string, budget: Budget): ExtractedDocument {
  return { blocks: htmlBlocks(text, budget) };
}

/** Returns the blocks of a page's body. Throws if {@link parseBody} throws. */
export function htmlBlocks(text: string, budget: Budget): Block[] {
  const body = parseBody(text, budget);
  return body === undefined ? [] : new HtmlReader().blocks(body);
}

interface ListContext {
  /** Depth of the enclosing list, or -1 outside of lists. */
  readonly level: number;
  readonly list: string;
}

const OUTSIDE_LISTS: ListContext = { level: -1, list: "" };

class HtmlReader {
  #listCount = 0;

  /**
   * Returns the blocks for everything in `parent`. Loose inline content is turned into paragraphs.
   */
  blocks(parent: ParentNode, context: ListContext = OUTSIDE_LISTS): Block[] {
    const blocks: Block[] = [];
    let spans: Span[] = [];
    const flush = () => {
      const block = paragraphOf(spans);
      if (block !== undefined) blocks.push(block);
      spans = [];
    };
    for (const node of parent.childNodes) {
      if (node.nodeName === "#text" && "value" in node) {
        spans.push({ text: collapseWhitespace(node.value) });
      } else if (!isElement(node) || isHidden(node)) continue;
      else if (isInline(node)) {
        const inline = inlineSpans(node, {}, (image) => {
          flush();
          blocks.push(image);
        });
        append(spans, inline);
      } else {
        flush();
        append(blocks, this.#block(node, context));
      }
    }
    flush();
    return blocks;
  }

  #block(element: Element, context: ListContext): Block[] {
    switch (element.tagName) {
      case "h1":
      case "h2":
      case "h3":
      case "h4":
      case "h5":
      case "h6": {
        const spans = inlineSpans(element, {}).map((span) => ({
          ...span,
          text: span.text.replaceAll("\n", " "),
        }));
        const level = Number(element.tagName[1]);
        return plainText(spans).trim() === "" ? [] : [{ kind: "heading", level, spans }];
      }
      case "ul":
      case "ol":
      case "menu":
        return this.#list(element, context);
      case "table":
        return this.#table(element);
      case "pre":
      case "xmp":
      case "listing":
        return [{ kind: "code", text: rawText(element), language: codeLanguage(element) }];
      case "blockquote":
        return [{ kind: "quote", blocks: this.blocks(element) }];
      case "figure":
        return figureBlocks(element, this.blocks(element, context));
      case "dl":
        return this.#definitions(element);
      default:
        return this.blocks(element, context);
    }
  }

  #list(element: Element, outerContext: ListContext): Block[] {
    const context = {
      level: outerContext.level + 1,
      list: outerContext.level < 0 ? `list${++this.#listCount}` : outerContext.list,
    };
    let number = Number.parseInt(attribute(element, "start") ?? "1", 10) || 1;
    return element.childNodes.flatMap((node) => {
      if (!isElement(node) || isHidden(node)) return [];
      if (node.tagName !== "li") return this.#block(node, context);
      const value = Number.parseInt(attribute(node, "value") ?? "", 10);
      if (!Number.isNaN(value)) number = value;
      return this.#item(node, context, element.tagName === "ol" ? number++ : undefined);
    });
  }

  /**
   * Returns a list item with its paragraphs' text. Lists, tables and code follow as separate
   * blocks.
   */
  #item(element: Element, context: ListContext, number: number | undefined): Block[] {
    const spans: Span[] = [];
    const after: Block[] = [];
    for (const block of this.blocks(element, context)) {
      if (block.kind === "paragraph" && after.length === 0) {
        if (spans.length > 0) spans.push({ text: " " });
        append(spans, block.spans);
      } else after.push(block);
    }
    if (plainText(spans).trim() === "") return after;
    const { level, list } = context;
    return [
      { kind: "item", level, list, spans, ...(number === undefined ? {} : { number }) },
      ...after,
    ];
  }

  #definitions(element: Element): Block[] {
    return element.childNodes.flatMap((node): Block[] => {
      if (!isElement(node) || isHidden(node)) return [];
      if (node.tagName === "dd") {
        return this.#item(node, { level: 0, list: `dl${this.#listCount}` }, undefined);
      }
      if (node.tagName === "div") return this.#definitions(node);
      return this.blocks(node);
    });
  }

  #table(element: Element): Block[] {
    const caption = element.childNodes.find((node): node is Element => node.nodeName === "caption");
    const rowElements = tableRows(element);
    const rows = rowElements.map((row) =>
      row.childNodes.flatMap((node): Cell[] => {
        if (!isElement(node) || (node.tagName !== "td" && node.tagName !== "th")) return [];
        const span = (name: string) =>
          Math.min(1_000, Math.max(1, Number.parseInt(attribute(node, name) ?? "1", 10) || 1));
        return [{ blocks: this.blocks(node), colspan: span("colspan"), rowspan: span("rowspan") }];
      })
    ).filter((row) => row.length > 0);
    const before = caption === undefined ? [] : this.blocks(caption);
    if (isLayoutTable(element, rowElements, rows)) {
      return [...before, ...rows.flat().flatMap(({ blocks }) => blocks)];
    }
    return rows.length === 0 ? before : [...before, { kind: "table", rows }];
  }
}

/**
 * Checks whether a table only places parts of the page, as in most mails. A layout table has a
 * `presentation` role, a single column, or a cell with a heading, a table or several paragraphs. Only
 * data tables have captions and header cells.
 */
function isLayoutTable(
  element: Element,
  rowElements: readonly Element[],
  rows: readonly (readonly Cell[])[],
): boolean {
  if (/^(?:presentation|none)$/i.test(attribute(element, "role")?.trim() ?? "")) return true;
  if (rows.length === 1 && rows[0]?.length === 1) return true;
  const has = (parent: Element, name: string) =>
    parent.childNodes.some((node) => node.nodeName === name);
  if (has(element, "caption") || has(element, "thead")) return false;
  if (rowElements.some((row) => has(row, "th"))) return false;
  if (rows.every((row) => row.length === 1)) return true;
  const cells = rows.flat();
  const parts = cells.filter(({ blocks }) => isPartOfPage(blocks)).length;
  const isGrid = rows.length >= MIN_EQUAL_ROWS &&
    rows.every((row) => row.length > 1 && row.length === rows[0]?.length);
  return parts > 0 && (!isGrid || parts >= MIN_PART_SHARE * cells.length);
}

/** Checks whether the content of a cell is a part of a page rather than a value. */
function isPartOfPage(blocks: readonly Block[]): boolean {
  return blocks.filter(({ kind }) => kind !== "item").length > MAX_VALUE_BLOCKS ||
    blocks.some(({ kind }) => kind === "heading" || kind === "table");
}

/** Checks whether an element is inline by browser defaults and only has inline content. */
function isInline(element: Element): boolean {
  // Formulas are always inline, regardless of their element names.
  if (element.tagName === "math") return true;
  return INLINE_ELEMENTS.has(element.tagName) &&
    element.childNodes.every((node) =>
      !isElement(node) || SKIPPED_ELEMENTS.has(node.tagName) || isInline(node)
    );
}

function paragraphOf(spans: readonly Span[]): Block | undefined {
  return plainText(spans).trim() === ""
    ? undefined
    : { kind: "paragraph", spans: trimRepeatedSpaces(spans) };
}

/** Removes a space if the previous span already ends in whitespace. */
function trimRepeatedSpaces(spans: readonly Span[]): Span[] {
  const result: Span[] = [];
  for (const span of spans) {
    const previous = result.at(-1)?.text ?? " ";
    const text = /[ \n]$/.test(previous) ? span.text.replace(/^ +/, "") : span.text;
    if (text !== "") result.push({ ...span, text });
  }
  return result;
}

function inlineSpans(
  element: Element,
  inherited: Omit<Span, "text">,
  onImage: (image: Block) => void = () => undefined,
): Span[] {
  if (isHidden(element)) return [];
  if (element.tagName === "br") return [{ text: "\n" }];
  if (element.tagName === "img") {
    const alt = collapseWhitespace(attribute(element, "alt") ?? "").trim();
    onImage({ kind: "image", alt });
    return [];
  }
  if (element.tagName === "math") return mathSpans(element);
  const format = { ...inherited, ...formatOf(element) };
  return element.childNodes.flatMap((node): Span[] => {
    if (node.nodeName === "#text" && "value" in node) {
      return [{ ...format, text: collapseWhitespace(node.value) }];
    }
    return isElement(node) ? inlineSpans(node, format, onImage) : [];
  });
}

function formatOf(element: Element): Omit<Span, "text"> {
  switch (element.tagName) {
    case "b":
    case "strong":
      return { bold: true };
    case "i":
    case "em":
    case "cite":
    case "var":
    case "dfn":
      return { italic: true };
    case "s":
    case "strike":
    case "del":
      return { strike: true };
    case "code":
    case "kbd":
    case "samp":
    case "tt":
      return { code: true };
    case "a": {
      const href = attribute(element, "href");
      return href === undefined || href === "" ? {} : { href };
    }
    default:
      return {};
  }
}

function codeLanguage(element: Element): string {
  const inner = element.childNodes.find((node): node is Element => node.nodeName === "code");
  const classes = `${attribute(element, "class") ?? ""} ${
    inner === undefined ? "" : attribute(inner, "class") ?? ""
  }`;
  return /(?:language|lang)-([\w+#-]+)/.exec(classes)?.[1] ?? "";
}

/**
 * Clears the alternative text of images in a captioned figure, since the two usually say the same
 * thing.
 */
function figureBlocks(element: Element, blocks: Block[]): Block[] {
  const captioned = element.childNodes.some((node) => node.nodeName === "figcaption");
  return captioned
    ? blocks.map((block) => block.kind === "image" ? { ...block, alt: "" } : block)
    : blocks;
}

function tableRows(parent: Element): Element[] {
  return parent.childNodes.flatMap((node) => {
    if (!isElement(node)) return [];
    if (node.tagName === "tr") return [node];
    return /^(?:thead|tbody|tfoot)$/.test(node.tagName) ? tableRows(node) : [];
  });
}
