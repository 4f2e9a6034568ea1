/** Writes the document model as Markdown. Nothing else writes Markdown syntax. */
import { utf8Length } from "../kernel/text.ts";
import { outputTooLarge, tooManyCells, tooManyColumns } from "./budget.ts";
import { escapeInline, escapeLineStart } from "./escape.ts";
import { MAX_TABLE_CELLS, MAX_TABLE_COLUMNS } from "./limits.ts";
import { type Block, type Cell, isRepeatedInSpan, type ListItem, type Span } from "./model.ts";

/** Maximum number of columns that a merged cell counts for when the table's width is computed. */
const MAX_COUNTED_COLSPAN = 100;

/**
 * Returns `blocks` as Markdown. The result ends with one line feed if there's room for it, and is
 * empty if the blocks contain nothing to read.
 *
 * @param maxBytes maximum size of the Markdown, in UTF-8 bytes
 * @throws {ExtractionError} EXTRACTED_DOCUMENT_TOO_LARGE if the Markdown exceeds `maxBytes`
 */
export function writeMarkdown(blocks: readonly Block[], maxBytes: number): string {
  const parts: string[] = [];
  let bytes = 0;
  let previous: Block | undefined;
  const indents = new ListIndents();
  for (const block of blocks) {
    const text = writeBlock(block, indents);
    if (text === "") continue;
    const gap = previous === undefined ? "" : separator(previous, block);
    bytes += gap.length + utf8Length(text);
    if (bytes > maxBytes) throw outputTooLarge(maxBytes);
    parts.push(gap, text);
    previous = block;
  }
  if (bytes > 0 && bytes < maxBytes) parts.push("\n");
  return parts.join("");
}

/** Checks whether Markdown contains any text besides page and image marks. */
export function hasReadableText(markdown: string): boolean {
  return /[\p{L}\p{N}\p{S}\p{P}]/u.test(markdown.replace(/<!--.*?-->|!\[\]\(\)/gs, ""));
}

function separator(previous: Block, next: Block): string {
  if (previous.kind !== "item" || next.kind !== "item") return "\n\n";
  const isNested = next.level > 0 || previous.level > 0;
  const isSameList = isSameListType(previous, next) && previous.list === next.list;
  return isNested || isSameList ? "\n" : "\n\n";
}

function isSameListType(a: ListItem, b: ListItem): boolean {
  return (a.number === undefined) === (b.number === undefined);
}

/**
 * Computes the indentation of list items. In Markdown, a nested item is indented to where its
 * parent's text starts. Items on the same level are siblings, even if the levels above have none.
 */
class ListIndents {
  #openItems: { readonly level: number; readonly childIndent: number }[] = [];

  indent({ level }: ListItem, marker: string): string {
    while ((this.#openItems.at(-1)?.level ?? -1) >= level) this.#openItems.pop();
    const indent = this.#openItems.at(-1)?.childIndent ?? 0;
    this.#openItems.push({ level, childIndent: indent + Math.max(4, marker.length + 1) });
    return " ".repeat(indent);
  }

  close(): void {
    this.#openItems = [];
  }
}

function writeBlock(block: Block, lists: ListIndents): string {
  if (block.kind !== "item" && block.kind !== "page" && block.kind !== "image") lists.close();
  switch (block.kind) {
    case "heading": {
      const plain = block.spans.map(({ bold: _, ...span }) => span);
      const text = writeSpans(plain).replace(/\s+/g, " ").trim();
      return text === "" ? "" : `${"#".repeat(Math.min(6, Math.max(1, block.level)))} ${text}`;
    }
    case "paragraph":
      return writeLines(block.spans);
    case "item": {
      const text = writeSpans(block.spans).trim().replaceAll("\n", "  \n");
      const marker = block.number === undefined ? "-" : `${block.number}.`;
      const indent = lists.indent(block, marker);
      return text === "" ? "" : `${indent}${marker} ${text}`.replaceAll("\n", `\n${indent}  `);
    }
    case "table":
      return writeTable(block.rows);
    case "code":
      return writeCode(block.text, block.language ?? "");
    case "quote":
      return writeMarkdown(block.blocks, Infinity).trim().replace(/^(?=.)/gm, "> ")
        .replace(/^$/gm, ">");
    case "image":
      return block.alt === ""
        ? "<!-- image -->"
        : `![${escapeInline(collapseWhitespace(block.alt))}]()`;
    case "math":
      return block.tex.trim() === "" ? "" : `$$${block.tex.trim()}$$`;
    case "note":
      return `[^${block.label}]: ${collapseWhitespace(writeSpans(block.spans))}`;
    case "markdown":
      return block.text.replace(/^\n+|\s+$/g, "");
    case "page":
      return `<!-- page ${block.page} -->`;
  }
}

function collapseWhitespace(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

function writeLines(spans: readonly Span[]): string {
  const lines = writeSpans(spans).trim().split("\n").map((line) => line.trim());
  return lines.filter((line) => line !== "").map(escapeLineStart).join("  \n");
}

function writeCode(text: string, language: string): string {
  const body = text.replace(/\s+$/, "").replace(/^\n+/, "");
  if (body === "") return "";
  let fence = "```";
  while (body.includes(fence)) fence += "`";
  return `${fence}${language}\n${body}\n${fence}`;
}

/** Returns spans as inline Markdown. Merges adjacent spans in the same style first. */
function writeSpans(spans: readonly Span[]): string {
  return joinSpans(spans).map((span, index, all) =>
    // Adjacent formulas need a space in between, otherwise their dollar signs would merge.
    writeSpan(span) + (span.math && all[index + 1]?.math ? " " : "")
  ).join("").replace(/[ \t]+\n/g, "\n");
}

function joinSpans(spans: readonly Span[]): Span[] {
  const joined: Span[] = [];
  for (const span of spans) {
    if (span.text === "" && span.note === undefined) continue;
    const last = joined.at(-1);
    if (last !== undefined && isSameStyle(last, span)) {
      joined[joined.length - 1] = { ...last, text: last.text + span.text };
    } else if (last !== undefined && span.text.trim() === "" && span.note === undefined) {
      joined[joined.length - 1] = { ...last, text: last.text + span.text };
    } else joined.push(span);
  }
  return joined;
}

function isSameStyle(a: Span, b: Span): boolean {
  return !a.bold === !b.bold && !a.italic === !b.italic && !a.strike === !b.strike &&
    !a.code === !b.code && !a.math && !b.math && a.href === b.href &&
    a.note === undefined && b.note === undefined;
}

function writeSpan(span: Span): string {
  if (span.note !== undefined) return `[^${span.note}]`;
  const [, before = "", trimmed = "", after = ""] = /^(\s*)([\s\S]*?)(\s*)$/.exec(span.text) ?? [];
  if (trimmed === "") return span.text;
  let text = trimmed;
  if (span.math) text = `$${trimmed}$`;
  else if (span.code) text = writeCodeSpan(trimmed);
  else {
    text = escapeInline(trimmed);
    const mark = (span.strike ? "~~" : "") + (span.bold ? "**" : "") + (span.italic ? "*" : "");
    if (mark !== "" && /[\p{L}\p{N}]/u.test(trimmed)) {
      const closing = [...mark].reverse().join("");
      text = text.split("\n").map((line) =>
        line.trim() === "" ? line : mark + line.trim() + closing
      )
        .join("\n");
    }
  }
  if (span.href !== undefined && isSafeLinkTarget(span.href)) {
    text = `[${collapseWhitespace(text)}](${encodeLinkTarget(span.href)})`;
  }
  return before + text + after;
}

function writeCodeSpan(text: string): string {
  const fence = text.includes("`") ? "``" : "`";
  const pad = text.startsWith("`") || text.endsWith("`") ? " " : "";
  return fence + pad + collapseWhitespace(text) + pad + fence;
}

/**
 * Checks whether readers can follow a link. Script and data targets don't lead anywhere readable.
 */
function isSafeLinkTarget(href: string): boolean {
  return href !== "" && !/^\s*(?:javascript|data|vbscript|file):/i.test(href);
}

function encodeLinkTarget(href: string): string {
  const target = href.trim();
  return /[\s()<>]/.test(target)
    ? target.replace(/[\s()<>]/g, (char) => "%" + char.charCodeAt(0).toString(16).toUpperCase())
    : target;
}

/**
 * Returns a Markdown table. A merged cell's text is repeated so that each row makes sense on its
 * own, unless it's long.
 */
function writeTable(rows: readonly (readonly Cell[])[]): string {
  const grid = expandMergedCells(rows).filter((row) => row.some((text) => text !== ""));
  const width = grid.reduce((max, row) => Math.max(max, row.length), 0);
  if (width === 0) return "";
  // All rows get padded to the length of the longest one.
  if (grid.length * width > MAX_TABLE_CELLS) throw tooManyCells();
  const lines = grid.map((row) =>
    `| ${Array.from({ length: width }, (_, column) => row[column] ?? "").join(" | ")} |`
  );
  lines.splice(1, 0, `|${" --- |".repeat(width)}`);
  return lines.join("\n");
}

function expandMergedCells(rows: readonly (readonly Cell[])[]): string[][] {
  const grid: string[][] = rows.map(() => []);
  const maxColspan = widestRow(rows);
  let cellCount = 0;
  rows.forEach((row, y) => {
    let x = 0;
    for (const cell of row) {
      while (grid[y]?.[x] !== undefined) x++;
      const text = cellText(cell.blocks);
      if (x >= MAX_TABLE_COLUMNS) {
        if (text === "") continue;
        throw tooManyColumns();
      }
      const colspan = Math.min(maxColspan, Math.max(1, cell.colspan ?? 1));
      const right = Math.min(MAX_TABLE_COLUMNS, x + colspan);
      const bottom = Math.min(rows.length, y + Math.max(1, cell.rowspan ?? 1));
      if ((cellCount += (right - x) * (bottom - y)) > MAX_TABLE_CELLS) throw tooManyCells();
      const repeated = isRepeatedInSpan(text) ? text : "";
      for (let lineIndex = y; lineIndex < bottom; lineIndex++) {
        const line = grid[lineIndex];
        if (line === undefined) break;
        for (let column = x; column < right; column++) {
          line[column] ??= lineIndex === y && column === x ? text : repeated;
        }
      }
      x = right;
    }
  });
  return grid.map((row) => Array.from(row, (text) => text ?? ""));
}

/** Returns the number of columns in the widest row. In HTML, huge spans mean all columns. */
function widestRow(rows: readonly (readonly Cell[])[]): number {
  const width = (row: readonly Cell[]) =>
    row.reduce((sum, { colspan = 1 }) => sum + (colspan > MAX_COUNTED_COLSPAN ? 1 : colspan), 0);
  return rows.reduce((max, row) => Math.max(max, width(row)), 1);
}

/** Returns a cell's blocks on one line, since Markdown table cells can't span lines. */
function cellText(blocks: readonly Block[]): string {
  const parts = blocks.map((block) => {
    switch (block.kind) {
      case "heading":
        return writeSpans(block.spans);
      case "paragraph":
        return writeSpans(block.spans);
      case "item":
        return `${block.number === undefined ? "-" : block.number + "."} ${
          writeSpans(block.spans)
        }`;
      case "table":
        return block.rows.flatMap((row) => row.map((cell) => cellText(cell.blocks))).join(" ");
      case "code":
        return writeCodeSpan(block.text);
      case "quote":
        return cellText(block.blocks);
      case "page":
        return "";
      case "image":
        return block.alt === "" ? "" : `![${collapseWhitespace(block.alt)}]()`;
      default:
        return writeBlock(block, new ListIndents());
    }
  });
  return collapseWhitespace(parts.join(" ")).replace(/(?<!\\)\|/g, "\\|");
}
